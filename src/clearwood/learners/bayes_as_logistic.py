"""Gaussian Naive Bayes with shared variances, written as the logistic weights it is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from clearwood.errors import LearningError
from clearwood.learners.linear_terms import Floats
from clearwood.learners.origin_of import origin_of
from clearwood.learners.usable_rows import usable_rows
from clearwood.models.linear_model import LeftOut, LinearModel, Number, Term
from clearwood.table.attributes import Numeric
from clearwood.table.table import Table

_FLAT: Final = 1e-26  # of the mean's square: less is rounding


@dataclass(frozen=True, slots=True, kw_only=True)
class _GaussianBayes:
    """What the model's origin names: no settings."""

    def learn(self, table: Table) -> LinearModel:
        return gaussian_bayes_as_logistic(table)


def gaussian_bayes_as_logistic(table: Table) -> LinearModel:
    """The numbers of a table by Naive Bayes: a mean for each class, one variance for all of them.

    Against the first class, with means μ and variance σ², a number's weight is (μ_class − μ_first) ÷ σ², and
    the intercept ln(π_class ÷ π_first) + Σ (μ_first² − μ_class²) ÷ 2σ². (Written as P = 1 ÷ (1 + exp(w₀ + Σ
    w·x)), as textbooks do, both have the other sign.) An empty cell says nothing: with two classes that is
    what the number halfway between the means says. With more, the mean of all rows stands in.

    >>> from clearwood.table import read_table
    >>> table = read_table({"x": [1.0, 3.0, 4.0, 6.0], "y": ["a", "a", "b", "b"]}, target="y")
    >>> print(gaussian_bayes_as_logistic(table).equation())
    log odds of y = b against a: −10.5 + 3 · x
    """
    rows = usable_rows(_GaussianBayes(), table)
    names = rows.schema.classes
    weights = np.ones(len(rows)) if rows.weights is None else rows.weights
    by_class = np.bincount(rows.target, weights, minlength=len(names))
    met = np.flatnonzero(by_class > 0).tolist()
    if len(met) < 2:
        raise LearningError(f"Every row is of the class '{names[met[0]]}': there is nothing to tell apart.")
    terms: list[Term] = []
    lines: list[Floats] = []
    fills: dict[str, float | str] = {}
    left_out = [
        LeftOut(a.name, "it holds no numbers") for a in rows.schema.inputs if not isinstance(a, Numeric)
    ]
    intercepts = np.log(by_class[met[1:]] / by_class[met[0]])
    for attribute in rows.schema.inputs:
        if not isinstance(attribute, Numeric):
            continue
        cells = rows.columns[attribute.name].astype(np.float64)
        if np.isinf(cells).any():
            row = int(np.argmax(np.isinf(cells)))
            raise LearningError(f"Column '{attribute.name}', row {row + 1}: {cells[row]} has no mean.")
        means, variance = _moments(cells, rows.target, weights, met)
        if means is None:
            left_out.append(LeftOut(attribute.name, "a class has no number there, or all are the same"))
            continue
        terms.append(Number(attribute.name))
        lines.append((means[1:] - means[0]) / variance)
        intercepts = intercepts + (means[0] ** 2 - means[1:] ** 2) / (2 * variance)
        known = ~np.isnan(cells)
        middle = means.mean() if len(met) == 2 else np.average(cells[known], weights=weights[known])
        fills[attribute.name] = float(middle)
    return LinearModel(
        schema=table.schema,
        contrasts=tuple(names[code] for code in met[1:]),
        against=names[met[0]],
        terms=tuple(terms),
        intercepts=tuple(intercepts.tolist()),
        weights=tuple(tuple(float(line[c]) for line in lines) for c in range(len(met) - 1)),
        fills=fills,
        left_out=tuple(left_out),
        origin=origin_of(_GaussianBayes(), table),
    )


def _moments(cells: Floats, target: Floats, weights: Floats, met: list[int]) -> tuple[Floats | None, float]:
    """[class] means, and the variance about them of all rows together; None where there is none."""
    known = ~np.isnan(cells)
    means = np.full(len(met), np.nan)
    squares = total = 0.0
    for place, code in enumerate(met):
        own = known & (target == code)
        if not own.any():
            return None, 0.0
        means[place] = np.average(cells[own], weights=weights[own])
        squares += float((weights[own] * (cells[own] - means[place]) ** 2).sum())
        total += float(weights[own].sum())
    variance = squares / total
    return (means, variance) if variance > _FLAT * float((means**2).max()) else (None, 0.0)
