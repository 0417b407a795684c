"""Cuts: where they fall, what they cost, and that the fast way is the plain way."""

from __future__ import annotations

from typing import get_args

import numpy as np
import pytest
from hypothesis import given, settings

from clearwood.counting.coding import interval_codes
from clearwood.errors import ClearwoodWarning
from clearwood.formulas.conditions import holds
from clearwood.learners.discretising import (
    CutMethod,
    cut_table,
    cuts_for,
    equal_frequency_cuts,
    equal_width_cuts,
    interval_condition,
    mdl_cuts,
)
from clearwood.table.attributes import Ignored, Nominal, Numeric, Ordinal
from clearwood.table.schema import Schema
from clearwood.table.table import Table
from tests.definitions.mdl_cuts import mdl_cuts_by_counts
from tests.learners.random_tables import random_tables
from tests.shared_data import load_shared
from tests.typed import mistyped

INF = float("inf")


def codes(*values: int) -> np.ndarray:
    return np.array(values, dtype=np.int32)


@pytest.mark.slow
@given(random_tables(["nominal", "ordinal"], columns=("whole", "real", "float32", "strided", "constant")))
@settings(max_examples=150, deadline=None)
def test_native_cuts_are_those_of_the_definition(table: Table) -> None:
    for attribute in table.schema.inputs:
        column = table.columns[attribute.name]
        fast = mdl_cuts(column, table.target, table.weights)
        assert fast == mdl_cuts_by_counts(column, table.target, table.weights)
        assert fast == tuple(sorted(set(fast)))


@given(random_tables(["nominal"], columns=("whole", "real"), weights=("whole",), max_rows=40))
@settings(max_examples=50, deadline=None)
def test_a_weight_acts_as_repeated_rows(table: Table) -> None:
    assert table.weights is not None
    times = table.weights.astype(np.int64)
    for attribute in table.schema.inputs:
        column = table.columns[attribute.name]
        repeated = np.repeat(column, times)
        assert mdl_cuts(column, table.target, table.weights) == mdl_cuts(
            repeated, np.repeat(table.target, times)
        )
        assert equal_frequency_cuts(column, table.weights, 4) == equal_frequency_cuts(repeated, bins=4)


@pytest.mark.slow
@given(random_tables(["nominal"], columns=("whole", "real", "float32", "empty")))
@settings(max_examples=50, deadline=None)
@pytest.mark.parametrize("method", get_args(CutMethod))
def test_a_rows_interval_is_the_one_whose_condition_holds(method: str, table: Table) -> None:
    for name, cuts in cuts_for(table, mistyped(method), 5).items():
        if cuts:
            column = table.columns[name]
            for value, code in zip(column.tolist(), interval_codes(column, cuts).tolist(), strict=True):
                held = [i for i in range(len(cuts) + 1) if holds(interval_condition(name, cuts, i), value)]
                assert held == ([code] if code >= 0 else [])


def test_iris_is_cut_where_its_species_part() -> None:
    table = load_shared("iris")
    actual = [mdl_cuts(table.columns[each.name], table.target) for each in table.schema.inputs]
    assert [[round(cut, 2) for cut in cuts] for cuts in actual] == [
        [5.55, 6.15],
        [2.95, 3.35],
        [2.45, 4.75],
        [0.8, 1.75],
    ]


def test_a_cut_must_pay_for_itself() -> None:
    apart = codes(0, 0, 0, 1, 1, 1)
    assert mdl_cuts(np.arange(6.0), apart) == (2.5,)
    assert mdl_cuts(np.arange(6.0), codes(0, 1, 0, 1, 0, 1)) == ()
    assert mdl_cuts(np.arange(6.0), codes(0, 0, 0, 0, 0, 0)) == ()
    assert mdl_cuts(np.full(6, 7.0), apart) == ()
    assert mdl_cuts(np.full(6, np.nan), apart) == ()
    assert mdl_cuts(np.empty(0), codes()) == ()


def test_neighbouring_and_infinite_numbers_are_told_apart() -> None:
    here = 1.0
    there = np.nextafter(here, 2.0)
    for low, high in ((here, there), (-INF, INF), (-INF, 0.0), (0.0, INF), (-1.7e308, 1.7e308)):
        (cut,) = mdl_cuts(np.repeat([low, high], 5), np.repeat(codes(0, 1), 5))
        assert low <= cut < high


def test_rows_without_class_or_weight_are_absent() -> None:
    column = np.array([1.0, 2, 3, 7, 8, 9, 2.5, 8.5])
    target = codes(0, 0, 0, 1, 1, 1, -1, 0)
    assert mdl_cuts(column, target, np.array([1.0, 1, 1, 1, 1, 1, 1, 0])) == (5.0,)


def test_equal_widths_leave_no_empty_end() -> None:
    assert equal_width_cuts(np.array([0.0, 10]), 4) == (2.5, 5.0, 7.5)
    assert equal_width_cuts(np.array([3.0, 3, np.nan])) == ()
    assert equal_width_cuts(np.array([np.nan])) == ()


def a_table(**cuts: tuple[float, ...]) -> Table:
    attributes = (Numeric("x", cuts.get("x", ())), Numeric("noise", cuts.get("noise", ())))
    columns = {
        "x": np.array([1.0, 2, 3, 7, 8, np.nan]),
        "noise": np.array([1.0, 1, 1, 1, 1, 1]),
        "y": codes(0, 0, 0, 1, 1, 1),
    }
    return Table(Schema(attributes, Nominal("y", ("no", "yes"))), columns)


def test_a_column_without_a_cut_is_left_out_by_name() -> None:
    with pytest.warns(ClearwoodWarning, match="left out: noise"):
        cut = cut_table(a_table())
    assert cut.schema["x"] == Ordinal("x", ("≤ 5", "> 5"))
    assert cut.columns["x"].tolist() == [0, 0, 0, 1, 1, -1]
    assert isinstance(cut.schema["noise"], Ignored)
    assert any("noise" in note for note in cut.notes)


def test_cuts_given_in_the_schema_win() -> None:
    cut = cut_table(a_table(x=(1.5, 2.0), noise=(0.0,)))
    assert cut.schema["x"] == Ordinal("x", ("≤ 1.5", "1.5 < … ≤ 2", "> 2"))
    assert cut.columns["x"].tolist() == [0, 1, 2, 2, 2, -1]


def test_the_cuts_do_not_depend_on_the_number_of_threads() -> None:
    from clearwood import _native

    random = np.random.default_rng(0)
    columns = [random.normal(size=2000) for _ in range(5)]
    target = (np.sum(columns, axis=0) > 0.5).astype(np.int32)
    one, four = (_native.mdl_cuts(columns, target, None, 2, threads=threads) for threads in (1, 4))
    assert [each.tolist() for each in one] == [each.tolist() for each in four]
    assert any(len(each) for each in one)
