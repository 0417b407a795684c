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
    """The machine's own Chromium, else the one that playwright installed; started once."""
    playwright = pytest.importorskip("playwright.sync_api")
    found = next(filter(None, map(shutil.which, _NAMES)), None)
    with playwright.sync_playwright() as started:
        chromium = started.chromium.launch(executable_path=found, args=list(_QUIET))
        yield chromium
        chromium.close()
