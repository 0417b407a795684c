"""A picture of rules shows every rule with its rows, and which of them answers a case."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import clearwood as cw
from clearwood.draw.layout import Frame
from clearwood.draw.lettering import text_width
from clearwood.draw.palette import LIGHT, class_colours
from clearwood.errors import SettingError
from clearwood.formulas.conditions import Equals
from clearwood.models.kinds.rules.rule_list import Otherwise, Rule, RuleList
from clearwood.table.attributes import Nominal, Numeric
from clearwood.table.schema import Schema
from clearwood.table.table import Table
from tests.draw.test_layout import overlaps
from tests.rule_lists import rules_and_tables
from tests.typed import mistyped

SVG = "{http://www.w3.org/2000/svg}"
COLOURS = class_colours(("No", "Yes"))
WIND = Schema((Nominal("Wind", ("Weak", "Strong")), Numeric("x")), Nominal("Play", ("No", "Yes")))
RULES = RuleList(
    WIND,
    (Rule((Equals("Wind", "Weak"),), "Yes", (1.0, 3.0)), Rule((Equals("Wind", "Strong"),), "No", (4.0, 0.0))),
    Otherwise("Yes", (0.0, 2.0)),
)


def test_a_table_says_every_rule_with_its_rows_and_how_many_are_right() -> None:
    first, second, otherwise = rules_in(cw.picture(RULES).svg)
    assert texts(first) == ["IF Wind = Weak", "Yes", "1", "4", "75 %"]
    assert texts(second) == ["IF Wind = Strong", "No", "2", "4", "100 %"]
    assert texts(otherwise) == ["OTHERWISE", "Yes", "2", "100 %"]


def test_in_an_icicle_each_bar_begins_where_the_rules_before_it_end() -> None:
    bars = [coloured(group) for group in rules_in(cw.picture(RULES, kind="icicle").svg)]
    ends = [(x, x + width) for x, width in ((bar[0][0], sum(w for _, w in bar)) for bar in bars)]
    assert ends[1][0] == pytest.approx(ends[0][1], abs=0.2)
    assert ends[2][0] == pytest.approx(ends[1][1], abs=0.2)
    assert (ends[0][1] - ends[0][0]) / (ends[2][1] - ends[2][0]) == pytest.approx(4 / 2, rel=0.01)


def test_bars_of_rules_that_vote_all_begin_at_the_left() -> None:
    voting = RuleList(WIND, RULES.rules, RULES.otherwise, matching="vote")
    starts = {coloured(group)[0][0] for group in rules_in(cw.picture(voting, kind="icicle").svg)}
    assert len(starts) == 1


@pytest.mark.parametrize(("wind", "place"), [("Weak", 0), ("Strong", 1), (None, 2)])
def test_the_rule_that_answers_a_case_is_framed(wind: str | None, place: int) -> None:
    picture = cw.picture(RULES, row={"Wind": wind})
    framed = [
        any(each.attrib.get("stroke") == LIGHT.accent for each in group) for group in rules_in(picture.svg)
    ]
    assert framed == [k == place for k in range(3)]


@pytest.mark.slow
@given(rules_and_tables(), st.sampled_from(("table", "icicle")))
@settings(max_examples=40, deadline=None)
def test_any_rules_are_drawn_without_texts_on_each_other(both: tuple[RuleList, Table], kind: Any) -> None:
    rules = cw.recounted(*both)
    root = ET.fromstring(cw.picture(rules, kind=kind).svg)
    places = []
    for text in root.iter(f"{SVG}text"):
        size, anchor = float(text.attrib["font-size"]), text.attrib.get("text-anchor")
        width = text_width(text.text or "", size, "font-weight" in text.attrib)
        x, y = float(text.attrib["x"]), float(text.attrib["y"])
        places.append(Frame(x - width if anchor == "end" else x, y - 0.7 * size, width, 0.7 * size))
    assert overlaps(places) == []
    assert len(rules_in(ET.tostring(root, encoding="unicode"))) == len(rules) + 1


def test_names_in_rules_are_escaped() -> None:
    attack = '<script>alert("1")</script>'
    schema = Schema((Nominal(attack, (attack,)),), Nominal("Play", (attack, "Yes")))
    svg = cw.picture(RuleList(schema, (Rule((Equals(attack, attack),), attack, (1.0, 0.0)),))).svg
    assert "<script" not in svg
    assert any(attack.replace('"', '\\"') in (text or "") for text in ET.fromstring(svg).itertext())


def test_a_kind_of_picture_that_there_is_not_is_refused() -> None:
    with pytest.raises(SettingError, match=r"No picture .* called 'icycle'\. Did you mean 'icicle'\?"):
        cw.picture(RULES, kind=mistyped("icycle"))
    with pytest.raises(SettingError, match="direction and fold are for trees"):
        cw.picture(RULES, fold=2)
    with pytest.raises(SettingError, match="picture takes a model, not a C45"):
        cw.picture(mistyped(cw.C45()))


def rules_in(svg: str) -> list[ET.Element]:
    return [each for each in ET.fromstring(svg).iter(f"{SVG}g") if each.attrib.get("class") == "rule"]


def texts(group: ET.Element) -> list[str]:
    return [each.text or "" for each in group.iter(f"{SVG}text")]


def coloured(group: ET.Element) -> list[tuple[float, float]]:
    """x and width of the class-coloured bars, without the squares beside answers."""
    return [
        (float(each.attrib["x"]), float(each.attrib["width"]))
        for each in group.iter(f"{SVG}rect")
        if each.attrib["fill"] in COLOURS.values() and "rx" not in each.attrib
    ]
