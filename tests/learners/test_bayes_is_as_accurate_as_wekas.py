"""Naive Bayes on rows it has not seen, beside what WEKA's got on the reference tables.

WEKA's differs in three ways: its priors are smoothed, its variances have a floor of a sixth of the mean gap
between values, and a number's probability is that of an interval around it.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from scipy.special import ndtr

import clearwood as cw
from clearwood.learners.bayes.naive_bayes import NaiveBayes
from clearwood.predicting import predict_codes
from clearwood.table.attributes import Nominal, Numeric
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


# WEKA 3.9.7, NaiveBayes -K: the probability of Play for each day of tennis_numeric.
KERNELS_OF_WEKA = [
    0.764732522, 0.2350524574, 0.4024253192, 0.5863690147, 0.7693462878, 0.7460750484, 0.9292217476,
    0.8421140397, 0.9292217476, 0.5269053567, 0.5460609901, 0.7941976623, 0.7983859352, 0.7088198738,
]  # fmt: skip


def by_kernels(table: Table, *, as_weka: bool) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    """[row, class] by definition. WEKA adds 1 to the count of each class, rounds numbers to the mean gap p of
    its column, takes the probability of the interval x ± p/2, and stops adding kernels where the rest may
    hardly be 1 % of the sum."""
    counts = np.bincount(table.target).astype(np.float64)
    joint = np.tile(counts + as_weka, (len(table), 1))
    for attribute in table.schema.inputs:
        cells = table.columns[attribute.name]
        if isinstance(attribute, Nominal):
            met = [np.bincount(cells[table.target == c], minlength=len(attribute.values)) for c in (0, 1)]
            joint *= ((np.array(met) + 1) / (counts + len(attribute.values))[:, None])[:, cells].T
            continue
        assert isinstance(attribute, Numeric)
        gap = float(np.diff(np.unique(cells)).mean())
        numbers = np.rint(cells / gap) * gap if as_weka else cells
        for c in (0, 1):
            values, weights = np.unique(numbers[table.target == c], return_counts=True)
            width = max((values[-1] - values[0]) / math.sqrt(weights.sum()), gap / 6)
            for row, number in enumerate(numbers):
                apart = (values - number) / width
                heights = np.exp(-(apart**2) / 2) / width
                if as_weka:
                    half = gap / 2 / width
                    heights = ndtr(apart + half) - ndtr(apart - half)
                    heights[_left_out(heights, weights, int(np.searchsorted(values, number)))] = 0
                joint[row, c] *= float(heights @ weights) / weights.sum()
    return np.asarray(joint / joint.sum(axis=1, keepdims=True))


def _left_out(heights: Any, weights: Any, start: int) -> list[int]:
    """The kernels that WEKA does not add: it goes up from the number, then down from it."""
    added, total, seen = [], 0.0, 0.0
    for places in (range(start, len(heights)), range(start - 1, -1, -1)):
        for place in places:
            added.append(place)
            total, seen = total + heights[place] * weights[place], seen + weights[place]
            if heights[place] * (weights.sum() - seen) < 0.01 * total:
                break
    return [place for place in range(len(heights)) if place not in added]


def test_kernels_differ_from_wekas_by_priors_rounding_intervals_and_an_early_stop_alone() -> None:
    table = cw.read_table(cw.datasets.path("tennis_numeric"), target="Play")
    assert by_kernels(table, as_weka=True)[:, 1].tolist() == pytest.approx(KERNELS_OF_WEKA, abs=1e-9)
    ours = cw.shares(NaiveBayes(numeric="kernel", bandwidth="range").learn(table), table)
    assert ours == pytest.approx(by_kernels(table, as_weka=False), abs=1e-12)
