"""A page on paper: a browser of the Chromium family that is on this machine prints it as PDF."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Final

from clearwood.errors import SourceError

_NAMES: Final = (
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "chrome",
    "microsoft-edge",
    "msedge",
    "brave-browser",
)
_PLACES: Final = (
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
    r"C:\Program Files\Google\Chrome\Application\chrome.exe",
    r"C:\Program Files (x86)\Google\Chrome\Application\chrome.exe",
    r"C:\Program Files (x86)\Microsoft\Edge\Application\msedge.exe",
)
_LONGEST: Final = 120  # seconds


def pdf_of(html: str) -> bytes:
    """The page as the browser prints it; a sentence where there is none."""
    browser = need_browser()
    with tempfile.TemporaryDirectory(prefix="clearwood-") as folder:
        page, paper = Path(folder, "report.html"), Path(folder, "report.pdf")
        page.write_text(html, encoding="utf-8")
        how = [
            "--headless",
            "--disable-gpu",
            "--no-first-run",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
            "--no-pdf-header-footer",
            "--virtual-time-budget=20000",
            f"--user-data-dir={Path(folder, 'profile')}",
            f"--print-to-pdf={paper}",
        ]
        if getattr(os, "geteuid", lambda: 1)() == 0:
            how.append("--no-sandbox")  # it refuses to start for root otherwise; the page is our own
        try:
            done = subprocess.run(
                [browser, *how, page.as_uri()], capture_output=True, timeout=_LONGEST, check=False
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            raise SourceError(f"{browser} could not print the report: {error}. Write it as .html.") from None
        if not paper.exists():
            last = done.stderr.decode("utf-8", "replace").strip().splitlines()[-1:] or ["it gave no reason"]
            raise SourceError(f"{browser} printed no PDF: {last[0]}. Write the report as .html.")
        return paper.read_bytes()


def need_browser() -> str:
    """The first browser that is found; a sentence where there is none."""
    named = (shutil.which(name) for name in _NAMES)
    browser = next((each for each in (*named, *(p for p in _PLACES if Path(p).exists())) if each), None)
    if browser is None:
        raise SourceError(
            "No browser to print the PDF with: Chromium, Chrome, Edge or Brave must be on this "
            "machine. Write "
            "the report as .html and print that, or install one of them."
        )
    return browser
