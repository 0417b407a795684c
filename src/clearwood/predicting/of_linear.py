"""A linear model's answers to many rows at once: scores added up in native code, and shares from them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any

import numpy as np

from clearwood import _native
from clearwood.arrays import Floats, Ints
from clearwood.errors import SchemaError, SettingError
from clearwood.measures.inference import normal_quantile
from clearwood.models.decision import cheapest, cost_matrix, decided
from clearwood.models.kinds.bayes.bayes_terms import log_of
from clearwood.models.kinds.linear.linear_model import (
    LinearModel,
    MissingTerm,
    NumberTerm,
    Term,
    ValueTerm,
    averaged_columns,
)
from clearwood.predicting.columns import column_for
from clearwood.table.attributes import Attribute, Nominal, Numeric, Ordinal
from clearwood.table.table import Column, SparseColumns, Table


def scores_of_linear(model: LinearModel, table: Table) -> Floats:
    """[row, contrast] intercept + Σ weight · term: log-odds against `model.against`."""
    if isinstance(table.columns, SparseColumns) and table.columns.known:
        scores = _by_stored_cells(model, table.columns)
    else:
        scores = _native.linear_scores(term_columns(model, table), len(table), weight_rows(model))
    # One sum for all: it is finite only if they are, or where large ones of both signs meet.
    with np.errstate(over="ignore", invalid="ignore"):
        total = scores.sum()
    if not np.isfinite(total) and not np.isfinite(scores).all():
        raise _too_large(int(np.argmax(~np.isfinite(scores).all(axis=1))))
    return scores


def shares_of_linear(model: LinearModel, table: Table) -> Floats:
    """[row, class] exp(score) × the decision's factors, over their sum; a class without weights has 0."""
    scores, classes = scores_of_linear(model, table), model.schema.classes
    places = [classes.index(name) for name in model.contrasts]
    shares = np.zeros((len(scores), len(classes)))
    high = scores.max(axis=1, initial=-np.inf if model.against is None else 0.0)
    shares[:, places] = np.exp(scores - high[:, None])
    if model.against is not None:
        shares[:, classes.index(model.against)] = np.exp(-high)
    if model.decision.factors:
        shares *= np.array(model.decision.factors)
    shares /= shares.sum(axis=1, keepdims=True)
    return shares


def codes_of_linear(model: LinearModel, table: Table) -> Ints:
    """[row] the position of the class of least expected cost: without costs that of the largest score."""
    if model.decision.costs:
        return cheapest(shares_of_linear(model, table), cost_matrix(model.decision))
    vectors = {name: place for place, name in enumerate(model.contrasts)}
    if model.against is not None:
        vectors[model.against] = -1
    starts = np.zeros(len(model.schema.classes))
    if model.decision.factors:
        starts = log_of(np.array(model.decision.factors))
    called = [code for code, name in enumerate(model.schema.classes) if name in vectors]
    if isinstance(table.columns, SparseColumns):
        scores = np.hstack([scores_of_linear(model, table), np.zeros((len(table), 1))])  # against itself: 0
        own = scores[:, [vectors[model.schema.classes[code]] for code in called]] + starts[called]
        chosen: Ints = np.array(called, dtype=np.int32)[own.argmax(axis=1)]
        return chosen
    codes, wrong = _native.linear_codes(
        term_columns(model, table),
        len(table),
        weight_rows(model),
        [vectors[model.schema.classes[code]] for code in called],
        starts[called].tolist(),
        called,
    )
    if wrong >= 0:
        raise _too_large(wrong)
    return codes


def intervals_of_linear(model: LinearModel, table: Table, confidence: float) -> Floats:
    """[row, 2] both ends of the share of the class that is answered: normal in its log-odds (the delta rule).

    Needs the covariances of the weights, which an unpenalised fit of up to a hundred weights keeps.
    """
    covariance = covariance_of(model)
    # How sure an average is the model does not know: the spread is that of the value that fills the column.
    values = term_values(replace(model, averages={}), table)
    return ends_of_linear(model, shares_of_linear(model, table), values, covariance, confidence)


def covariance_of(model: LinearModel) -> Floats:
    """[weight, weight] contrast by contrast, the intercept first; a sentence where the model has none."""
    if model.fit is None or not model.fit.covariance:
        raise SettingError(
            "This model has no covariances of its weights, so its predictions have no intervals. "
            "It has them if penalty=None, it has at most a hundred weights, and no classes are separated."
        )
    width, vectors = 1 + len(model.terms), len(model.contrasts)
    covariance = np.zeros((vectors * width, vectors * width))
    covariance[np.tril_indices(len(covariance))] = model.fit.covariance
    covariance += np.tril(covariance, -1).T
    return covariance


def ends_of_linear(
    model: LinearModel, shares: Floats, values: Floats, covariance: Floats, confidence: float
) -> Floats:
    """[row, 2] the interval by the shares [row, class] and the values [row, 1 + term]."""
    called = decided(shares, model.decision, model.schema.classes)
    share = shares[np.arange(len(shares)), called]
    places = [model.schema.classes.index(name) for name in model.contrasts]
    # d log-odds of class k ÷ d score of c is [k = c] − share of c among the others
    slopes = np.where(called[:, None] == places, 1.0, 0.0)
    others = 1.0 - share
    with np.errstate(divide="ignore", invalid="ignore"):
        part = np.where(slopes > 0, 0.0, shares[:, places] / others[:, None])
        slopes = np.where(others[:, None] > 0, slopes - part, slopes)
        odds = np.log(share) - np.log(others)
    rows = np.column_stack([values * slope[:, None] for slope in slopes.T])
    spread = np.einsum("ij,jk,ik->i", rows, covariance, rows)
    reach = _deviations(confidence) * np.sqrt(np.maximum(spread, 0.0))
    return np.column_stack([_logistic(odds - reach), _logistic(odds + reach)])


