"""Raw columns under an attribute."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from clearwood._native import number_codes
from clearwood.errors import SchemaError
from clearwood.table.attributes import Ignored, Nominal
from clearwood.table.coding import as_numbers, as_strings, code_column, first_row
from clearwood.table.raw import RawNumbers, RawStrings

cells = st.one_of(
    st.lists(st.none() | st.integers(-3, 3)),
    st.lists(st.none() | st.integers(-(10**7), 10**7)),
    st.lists(st.none() | st.sampled_from([0.5, 1.0, -2.25])),
)


@given(cells, st.sampled_from([np.float32, np.float64]))
def test_numbers_become_values_in_order_of_appearance(numbers: list[float | None], dtype: Any) -> None:
    array: npt.NDArray[Any] = np.array([np.nan if n is None else n for n in numbers], dtype=dtype)
    whole = all(number is None or float(number).is_integer() for number in numbers)
    column = as_strings(RawNumbers(array, whole))
    expected = [
        None if number is None else f"{number:g}" if number % 1 else f"{int(number)}" for number in numbers
    ]
    assert column.values == tuple(dict.fromkeys(each for each in expected if each is not None))
    assert [None if code < 0 else column.values[code] for code in column.codes.tolist()] == expected
    assert column.codes.dtype == np.int32


@given(
    st.lists(
        st.sampled_from([-0.0, 0.0, -32769.0, -32768.0, 32767.0, 32768.0, 0.5, 2.0**53, -1e300, 5e-324])
    ),
    st.integers(1, 3),
    st.integers(0, 3000),
)
def test_codes_of_numbers_near_and_far_are_those_of_a_dict(few: list[float], step: int, more: int) -> None:
    numbers = [*few, float("nan"), *(40_000 + each % 1700 + each % 2 / 2 for each in range(more)), *few]
    spread = np.repeat(np.array(numbers), step)[::step]
    codes, distinct = number_codes(spread)
    places: dict[float, int] = {}
    expected = [-1 if number != number else places.setdefault(number, len(places)) for number in numbers]
    assert codes.tolist() == expected
    assert distinct.tolist() == list(places)
    assert not np.signbit(distinct[distinct == 0]).any()


def test_the_shortest_text_of_a_narrow_float_is_its_own() -> None:
    assert as_strings(RawNumbers(np.array([0.1], np.float32), whole=False)).values == ("0.1",)


@given(cells)
def test_values_become_numbers_again(numbers: list[float | None]) -> None:
    array = np.array([np.nan if number is None else number for number in numbers], dtype=np.float64)
    np.testing.assert_array_equal(as_numbers(as_strings(RawNumbers(array, whole=False)), "x"), array)


@pytest.mark.parametrize("text", ["ten", "1_000", "", "inf", "nan"])
def test_what_is_no_finite_number_is_refused_with_its_row(text: str) -> None:
    column = RawStrings(np.array([0, -1, 1], np.int32), ("1", text))
    with pytest.raises(SchemaError, match=r"Column 'x', row 3: '.*' is not (a number|finite)"):
        as_numbers(column, "x")


def test_an_ignored_column_has_no_cells() -> None:
    with pytest.raises(SchemaError, match="its cells are not encoded"):
        code_column(RawStrings(np.array([0], np.int32), ("a",)), Ignored("x"))


def test_codes_that_fit_already_are_not_copied() -> None:
    column = RawStrings(np.array([0, 1], np.int32), ("a", "b"))
    assert code_column(column, Nominal("x", ("a", "b"))) is column.codes


def test_rows_count_from_one() -> None:
    assert first_row(np.array([0, 1, 1], np.int32), 1) == 2
