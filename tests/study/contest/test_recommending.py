"""The frontier, one standard error and the price of the last point, on scores made for the purpose."""

from __future__ import annotations

import re
from functools import partial
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import clearwood as cw
from clearwood.draw.choice import price_sentence
from clearwood.errors import SettingError
from clearwood.scoring import SCORES
from clearwood.study.contest.contenders import Contender
from clearwood.study.contest.planning import TimeEstimate, by_quickness
from clearwood.study.contest.recommending import (
    LastPoint,
    best_contender,
    frontier_of,
    last_point,
    printed_alike,
)
from clearwood.study.contest.running import JudgedContender
from tests.typed import mistyped


def judged(name: str, score: float, size: int | None, error: float = 0.01) -> JudgedContender:
    sizes = () if size is None else (size,)
    learns: Any = cw.C45() if size is not None else _ReferenceModel()
    contender = Contender(name, learns)
    return JudgedContender(
        contender=contender, score=score, standard_error=error, sizes=sizes, readable=size is not None
    )


class _ReferenceModel:
    title = "SVC"


FIELD = [
    judged("rules", 0.80, 5),
    judged("tree", 0.845, 40),
    judged("worse tree", 0.83, 60),
    judged("weights", 0.85, 90),
    judged("curves", 0.852, 3000),
    judged("svm", 0.86, None),
]


def test_the_frontier_holds_what_nothing_smaller_matches() -> None:
    assert [each.name for each in frontier_of(FIELD, "more")] == ["rules", "tree", "weights", "curves"]


def test_less_is_better_turns_the_frontier_over() -> None:
    costs = [judged("a", 1.0, 10), judged("b", 0.5, 20), judged("c", 0.7, 30), judged("d", 0.4, 40)]
    assert [each.name for each in frontier_of(costs, "less")] == ["a", "b", "d"]


def test_of_equal_scores_the_smaller_is_on_the_frontier() -> None:
    equal = [judged("large", 0.8, 50), judged("small", 0.8, 10)]
    assert [each.name for each in frontier_of(equal, "more")] == ["small"]


def test_what_is_better_only_beyond_the_printed_digits_is_not_on_the_frontier() -> None:
    field = [judged("rules", 0.8001, 5), judged("tree", 0.8004, 270), judged("curves", 0.8203, 900)]
    alike = partial(printed_alike, SCORES["accuracy"])
    assert [each.name for each in frontier_of(field, "more", alike)] == ["rules", "curves"]
    # Printed as 0.800 and 0.801, and the difference as 0.000.
    near = [judged("rules", 0.8004, 5), judged("tree", 0.8006, 270)]
    assert [each.name for each in frontier_of(near, "more", alike)] == ["rules"]


def test_a_last_point_that_is_printed_as_nothing_has_no_price() -> None:
    def sentence(gained: float) -> str:
        choice: Any = SimpleNamespace(
            entry=SCORES["accuracy"], last_point=LastPoint("rules", "tree", gained, 5, 270)
        )
        return price_sentence(choice)

    assert sentence(0.0004) == ""
    assert sentence(0.02).startswith("The last 0.020 of accuracy, from rules to tree, cost 54 times as much")


def test_the_simplest_within_one_standard_error_of_the_best_is_taken() -> None:
    assert best_contender(FIELD, "more").name == "tree"
    assert best_contender(FIELD, "more", simplest=False).name == "curves"
    assert best_contender(FIELD, "more", 0.003).name == "weights"
    assert best_contender(FIELD, "more", 0.06).name == "rules"
    with pytest.raises(SettingError, match="one standard error"):
        best_contender(FIELD, mistyped("more"), mistyped("two"))
    with pytest.raises(SettingError, match="None of these contenders"):
        best_contender(FIELD[-1:], "more")


def test_the_last_point_begins_at_the_smallest_within_it() -> None:
    point = last_point(frontier_of(FIELD, "more"), "more", is_share=True)
    assert point is not None
    assert (point.cheaper, point.best, point.times) == ("tree", "curves", 75)
    assert point.gained == pytest.approx(0.007)
    far = last_point(frontier_of(FIELD[:2], "more"), "more", is_share=True)
    assert far is not None
    assert far.gained == pytest.approx(0.045)
    assert last_point(frontier_of(FIELD[:1], "more"), "more", is_share=True) is None


def test_a_budget_leaves_nobody_out_and_begins_with_the_quickest() -> None:
    contenders = [each.contender for each in FIELD]
    likely = {"rules": 1.0, "tree": 2.0, "worse tree": 3.0, "weights": 4.0, "curves": 50.0, "svm": 0.1}
    seconds = {name: TimeEstimate(each, each / 2, each * 2) for name, each in likely.items()}
    plan = by_quickness(contenders, seconds)
    # One that can be read comes first: it is judged in any case.
    names = [each.name for each in plan.contenders]
    assert names == ["rules", "svm", "tree", "worse tree", "weights", "curves"]
    assert plan.notes == ()


def test_the_recommendation_names_the_baseline_where_nothing_beats_it() -> None:
    chance = np.random.default_rng(1)
    noise = cw.read_table({"x": chance.normal(size=80), "y": chance.choice(["a", "b"], size=80)}, target="y")
    choice = cw.choose(noise, [cw.CART(max_depth=3), cw.NaiveBayes()], design=cw.Folds(5))
    assert "The baseline gets" in str(choice.recommendation)
    assert "is better is not shown" in str(choice.recommendation)


def test_the_rows_that_chose_are_named() -> None:
    days = cw.read_table(cw.datasets.path("tennis"), target="PlayTennis")
    several = cw.choose(days, [cw.ID3(), cw.C45()], design=cw.Folds(7))
    assert several.recommendation.reasons[-1].startswith("These rows chose among the contenders")
    one = cw.choose(days, [cw.ID3()], design=cw.Folds(7))
    assert "These rows" not in str(one.recommendation)
    assert one.model.origin.after == ()


def test_a_reference_model_that_is_behind_is_not_called_worse_untested() -> None:
    days = cw.read_table(cw.datasets.path("tennis"), target="PlayTennis")
    words = str(cw.choose(days, [cw.NaiveBayes(), "svm"], design=cw.Folds(7)).recommendation)
    assert re.search(
        r"The best of the models that are not readable, svm \(.*\), scores no better here\.", words
    )
    assert "costs nothing" not in words
