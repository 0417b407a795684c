"""The page in a real browser: it opens at once, complains of nothing, asks nothing of any network."""

from __future__ import annotations

from typing import Any

import pytest

import clearwood as cw
from tests.report.conftest import SCREENSHOTS, Opened
from tests.report.pages import study, tennis


def test_the_page_opens_without_a_word_and_without_a_network(opened: Opened) -> None:
    tab = opened(study(*tennis()))
    assert tab.title() == "A study"
    assert tab.locator("[role=treeitem]").count() == 8
    tab.screenshot(path=SCREENSHOTS / "tennis.png", full_page=True)


def test_the_form_answers_as_it_is_changed(opened: Opened) -> None:
    tab = opened(study(*tennis()))
    tab.get_by_label("Outlook", exact=True).select_option("Overcast")
    assert tab.locator(".said").inner_text() == "Yes"
    tab.get_by_label("Outlook", exact=True).select_option("missing")
    assert "divide the row" in tab.locator(".answer").inner_text()


LEARNERS = (cw.C45(), cw.NaiveBayes(), cw.CN2(), cw.Logistic(penalty="l2"))


@pytest.mark.parametrize("learner", LEARNERS, ids=lambda each: type(each).__name__)
def test_every_kind_of_model_has_its_form(opened: Opened, learner: Any) -> None:
    table = cw.read_table(cw.datasets.path("tennis_numeric"), target="Play")
    tab = opened(study(learner.learn(table), table))
    assert tab.locator(".said").inner_text() in ("Play", "Don't Play")
    tab.screenshot(path=SCREENSHOTS / f"{type(learner).__name__}.png", full_page=True)


NASTY = (
    "<script>alert(1)</script>",
    "</script><script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "<!-- a comment",
    "&amp; {{x}} ${x} `x`",
    "two\nlines",
    "ימין לשמאל (1)",
    "__proto__",
)


@pytest.mark.parametrize(
    "learner", [cw.ID3(), cw.PRISM(), cw.NaiveBayes()], ids=lambda each: type(each).__name__
)
def test_nothing_in_the_data_becomes_markup(opened: Opened, learner: Any) -> None:
    rows = [{value: value, "constructor": NASTY[-i], "y": NASTY[i % 3]} for i, value in enumerate(NASTY)]
    names = list(dict.fromkeys(name for row in rows for name in row))
    table = cw.read_table({name: [row.get(name, "none") for row in rows] for name in names}, target="y")
    tab = opened(study(learner.learn(table), table, title=NASTY[0]))
    assert tab.title() == NASTY[0]
    assert tab.locator("main img, main script").count() == 0
    for label in tab.locator(".field select").all():
        label.select_option("another value")
    tab.screenshot(path=SCREENSHOTS / f"nasty-{type(learner).__name__}.png", full_page=True)
