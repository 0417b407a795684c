"""A real browser for the tests of the page: Chromium, started once, that must never complain."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import sync_playwright

from clearwood.report.files import page_modules
from clearwood.report.joining import joined

_QUIET = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
)
_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
SCREENSHOTS = Path(__file__).parents[2] / "build" / "screenshots"


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """The machine's own Chromium, else the one that playwright installed."""
    found = next(filter(None, map(shutil.which, _NAMES)), None)
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=found, args=list(_QUIET))
        yield started
        started.close()


@pytest.fixture(scope="session")
def run_module(browser: Any) -> Iterator[Any]:
    """Call a function that may use what a module exports: run("predict.js", "(given) => …", given)."""
    tabs: dict[str, Any] = {}

    def run(module: str, function: str, given: Any) -> Any:
        if module not in tabs:
            tabs[module] = tab = browser.new_page()
            script = joined(page_modules(), module)
            tab.set_content(f"<script>{script}; Object.assign(window, {module.replace('.', '_')})</script>")
        return tabs[module].evaluate(function, given)

    yield run
    for tab in tabs.values():
        tab.close()
