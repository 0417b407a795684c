"""A real browser for tests of what people look at, and where its screenshots go.

`CLEARWOOD_FONTS=/folder:/another` shows the browser the fonts of these folders and no others: what people
see must hold with any font.
"""

from __future__ import annotations

import os
import shutil
import tempfile
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
    fonts = _fonts_alone()
    named = {} if fonts is None else {"FONTCONFIG_FILE": str(fonts)}
    chromium = playwright.chromium.launch(
        executable_path=actual, args=list(_QUIET), env={**os.environ, **named}
    )
    if fonts is not None:
        chromium.on("disconnected", lambda _: shutil.rmtree(fonts.parent, ignore_errors=True))
    return chromium


def _fonts_alone() -> Path | None:
    """Settings by which fontconfig finds the fonts of `CLEARWOOD_FONTS` alone, if that is set."""
    folders = [folder for folder in os.environ.get("CLEARWOOD_FONTS", "").split(os.pathsep) if folder]
    if not folders:
        return None
    if absent := [folder for folder in folders if not any(Path(folder).rglob("*.[to]tf"))]:
        pytest.fail(f"CLEARWOOD_FONTS names folders without fonts: {', '.join(absent)}.", pytrace=False)
    shown = "".join(f"<glob>{folder}/*</glob>" for folder in folders)
    added = "".join(f"<dir>{folder}</dir>" for folder in folders)
    settings = Path(tempfile.mkdtemp(prefix="clearwood-fonts-")) / "fonts.conf"
    settings.write_text(
        f'<?xml version="1.0"?>\n<fontconfig><include>/etc/fonts/fonts.conf</include>{added}<selectfont>'
        f"<rejectfont><glob>/*</glob></rejectfont><acceptfont>{shown}</acceptfont></selectfont></fontconfig>\n",
        encoding="utf-8",
    )
    return settings
