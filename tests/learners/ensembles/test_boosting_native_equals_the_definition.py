"""Native boosting grows the trees of its definition, whatever the loss, the columns and the settings."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from clearwood import _native
from clearwood.learners.ensembles.boosting import Boosting
from clearwood.models.kinds.ensemble.ensemble import Ensemble
from clearwood.table.attributes import Nominal, Numeric, Ordinal
from clearwood.table.schema import Schema
from clearwood.table.table import Table
from tests.definitions.boosting import round_by_definition
from tests.learners.random_tables import random_tables


def _with_a_seed_that_draws(chosen: dict[str, Any]) -> dict[str, Any]:
    """A seed where nothing is drawn would be remarked on."""
    draws = chosen["rows"] < 1 or chosen["columns"] < 1
    return chosen if draws else {**chosen, "seed": 0}


settings = st.fixed_dictionaries(
    {
        "trees": st.integers(1, 4),
        "rate": st.sampled_from([0.1, 0.5, 1.0]),
        "max_depth": st.sampled_from([1, 2, 4, None]),
        "leaves": st.sampled_from([None, None, 2, 3, 7]),
        "min_child": st.sampled_from([0.0, 0.1, 1.0]),
        "l2": st.sampled_from([0.0, 1.0, 3.0]),
        "l1": st.sampled_from([0.0, 0.0, 0.3]),
        "gamma": st.sampled_from([0.0, 0.0, 0.5]),
        "min_value": st.sampled_from([0.0, 1.5, 3.0, 10.0]),
        "bins": st.sampled_from([254, 3, "exact"]),
        "rows": st.sampled_from([1.0, 0.7]),
        "columns": st.sampled_from([1.0, 0.5]),
        "seed": st.integers(0, 3),
    }
).map(_with_a_seed_that_draws)


def same(one: Ensemble, other: Ensemble) -> None:
    assert one.trees == other.trees
    assert (one.base, one.curves) == (other.base, other.curves)


@given(random_tables(("nominal", "ordinal")), settings, st.sampled_from(["auto", "softmax"]))
def test_of_classes(table: Table, chosen: dict[str, Any], loss: Any) -> None:
    learner = Boosting(loss=loss, **chosen)
    same(learner.learn(table), learner.learn_by(table, round_by_definition))


@given(random_tables(("numeric",)), settings, st.sampled_from(["squared", "absolute", "quantile", "poisson"]))
def test_of_numbers(table: Table, chosen: dict[str, Any], loss: Any) -> None:
    if loss == "poisson":
        table = replace(table, columns={**table.columns, "y": np.abs(table.target)})
    if loss == "quantile":
        chosen = {**chosen, "quantile": 0.3}
    learner = Boosting(loss=loss, **chosen)
    same(learner.learn(table), learner.learn_by(table, round_by_definition))


@given(random_tables(("nominal",), max_rows=80), settings)
def test_with_early_stopping(table: Table, chosen: dict[str, Any]) -> None:
    rows = len(table) if table.weights is None else int((table.weights > 0).sum())
    assume(rows > 20)
    learner = Boosting(early_stopping=0.3, patience=2, **{**chosen, "trees": 6})
    same(learner.learn(table), learner.learn_by(table, round_by_definition))


@given(
    random_tables(("numeric",), max_rows=60),
    settings,
    st.booleans(),
    st.sampled_from(["squared", "absolute", "quantile"]),
)
def test_with_monotone_columns_and_limited_interactions(
    table: Table, chosen: dict[str, Any], rising: bool, loss: Any
) -> None:
    names = [a.name for a in table.schema.attributes if isinstance(a, Numeric | Ordinal)]
    assume(names)
    inputs = [a.name for a in table.schema.inputs]
    learner = Boosting(
        monotone={names[0]: "up" if rising else "down"},
        interactions=[inputs[:2], inputs[1:3] or inputs[:1]],
        loss=loss,
        **chosen,
    )
    same(learner.learn(table), learner.learn_by(table, round_by_definition))


def large(rows: int) -> Table:
    random = np.random.default_rng(0)
    x = random.normal(size=(4, rows)).astype(np.float32)
    x[2, random.random(rows) < 0.2] = np.nan
    z = random.integers(0, 12, rows).astype(np.int32)
    y = (x[0] + x[1] * np.nan_to_num(x[2]) + z % 3 + random.normal(size=rows) > 1).astype(np.int32)
    schema = Schema(
        (*(Numeric(f"x{i}") for i in range(4)), Nominal("z", tuple("abcdefghijkl"))),
        Nominal("y", ("no", "yes")),
    )
    return Table(schema, {**{f"x{i}": x[i] for i in range(4)}, "z": z, "y": y})


@pytest.mark.slow
@pytest.mark.parametrize("loss", ["logistic", "softmax"])
def test_of_so_many_rows_that_sums_are_packed(loss: Any) -> None:
    learner, table = Boosting(trees=2, loss=loss, max_depth=3), large(40_000)
    same(learner.learn(table), learner.learn_by(table, round_by_definition))


@pytest.mark.slow
@pytest.mark.parametrize("columns", [1.0, 0.5])
def test_of_columns_that_are_counted_together(columns: float) -> None:
    """A column of ones and zeros for each of 30 values, and coins: few combinations of each stand for all."""
    random = np.random.default_rng(1)
    rows = 20_000
    value, coins = random.integers(0, 30, rows), random.integers(0, 2, (9, rows))
    x = random.normal(size=rows)
    y = (x + value % 3 + coins[0] * coins[8] + random.normal(size=rows) > 1).astype(np.int32) + coins[3]
    cells = [*(value == np.arange(30)[:, None]).astype(np.float64), *coins.astype(np.float64), x]
    cells[31][random.random(rows) < 0.1] = np.nan
    names = [f"x{i}" for i in range(len(cells))]
    schema = Schema(tuple(Numeric(name) for name in names), Nominal("y", ("a", "b", "c")))
    table = Table(schema, {**dict(zip(names, cells, strict=True)), "y": y.astype(np.int32)})
    learner = Boosting(trees=2, columns=columns, max_depth=4)
    same(learner.learn(table), learner.learn_by(table, round_by_definition))


@pytest.mark.parametrize("loss", ["logistic", "softmax"])
def test_threads_change_nothing_on_rows_by_the_hundred_thousand(loss: Any) -> None:
    learner, table = Boosting(trees=3, loss=loss), large(150_000)
    models = []
    for threads in (1, 3):
        _native.set_thread_count(threads)
        try:
            models.append(learner.learn(table))
        finally:
            _native.set_thread_count(0)
    same(*models)
