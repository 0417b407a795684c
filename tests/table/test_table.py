"""A table refuses columns that do not hold what its schema says, by name and with what is wanted."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from clearwood.errors import SchemaError
from clearwood.table.attributes import Attribute, Nominal, Numeric, Ordinal, Text
from clearwood.table.schema import Schema
from clearwood.table.table import MISSING, UNSEEN, Table

WIND = Nominal("wind", ("weak", "strong"))
SIZE = Ordinal("size", ("small", "large"))


@pytest.mark.parametrize(
    ("attribute", "column", "sentence"),
    [
        (WIND, np.array([0, 1]), "'wind' is nominal and must be an array of int32 codes, not int64"),
        (SIZE, np.array([0.0, 1.0]), "'size' is ordinal and must be an array of int32 codes, not float64"),
        (Numeric("x"), np.array([1, 2], np.int32), "'x' is numeric .* float32 or float64 numbers, not int32"),
        (
            Numeric("x"),
            np.array([1.0, 2.0], ">f8"),
            "'x' is numeric .*, not >f8",
        ),
        (Numeric("x"), np.ones((2, 1)), "'x' is numeric .*, not an array of 2 dimensions"),
        (Numeric("x"), [1.0, 2.0], "'x' is numeric .*, not list"),
        (Text("t"), np.array(["a", "b"]), "'t' is text .* each a str or None, not <U1"),
        (WIND, np.array([0, 2], np.int32), "'wind', row 2: the code 2 stands for none of its 2 values"),
        (SIZE, np.array([-3, 1], np.int32), "'size', row 1: the code -3 stands for none of its 2 values"),
    ],
)
def test_a_column_that_is_not_what_the_schema_says_is_refused(
    attribute: Attribute, column: Any, sentence: str
) -> None:
    with pytest.raises(SchemaError, match=sentence):
        Table(Schema((attribute,)), {attribute.name: column})


def test_a_target_is_looked_at_as_well() -> None:
    with pytest.raises(SchemaError, match="'wind', row 1: the code 7"):
        Table(Schema((), WIND), {"wind": np.array([7], np.int32)})


def test_missing_unseen_and_no_rows_at_all_are_fine() -> None:
    assert len(Table(Schema((WIND,)), {"wind": np.array([MISSING, UNSEEN, 1, 0], np.int32)})) == 4
    assert len(Table(Schema((WIND,)), {"wind": np.empty(0, np.int32)})) == 0
    assert len(Table(Schema((Nominal("none", ()),)), {"none": np.full(2, MISSING, np.int32)})) == 2


def test_weights_of_any_number_type_become_floats_and_others_are_refused() -> None:
    columns = {"x": np.array([1.0, 2.0])}
    weights = Table(Schema((Numeric("x"),)), columns, np.array([1, 2])).weights
    assert weights is not None
    assert weights.dtype == np.float64
    with pytest.raises(SchemaError, match="Weights must be one number per row"):
        Table(Schema((Numeric("x"),)), columns, np.array(["a", "b"]))
