"""Shadow columns: what is worth more than chance stays, noise does not."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import binomtest

import clearwood as cw
from clearwood.selecting.shadows import _at_least
from clearwood.table.attributes import Nominal, Numeric
from clearwood.table.schema import Schema
from clearwood.table.table import Table


def table_of(rows: int, *, numeric: bool = False, missing: float = 0.0) -> Table:
    random = np.random.default_rng(7)
    cells = {f"x{k}": random.normal(size=rows) for k in range(5)}
    odds = 2 * cells["x1"] - 2 * cells["x3"]
    classes = (odds + random.logistic(size=rows) > 0).astype(np.int32)
    for column in cells.values():
        column[random.random(rows) < missing] = np.nan
    target = Numeric("y") if numeric else Nominal("y", ("no", "yes"))
    columns = {**cells, "y": odds if numeric else classes}
    return Table(Schema(tuple(map(Numeric, cells)), target), columns)


@pytest.mark.slow
@pytest.mark.parametrize(("numeric", "missing"), [(False, 0.0), (True, 0.0), (False, 0.15)])
def test_the_columns_that_matter_stay_and_noise_goes(numeric: bool, missing: float) -> None:
    ranking = cw.rank_columns(table_of(400, numeric=numeric, missing=missing), "shadows", rounds=12, trees=20)
    assert set(ranking.kept) == {"x1", "x3"}
    assert ranking["x1"].figures["adjusted p"] < 0.05


@pytest.mark.slow
def test_of_noise_alone_nothing_stays() -> None:
    table = table_of(300)
    dealt = np.random.default_rng(0).permutation(table.target)
    ranking = cw.rank_columns(
        Table(table.schema, {**table.columns, "y": dealt}), "shadows", rounds=12, trees=20
    )
    assert ranking.kept == ()


def test_the_chance_of_as_many_wins_is_the_binomial_one() -> None:
    for wins in range(11):
        expected = binomtest(wins, 10, 0.5, alternative="greater").pvalue
        assert _at_least(wins, 10) == pytest.approx(expected)


def test_too_few_rounds_to_keep_anything_are_remarked_on() -> None:
    ranking = cw.rank_columns(table_of(60), "shadows", rounds=3, trees=5)
    assert ranking.notes == ("So few rounds (3) may keep no column of 5, however good. Ask for more.",)


def test_the_same_seed_gives_the_same_rounds() -> None:
    one, other = (cw.rank_columns(table_of(60), "shadows", rounds=3, trees=5, seed=4) for _ in range(2))
    assert one == other
