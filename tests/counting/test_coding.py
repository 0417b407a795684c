"""Columns as codes: cuts that share the rows evenly, ranks among them, and a code for what is missing."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from clearwood import _native
from clearwood.counting.coding import ALL_MIDPOINTS, codes_of, coding_of
from clearwood.table.attributes import Nominal, Numeric
from clearwood.table.schema import Schema
from clearwood.table.table import Table
from tests.definitions.codes import code_by_definition, cuts_by_definition
from tests.learners.random_tables import random_tables


@given(random_tables(max_rows=400), st.sampled_from([ALL_MIDPOINTS, 1, 3, 20, 254]))
def test_native_cuts_and_codes_are_those_of_the_definition(table: Table, most: int) -> None:
    coding = coding_of(table, most)
    codes = codes_of(table, coding)
    for how, column in zip(coding.columns, codes.columns, strict=True):
        assert how.attribute == table.schema.attributes[how.position]
        cells = table.columns[how.attribute.name]
        if how.numeric:
            assert how.cuts.tolist() == cuts_by_definition(cells, table.weights, most)
        values = 0 if how.numeric else how.known
        assert column.tolist() == [code_by_definition(float(cell), how.cuts, values) for cell in cells]


@given(random_tables(max_rows=400))
def test_on_a_ladder_every_number_of_a_row_with_weight_has_a_code(table: Table) -> None:
    coding = coding_of(table, None)
    present = np.ones(len(table), np.bool_) if table.weights is None else table.weights > 0
    for how, column in zip(coding.columns, codes_of(table, coding).columns, strict=True):
        cells = table.columns[how.attribute.name]
        known = present & (~np.isnan(cells) if how.numeric else cells >= 0)
        assert np.array_equal(how.steps[column[known]], cells[known])
        assert (column[np.isnan(cells) if how.numeric else cells < 0] == how.known).all()
        assert how.ladder.tolist() == (np.unique(cells[known]).tolist() if how.numeric else [])


def test_cuts_given_by_column_are_the_only_ones() -> None:
    table = numbers(np.array([1.0, 4.0, 9.0, np.nan]))
    (column,) = codes_of(table, coding_of(table, cuts={"x": (4.0,)})).columns
    assert column.tolist() == [0, 0, 1, 2]
    (column,) = codes_of(table, coding_of(table, cuts={"x": ()})).columns
    assert column.tolist() == [0, 0, 0, 1]


def numbers(x: np.ndarray, weights: np.ndarray | None = None) -> Table:
    return Table(Schema((Numeric("x"),)), {"x": x}, weights)


def test_a_byte_holds_255_bins_and_missing() -> None:
    x = np.append(np.random.default_rng(0).normal(size=100_000), np.nan)
    table = numbers(x)
    coding = coding_of(table)
    (column,) = codes_of(table, coding).columns
    assert column.dtype == np.uint8
    assert coding.known == (255,)
    assert column[-1] == 255
    assert np.bincount(column[:-1]).min() > 380  # even shares would be 392


@pytest.mark.parametrize("rows", [3000, 70_000])
def test_all_midpoints_of_many_numbers_take_two_or_four_bytes(rows: int) -> None:
    x = np.random.default_rng(0).permutation(rows).astype(np.float64)
    table = numbers(x)
    (column,) = codes_of(table, coding_of(table, ALL_MIDPOINTS)).columns
    assert column.dtype == (np.uint16 if rows < 65536 else np.uint32)
    assert np.array_equal(column, x)


def test_a_number_that_most_rows_share_leaves_its_cuts_to_the_others() -> None:
    x = np.append(np.zeros(100_000), np.random.default_rng(0).random(20_000) + 1)
    (column,) = coding_of(numbers(x)).columns
    assert len(column.cuts) > 250


def test_weights_act_as_repeated_rows() -> None:
    random = np.random.default_rng(1)
    x, times = random.normal(size=2000), random.integers(0, 4, 2000)
    weighed = coding_of(numbers(x, times.astype(np.float64)), 50)
    assert np.array_equal(
        weighed.columns[0].cuts, coding_of(numbers(np.repeat(x, times)), 50).columns[0].cuts
    )


def test_cuts_of_the_schema_are_the_only_ones() -> None:
    table = Table(Schema((Numeric("x", (10.0, 20.0)),)), {"x": np.array([10.0, 10.5, 25.0])})
    coding = coding_of(table)
    assert coding.columns[0].cuts.tolist() == [10.0, 20.0]
    assert codes_of(table, coding).columns[0].tolist() == [0, 1, 2]


def test_float32_numbers_fall_on_the_same_side_of_a_cut_as_their_doubles() -> None:
    x = np.array([0.1, 0.2, 0.3, 0.7], dtype=np.float32)
    cuts = [np.array([0.1, np.float64(np.float32(0.2)), 0.3])]
    single = _native.column_codes([x], [0], cuts, 4)[0]
    double = _native.column_codes([x.astype(np.float64)], [0], cuts, 4)[0]
    assert single.tolist() == double.tolist() == [1, 1, 3, 3]


def test_threads_change_nothing() -> None:
    random = np.random.default_rng(2)
    columns = list(random.normal(size=(5, 50_000)))
    one = _native.column_cuts(columns, 50_000, None, 254, threads=1)
    three = _native.column_cuts(columns, 50_000, None, 254, threads=3)
    assert all(np.array_equal(a, b) for a, b in zip(one, three, strict=True))


def test_a_value_that_the_schema_does_not_list_is_missing() -> None:
    table = Table(Schema((Nominal("a", ("x", "y")),)), {"a": np.array([1, -1, -2, 0], dtype=np.int32)})
    assert codes_of(table, coding_of(table)).columns[0].tolist() == [1, 2, 2, 0]
