"""Rows that teach an imitation: those of a table and rows made of their cells, with a model's answers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

import numpy as np

from clearwood.arrays import Longs
from clearwood.counting.chance import chance_key, draw
from clearwood.errors import LearningError, SettingError
from clearwood.explain.dependence import answer_matrix
from clearwood.models.model import Model
from clearwood.predict import predict, predict_codes
from clearwood.predict.columns import column_for, table_for
from clearwood.table.folding import shuffled
from clearwood.table.row_keys import in_order_of_content
from clearwood.table.table import Column, Table

_LEAST: Final = 1e-6  # a smaller share is too light a row beside the others


def rows_for_model(model: Model, given: Any) -> Table:
    """The rows as a table of the model's columns, coded as the model codes them, with the truth if there."""
    given = given if isinstance(given, Table) else table_for(model, given)
    schema = model.schema
    columns: dict[str, Column] = {}
    for attribute in schema.inputs:
        if attribute.name in given.columns:
            columns[attribute.name] = column_for(attribute, given)
    if len(given) < 2:
        raise SettingError("distil needs at least two rows: one to learn from and one to compare on.")
    missing = [each.name for each in schema.inputs if each.name not in columns]
    if missing:
        inputs = tuple(each for each in schema.attributes if each.name not in missing)
        schema = replace(schema, attributes=inputs)
    assert schema.target is not None
    if schema.target.name in given.columns:
        columns[schema.target.name] = column_for(schema.target, given)
    table = Table(schema, columns, given.weights, rows=len(given), weights_are=given.weights_are)
    return in_order_of_content(table)


def with_made_rows(table: Table, count: int, seed: int) -> Table:
    """The table, then so many rows with about half of their columns shuffled, by chance in each copy.

    The row at place p is made of the row at place p modulo the table's length.
    """
    if not count:
        return table
    inputs = [each.name for each in table.schema.inputs]
    copies = [table]
    for copy in range(-(-count // len(table))):
        columns = dict(table.columns)
        for place, name in enumerate(inputs):
            key = chance_key(seed, copy, place)
            if draw(key, 0) % 2:
                columns[name] = columns[name][shuffled(len(table), draw(key, 1))]
        copies.append(replace(table, columns=columns, checked=True))
    return _joined(copies).take(np.arange(len(table) + count))


def codes_or_numbers(model: Model, table: Table) -> Column:
    """[row] the code of the class, −1 where the model does not answer; or the number."""
    if model.is_numeric:
        return np.asarray(predict(model, table), dtype=np.float64)
    return predict_codes(model, table)


def truth_of(model: Model, table: Table) -> Column | None:
    """[row] what is known to be true; None where nothing is."""
    assert model.schema.target is not None
    column = table.columns.get(model.schema.target.name)
    return None if column is None or not has_answer(model, column).any() else column


def has_answer(model: Model, answers: Column) -> Column:
    """[row] is there a class or a number?"""
    return np.isfinite(answers) if model.is_numeric else answers >= 0


def with_answers(model: Model, table: Table) -> tuple[Table, Longs]:
    """The rows that the model answers, with its answers in place of the truth; and their places."""
    answers = codes_or_numbers(model, table)
    known = _some(has_answer(model, answers))
    return _with_target(model, table, answers).take(known), known


def with_shares(model: Model, table: Table) -> Table:
    """Each row once for each class that has a share, which is its weight."""
    shares = answer_matrix(model, table)
    weights = np.ones(len(table)) if table.weights is None else table.weights
    weighty = shares > _LEAST
    _some(np.asarray(weighty.any(axis=1)))
    rows, classes = np.nonzero(weighty)
    many = _with_target(model, table.take(rows), classes.astype(np.int32))
    return replace(many, weights=weights[rows] * shares[rows, classes], weights_are="counts", checked=True)


def _joined(tables: Sequence[Table]) -> Table:
    first = tables[0]
    columns = {name: np.concatenate([each.columns[name] for each in tables]) for name in first.columns}
    weights = None
    if first.weights is not None:
        weights = np.concatenate([each.weights for each in tables if each.weights is not None])
    rows = sum(len(each) for each in tables)
    return replace(
        first,
        columns=columns,
        weights=weights,
        rows=rows,
        places=None,
        together=None,
        times=None,
        checked=True,
    )


def _some(known: Column) -> Longs:
    if not known.any():
        raise LearningError("The model predicts none of these rows: there is nothing to imitate.")
    return np.flatnonzero(known)


def _with_target(model: Model, table: Table, answers: Column) -> Table:
    assert model.schema.target is not None
    return replace(table, columns={**table.columns, model.schema.target.name: answers}, checked=True)
