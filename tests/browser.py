"""A real browser for tests of what people look at, and where its screenshots go."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

_QUIET = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
)
_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")

SCREENSHOTS = Path(__file__).parents[1] / "build" / "screenshots"


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """A Chromium, started once; where there is none, the tests that look at pages say so and are skipped."""
    playwright = pytest.importorskip("playwright.sync_api")
    with playwright.sync_playwright() as started:
        try:
            chromium = launched(started)
        except playwright.Error as error:
            pytest.skip(
                f"No Chromium starts here ({str(error).splitlines()[0]}). `make .venv/browser` gets one."
            )
        yield chromium
        chromium.close()


def launched(playwright: Any) -> Any:
    """The machine's own Chromium, else the one that playwright installed."""
    actual = next(filter(None, map(shutil.which, _NAMES)), None)
    return playwright.chromium.launch(executable_path=actual, args=list(_QUIET))
