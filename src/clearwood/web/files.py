"""The files of the page: our own modules, style and frame, as they lie in the package."""

from __future__ import annotations

from importlib import resources


def page_file(name: str) -> str:
    """The text of one file of the page."""
    return resources.files("clearwood.web").joinpath(name).read_text(encoding="utf-8")


def page_modules() -> dict[str, str]:
    """The text of every module, by its name."""
    folder = resources.files("clearwood.web")
    names = sorted(each.name for each in folder.iterdir() if each.name.endswith(".js"))
    return {name: page_file(name) for name in names}
