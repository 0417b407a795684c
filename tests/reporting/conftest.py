"""Pages opened in a real browser, which must never complain."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from clearwood.web.joining import bundled, page_modules

Opened = Callable[..., Any]


@pytest.fixture
def opened(browser: Any, tmp_path: Path) -> Iterator[Opened]:
    """Open a page's text from a file; whatever it complains of or asks for fails the test at its end."""
    complaints: list[str] = []
    tabs = []

    def no_other_address(request: Any) -> None:
        if not request.url.startswith(("file:", "data:")):
            complaints.append(request.url)

    def open_text(text: str, **how: Any) -> Any:
        place = tmp_path / "page.html"
        place.write_text(text, encoding="utf-8")
        tab = browser.new_page(**{"viewport": {"width": 1280, "height": 900}, **how})
        tabs.append(tab)
        tab.on("console", lambda message: complaints.append(message.text))
        tab.on("pageerror", lambda error: complaints.append(str(error)))
        tab.on("dialog", lambda dialog: complaints.append(f"a dialog: {dialog.message}"))
        tab.on("request", no_other_address)
        tab.goto(place.as_uri())
        tab.wait_for_selector("[data-live] > *")
        return tab

    yield open_text
    for tab in tabs:
        tab.close()
    assert complaints == []


def _goes_out(request: Any) -> bool:
    return not request.url.startswith(("file:", "data:"))


@pytest.fixture(scope="session")
def run_module(browser: Any) -> Iterator[Any]:
    """Call a function that may use what a module and those it needs export: run("predict.js", "…", given)."""
    tabs: dict[str, Any] = {}

    def run(module: str, function: str, given: Any) -> Any:
        if module not in tabs:
            tabs[module] = tab = browser.new_page()
            script = bundled(page_modules(), module)
            handles = re.findall(r"^const (\w+_js) = ", script, re.MULTILINE)
            tab.set_content(f"<script>{script}; Object.assign(window, {', '.join(handles)})</script>")
        return tabs[module].evaluate(function, given)

    yield run
    for tab in tabs.values():
        tab.close()
