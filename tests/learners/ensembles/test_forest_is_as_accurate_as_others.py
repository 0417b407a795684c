"""A forest is as accurate as scikit-learn's, ranger's and YDF's, and its out-of-bag error as low, but for one
standard error, on every reference table with classes and columns that trees can ask about.

`benchmarks/oracles/forest_figures.py` wrote the figures, and says how the rows were divided and what was set.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from benchmarks.oracles.forest_figures import TREES, plan
from benchmarks.oracles.reference_frames import folds_of

import clearwood as cw
from tests.shared_data import load_shared

FIGURES: dict[str, dict[str, list[float]]] = json.loads(
    (Path(__file__).parents[2] / "figures" / "forests.json").read_text(encoding="utf-8")
)
# ranger makes a leaf where no drawn column can split, and YDF where a node has fewer than five rows:
# smaller trees, better on these noisy classes (and worse on the first two monks problems, car and zoo).
BEHIND = {
    "accuracy": {
        ("monks_3", "YDF"),
        ("titanic", "YDF"),
        ("titanic", "ranger"),
        ("titanic", "ranger order"),
        ("adult", "ranger"),
        ("adult", "ranger order"),
        ("adult", "YDF"),
    },
    "out of bag": {
        ("breast_cancer", "ranger"),
        ("monks_3", "YDF"),
        ("monks_3", "ranger order"),
        ("titanic", "YDF"),
        ("titanic", "ranger"),
        ("titanic", "ranger order"),
        ("adult", "ranger"),
        ("adult", "ranger order"),
        ("adult", "YDF"),
    },
}


@cache
def ours(name: str) -> tuple[float, float]:
    """Accuracy and out-of-bag error, means over the repeats."""
    table = load_shared(name, "ordinal")
    folds, repeats = plan(len(table))
    accuracies, errors = [], []
    for repeat in range(repeats):
        forest, fold = cw.Forest(trees=TREES, seed=repeat), folds_of(name, len(table), repeat, folds)
        right = np.zeros(len(table), dtype=bool)
        for held in range(folds):
            test = table.take(fold == held)
            shares = cw.shares(forest.learn(table.take(fold != held)), test)
            right[fold == held] = shares.argmax(axis=1) == test.target
        out_of_bag = forest.learn(table).out_of_bag
        assert out_of_bag is not None
        accuracies.append(right.mean())
        errors.append(out_of_bag.values[-1])
    return float(np.mean(accuracies)), float(np.mean(errors))


def margin(share: float, rows: int) -> float:
    """A standard error and a row."""
    return float(np.sqrt(share * (1 - share) / rows)) + 1 / rows


@pytest.mark.long
@pytest.mark.parametrize("name", FIGURES)
def test_it_is_as_accurate_but_where_it_is_known_to_be_behind(name: str) -> None:
    rows = len(load_shared(name))
    for other, (accuracy, _) in FIGURES[name].items():
        within = ours(name)[0] >= accuracy - margin(accuracy, rows)
        assert within == ((name, other) not in BEHIND["accuracy"]), (other, ours(name)[0], accuracy)


@pytest.mark.long
@pytest.mark.parametrize("name", FIGURES)
def test_its_out_of_bag_error_is_as_low_but_where_it_is_known_to_be_behind(name: str) -> None:
    rows = len(load_shared(name))
    for other, (_, error) in FIGURES[name].items():
        within = ours(name)[1] <= error + margin(error, rows)
        assert within == ((name, other) not in BEHIND["out of bag"]), (other, ours(name)[1], error)
