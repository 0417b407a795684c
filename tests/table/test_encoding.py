"""New rows under an old schema."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from clearwood.errors import ColumnError, SchemaError
from clearwood.table import encode, read_table
from clearwood.table.attributes import Ignored, Nominal, Numeric, Text
from clearwood.table.schema import Schema

SCHEMA = Schema(
    (Nominal("wind", ("weak", "strong")), Ignored("id"), Numeric("humidity")),
    Nominal("play", ("no", "yes")),
    "w",
)


def test_new_rows_are_coded_as_the_schema_says() -> None:
    table = encode([{"humidity": 3, "wind": "strong", "more": 1}, {"humidity": None, "wind": "calm"}], SCHEMA)
    assert table.schema is SCHEMA
    assert table.columns.keys() == {"wind", "humidity"}
    assert table.columns["wind"].tolist() == [1, -2]
    np.testing.assert_array_equal(table.columns["humidity"], [3, np.nan])
    assert table.weights is None


def test_target_and_weights_are_coded_where_they_are() -> None:
    table = encode({"wind": ["weak"], "humidity": [1.0], "play": ["maybe"], "w": [2.0]}, SCHEMA)
    assert table.target.tolist() == [-2]
    assert table.weights is not None
    assert table.weights.tolist() == [2]


def test_a_missing_column_is_named_with_the_nearest() -> None:
    with pytest.raises(
        ColumnError,
        match=r"the list lacks a column of the schema. No column 'humidity'. Did you mean 'Humidty'",
    ):
        encode([{"wind": "weak", "Humidty": 1}], SCHEMA)


def test_a_cell_that_is_no_number_is_named_with_its_row() -> None:
    with pytest.raises(SchemaError, match="Column 'humidity', row 2: 'high' is not a number"):
        encode(b"wind,humidity\nweak,1\nweak,high\n", SCHEMA)


def test_a_column_of_empty_cells_fits_every_kind() -> None:
    table = encode(b"wind,humidity,x\n,,1\n,,2\n", SCHEMA)
    assert table.columns["wind"].tolist() == [-1, -1]
    assert np.isnan(table.columns["humidity"]).all()


@pytest.mark.parametrize(
    ("values", "cells", "codes"),
    [
        (("01", "02"), np.array([2, 1, 3]), [1, 0, -2]),
        (("1", "2"), np.array([2.0, np.nan, 1.0]), [1, -1, 0]),
        (("1.50", "2"), np.array([1.5]), [0]),
        (("true", "false"), np.array([True, False]), [0, 1]),
        (("1", "01"), np.array(["1.0"], dtype=object), [-2]),
        (("a", "b"), pd.Categorical(["b", None], categories=["c", "b"]), [1, -1]),
    ],
)
def test_values_are_found_however_they_are_written(
    values: tuple[str, ...], cells: object, codes: list[int]
) -> None:
    schema = Schema((Nominal("x", values),))
    assert encode(pd.DataFrame({"x": cells}), schema).columns["x"].tolist() == codes


def test_truth_values_fit_a_numeric_column() -> None:
    assert encode({"x": np.array([True, False])}, Schema((Numeric("x"),))).columns["x"].tolist() == [1, 0]


def test_numbers_fit_a_text_column() -> None:
    assert encode({"x": [5, None]}, Schema((Text("x"),))).columns["x"].tolist() == ["5", None]


def test_a_plain_array_is_taken_in_the_order_of_the_schema() -> None:
    schema = Schema((Numeric("a"), Numeric("b")), Nominal("y", ("n", "p")))
    array = np.array([[1.0, 2.0], [3.0, 4.0]])
    assert encode(array, schema).columns["b"].tolist() == [2, 4]
    assert encode([[1.0, 2.0]], schema).columns["b"].tolist() == [2]
    with pytest.raises(ColumnError, match="has 3 columns where 2 are expected: a, b"):
        encode(np.ones((2, 3)), schema)


def test_a_table_encoded_under_its_own_schema_is_the_same() -> None:
    text = b"wind,n,y\nweak,1,a\nstrong,2,b\n,5,a\n"
    table = read_table(text, target="y")
    again = encode(text, table.schema)
    for name, column in table.columns.items():
        np.testing.assert_array_equal(again.columns[name], column)


def test_rows_are_counted_even_where_every_column_is_ignored() -> None:
    table = encode({"id": [1, 2, 3]}, Schema((Ignored("id"),), Nominal("y", ("a",))))
    assert len(table) == 3
    assert len(table.take(np.array([True, False, True]))) == 2
