"""The charts in the documentation are there, and say what the program says today."""

from __future__ import annotations

import runpy
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import clearwood as cw

DOCS = Path(__file__).parents[3] / "docs"


def test_each_stored_chart_says_what_is_drawn_today() -> None:
    drawn: dict[str, cw.Picture] = runpy.run_path(str(DOCS / "charts.py"))["charts"]()
    assert len(drawn) == len(cw.charts.__all__)
    for name, picture in drawn.items():
        stored = ElementTree.fromstring((DOCS / "images" / name).read_text(encoding="utf-8"))
        (said,) = (each.text for each in stored if each.tag.endswith("}desc"))
        assert said == picture.alt, "Draw them anew: python docs/charts.py"
