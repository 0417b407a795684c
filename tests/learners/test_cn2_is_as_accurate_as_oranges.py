"""CN2 on rows it has not seen, beside what Orange's CN2 got on the same ten folds."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from clearwood.learners.rules.cn2 import CN2
from clearwood.study.cross_validation import cross_validate
from clearwood.table.folding import folds
from tests.shared_data import load_shared

FIGURES: dict[str, Any] = json.loads(
    (Path(__file__).parents[1] / "figures" / "orange_cn2.json").read_text(encoding="utf-8")
)
LEARNERS = {"ordered": CN2(rules="ordered", beam=10), "unordered": CN2(rules="unordered", beam=10)}
# Where one division says too little there are five: {table: {order: [division][fold]}}.
CLOSE = {
    (name, order): scores for name, each in FIGURES["divisions"].items() for order, scores in each.items()
}
CLEAR = [
    (name, order) for name in FIGURES["tables"] for order in LEARNERS if (name, order) not in CLOSE
]  # fmt: skip


def behind(learner: CN2, name: str, theirs: list[list[float]]) -> float:
    """How many of Orange's standard errors our accuracy lies below Orange's."""
    table = load_shared(name, train=True)
    scores = np.array(theirs)  # [division, fold]
    ours = [
        cross_validate(learner, table, folds=folds(table, len(each), i)).score
        for i, each in enumerate(theirs)
    ]
    error = scores.std(axis=1, ddof=1).mean() / np.sqrt(scores.shape[1])
    return float((scores.mean() - np.mean(ours)) / max(error, 1e-9))


@pytest.mark.slow
@pytest.mark.parametrize(("name", "order"), CLEAR)
def test_ten_folds_are_no_worse_than_oranges_by_a_standard_error(name: str, order: str) -> None:
    assert behind(LEARNERS[order], name, [FIGURES["tables"][name][order]["scores"]]) <= 1 + 1e-6


@pytest.mark.slow
@pytest.mark.parametrize(("name", "order"), [("monks_3", "unordered"), ("breast_cancer", "ordered")])
def test_five_divisions_are_no_worse_by_a_standard_error(name: str, order: str) -> None:
    """Of breast_cancer the first division alone is 1.6 standard errors behind."""
    assert behind(LEARNERS[order], name, CLOSE[name, order]) <= 1


def test_the_zoo_is_behind_for_laplace_thinks_little_of_few_rows_where_classes_are_seven() -> None:
    """Orange orders by entropy. Five reptiles of six, (5 + 1) ÷ (6 + 7), come before four of four."""
    theirs = CLOSE["zoo", "ordered"]
    assert 1 < behind(LEARNERS["ordered"], "zoo", theirs) < 1.5
    assert behind(CN2(rules="ordered", beam=10, measure="entropy"), "zoo", theirs) < 1


@pytest.mark.slow
def test_labor_is_behind_for_fifty_seven_rows_are_searched_too_well() -> None:
    """The first rule found for a good contract covers more than Orange's, 35 rows and not 31, all good."""
    theirs = CLOSE["labor", "unordered"]
    assert 1 < behind(LEARNERS["unordered"], "labor", theirs) < 2
    assert behind(CN2(rules="unordered", beam=10, max_conditions=2), "labor", theirs) < 1
    first = next(rule for rule in LEARNERS["unordered"].learn(load_shared("labor")) if rule.then == "good")
    assert (max(first.counts), sum(first.counts)) == (35, 35)
