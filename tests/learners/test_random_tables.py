"""The random tables are what the properties need: well-formed, with some row that counts."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given

from clearwood.table.attributes import Ignored, Nominal, Ordinal
from clearwood.table.table import MISSING, Table
from tests.learners.random_tables import random_tables


@given(random_tables())
def test_codes_lie_within_the_schema(table: Table) -> None:
    for attribute in (*table.schema, table.schema.target):
        if isinstance(attribute, Nominal | Ordinal):
            codes = table.columns[attribute.name]
            assert codes.dtype == np.int32
            assert codes.min() >= MISSING
            assert codes.max() < len(attribute.values)
        elif isinstance(attribute, Ignored):
            assert attribute.name not in table.columns


@pytest.mark.slow
@given(random_tables())
def test_some_row_counts_and_every_row_has_a_target(table: Table) -> None:
    assert table.weights is None or table.weights.sum() > 0
    assert not np.isnan(table.target.astype(float)).any()
    assert (table.target.astype(float) >= 0).all()
