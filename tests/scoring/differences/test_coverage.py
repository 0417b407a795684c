"""Intervals of differences cover the true one as often as they say, for 200 rows and more (nominal 95 %)."""

from __future__ import annotations

import math

import numpy as np
import pytest

from clearwood.scoring.differences.paired import paired_mean, tango_interval
from clearwood.scoring.differences.same_rows import areas_under_curves, mcnemar


@pytest.mark.long
@pytest.mark.parametrize(("rows", "first", "second"), [(200, 0.08, 0.03), (200, 0.1, 0.1), (500, 0.02, 0.05)])
def test_tangos_interval_covers_the_true_difference_of_accuracies(
    rows: int, first: float, second: float
) -> None:
    chance = np.random.default_rng(1)
    drawn = chance.multinomial(rows, [first, second, 1 - first - second], 3000)
    ends = [tango_interval(b, c, rows) for b, c, _ in drawn]
    covered = np.mean([low <= first - second <= high for low, high in ends])
    assert 0.93 <= covered <= 0.97
    if first == second:  # an exact test errs at most as often as it says; the mid-p test about so often
        assert np.mean([mcnemar(b, c).p <= 0.05 for b, c, _ in drawn]) <= 0.055
        assert 0.03 <= np.mean([mcnemar(b, c).mid_p <= 0.05 for b, c, _ in drawn]) <= 0.06


@pytest.mark.long
def test_delongs_interval_covers_the_true_difference_of_areas() -> None:
    chance = np.random.default_rng(2)
    covered = []
    for _ in range(2000):
        own = np.arange(200) < 80
        shared, first, second = chance.normal(size=(3, 200))
        scores = np.stack([shared + first + 1.2 * own, shared + second + 0.9 * own])
        low, high = areas_under_curves(scores, own).difference(0, 1).interval
        covered.append(low <= _area(1.2) - _area(0.9) <= high)
    assert 0.93 <= np.mean(covered) <= 0.97


@pytest.mark.long
def test_paired_means_of_a_sample_cover_the_mean_of_all() -> None:
    chance = np.random.default_rng(3)
    everyone = chance.gamma(2, 1, 20_000) - chance.gamma(1.5, 1, 20_000)
    odds = np.where(everyone > 0.5, 3.0, 1.0)  # who is large is sampled more, and weighs less
    covered = []
    for _ in range(2000):
        taken = chance.choice(20_000, 300, p=odds / odds.sum())
        apart = everyone[taken]
        low, high = paired_mean(apart, np.zeros(300), 1 / odds[taken], counts=False).interval
        covered.append(low <= everyone.mean() <= high)
    assert 0.93 <= np.mean(covered) <= 0.97


def _area(shift: float) -> float:
    """The true area of two normal classes with variance 2 that are this far apart."""
    return 0.5 * math.erfc(-shift / 2 / math.sqrt(2))
