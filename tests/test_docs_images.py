"""The images in the documentation are those the program makes today: the same marks at the same places."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from typing import TypeAlias

import pytest
from docs.images import FOLDER, PHOTOGRAPHS, images

import clearwood as cw

pytestmark = pytest.mark.slow


NUMBER = re.compile(r"-?\d+(?:\.\d+)?")
Made: TypeAlias = dict[str, cw.Picture | str]
ANEW = "Make them anew: python -m docs.images"
PLACED = ("x", "y", "width", "height", "d", "transform")


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Made:
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(tmp_path_factory.mktemp("pages"))
        return images()


@pytest.mark.slow
def test_every_stored_image_is_made_by_a_page_and_none_is_left_over(made: Made) -> None:
    assert {place.name for place in FOLDER.iterdir()} == set(made), ANEW


def test_pictures_of_ours_are_what_is_drawn_today(made: Made) -> None:
    ours = {name: each for name, each in made.items() if isinstance(each, cw.Picture) and each.spec is None}
    assert len(ours) > 10
    for name, picture in ours.items():
        stored = ET.fromstring((FOLDER / name).read_text(encoding="utf-8"))
        drawn = ET.fromstring(picture.svg)
        assert _outline(stored) == _outline(drawn), f"{name}: {ANEW}"
        assert _numbers(stored) == pytest.approx(_numbers(drawn), abs=0.2), f"{name}: {ANEW}"


def test_charts_say_what_is_drawn_today(made: Made) -> None:
    charts = {name: each for name, each in made.items() if isinstance(each, cw.Picture) and each.spec}
    assert len(charts) > len(cw.charts.__all__)
    for name, picture in charts.items():
        stored = ET.fromstring((FOLDER / name).read_text(encoding="utf-8"))
        # The library that draws them may set an axis otherwise tomorrow; what they say is ours.
        (answers,) = (each.text for each in stored if each.tag.endswith("}desc"))
        assert answers == picture.alt, f"{name}: {ANEW}"


def test_photographs_are_there_and_everything_together_is_small(made: Made) -> None:
    assert {name for name, each in made.items() if isinstance(each, str)} == set(PHOTOGRAPHS)
    assert sum(place.stat().st_size for place in FOLDER.iterdir()) < 1_700_000


def _outline(svg: ET.Element) -> list[tuple[str, str]]:
    return [(each.tag, (each.text or "").strip()) for each in svg.iter()]


def _numbers(svg: ET.Element) -> list[float]:
    texts = (each.attrib.get(name, "") for each in svg.iter() for name in PLACED)
    return [float(number) for text in texts for number in NUMBER.findall(text)]
