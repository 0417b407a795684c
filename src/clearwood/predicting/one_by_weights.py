"""One row by a linear model: the definition that native scores must equal."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from clearwood.arrays import Floats
from clearwood.errors import SettingError
from clearwood.models.deciding import NOTHING, adjusted, decided
from clearwood.models.kinds.linear.linear_model import LinearModel
from clearwood.models.kinds.linear.linear_terms import is_averaged, term_value
from clearwood.models.kinds.tree.node_answers import cheapest_of_one
from clearwood.predicting.of_linear import (
    covariance_of,
    ends_of_linear,
    places,
    shares_of_linear_scores,
    term_columns,
    weight_rows,
)
from clearwood.table.raw import Row
from clearwood.table.table import Table


def shares_by_weights(model: LinearModel, row: Row) -> dict[str, float]:
    """The share of each class: exp(intercept + Σ weight · term) × the decision's factor, over their sum.

    >>> from clearwood.models.kinds.linear.linear_model import NumberTerm
    >>> from clearwood.table.schema import Nominal, Numeric, Schema
    >>> schema = Schema((Numeric("hours"),), Nominal("exam", ("failed", "passed")))
    >>> model = LinearModel(
    ...     schema, ("passed",), "failed", (NumberTerm("hours"),), (-4.0,), ((2.0,),), fills={"hours": 2.0}
    ... )
    >>> shares_by_weights(model, {"hours": None})
    {'failed': 0.5, 'passed': 0.5}
    """
    values = {term: term_value(model, term, row.get(term.name)) for term in model.terms}
    scores = {} if model.against is None else {model.against: 0.0}
    for contrast, intercept, weights in zip(model.contrasts, model.intercepts, model.weights, strict=True):
        added = zip(model.terms, weights, strict=True)
        scores[contrast] = intercept + sum(weight * values[term] for term, weight in added)
    for name in model.averages:
        if is_averaged(model, name, row.get(name)):
            for contrast, average in zip(model.contrasts, model.averages[name], strict=True):
                scores[contrast] += average
    high = max(scores.values())
    classes = model.schema.classes
    factors = dict(zip(classes, model.decision.factors or (1.0,) * len(classes), strict=True))
    raised = {
        name: factors[name] * math.exp(scores[name] - high) if name in scores else 0.0 for name in classes
    }
    total = sum(raised.values())
    return {name: each / total for name, each in raised.items()}


def answer_by_weights(model: LinearModel, row: Row) -> str:
    """The class of least expected cost; the first of equals."""
    shares = shares_by_weights(model, row)
    return cheapest_of_one(shares, model.decision)


# One coded row by a linear model, quickly: where its cells enter the sum is worked out only once.


class LinearAnswer(NamedTuple):
    """The class, None where the row is referred; the share of each class; the interval, where it has one."""

    answer: str | None
    shares: dict[str, float]
    interval: tuple[float, float] | None


class _Entry(NamedTuple):
    """A column: its place in the row, and where a number, a gap or each code (from −2) enters; −1 nowhere."""

    place: int
    number: int
    gap: int
    fill: float
    codes: list[int]


class LinearRow:
    """Answers rows of codes and numbers, in the order of the columns of a table; its rows do not count.

    >>> import clearwood as cw
    >>> table = cw.read_table({"x": [1, 2, 3, 4, 5, 6], "y": list("aababb")}, target="y")
    >>> LinearRow(cw.Logistic().learn(table), table)([6.0]).answer
    'b'
    """

    def __init__(self, model: LinearModel, table: Table) -> None:
        names = [name for name in table.columns if name in model.schema.positions]
        self._model = model
        self._weights = weight_rows(model)
        self._entries = _entries(model, table, names)
        self._covariance: Floats | None = None
        if not model.decision.adjusts:
            try:
                self._covariance = covariance_of(model)
            except SettingError:
                return
            # How sure an average is the model does not know: the spread is that of what fills the column.
            filled = replace(model, averages={})
            self._filled, self._width = _entries(filled, table, names), len(places(filled))

    def __call__(self, codes: Sequence[Any]) -> LinearAnswer | None:
        """The answer to a row; None where its sum is not finite."""
        model = self._model
        with np.errstate(over="ignore", invalid="ignore"):
            # Added, not multiplied as matrices, which may round in between: ties are to stay ties.
            scores = (self._weights * _values(self._entries, codes, self._weights.shape[1])).sum(axis=1)[None]
        if not np.isfinite(scores).all():
            return None
        shares = shares_of_linear_scores(model, scores)
        mended = adjusted(shares, model.decision)
        code = int(decided(mended, model.decision, model.schema.classes)[0])
        interval = None
        if self._covariance is not None and code != NOTHING:
            values = _values(self._filled, codes, self._width)[: 1 + len(model.terms)]
            low, high = ends_of_linear(model, shares, values[None, :], self._covariance, 0.95)[0].tolist()
            interval = (low, high)
        named = None if code == NOTHING else model.schema.classes[code]
        return LinearAnswer(named, dict(zip(model.schema.classes, mended[0].tolist(), strict=True)), interval)


def _entries(model: LinearModel, table: Table, names: list[str]) -> list[_Entry]:
    used = {term.name for term in model.terms}
    asked = [attribute.name for attribute in model.schema.attributes if attribute.name in used]
    return [
        _Entry(names.index(name), number, gap, fill, list(codes))
        for name, (_, number, gap, _, _, fill, codes) in zip(asked, term_columns(model, table), strict=True)
    ]


def _values(entries: list[_Entry], codes: Sequence[Any], width: int) -> Floats:
    """[place] what each weight is multiplied by."""
    values = np.zeros(width)
    values[0] = 1.0
    for place, number, gap, fill, by_code in entries:
        cell = codes[place]
        if by_code:
            at = by_code[cell + 2]
            if at >= 0:
                values[at] = 1.0
            continue
        if cell != cell:
            if gap >= 0:
                values[gap] = 1.0
            cell = fill
        if number >= 0:
            values[number] = cell
    return values
