"""Naive Bayes on rows it has not seen, beside what WEKA's got on the reference tables.

WEKA's differs in three ways: its priors are smoothed, its variances have a floor of a sixth of the mean gap
between values, and a number's probability is that of an interval around it.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from clearwood.learners.bayes.naive_bayes import NaiveBayes
from clearwood.predict import predict_codes
from clearwood.table.folding import folds
from clearwood.table.table import Table
from tests import shared_data

SEEDS = range(3)  # WEKA's folds are not ours: the mean over several divisions has less luck in it


def _weka(name: str) -> dict[str, Any]:
    measured = shared_data.describe(name).get("measured_here", [])
    actual = [each for each in measured if each["method"] == "NaiveBayes"]
    return dict(actual[0]) if actual and name != "sms_spam" else {}


NAMED = [name for name in shared_data.NAMES if _weka(name)]


def right(learned: Table, test_rows: Table) -> int:
    return int((predict_codes(NaiveBayes().learn(learned), test_rows) == test_rows.target).sum())


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMED or ["none"])
def test_the_accuracy_is_wekas_within_one_standard_error(name: str) -> None:
    if name not in NAMED:
        pytest.skip("the reference tables are not here")
    table = shared_data.load_shared(name)
    split = shared_data.describe(name).get("split")
    if split:
        last = split["train_rows"]
        test_rows = table.take(np.arange(last, len(table)))
        actual, rows = right(table.take(np.arange(last)), test_rows), len(test_rows)
        accuracy = actual / rows
    else:
        rows = len(table)
        pairs = [pair for seed in SEEDS for pair in folds(table, 10, seed)]
        accuracy = (
            sum(right(table.take(here), table.take(there)) for here, there in pairs) / rows / len(SEEDS)
        )
    expected = _weka(name)["correct"] / rows
    assert abs(accuracy - expected) <= math.sqrt(expected * (1 - expected) / rows)
