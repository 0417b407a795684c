"""The page of a choice: the recommendation first, every contender, then the model, which answers."""

from __future__ import annotations

import clearwood as cw
from tests.reporting.conftest import Opened
from tests.study.contest.tables import credit


def test_the_page_shows_the_choice_and_the_model(opened: Opened) -> None:
    choice = cw.choose(credit(), [cw.C45(), cw.CART(max_depth=2), cw.NaiveBayes(), "knn"], design=cw.Folds(4))
    page = choice.report(name="credit <b>.csv")
    assert page.study.model is choice.model
    tab = opened(page.html)
    headings = tab.locator("h2").all_inner_texts()
    first = ["Verdict", "Which model to take", "All contenders", "How they were evaluated", "The model"]
    assert headings[:5] == first
    rows = tab.locator("#contenders tbody tr").all_inner_texts()
    assert len(rows) == 5
    assert any("recommended" in row for row in rows)
    assert tab.locator("#choice svg").count() == 1
    assert "credit <b>.csv" in tab.locator("p.lead").first.inner_text()


def test_the_page_is_judged_by_the_rows_held_out() -> None:
    choice = cw.choose(credit(), [cw.C45(), cw.CART(max_depth=2)], design=cw.Folds(4))
    study = choice.report().study
    judged = choice[choice.recommendation.name]
    assert study.folds is not None
    assert list(study.folds.scores) == list(judged.scores)
    assert study.folds.standard_error == judged.standard_error
