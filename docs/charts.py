"""Draws the charts of docs/charts.md; a test holds their words to what the program says today.

.venv/bin/python docs/charts.py
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import clearwood as cw

PAGE = Path(__file__).parent / "charts.md"
FOLDER = Path(__file__).parent / "images"
PART = re.compile(r"^```python\n(.*?)^```|\(images/(chart-[\w-]+\.svg)\)", re.MULTILINE | re.DOTALL)


def charts() -> dict[str, cw.Picture]:
    """Each chart by the name of its file: what the page's own Python leaves in `chart` before the picture."""
    names: dict[str, Any] = {}
    found: dict[str, cw.Picture] = {}
    for code, picture in PART.findall(PAGE.read_text(encoding="utf-8")):
        if picture:
            found[picture] = names["chart"]
        else:
            exec(code, names)
    return found


if __name__ == "__main__":
    for name, each in charts().items():
        each.save(FOLDER / name)
