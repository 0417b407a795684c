"""The pictures in the documentation are those the program draws today: the same marks at the same places."""

from __future__ import annotations

import re
import runpy
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

import clearwood as cw

DOCS = Path(__file__).parents[2] / "docs"
DRAWN: dict[str, cw.Picture] = runpy.run_path(str(DOCS / "pictures.py"))["pictures"]()
NUMBER = re.compile(r"-?\d+(?:\.\d+)?")


@pytest.mark.parametrize("name", DRAWN)
def test_a_stored_picture_is_what_is_drawn_today(name: str) -> None:
    stored, drawn = (DOCS / "images" / name).read_text(encoding="utf-8"), DRAWN[name].svg
    assert outline(stored) == outline(drawn), "Draw them anew: python docs/pictures.py"
    assert numbers(stored) == pytest.approx(numbers(drawn), abs=0.2)


def outline(svg: str) -> list[tuple[str, str]]:
    return [(each.tag, (each.text or "").strip()) for each in ET.fromstring(svg).iter()]


def numbers(svg: str) -> list[float]:
    names = ("x", "y", "width", "height", "d", "transform")
    return [
        float(number)
        for each in ET.fromstring(svg).iter()
        for name in names
        for number in NUMBER.findall(each.attrib.get(name, ""))
    ]
