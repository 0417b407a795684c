"""Stability of a selection: Nogueira's index beside Kuncheva's, chance, certainty, and what is said of it."""

from __future__ import annotations

import json
import math
from itertools import combinations

import numpy as np
import pytest

import clearwood as cw
from clearwood.errors import SettingError
from clearwood.selecting.selection import nogueira
from tests.trees import tennis_table


def kuncheva(kept: list[set[int]], columns: int) -> float:
    """The mean over pairs of (r·d − k²) ÷ (k·(d − k)), r shared (2007)."""
    size = len(kept[0])
    pairs = [len(one & other) for one, other in combinations(kept, 2)]
    return float(np.mean([(r * columns - size**2) / (size * (columns - size)) for r in pairs]))


@pytest.mark.parametrize("seed", range(5))
def test_with_sets_of_one_size_it_is_the_index_of_kuncheva(seed: int) -> None:
    random = np.random.default_rng(seed)
    sets = [set(random.choice(9, 4, replace=False).tolist()) for _ in range(7)]
    kept = np.array([[column in each for column in range(9)] for each in sets])
    assert nogueira(kept)[0] == pytest.approx(kuncheva(sets, 9))


def test_chance_is_nought_within_the_interval_and_certainty_one() -> None:
    random = np.random.default_rng(0)
    index, interval = nogueira(random.random((200, 50)) < 0.3)
    assert interval is not None
    assert interval[0] < 0 < interval[1]
    assert abs(index) < 0.05
    assert nogueira(np.array([[True, False, False]] * 5)) == (1.0, (1.0, 1.0))


def test_the_interval_covers_the_true_index_as_often_as_it_says() -> None:
    random = np.random.default_rng(1)
    chances = random.random(30)
    mean = chances.mean()
    true = 1 - (chances * (1 - chances)).mean() / (mean * (1 - mean))
    covered = 0
    for _ in range(300):
        _, interval = nogueira(random.random((60, 30)) < chances)
        assert interval is not None
        covered += interval[0] <= true <= interval[1]
    assert 0.9 < covered / 300 < 0.99


def test_how_often_each_column_is_kept_reads_as_a_table_and_as_json() -> None:
    steady = cw.selection_stability(tennis_table(), cw.Selection("gain", 2), cw.Folds(7))
    assert steady.samples == 7
    assert steady.columns[0].name == "Outlook"
    assert steady["Outlook"].part == 1
    assert sum(each.times for each in steady.columns) == 14
    assert steady.sizes == (2,) * 7
    assert "stability" in str(steady)
    assert json.loads(json.dumps(steady.to_json(), allow_nan=False))["samples"] == 7


def test_where_everything_is_kept_there_is_no_index() -> None:
    steady = cw.selection_stability(tennis_table(), cw.Selection("gain", 4), cw.Folds(3))
    assert math.isnan(steady.index)
    assert steady.to_json()["index"] is None
    assert "no stability" in str(steady)


def test_the_column_of_groups_is_no_column_to_select() -> None:
    days = cw.read_table(cw.datasets.path("tennis_56"), target="Play")
    steady = cw.selection_stability(days, cw.Selection("gain", 2), cw.GivenFolds("Temperature"))
    assert {each.name for each in steady.columns} == {"Outlook", "Humidity", "Wind"}
    assert steady.samples == 8


def test_one_sample_is_refused() -> None:
    with pytest.raises(SettingError, match="at least two samples"):
        cw.selection_stability(tennis_table(), "gain", cw.HoldOut())
