"""The exact sums of a Bayes model, by the native counters."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TypeAlias, assert_never

import numpy as np

from clearwood import _native
from clearwood.learners.bayes.halves import whole_sums
from clearwood.learners.bayes.refusals import check_finite, check_near, refuse_far, refuse_negative
from clearwood.learners.bayes.sparse_sums import sparsely_summed
from clearwood.learners.bayes.word_sums import counted_words
from clearwood.models.distributions import Bag, Categorical, Cuts, Distribution, Gaussian, Kernel, Sums, Words
from clearwood.models.exact import Exact, scaled
from clearwood.predict.bayes import interval_codes
from clearwood.table.sparse_columns import SparseColumns
from clearwood.table.table import MISSING, Column, Table

CodedColumn: TypeAlias = tuple[Column, int]  # codes, and how many values they have


def summed(plan: Sequence[Distribution], rows: Table) -> tuple[tuple[Exact, ...], tuple[Distribution, ...]]:
    """The weight of each class, and the plan filled from rows that all have weight and a class."""
    target = np.ascontiguousarray(rows.target)
    classes = len(rows.schema.classes)
    totals = tuple(row[c] for c, row in enumerate(_tallied(rows, [(target, classes)])[0]))
    if isinstance(rows.columns, SparseColumns):
        return totals, sparsely_summed(plan, rows, rows.columns, totals)
    coded = {(i, j): column for i, each in enumerate(plan) for j, column in enumerate(_coded(each, rows))}
    tallies = dict(zip(coded, _tallied(rows, list(coded.values())), strict=True))
    numbers = [name for each in plan for name in _numbers(each)]
    moments = dict(zip(numbers, _moments(rows, numbers, totals), strict=True))
    filled: list[Distribution] = []
    for i, each in enumerate(plan):
        match each:
            case Categorical() | Cuts():
                filled.append(replace(each, counts=tallies[i, 0]))
            case Gaussian(name):
                weights, once, twice = moments[name]
                filled.append(replace(each, weights=weights, sums=once, squares=twice))
            case Kernel(name):
                values = known_numbers(rows.columns[name])
                points = tuple(
                    tuple((value, weight) for value, weight in zip(values, row, strict=True) if weight)
                    for row in tallies[i, 0]
                )
                filled.append(replace(each, points=points))
            case Bag(names, "bernoulli"):
                pairs = [tallies[i, j] for j in range(len(names))]  # [column][class] absent, present
                met = tuple(tuple(pair[c][1] for pair in pairs) for c in range(classes))
                known = tuple(tuple(pair[c][0] + pair[c][1] for pair in pairs) for c in range(classes))
                filled.append(replace(each, counts=met, known=known))
            case Bag(names):
                sums = tuple(tuple(moments[name][1][c] for name in names) for c in range(classes))
                filled.append(replace(each, counts=sums))
            case Words():
                filled.append(counted_words(each, rows))
            case _:
                assert_never(each)
    return totals, tuple(filled)


def known_numbers(column: Column) -> list[float]:
    """The known numbers of a column, ascending; −0 is 0."""
    known = column[~np.isnan(column)].astype(np.float64) + 0.0
    values: list[float] = np.unique(known).tolist()
    return values


def _coded(distribution: Distribution, rows: Table) -> list[CodedColumn]:
    """The columns of codes that a distribution counts."""
    match distribution:
        case Categorical(name):
            values = getattr(rows.schema[name], "values", ())
            return [(rows.columns[name], len(values))]
        case Cuts(name, cuts):
            check_finite(name, rows)
            return [(interval_codes(rows.columns[name], cuts), len(cuts) + 1)]
        case Kernel(name):
            column = rows.columns[name]
            check_near(name, rows)
            values = known_numbers(column)
            place = np.searchsorted(np.array(values), column + 0.0).astype(np.int32)
            return [(np.where(np.isnan(column), np.int32(MISSING), place), len(values))]
        case Bag(names, event):
            for name in names:
                refuse_negative(name, rows)
            if event != "bernoulli":
                return []
            columns = [rows.columns[name] for name in names]
            return [(np.where(np.isnan(c), np.int32(MISSING), (c > 0).astype(np.int32)), 2) for c in columns]
        case Gaussian() | Words():
            return []
        case _:
            assert_never(distribution)


def _numbers(distribution: Distribution) -> tuple[str, ...]:
    """The columns of numbers that a distribution adds up."""
    match distribution:
        case Gaussian(name):
            return (name,)
        case Bag(names, "multinomial" | "complement"):
            return names
        case Categorical() | Cuts() | Kernel() | Words() | Bag():
            return ()
        case _:
            assert_never(distribution)


def _tallied(rows: Table, columns: list[CodedColumn]) -> list[Sums]:
    """[column][class][value] the exact weight of each cell."""
    classes = len(rows.schema.classes)
    halves, exponent = _native.tally(
        [codes for codes, _ in columns],
        [values for _, values in columns],
        np.ascontiguousarray(rows.target),
        classes,
        rows.weights,
    )
    cells = whole_sums(halves, exponent)
    sums, first = [], 0
    for _, values in columns:
        width = values + 2  # the cells of unseen and missing stand first
        starts = range(first, first + classes * width, width)
        sums.append(tuple(tuple(cells[start + 2 : start + width]) for start in starts))
        first += classes * width
    return sums


def _moments(
    rows: Table, names: list[str], totals: tuple[Exact, ...]
) -> list[tuple[tuple[Exact, ...], tuple[Exact, ...], tuple[Exact, ...]]]:
    """[column] the weight, sum and sum of squares of its known cells, by class."""
    if not names:
        return []
    classes = len(rows.schema.classes)
    columns = [rows.columns[name] for name in names]
    missing, once, twice, far, exponent = _native.moments(
        columns, np.ascontiguousarray(rows.target), classes, rows.weights
    )
    for name, row in zip(names, far.tolist(), strict=True):
        if row >= 0:
            refuse_far(name, rows, row)
    empty = whole_sums(missing, exponent)
    to_once, to_twice = (each + exponent for each in _native.MOMENTS_EXPONENTS)
    sums = [scaled(int.from_bytes(limbs.tobytes(), "little", signed=True), to_once) for limbs in once]
    squares = [scaled(int.from_bytes(limbs.tobytes(), "little", signed=True), to_twice) for limbs in twice]
    return [
        (
            tuple(total - each for total, each in zip(totals, empty[i : i + classes], strict=True)),
            tuple(sums[i : i + classes]),
            tuple(squares[i : i + classes]),
        )
        for i in range(0, len(names) * classes, classes)
    ]
