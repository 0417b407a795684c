"""DeLong: the paper's own patients, a naive version over all pairs of rows, weights, and many rows."""

from __future__ import annotations

import math

import numpy as np
import pytest

from clearwood.arrays import Bools, Floats
from clearwood.scoring.differences.same_rows import areas_under_curves

# Albumin, total protein, K-G score and outcome of those patients of DeLong, DeLong and Clarke-Pearson (1988)
# who have all three, as in SAS/STAT's documentation (LOGISTIC, "Comparing Receiver Operating Characteristic
# Curves").
PATIENTS = """
3.0 5.8 10 0   3.2 6.3  5 1   3.9 6.8  3 1   2.8 4.8  6 0   3.2 5.8  3 1   0.9 4.0  5 0   2.5 5.7  8 0
1.6 5.6  5 1   3.8 5.7  5 1   3.7 6.7  6 1   3.2 5.4  4 1   3.8 6.6  6 1   4.1 6.6  5 1   3.6 5.7  5 1
4.3 7.0  4 1   3.6 6.7  4 0   2.3 4.4  6 1   4.2 7.6  4 0   4.0 6.6  6 0   3.5 5.8  6 1   3.8 6.8  7 1
3.0 4.7  8 0   4.5 7.4  5 1   3.7 7.4  5 1   3.1 6.6  6 1   4.1 8.2  6 1   4.3 7.0  5 1   4.3 6.5  4 1
3.2 5.1  5 1   2.6 4.7  6 1   3.3 6.8  6 0   1.7 4.0  7 0   3.7 6.1  5 1   3.3 6.3  7 1   4.2 7.7  6 1
3.5 6.2  5 1   2.9 5.7  9 0   2.1 4.8  7 1   2.8 6.2  8 0   4.0 7.0  7 1   3.3 5.7  6 1   3.7 6.9  5 1
3.6 6.6  5 1
"""

random = np.random.default_rng(3)


def test_the_papers_patients_give_the_figures_of_sas_and_of_proc() -> None:
    columns = np.array(PATIENTS.split(), dtype=float).reshape(-1, 4).T
    scores, own = np.stack([columns[0], columns[1], 10 - columns[2]]), columns[3] == 1
    tested = areas_under_curves(scores, own)
    assert [round(float(area), 4) for area in tested.areas] == [0.7366, 0.6478, 0.7258]
    errors = np.sqrt(np.diag(tested.covariances))
    assert errors.tolist() == pytest.approx([0.09269434605, 0.10004737558, 0.10282160898], rel=1e-9)
    # pROC 1.18: roc.test(…, method = "delong")
    albumin_and_protein, score_and_protein = tested.difference(0, 1), tested.difference(2, 1)
    assert albumin_and_protein.statistic == pytest.approx(1.590029258, rel=1e-8)
    assert albumin_and_protein.p == pytest.approx(0.1118282101, rel=1e-7)
    assert albumin_and_protein.interval == pytest.approx((-0.02063911092, 0.19805846576), abs=1e-8)
    assert score_and_protein.p == pytest.approx(0.4561397075, rel=1e-7)
    assert tested.difference(2, 0).p == pytest.approx(0.9102063472, rel=1e-7)


def naive(scores: Floats, own: Bools) -> tuple[list[float], Floats]:
    """Each row of the class against each other row, as the paper writes it."""
    over = [
        [[1.0 if x > y else 0.5 if x == y else 0.0 for y in row[~own]] for x in row[own]] for row in scores
    ]
    areas = [float(np.mean(each)) for each in over]
    up = np.array([[np.mean(line) for line in each] for each in over])
    down = np.array([[np.mean(line) for line in zip(*each, strict=True)] for each in over])
    return areas, np.atleast_2d(np.cov(up) / up.shape[1] + np.cov(down) / down.shape[1])


@pytest.mark.parametrize("rows", [6, 30, 80])
def test_midranks_give_what_all_pairs_of_rows_give(rows: int) -> None:
    own = np.arange(rows) % 3 == 0
    scores = np.round(random.random((3, rows)) + 0.3 * own, 1)  # many ties
    areas, covariances = naive(scores, own)
    tested = areas_under_curves(scores, own)
    np.testing.assert_allclose(tested.areas, areas, rtol=1e-12)
    np.testing.assert_allclose(tested.covariances, covariances, rtol=1e-9, atol=1e-15)


def test_counts_are_rows_written_several_times() -> None:
    own = np.arange(60) % 2 == 0
    scores = np.round(random.random((2, 60)) + 0.2 * own, 2)
    counts = random.integers(1, 5, 60)
    weighted = areas_under_curves(scores, own, counts.astype(float), counts=True)
    repeated = areas_under_curves(np.repeat(scores, counts, axis=1), np.repeat(own, counts))
    np.testing.assert_allclose(weighted.areas, repeated.areas, rtol=1e-12)
    np.testing.assert_allclose(weighted.covariances, repeated.covariances, rtol=1e-9)


def test_sampling_weights_that_are_equal_change_nothing_and_uneven_ones_widen() -> None:
    own = np.arange(400) % 2 == 0
    scores = random.random((2, 400)) + 0.3 * own
    plain = areas_under_curves(scores, own)
    equal = areas_under_curves(scores, own, np.full(400, 2.5), counts=False)
    np.testing.assert_allclose(equal.covariances, plain.covariances, rtol=1e-9)
    uneven = areas_under_curves(scores, own, np.tile([0.1, 0.1, 1.9, 1.9], 100), counts=False)
    assert uneven.difference(0, 1).standard_error > plain.difference(0, 1).standard_error


def test_the_same_ranking_differs_by_nothing_and_one_row_of_a_class_cannot_tell() -> None:
    own = np.arange(20) % 2 == 0
    score = random.random(20)
    same = areas_under_curves(np.stack([score, 2 * score]), own).difference(0, 1)
    assert (same.mean, same.p) == (0.0, 1.0)
    alone = areas_under_curves(random.random((2, 20)), np.arange(20) == 3).difference(0, 1)
    assert math.isnan(alone.p)


def test_a_hundred_thousand_rows_are_ranked_at_once() -> None:
    own = random.random(100_000) < 0.3
    scores = random.random((2, 100_000)) + 0.2 * own
    assert areas_under_curves(scores, own).difference(0, 1).standard_error < 0.01
