"""One answer of a tree: the way down, the leaves, and the very shares that prediction gives."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import clearwood as cw
from clearwood.datasets import path
from clearwood.errors import ColumnError
from clearwood.formulas.expressions import value_of
from clearwood.predicting.one import predict_one, shares_of_one
from clearwood.table.attributes import Numeric
from clearwood.table.table import Table
from clearwood.working.derivation import Answered
from tests.learners.random_tables import random_tables
from tests.typed import values_of

few = settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])


@few
@given(
    table=random_tables(max_rows=40, max_values=20),
    surrogates=st.booleans(),
    row=st.integers(0, 10**6),
    gaps=st.integers(0, 31),
)
def test_an_answer_is_what_prediction_says(table: Table, surrogates: bool, row: int, gaps: int) -> None:
    numeric = isinstance(table.schema.target, Numeric)
    tree = (cw.CART() if numeric or surrogates else cw.C45(min_rows=1)).learn(table)
    cells = row_of(table, row % len(table), gaps)
    derivation = cw.derive(tree, row=cells)
    assert derivation[-1].outcome == Answered(predict_one(tree, cells))
    for step in derivation:
        for figure in step.walk():
            if figure.put_in is not None:
                assert isinstance(figure.value, float)
                assert value_of(figure.put_in) == pytest.approx(figure.value, rel=1e-9, abs=1e-9)
    if not numeric:
        for name, share in shares_of_one(tree, cells).items():
            assert derivation.figure(f"P({name} | the row)").value == pytest.approx(share, abs=1e-12)


def row_of(table: Table, place: int, gaps: int) -> dict[str, str | float | None]:
    """A row of the table, by column; the bits of `gaps` say which cells are emptied."""
    cells: dict[str, str | float | None] = {}
    for i, attribute in enumerate(table.schema.inputs):
        cell = table.columns[attribute.name][place]
        if isinstance(attribute, Numeric):
            cells[attribute.name] = None if np.isnan(cell) or gaps >> i & 1 else float(cell)
        else:
            values = values_of(attribute)
            cells[attribute.name] = None if cell < 0 or gaps >> i & 1 else values[cell]
    return cells


def test_a_row_without_a_cell_goes_down_every_branch_by_its_share() -> None:
    table = cw.read_table(path("tennis_numeric"), target="Play")
    derivation = cw.derive(cw.C45().learn(table), row={"Humidity": 70, "Wind": "Weak"})
    assert derivation[0].decision == "Outlook is missing: down every branch, by its share."
    assert derivation.figure("Share(Outlook = Rain)").value == pytest.approx(5 / 14)
    assert derivation.figure("part at leaf 6").value == pytest.approx(5 / 14)
    assert derivation.figure("P(Play | the row)").value == pytest.approx(1.0)


def test_the_counts_of_one_leaf_give_an_exact_share() -> None:
    table = cw.read_table(path("tennis"), target="PlayTennis")
    derivation = cw.derive(cw.ID3(max_depth=1).learn(table), row={"Outlook": "Sunny"})
    assert derivation.figure("P(No | the row)").exact == Fraction(3, 5)
    assert derivation[-1].decision == "The prediction is No, with the largest probability, 0.600."


def test_a_row_of_unknown_columns_is_refused() -> None:
    table = cw.read_table(path("tennis"), target="PlayTennis")
    with pytest.raises(ColumnError, match="Did you mean 'Outlook'"):
        cw.derive(cw.ID3().learn(table), row={"Outlok": "Sunny"})
