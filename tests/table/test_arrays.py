"""Arrays, dicts of columns and lists of dicts become raw columns, floats without a copy."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from clearwood.errors import ColumnError, SourceError
from clearwood.table.raw import RawColumn, RawNumbers, RawStrings
from clearwood.table.sources.arrays import read_array, read_columns, read_records
from tests.typed import mistyped


def cells(column: RawColumn) -> list[str | None]:
    assert isinstance(column, RawStrings)
    return [None if code < 0 else column.values[code] for code in column.codes]


def numbers(column: RawColumn) -> list[str]:
    assert isinstance(column, RawNumbers)
    return [f"{value:g}" for value in column.values]


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("order", ["C", "F"])
def test_the_columns_of_a_float_table_are_views_of_it(dtype: type, order: Any) -> None:
    table: np.ndarray = np.asarray(np.arange(12).reshape(4, 3), dtype=dtype, order=order)
    for view in (table, table[::2, ::-1], table[::-1]):
        raw = read_array(view)
        assert raw.names == ("x0", "x1", "x2")
        for j, column in enumerate(raw.columns):
            assert isinstance(column, RawNumbers)
            assert np.shares_memory(column.values, table)
            np.testing.assert_array_equal(column.values, view[:, j])


@pytest.mark.parametrize(
    "dtype", [np.int8, np.uint16, np.int32, np.int64, np.uint64, ">i4", ">f8", np.float16]
)
@pytest.mark.parametrize("order", ["C", "F"])
def test_what_must_be_converted_is_stored_column_by_column(dtype: Any, order: Any) -> None:
    table = np.asarray((np.arange(15_000) % 100).reshape(5000, 3), dtype=dtype, order=order)
    for view in (table, table[::2, ::-1]):
        for j, column in enumerate(read_array(view).columns):
            assert isinstance(column, RawNumbers)
            assert column.values.flags.c_contiguous
            assert column.whole
            np.testing.assert_array_equal(column.values, view[:, j])


@given(
    table=hnp.arrays(
        st.sampled_from([np.float32, np.float64]),
        hnp.array_shapes(min_dims=2, max_dims=2, max_side=30),
        elements=st.sampled_from([0.0, 1.0, 0.5, -3.0, float("nan"), 2.0**100]),
    ),
    steps=st.tuples(st.sampled_from([1, 2, -1]), st.sampled_from([1, 2, -1])),
    infinite=st.none() | st.tuples(st.integers(0, 29), st.integers(0, 29)),
)
def test_whole_columns_and_the_first_infinite_number_are_found_as_numpy_finds_them(
    table: Any, steps: tuple[int, int], infinite: tuple[int, int] | None
) -> None:
    view = table[:: steps[0], :: steps[1]]
    if infinite and infinite[0] < view.shape[0] and infinite[1] < view.shape[1]:
        view[infinite] = -np.inf
        with pytest.raises(SourceError, match=rf"column 'x{infinite[1]}', row {infinite[0] + 1}: -inf"):
            read_array(view)
        return
    for column, expected in zip(read_array(view).columns, view.T, strict=True):
        assert isinstance(column, RawNumbers)
        known = expected[~np.isnan(expected)]
        assert column.whole == bool((known == np.trunc(known)).all())


def test_the_first_infinite_row_of_many_is_named() -> None:
    table = np.zeros((100_000, 3))
    table[77_000, 0] = table[50_001, 2] = np.inf
    with pytest.raises(SourceError, match="column 'x2', row 50002"):
        read_array(table)


@pytest.mark.parametrize("dtype", [np.int8, np.uint16, np.int64, np.float16, ">f8", np.longdouble])
def test_other_numbers_are_converted_exactly(dtype: Any) -> None:
    raw = read_array(np.array([[1, 2], [3, 100]], dtype=dtype))
    assert [numbers(column) for column in raw.columns] == [["1", "3"], ["2", "100"]]
    assert all(isinstance(column, RawNumbers) and column.whole for column in raw.columns)


def test_an_array_of_objects_is_sorted_out_column_by_column() -> None:
    table = np.array([[1, "a", None, True], [2.5, None, 3, False]], dtype=object)
    raw = read_array(table, ["n", "s", "m", "b"])
    assert raw.names == ("n", "s", "m", "b")
    assert numbers(raw.columns[0]) == ["1", "2.5"]
    assert cells(raw.columns[1]) == ["a", None]
    assert numbers(raw.columns[2]) == ["nan", "3"]
    assert cells(raw.columns[3]) == ["True", "False"]


@pytest.mark.parametrize("array", [np.array(["b", "a", "b"]), np.array([b"b", b"a", b"b"])])
def test_text_arrays_are_coded_by_first_appearance(array: Any) -> None:
    column = read_array(array).columns[0]
    assert isinstance(column, RawStrings)
    assert (column.values, column.codes.tolist()) == (("b", "a"), [0, 1, 0])


def test_a_structured_array_names_its_columns() -> None:
    raw = read_array(np.array([(1, "p", 0.5), (2, "q", 1.5)], dtype=[("i", "i1"), ("s", "U3"), ("f", "f8")]))
    assert raw.names == ("i", "s", "f")
    assert numbers(raw.columns[2]) == ["0.5", "1.5"]


def test_dates_of_numpy_are_written_out() -> None:
    column = read_array(np.array(["2024-02-01", "NaT", "2024-01-31"], dtype="M8[D]")).columns[0]
    assert cells(column) == ["2024-02-01", None, "2024-01-31"]
    assert isinstance(column, RawStrings)
    assert column.dates


def test_a_dict_of_columns_may_mix_arrays_and_lists() -> None:
    raw = read_columns({"a": np.array([1.5, 2.5]), "b": ["x", None], 3: (1, "y"), "l": range(2)})  # type: ignore[dict-item]
    assert raw.names == ("a", "b", "3", "l")
    assert cells(raw.columns[2]) == ["1", "y"]
    assert numbers(raw.columns[3]) == ["0", "1"]


@given(
    st.lists(st.dictionaries(st.sampled_from("abc"), st.none() | st.text() | st.integers(-5, 5)), min_size=1)
)
def test_a_list_of_dicts_has_every_key_as_a_column(rows: list[dict[str, Any]]) -> None:
    names = tuple(dict.fromkeys(key for row in rows for key in row))
    if not names:
        with pytest.raises(SourceError, match="every row is empty"):
            read_records(rows)
        return
    raw = read_records(rows)
    assert raw.names == names
    for name, column in zip(names, raw.columns, strict=True):
        given_cells = [row.get(name) for row in rows]
        if isinstance(column, RawNumbers):
            assert numbers(column) == ["nan" if cell is None else f"{cell:g}" for cell in given_cells]
        else:
            assert cells(column) == [None if cell is None else str(cell) for cell in given_cells]


# ---- what is refused


@pytest.mark.parametrize("shape", [(), (2, 2, 2), (3, 0)])
def test_an_array_that_is_no_table_is_refused_with_its_shape(shape: tuple[int, ...]) -> None:
    with pytest.raises(SourceError, match="has the shape"):
        read_array(np.zeros(shape))


@pytest.mark.parametrize("array", [np.array([1j]), np.array([1], dtype="m8[s]"), np.zeros(2, dtype="V4")])
def test_other_types_are_refused_by_column(array: Any) -> None:
    with pytest.raises(SourceError, match="column 'x0': values of type"):
        read_array(array)


def test_an_object_that_is_no_value_is_refused_with_its_row() -> None:
    with pytest.raises(SourceError, match="column 'b', row 2: a list is neither text nor a number"):
        read_columns({"b": ["x", [1, 2]]})


def test_infinite_objects_are_refused_with_their_row() -> None:
    with pytest.raises(SourceError, match="column 'b', row 2: inf is infinite"):
        read_columns({"b": [1, float("inf")]})


def test_names_must_fit_and_differ() -> None:
    with pytest.raises(ColumnError, match="2 columns, but 1 names"):
        read_array(np.zeros((3, 2)), ["a"])
    with pytest.raises(ColumnError, match="called 'a'"):
        read_array(np.zeros((3, 2)), ["a", "a"])
    with pytest.raises(ColumnError, match="called '1'"):
        read_columns(mistyped({1: [1], "1": [2]}))


@pytest.mark.parametrize(
    ("columns", "sentence"),
    [
        ({}, "has no columns"),
        ({"a": [1], "b": [1, 2]}, "'a' has 1 rows, but 'b' has 2"),
        ({"a": "text"}, "column 'a' is a str"),
        ({"a": np.zeros((2, 2))}, "one dimension"),
    ],
)
def test_a_dict_that_is_no_table_is_refused(columns: dict[str, Any], sentence: str) -> None:
    with pytest.raises(SourceError, match=sentence):
        read_columns(columns)


def test_a_list_that_is_no_table_is_refused() -> None:
    with pytest.raises(SourceError, match="is empty"):
        read_records([])
    with pytest.raises(SourceError, match="row 2 is a int"):
        read_records(mistyped([{"a": 1}, 5]))
