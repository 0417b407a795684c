"""ReliefF as it is defined, row by row: what the native routine must give, and how to read it."""

from __future__ import annotations

import math

import numpy as np

from clearwood.arrays import Floats, Ints, Longs
from clearwood.selecting.relieff import ReliefCells


def relieff_by_definition(cells: ReliefCells, neighbours: float) -> Floats:
    """[column] the scores: of each reference row, differences to near rows of other classes less to its own.

    Of a target that is a number (RReliefF): how much likelier near rows with other targets differ in the
    column than near rows with the same.
    """
    rows = len(cells.target)
    weights = np.ones(rows) if cells.weights is None else cells.weights
    classes = cells.target if cells.classes else np.zeros(rows, dtype=np.int32)
    share = np.bincount(classes, weights, minlength=cells.classes or 1) / weights.sum()
    score = np.zeros(len(cells.columns))
    apart, differ, together = 0.0, np.zeros(len(cells.columns)), np.zeros(len(cells.columns))
    for row in range(cells.references):
        differences = np.stack([_differences(cells, classes, weights, c, row) for c in range(len(score))])
        distances = differences.sum(axis=0)
        for other in range(len(share)):
            own = other == classes[row]
            copies = min(max(weights[row] - 1, 0.0), neighbours) if own else 0.0
            members = np.flatnonzero((classes == other) & (np.arange(rows) != row))
            near = members[np.argsort(distances[members], kind="stable")]
            parts = np.diff(np.minimum(np.cumsum(weights[near]), neighbours - copies), prepend=0.0)
            if not parts.sum() > 0:
                continue
            parts *= weights[row] / (parts.sum() + copies)
            mean = differences[:, near] @ parts / cells.unit
            if cells.classes:
                score += -mean if own else mean * share[other] / (1 - share[classes[row]])
            else:
                targets = np.abs(cells.target[near] - cells.target[row]) / cells.unit
                apart += float(targets @ parts)
                differ += mean
                together += differences[:, near] @ (parts * targets) / cells.unit
    total = float(weights[: cells.references].sum())
    if cells.classes:
        return score / total
    if not 0 < apart < total:
        return score
    return together / apart - (differ - together) / (total - apart)


def _differences(cells: ReliefCells, classes: Ints, weights: Floats, c: int, row: int) -> Longs:
    """[row] in units, from one row to all: of missing cells, what known ones of their class differ by."""
    column, ordered = cells.columns[c], cells.ordered[c]
    known = column >= 0

    def between(one: int) -> Longs:
        apart = np.abs(column.astype(np.int64) - one)
        return apart if ordered else np.where(apart > 0, cells.unit, 0)

    def of_class(which: int) -> Longs:
        """The rows that stand for a missing cell of a row of this class."""
        members = np.flatnonzero(known & (classes == which))
        return members if len(members) else np.flatnonzero(known)

    def expected(cell: int, which: int) -> float:
        members = of_class(which)
        return float(np.average(between(cell)[members], weights=weights[members])) if len(members) else 0.0

    given = np.empty(len(column), dtype=np.int64)
    mine = int(classes[row])
    for other in range(len(column)):
        theirs = int(classes[other])
        if known[row] and known[other]:
            given[other] = between(int(column[row]))[other]
        elif known[row]:
            given[other] = _rounded(expected(int(column[row]), theirs))
        elif known[other]:
            given[other] = _rounded(expected(int(column[other]), mine))
        else:
            members = of_class(mine)
            each = [expected(int(column[member]), theirs) for member in members]
            given[other] = _rounded(float(np.average(each, weights=weights[members]))) if each else 0
    return given


def _rounded(value: float) -> int:
    return math.floor(value + 0.5)  # halves up, as the native routine rounds them
