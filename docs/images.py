"""Makes the images of every page from the page's own code: below a block stands what its last line makes.

.venv/bin/python -m docs.images

A picture is saved as it is, a page of HTML is photographed in Chromium. A test holds the pictures to what the
program draws today. An image that the code above it does not make is borrowed from another page.
"""

from __future__ import annotations

import ast
import contextlib
import doctest
import os
import re
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final, NamedTuple

import clearwood as cw

DOCS = Path(__file__).parent
FOLDER = DOCS / "images"
PART = re.compile(
    r"^```(python|pycon)\n(.*?)^```|\((?:\.\./)*images/([\w-]+\.\w+)\)", re.MULTILINE | re.DOTALL
)


class Photograph(NamedTuple):
    """How a page is photographed: the window, what is clicked before, the part that is shown, if not all."""

    width: int
    height: int
    click: str = ""
    part: str = ""


PHOTOGRAPHS: Final = {
    "gallery-derivation.png": Photograph(820, 796),
    "gallery-worksheet.png": Photograph(820, 734),
    "report-model.png": Photograph(1100, 900, part="#model"),
    "report-derivation.png": Photograph(900, 720, click=".scores button.number"),
    "report-answer.png": Photograph(1000, 900, part="#ask"),
}
MARGIN: Final = 24


def images() -> dict[str, cw.Picture | str]:
    """Each image by the name of its file: a picture, or the HTML to be photographed."""
    return {name: made for page in sorted(DOCS.rglob("*.md")) for name, made in _images_of(page)}


def _images_of(page: Path) -> Iterator[tuple[str, cw.Picture | str]]:
    text = page.read_text(encoding="utf-8")
    if "images/" not in text:
        return
    names: dict[str, Any] = {}
    made: Any = None
    for kind, code, image in PART.findall(text):
        if not image:
            with contextlib.redirect_stdout(None):
                made = _last_value(_without_answers(code) if kind == "pycon" else code, names)
        elif isinstance(made, cw.Report):
            yield image, made.html
        elif isinstance(made, cw.Picture) or (
            isinstance(made, str) and made.lower().startswith("<!doctype html")
        ):
            yield image, made


def _without_answers(session: str) -> str:
    return "".join(example.source for example in doctest.DocTestParser().get_examples(session))


def _last_value(code: str, names: dict[str, Any]) -> Any:
    """Runs the code; what its last line makes, as a notebook would show it."""
    lines = ast.parse(code)
    match lines.body[-1]:
        case ast.Expr(value):
            exec(compile(ast.Module(lines.body[:-1], []), "page", "exec"), names)
            return eval(compile(ast.Expression(value), "page", "eval"), names)
        case ast.Assign(targets=[ast.Name(name)]):
            exec(code, names)
            return names[name]
        case _:
            exec(code, names)
            return None


def photograph(pages: dict[str, str], folder: Path) -> None:
    """What a reader sees of each page, as PNG."""
    from playwright.sync_api import sync_playwright
    from tests.browser import launched

    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as desk:
        browser = launched(playwright)
        for name, html in pages.items():
            how = PHOTOGRAPHS[name]
            size = {"width": how.width, "height": how.height}
            tab = browser.new_page(viewport=size, device_scale_factor=1.5)
            page = Path(desk) / "page.html"
            page.write_text(html, encoding="utf-8")
            tab.goto(page.as_uri())
            if how.click:
                tab.click(how.click)
            tab.wait_for_timeout(1000)  # a page says first what it has, then what it must unpack or look for
            tab.screenshot(path=folder / name, full_page=bool(how.part), clip=_clip(tab, how.part))
        browser.close()


def _clip(tab: Any, part: str) -> dict[str, float] | None:
    if not part:
        return None
    box = tab.locator(part).bounding_box()
    return {
        "x": box["x"] - MARGIN,
        "y": box["y"],
        "width": box["width"] + 2 * MARGIN,
        "height": box["height"],
    }


if __name__ == "__main__":
    place = FOLDER.resolve()
    with tempfile.TemporaryDirectory() as folder:
        for each in cw.datasets.TARGETS:
            shutil.copy(cw.datasets.path(each), folder)
        os.chdir(folder)  # pages save what they show how to save
        made_by_name = images()
    for name, made in made_by_name.items():
        if isinstance(made, cw.Picture):
            made.save(place / name)
    photograph({name: made for name, made in made_by_name.items() if isinstance(made, str)}, place)
