"""C4.5 on rows it has not seen, beside what J48 got on the reference tables."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from clearwood.learners.trees.c45 import C45
from clearwood.study.cross_validation import cross_validate
from tests import shared_data
from tests.judging import judged

SEEDS = range(8)  # J48's folds are not ours: the mean over several divisions has less luck in it


def _j48(name: str) -> dict[str, Any]:
    actual = [each for each in shared_data.describe(name).get("measured_here", []) if each["method"] == "J48"]
    return dict(actual[0]) if actual else {}


NAMED = [name for name in shared_data.NAMES if _j48(name)]
SPLIT = [name for name in NAMED if shared_data.describe(name).get("split")]


@pytest.mark.slow
@pytest.mark.parametrize("name", SPLIT or ["none"])
def test_as_many_test_rows_are_right_as_with_j48(name: str) -> None:
    if name not in SPLIT:
        pytest.skip("the reference tables are not here")
    table = shared_data.load_shared(name)
    learned = shared_data.describe(name)["split"]["train_rows"]
    tree = C45().learn(shared_data.load_shared(name, train=True))
    test = table.take(np.arange(learned, len(table)))
    assert round(judged(tree, test).accuracy * len(test)) == _j48(name)["correct"]


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in NAMED if name not in SPLIT] or ["none"])
def test_ten_folds_are_no_worse_than_j48s_by_a_standard_error(name: str) -> None:
    if name not in NAMED:
        pytest.skip("the reference tables are not here")
    table = shared_data.load_shared(name)
    expected = _j48(name)["correct"] / len(table)
    actual = np.mean([cross_validate(C45(), table, folds=10, seed=seed).score for seed in SEEDS])
    error = math.sqrt(expected * (1 - expected) / len(table)) or 1 / len(table)
    assert actual >= expected - error
