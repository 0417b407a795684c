"""The population stability index, by its formula and by what chance gives."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from clearwood.measures.stability_index import stability_index, stability_index_p


def test_the_index_is_its_formula_with_empty_cells_at_the_floor() -> None:
    before, after = [30, 50, 20, 0], [10, 60, 20, 10]
    expected = 0.0
    for one, other in zip(before, after, strict=True):
        p, q = max(one / 100, 0.0001), max(other / 100, 0.0001)
        expected += (p - q) * math.log(p / q)
    assert stability_index(before, after) == pytest.approx(expected)
    assert stability_index(after, before) == pytest.approx(expected)


def test_rows_drawn_from_one_distribution_exceed_the_limit_as_often_as_it_says() -> None:
    dice = np.random.default_rng(0)
    shares = [0.1, 0.2, 0.3, 0.4]
    p = [
        stability_index_p(
            stability_index(dice.multinomial(400, shares), dice.multinomial(300, shares)), 400, 300, 4
        )
        for _ in range(1000)
    ]
    assert np.mean(np.array(p) < 0.05) == pytest.approx(0.05, abs=0.02)
    assert stability_index_p(0.05, 400, 300, 4) == pytest.approx(stats.chi2.sf(0.05 / (1 / 400 + 1 / 300), 3))
