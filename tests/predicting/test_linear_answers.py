"""A linear model answers many rows as it answers one, empty cells and unknown values included."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clearwood._native import linear_codes, linear_scores
from clearwood.errors import ClearwoodWarning, ColumnError, LearningError, SchemaError
from clearwood.learners.linear.logistic import Logistic
from clearwood.models.kinds.linear.linear_model import LinearModel, MissingTerm, NumberTerm, Term, ValueTerm
from clearwood.models.model import account_of
from clearwood.predicting.columns import table_for
from clearwood.predicting.of_linear import codes_of_linear, scores_of_linear, shares_of_linear
from clearwood.table.attributes import Nominal, Numeric, Ordinal
from clearwood.table.schema import Schema
from clearwood.table.table import UNSEEN, Table
from tests.definitions.row_by_weights import answer_by_weights, shares_by_weights, term_value
from tests.learners.linear_tables import noisy_table
from tests.learners.random_tables import random_tables
from tests.typed import mistyped


def _row(table: Table, i: int) -> dict[str, str | float | None]:
    row: dict[str, str | float | None] = {}
    for attribute in table.schema.inputs:
        cell = table.columns[attribute.name][i]
        if isinstance(attribute, Nominal | Ordinal):
            row[attribute.name] = attribute.values[cell] if cell >= 0 else "new" if cell == UNSEEN else None
        else:
            row[attribute.name] = float(cell)
    return row


@pytest.mark.slow
@given(
    table=random_tables(("nominal",), max_rows=40, max_values=12),
    missing=st.sampled_from(["indicator", "fill", "drop"]),
    costs=st.sampled_from([None, {("c0", "c1"): 4.0}]),
    data=st.data(),
)
@settings(max_examples=80, deadline=None)
def test_many_rows_get_the_answers_of_one(
    table: Table, missing: str, costs: dict[tuple[str, str], float] | None, data: st.DataObject
) -> None:
    if len(table.schema.classes) < 2:
        costs = None
    learner = Logistic(missing=mistyped(missing), costs=costs, priors="equal" if costs else None)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ClearwoodWarning)
            model = learner.learn(table)
    except LearningError:
        return
    rows = table.take(np.arange(min(len(table), 10)))
    for attribute in rows.schema.inputs:
        if isinstance(attribute, Nominal | Ordinal) and data.draw(st.booleans()):
            rows.columns[attribute.name][0] = data.draw(st.sampled_from([UNSEEN, len(attribute.values) - 1]))
    many, codes = shares_of_linear(model, rows), codes_of_linear(model, rows)
    for i in range(len(rows)):
        one = shares_by_weights(model, _row(rows, i))
        assert many[i].tolist() == pytest.approx(list(one.values()), rel=1e-9, abs=1e-12)
        chosen = answer_by_weights(model, _row(rows, i))
        if sorted(one.values())[-1] - sorted(one.values())[-2] > 1e-9 and not costs:
            assert rows.schema.classes[codes[i]] == chosen


def test_rows_come_from_anything_a_table_can_be_made_of() -> None:
    table = noisy_table()
    model = Logistic().learn(table)
    given_rows = {"x": [0.5], "z": [50.0], "noise": [0.1], "c": ["v1"]}
    one = shares_by_weights(model, {"x": 0.5, "z": 50.0, "noise": 0.1, "c": "v1"})
    actual = shares_of_linear(model, table_for(model, given_rows))
    assert actual[0].tolist() == pytest.approx(list(one.values()))
    with pytest.raises(ColumnError, match="noise"):
        table_for(model, {"x": [0.5], "z": [50.0], "c": ["v1"]})


def test_an_infinite_number_is_refused_with_its_row() -> None:
    table = noisy_table()
    model = Logistic().learn(table)
    table.columns["x"][7] = np.inf
    with pytest.raises(SchemaError, match="Row 8 holds an infinite number"):
        shares_of_linear(model, table)


@pytest.mark.parametrize("empty", [False, True])
@pytest.mark.parametrize("order", ["C", "F", "float32"])
def test_scores_are_added_up_term_by_term_wherever_the_cells_lie(order: str, empty: bool) -> None:
    rows, columns = 1003, 5  # no multiple of any number of rows that are added up side by side
    random = np.random.default_rng(3)
    cells = random.normal(size=(rows, columns)).astype(np.float32 if order == "float32" else np.float64)
    cells = np.asfortranarray(cells) if order == "F" else cells
    if empty:
        cells[::7, 2] = np.nan
    codes = random.integers(-2, 3, rows).astype(np.int32)
    weights = random.normal(size=(3, columns + 4))
    places = [6, -1, 7, 8, -1]  # of codes −2, −1, 0, 1, 2
    given: list[tuple[Any, ...]] = [(cells[:, j], j + 1, -1, 0.0, 1.0, 0.5, []) for j in range(columns)]
    given.append((codes, -1, -1, 0.0, 1.0, 0.0, places))
    actual = linear_scores(given, rows, weights)
    expected = np.repeat(weights[:, :1].T, rows, axis=0)
    for j in range(columns):
        numbers = np.where(np.isnan(cells[:, j]), 0.5, cells[:, j].astype(np.float64))
        expected += numbers[:, None] * weights[:, j + 1]
    terms = np.array(places)[codes + 2]
    expected += np.where(terms[:, None] >= 0, weights.T[terms], 0.0)
    np.testing.assert_array_equal(actual, expected)
    answers, wrong = linear_codes(given, rows, weights, [0, 1, 2, -1], [0.0] * 4, [0, 1, 2, 3])
    assert wrong == -1
    np.testing.assert_array_equal(answers, np.column_stack([expected, np.zeros(rows)]).argmax(axis=1))


def colours(*, averages: bool, missing: bool = False) -> LinearModel:
    schema = Schema((Nominal("colour", ("red", "blue")),), Nominal("class", ("no", "yes")))
    terms: tuple[Term, ...] = (ValueTerm("colour", "blue"), *((MissingTerm("colour"),) if missing else ()))
    weights = (2.0, 3.0)[: len(terms)]
    return LinearModel(
        schema, ("yes",), "no", terms, (-1.0,), (weights,), references={"colour": "red"},
        fills={"colour": "blue"}, averages={"colour": (0.5,)} if averages else {},
    )  # fmt: skip


@pytest.mark.parametrize(
    ("averages", "missing", "of_green", "of_none"),
    [(False, False, 1.0, 1.0), (True, False, 0.0, 0.0), (False, True, 1.0, 0.0), (True, True, 0.0, 0.0)],
)
def test_a_value_without_a_place_is_what_fills_the_column_unless_there_are_averages(
    averages: bool, missing: bool, of_green: float, of_none: float
) -> None:
    model, blue = colours(averages=averages, missing=missing), ValueTerm("colour", "blue")
    cells = ("blue", "red", "green", None, float("nan"))
    assert [term_value(model, blue, each) for each in cells] == [1.0, 0.0, of_green, of_none, of_none]
    (colour,) = account_of(model).places
    average = 0.5 if averages else 0.0
    of_gap = 3.0 if missing else 2.0 * of_none + average
    assert colour.added[:, 1].tolist() == [0.0, 2.0, of_gap, 2.0 * of_green + average]


def test_scores_whose_sum_is_too_large_are_none_that_are_too_large_themselves() -> None:
    schema = Schema((Numeric("x"),), Nominal("class", ("no", "yes")))
    model = LinearModel(schema, ("yes",), "no", (NumberTerm("x"),), (0.0,), ((1.0,),), fills={"x": 0.0})
    table = Table(schema, {"x": np.array([1.5e308, 1.5e308, -1.0])})
    assert scores_of_linear(model, table)[:, 0].tolist() == [1.5e308, 1.5e308, -1.0]
    assert codes_of_linear(model, table).tolist() == [1, 1, 0]
