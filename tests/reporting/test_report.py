"""Reports in a real browser: every kind of model and of table in one page, which opens without a word."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import clearwood as cw
from tests.browser import SCREENSHOTS
from tests.reporting.conftest import Opened

NASTY = (
    "<script>alert(1)</script>",
    "</script><script>alert(2)</script>",
    '"><img src=x onerror=alert(3)>',
    "<!-- & 'quoted' \"twice\"",
    "$x_1$ {y} ${z} `w`",
    "two\nlines",
    "ימין לשמאל (1)",
    "漢字",
)


def test_a_report_has_every_part_in_order(opened: Opened) -> None:
    tab = opened(cw.report(cw.datasets.path("tennis"), target="PlayTennis", learner=cw.ID3()).html)
    headings = [each.inner_text() for each in tab.locator("main > section > h2").all()]
    assert headings == [
        "Verdict",
        "The model",
        "Ask it about a row",
        "The tree as rules",
        "What decides",
        "How good it is",
        "The data",
        "How it came about",
        "Model card",
    ]
    levels = tab.evaluate("[...document.querySelectorAll('h1, h2, h3, h4')].map((each) => +each.tagName[1])")
    assert levels[0] == 1
    assert all(after - before <= 1 for before, after in pairwise(levels))
    tab.screenshot(path=SCREENSHOTS / "report-tennis.png", full_page=True)


def test_a_report_fits_a_phone_and_the_night(opened: Opened) -> None:
    html = cw.report(cw.datasets.path("tennis_numeric"), target="Play").html
    tab = opened(html, viewport={"width": 390, "height": 844}, color_scheme="dark")
    assert tab.evaluate("document.documentElement.scrollWidth <= innerWidth")
    tab.screenshot(path=SCREENSHOTS / "report-phone-dark.png", full_page=True)


LEARNERS = (cw.CN2(), cw.NaiveBayes(), cw.Logistic(penalty="l2"), cw.TreeRules(), cw.CHAID())


@pytest.mark.slow
@pytest.mark.parametrize("learner", LEARNERS, ids=lambda each: type(each).__name__)
def test_every_kind_of_model_has_its_report(opened: Opened, learner: Any) -> None:
    tab = opened(cw.report(cw.datasets.path("buys_computer"), target="buys_computer", learner=learner).html)
    assert tab.locator(".answer-text").inner_text() in ("yes", "no")
    tab.screenshot(path=SCREENSHOTS / f"report-{type(learner).__name__}.png", full_page=True)


@pytest.mark.slow
@pytest.mark.parametrize(
    "learner", [cw.ID3(), cw.PRISM(), cw.NaiveBayes()], ids=lambda each: type(each).__name__
)
def test_nothing_in_the_data_becomes_markup(opened: Opened, learner: Any) -> None:
    columns = {name: [NASTY[(i * (k + 1)) % 8] for i in range(16)] for k, name in enumerate(NASTY)}
    table = cw.read_table({**columns, "<b>y</b>": [NASTY[i % 8 % 3] for i in range(16)]}, target="<b>y</b>")
    tab = opened(cw.report(table, learner=learner, title=NASTY[1], name=NASTY[2]).html)
    assert tab.title() == NASTY[1]
    assert tab.locator("main img, main script, main b:has-text('y') > b").count() == 0
    for each in tab.locator("main details").all()[:6]:
        each.evaluate("(each) => { each.open = true; }")
    tab.screenshot(path=SCREENSHOTS / f"report-nasty-{type(learner).__name__}.png")


def test_names_from_right_to_left_stand_in_their_own_direction(opened: Opened) -> None:
    rows = {"צבע": ["אדום", "כחול"] * 6, "سن": [str(i % 3) for i in range(12)], "תשובה": ["כן", "לא"] * 6}
    tab = opened(cw.report(rows, target="תשובה").html)
    assert tab.locator("#data bdi", has_text="צבע").count() > 0
    tab.screenshot(path=SCREENSHOTS / "report-right-to-left.png", full_page=True)


def test_one_row_says_that_nothing_is_known(opened: Opened) -> None:
    tab = opened(cw.report({"x": ["a"], "y": ["p"]}, target="y").html)
    assert "There is one row" in tab.locator(".verdict").inner_text()


def test_rows_of_one_class_have_a_report(opened: Opened) -> None:
    tab = opened(cw.report({"x": list("abab"), "y": list("pppp")}, target="y").html)
    assert "has no split" in tab.locator("#rules").inner_text()


def test_a_column_without_a_single_value_is_named_and_not_drawn(opened: Opened) -> None:
    rows = {"empty": [None] * 12, "x": list("abcabcabcabc"), "y": list("pqppqppqppqp")}
    tab = opened(cw.report(rows, target="y", learner=cw.NaiveBayes()).html)
    assert tab.locator("#data tbody th", has_text="empty").count() > 0
    assert tab.locator("#data .column", has_text="empty").count() == 0


def test_sixty_columns_stay_readable(opened: Opened) -> None:
    rows: dict[str, list[Any]] = {f"column {k}": [(i * (k + 7)) % 11 for i in range(120)] for k in range(60)}
    rows["y"] = ["high" if row > 5 else "low" for row in rows["column 3"]]
    tab = opened(cw.report(rows, target="y").html)
    assert tab.locator("#data .column:visible").count() <= 12
    assert tab.locator("#data tbody tr").count() == 61


@pytest.mark.slow
def test_nineteen_classes_have_their_colours(opened: Opened) -> None:
    classes = [f"a class whose name is rather long, number {i * 7 % 19}" for i in range(114)]
    rows = {"x": [i * 7 % 19 + i % 2 for i in range(114)], "k": [f"value {i % 3}" for i in range(114)]}
    tab = opened(cw.report({**rows, "class": classes}, target="class").html)
    assert tab.locator("#data .legend li").count() == 19
    tab.screenshot(path=SCREENSHOTS / "report-nineteen-classes.png", full_page=True)


def test_a_number_is_predicted_and_judged(opened: Opened) -> None:
    rows = {"x": [i * 7 % 120 for i in range(120)], "y": [i * 7 % 120 // 10 + i % 5 / 10 for i in range(120)]}
    tab = opened(cw.report(rows, target="y").html)
    assert "root mean square" in tab.locator("#evaluation").inner_text()
    tab.screenshot(path=SCREENSHOTS / "report-numbers.png", full_page=True)


def test_a_page_takes_its_model_along(opened: Opened, tmp_path: Path) -> None:
    report = cw.report(cw.datasets.path("tennis"), target="PlayTennis", learner=cw.ID3())
    tab = opened(report.html)
    with tab.expect_download() as download:
        tab.get_by_role("link", name="model.json").click()
    download.value.save_as(tmp_path / "model.json")
    saved, model = cw.load(tmp_path / "model.json"), report.study.model
    assert saved == replace(model, profile=saved.profile)
    assert saved.profile is not None


@pytest.mark.slow
def test_a_page_of_many_columns_with_many_values_shows_fewer_nodes_instead_of_growing() -> None:
    chance = np.random.default_rng(3)
    codes = chance.integers(0, 20, (40, 6000))
    values = np.array([f"v{value}" for value in range(20)])
    columns = {f"c{i}": values[each] for i, each in enumerate(codes)}
    columns["y"] = np.where(codes[0] + codes[1] + chance.integers(0, 20, 6000) > 28, "yes", "no")
    html = cw.report(cw.read_table(columns, target="y"), learner=cw.CART()).html
    assert "with the most rows; clearwood derive shows all" in html
    packed = sum(map(len, re.findall(r'id="data-steps-\d+" data-packed="gzip">([^<]*)<', html)))
    assert 500_000 < packed < 2_500_000