class IntervalsOfRows:
    """The intervals of coded rows that come one at a time, in the order of a table's columns: where cells
    enter the sums is worked out once. None where the model has no intervals.

    >>> import clearwood as cw
    >>> table = cw.read_table({"x": [1, 2, 3, 4, 5, 6], "y": list("aababb")}, target="y")
    >>> low, high = IntervalsOfRows(cw.Logistic(penalty=None).learn(table), table)([3.5], (0.5, 0.5))
    >>> round(low, 3), round(high, 3)
    (0.099, 0.901)
    """

    def __init__(self, model: LinearModel, table: Table) -> None:
        self._model = model
        self._covariance: Floats | None = None
        if model.decision.adjusts or model.fit is None or not model.fit.covariance:
            return
        self._covariance = covariance_of(model)
        used = {term.name for term in model.terms}
        asked = [each.name for each in model.schema.attributes if each.name in used]
        columns = term_columns(replace(model, averages={}), table)  # as in `intervals_of_linear`
        names = [name for name in table.columns if name in model.schema.positions]
        self._entries = [
            (names.index(name), number, gap, fill, list(codes))
            for name, (_, number, gap, _, _, fill, codes) in zip(asked, columns, strict=True)
        ]

    def __call__(self, cells: Sequence[Any], shares: Sequence[float]) -> tuple[float, float] | None:
        """Both ends of the share of the class that is answered, by the shares of all."""
        if self._covariance is None:
            return None
        values = np.zeros((1, 1 + len(self._model.terms)))
        values[0, 0] = 1.0
        for place, number, gap, fill, codes in self._entries:
            cell = cells[place]
            at, value = (codes[cell + 2], 1.0) if codes else (number, cell if cell == cell else fill)
            if at >= 0:
                values[0, at] = value
            if gap >= 0 and cell != cell:
                values[0, gap] = 1.0
        ends = ends_of_linear(self._model, np.array([shares]), values, self._covariance, 0.95)
        low, high = ends[0].tolist()
        return low, high


@lru_cache(maxsize=8)
def _deviations(confidence: float) -> float:
    """How many standard deviations an interval reaches to each side."""
    return float(normal_quantile(0.5 + confidence / 2))


def term_values(model: LinearModel, table: Table) -> Floats:
    """[row, 1 + term] every row written out: 1, then its numbers and indicators."""
    return values_at_places(model, table)[:, : 1 + len(model.terms)]


def values_at_places(model: LinearModel, table: Table) -> Floats:
    """[row, place] what each weight of `weight_rows` is multiplied by."""
    every = np.eye(weight_rows(model).shape[1])
    return _native.linear_scores(term_columns(model, table), len(table), every)


def weight_rows(model: LinearModel) -> Floats:
    """[contrast, place] the intercept, the weights, then the averages of nominal columns: such an average is
    added where the model has no weight for the cell."""
    rows = zip(model.intercepts, model.weights, strict=True)
    stand_ins = averaged_columns(model)
    return np.array(
        [
            (intercept, *row, *(model.averages[name][c] for name in stand_ins))
            for c, (intercept, row) in enumerate(rows)
        ],
        dtype=np.float64,
    )


def term_columns(model: LinearModel, table: Table) -> list[tuple[Any, ...]]:
    """The columns that have weights, as `native/core/linear/terms.hpp` takes them, in the user's units."""
    at: dict[Term, int] = {term: i + 1 for i, term in enumerate(model.terms)}
    stand_ins = {name: 1 + len(model.terms) + i for i, name in enumerate(averaged_columns(model))}
    silent = set(model.dependent)
    used = {term.name for term in model.terms}
    return [
        _native_column(model, attribute, column_for(attribute, table), at, stand_ins, silent)
        for attribute in model.schema.attributes
        if attribute.name in used
    ]


def _native_column(
    model: LinearModel,
    attribute: Attribute,
    cells: Column,
    at: dict[Term, int],
    stand_ins: dict[str, int],
    silent: set[Term],
) -> tuple[Any, ...]:
    name = attribute.name
    gap = at.get(MissingTerm(name), -1)
    fill = model.fills[name]
    if isinstance(attribute, Numeric):
        return cells, at.get(NumberTerm(name), -1), gap, 0.0, 1.0, fill, []
    assert isinstance(attribute, Nominal | Ordinal)
    unusable = stand_ins.get(name, at.get(ValueTerm(name, str(fill)), -1))
    if gap < 0 and MissingTerm(name) not in silent:
        gap = unusable
    by_code = []
    for value in attribute.values:
        term = ValueTerm(name, value)
        known = term in at or term in silent or value == model.references.get(name)
        by_code.append(at.get(term, -1) if known else unusable)
    return cells, -1, -1, 0.0, 1.0, 0.0, [unusable, gap, *by_code]


def _by_stored_cells(model: LinearModel, columns: SparseColumns) -> Floats:
    """[row, contrast] the scores of numbers without an empty cell, most of them 0."""
    numbers = [i for i, term in enumerate(model.terms) if isinstance(term, NumberTerm)]
    weights = np.array(model.weights)[:, numbers]
    scores: Floats = columns.of([model.terms[i].name for i in numbers]) @ weights.T
    scores += np.array(model.intercepts)
    return scores


def _too_large(row: int) -> SchemaError:
    return SchemaError(
        f"Row {row + 1} holds an infinite number, or one too large to weigh. Give a finite one, or none."
    )


def _logistic(odds: Floats) -> Floats:
    with np.errstate(over="ignore"):
        share: Floats = 1.0 / (1.0 + np.exp(-odds))
    return share
