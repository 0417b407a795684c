"""Sections on how the learner behaves: asked for by name, with a chart, a table and what may be concluded."""

from __future__ import annotations

from html import unescape

import pytest

import clearwood as cw
from clearwood.errors import ClearwoodError
from clearwood.study.behaviour import BEHAVIOURS
from clearwood.study.behaviour.of_study import Unstudied
from tests.browser import SCREENSHOTS
from tests.reporting.conftest import Opened


@pytest.fixture(scope="module")
def page() -> str:
    days = cw.datasets.path("buys_computer")
    return cw.report(days, target="buys_computer", learner=cw.ID3(), also=[*BEHAVIOURS]).html


def test_each_section_has_a_conclusion_a_chart_and_a_table(opened: Opened, page: str) -> None:
    tab = opened(page, viewport={"width": 390, "height": 844}, color_scheme="dark")
    headings = [each.inner_text() for each in tab.locator("main > section > h2").all()]
    at = headings.index("How good it is") + 1
    assert headings[at : at + 3] == [*BEHAVIOURS.values()]
    for name in BEHAVIOURS:
        section = tab.locator(f"section#{name}")
        assert section.locator("p.conclusion").inner_text()
        assert section.locator("figure svg").count() == 1
        assert section.locator("details table").count() >= 1
        section.screenshot(path=SCREENSHOTS / f"report-{name}.png")
    assert tab.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_the_call_that_makes_the_page_again_names_the_sections(page: str) -> None:
    assert "also=['learning-curve', 'bias-variance', 'stability']" in unescape(page)


def test_sections_are_those_asked_for_whatever_the_order_and_the_spelling() -> None:
    days = cw.datasets.path("tennis")
    study = cw.report(days, target="PlayTennis", learner=cw.ID3(), also=["stability", "learning_curve"]).study
    assert list(study.behaviours) == ["learning-curve", "stability"]


def test_a_section_that_is_not_known_is_refused_with_the_list() -> None:
    with pytest.raises(ClearwoodError, match="also takes one or several of learning-curve, bias-variance"):
        cw.report(cw.datasets.path("tennis"), target="PlayTennis", also=["stabilty"])


def test_a_saved_model_is_not_learned_again() -> None:
    days = cw.read_table(cw.datasets.path("tennis"), target="PlayTennis")
    with pytest.raises(ClearwoodError, match="not learned again"):
        cw.report(days, model=cw.ID3().learn(days), also=["stability"])


def test_rows_too_few_for_a_part_say_so_in_its_section() -> None:
    one = cw.read_table({"x": ["a"], "y": ["p"]}, target="y")
    report = cw.report(one, learner=cw.ID3(), also=["learning-curve"])
    assert isinstance(report.study.behaviours["learning-curve"], Unstudied)
    assert "These rows do not show it: A learning curve needs at least two rows" in report.html


def test_groups_stay_together_in_every_part() -> None:
    rows = {"who": [f"p{i // 4}" for i in range(48)], "x": [i % 5 for i in range(48)]}
    table = cw.read_table({**rows, "y": ["a" if i % 5 > 2 else "b" for i in range(48)]}, target="y")
    design = cw.Folds(4, group="who")
    study = cw.report(table, learner=cw.CART(), design=design, also=["learning-curve", "stability"]).study
    curves, sheet = study.behaviours["learning-curve"], study.behaviours["stability"]
    assert isinstance(curves, cw.LearningCurves)
    assert curves.folds == 4
    assert isinstance(sheet, cw.Stability)
    assert all(each.name != "who" for each in sheet.columns)
