"""X and y apart: columns as they are, classes sorted as NumPy sorts them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from clearwood.errors import ColumnError, SchemaError
from clearwood.table import learn_table
from clearwood.table.attributes import Ignored, Nominal, Numeric, Ordinal
from clearwood.table.encoding import code_labels


def test_nothing_is_guessed_or_left_out() -> None:
    frame = pd.DataFrame({"id": range(20), "same": 1.0, "name": [f"n{i}" for i in range(20)], "target": 2})
    table = learn_table(frame, [0, 1] * 10)
    assert [type(a) for a in table.schema.attributes] == [Numeric, Numeric, Nominal, Numeric]
    assert table.schema.target == Nominal("target_", ("0", "1"))
    assert table.notes == ()


def test_a_column_without_a_cell_is_left_out_whatever_it_will_hold() -> None:
    frame = pd.DataFrame({"a": [None, None], "b": [np.nan, np.nan], "c": [np.nan, 1.0]})
    table = learn_table(frame, [0, 1])
    assert [type(a) for a in table.schema.attributes] == [Ignored, Ignored, Numeric]
    assert type(learn_table(frame, [0, 1], kinds={"b": "numeric"}).schema["b"]) is Numeric


def test_classes_already_coded_are_taken_as_they_are() -> None:
    coded = learn_table(np.ones((3, 1)), np.array([1, 0, 1], np.int32), classes=np.array(["a", "b"]))
    spelled = learn_table(np.ones((3, 1)), ["b", "a", "b"])
    assert coded.schema == spelled.schema
    assert coded.target.tolist() == spelled.target.tolist()


def test_kinds_and_order_are_obeyed() -> None:
    frame = pd.DataFrame({"size": ["M", "S"], "code": [7, 3]})
    table = learn_table(frame, ["a", "b"], kinds={"code": "nominal"}, ordered={"size": ["S", "M"]})
    assert table.schema.attributes == (Ordinal("size", ("S", "M")), Nominal("code", ("3", "7")))
    with pytest.raises(ColumnError, match="Did you mean 'size'"):
        learn_table(frame, ["a", "b"], kinds={"sise": "nominal"})


def test_a_number_to_predict() -> None:
    table = learn_table(np.ones((3, 1)), [1, 2, 5], numeric=True, weights=[1, 0, 2])
    assert table.schema.target == Numeric("target")
    assert table.target.tolist() == [1, 2, 5]
    assert table.weights is not None


@pytest.mark.parametrize(
    ("y", "more", "sentence"),
    [
        ([1, 2], {}, "X has 3 rows and y has 2"),
        ([1, np.nan, 2], {}, "y holds missing or infinite values"),
        (np.array(["a", None, "b"], object), {}, "y holds missing values"),
        (np.array(["a", pd.NA, "b"], object), {}, "y holds missing values"),
        (np.array(["a", 1, "b"], object), {}, "y mixes labels that cannot be compared (int, str)"),
        ([1, np.inf, 2], {"numeric": True}, "y, row 2: inf is not a finite number"),
        ([1, 2, 1], {"weights": [1, 1, -1]}, "The weight is negative (-1) in row 3"),
        ([1, 2, 1], {"weights": [1, np.inf, 1]}, "The weight is infinite (inf) in row 2"),
        ([1, 2, 1], {"weights": [0, 0, 0]}, "The weight is zero in every row"),
    ],
)
def test_wrong_targets_and_weights_are_refused(y: Any, more: dict[str, Any], sentence: str) -> None:
    with pytest.raises(SchemaError) as caught:
        learn_table(np.ones((3, 1)), y, **more)
    assert sentence in str(caught.value)


@given(
    st.one_of(
        st.lists(st.integers(-5, 5), min_size=1),
        st.lists(st.integers(-(2**60), 2**60), min_size=1),
        st.lists(st.booleans(), min_size=1),
        st.lists(st.sampled_from([0.5, -1.0, 3.0]), min_size=1),
        st.lists(st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=3), min_size=1),
    )
)
def test_labels_are_coded_as_by_numpy(labels: list[Any]) -> None:
    for y in (np.array(labels), np.array(labels, dtype=object)):
        classes, codes = code_labels(y)
        expected, inverse = np.unique(y, return_inverse=True)
        assert classes.tolist() == expected.tolist()
        assert codes.tolist() == inverse.tolist()
        assert codes.dtype == np.int32


def test_small_unsigned_labels_do_not_overflow() -> None:
    classes, codes = code_labels(np.array([255, 0, 255], np.uint8))
    assert classes.tolist() == [0, 255]
    assert codes.tolist() == [1, 0, 1]
    classes, codes = code_labels(np.array([-128, 127], np.int8))
    assert classes.tolist() == [-128, 127]
    assert codes.tolist() == [0, 1]
