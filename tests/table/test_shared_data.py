"""The reference tables load as their own descriptions say."""

from __future__ import annotations

import numpy as np
import pytest

from clearwood.table.attributes import Numeric, Ordinal
from clearwood.table.table import MISSING
from tests.shared_data import NAMES, describe, load_shared


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_rows_classes_and_missing_cells_are_as_described(name: str) -> None:
    about, table = describe(name), load_shared(name)
    assert len(table) == about["rows"]
    assert [a.name for a in table.schema.attributes] == about["features"]
    for column, count in about.get("missing_by_column", {}).items():
        if column in table.columns:
            cells = table.columns[column]
            empty = np.isnan(cells) if isinstance(table.schema[column], Numeric) else cells == MISSING
            assert empty.sum() == count
    if about["task"] == "classification":
        counts = np.bincount(table.target, minlength=len(table.schema.classes))
        actual = dict(zip(table.schema.classes, counts.tolist(), strict=True))
        assert {k: v for k, v in actual.items() if v} == about["classes"]


@pytest.mark.skipif(not NAMES, reason="the reference tables are not here")
def test_ordinal_columns_keep_their_order_when_asked() -> None:
    age = load_shared("contact_lenses", "ordinal").schema["age"]
    assert age == Ordinal("age", ("young", "pre-presbyopic", "presbyopic"))


@pytest.mark.skipif(not NAMES, reason="the reference tables are not here")
def test_the_training_rows_come_first() -> None:
    assert len(load_shared("monks_1", train=True)) == 124
