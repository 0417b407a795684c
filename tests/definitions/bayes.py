"""Naive Bayes as defined: row by row, every weight and product an exact fraction."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from typing import TypeAlias, assert_never

import numpy as np

from clearwood.arrays import Floats
from clearwood.models.kinds.bayes.bayes_tables import BayesTables
from clearwood.models.kinds.bayes.bayes_terms import log_priors
from clearwood.models.kinds.bayes.distributions import (
    Bag,
    Categorical,
    Cuts,
    Distribution,
    Exact,
    Gaussian,
    Kernel,
    Words,
    columns_of,
    exact,
    total,
)
from clearwood.models.model import account_of
from clearwood.predicting.added import added_by
from clearwood.table.table import Table
from tests.definitions.words import words_by_counts

Cell: TypeAlias = tuple[int, Fraction, float]  # the row's class and weight, and what the column holds


def summed_by_counts(
    plan: Sequence[Distribution], rows: Table
) -> tuple[tuple[Exact, ...], tuple[Distribution, ...]]:
    """What `bayes_sums.summed` gives, from the formulas alone."""
    classes = range(len(rows.schema.classes))
    weights = [1.0] * len(rows) if rows.weights is None else rows.weights.tolist()
    heavy = list(zip(rows.target.tolist(), map(Fraction, weights), strict=True))

    def cells(name: str) -> list[Cell]:
        """The known cells of a column."""
        column = rows.columns[name].tolist()
        known = zip(heavy, column, strict=True)
        return [
            (c, weight, cell)
            for (c, weight), cell in known
            if (cell >= 0 if isinstance(cell, int) else not math.isnan(cell))
        ]

    filled = [
        words_by_counts(each, rows)
        if isinstance(each, Words)
        else _filled(each, [cells(name) for name in columns_of(each)], rows)
        for each in plan
    ]
    return tuple(total(weight for c, weight in heavy if c == k) for k in classes), tuple(filled)


def _filled(
    distribution: Categorical | Cuts | Gaussian | Kernel | Bag, columns: list[list[Cell]], rows: Table
) -> Distribution:
    classes = range(len(rows.schema.classes))
    cells = columns[0]
    match distribution:
        case Categorical(name):
            values = range(len(getattr(rows.schema[name], "values", ())))
            return replace(distribution, counts=_counts(cells, len(classes), len(values)))
        case Cuts(_, cuts):
            coded = [(c, weight, sum(x > cut for cut in cuts)) for c, weight, x in cells]
            return replace(distribution, counts=_counts(coded, len(classes), len(cuts) + 1))
        case Gaussian():
            of_class = [[(w, Fraction(x)) for c, w, x in cells if c == k] for k in classes]
            return replace(
                distribution,
                weights=tuple(total(w for w, _ in each) for each in of_class),
                sums=tuple(total(w * x for w, x in each) for each in of_class),
                squares=tuple(total(w * x * x for w, x in each) for each in of_class),
            )
        case Kernel():
            weights: list[dict[float, Fraction]] = [defaultdict(Fraction) for _ in classes]
            for c, weight, x in cells:
                weights[c][x] += weight
            points = tuple(tuple(sorted((float(x), exact(w)) for x, w in each.items())) for each in weights)
            return replace(distribution, points=points)
        case Bag(_, "bernoulli"):
            return replace(
                distribution,
                counts=tuple(
                    tuple(total(w for c, w, x in each if c == k and x > 0) for each in columns)
                    for k in classes
                ),
                known=tuple(
                    tuple(total(w for c, w, _ in each if c == k) for each in columns) for k in classes
                ),
            )
        case Bag():
            sums = tuple(
                tuple(total(w * Fraction(x) for c, w, x in each if c == k) for each in columns)
                for k in classes
            )
            return replace(distribution, counts=sums)
        case _:
            assert_never(distribution)


def _counts(cells: Sequence[Cell], classes: int, values: int) -> tuple[tuple[Exact, ...], ...]:
    return tuple(
        tuple(total(w for c, w, value in cells if (c, value) == (k, v)) for v in range(values))
        for k in range(classes)
    )


def log_joint_by_terms(model: BayesTables, table: Table) -> Floats:
    """[row, class] log P(class) + Σ log P(cell|class), term by term in the open."""
    joint = np.tile(log_priors(model), (len(table), 1))
    for term in account_of(model).terms:
        joint += added_by(model.schema, term, table)
    return joint
