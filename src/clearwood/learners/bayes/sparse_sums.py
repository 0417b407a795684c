"""The exact sums of a Bayes model from sparse columns: only the cells that are stored are looked at."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

import numpy as np
import numpy.typing as npt

from clearwood import _native
from clearwood.learners.bayes.halves import whole_sums
from clearwood.learners.bayes.refusals import refuse_far, refuse_negative
from clearwood.models.distributions import Bag, Distribution, ExactRow, Gaussian
from clearwood.models.exact import Exact, scaled
from clearwood.table.raw import Codes, NumberCells
from clearwood.table.sparse_columns import SparseColumns
from clearwood.table.table import MISSING, Table, Weights

_MOST_AT_ONCE: Final = 1 << 16  # sums of one call: each takes some 700 bytes


def sparsely_summed(
    plan: Sequence[Distribution], rows: Table, columns: SparseColumns, totals: ExactRow
) -> tuple[Distribution, ...]:
    """The plan filled: what the dense sums are, since a 0 adds nothing to any of them.

    Of bell curves and bags of columns; whoever plans anything else makes the columns dense before.
    """
    filled: list[Distribution] = []
    bells = iter(_moments(rows, columns, [each.name for each in plan if isinstance(each, Gaussian)], totals))
    for each in plan:
        match each:
            case Gaussian():
                weights, once, twice = next(bells)
                filled.append(replace(each, weights=weights, sums=once, squares=twice))
            case Bag(names, "bernoulli"):
                _check_counts(rows, columns, names)
                pairs = list(_presence(rows, columns, names, totals))
                filled.append(replace(each, counts=_by_class(pairs, 0), known=_by_class(pairs, 1)))
            case Bag(names):
                _check_counts(rows, columns, names)
                sums = list(_moments(rows, columns, names, totals))
                filled.append(replace(each, counts=_by_class(sums, 1)))
            case _:
                raise AssertionError(f"sparse columns are not summed for a {type(each).__name__}")
    return tuple(filled)


def _by_class(rows: Sequence[tuple[ExactRow, ...]], which: int) -> tuple[ExactRow, ...]:
    """[class][column] one of the rows by column."""
    return tuple(zip(*(each[which] for each in rows), strict=True))


def _moments(
    rows: Table, columns: SparseColumns, names: Sequence[str], totals: ExactRow
) -> Iterator[tuple[ExactRow, ExactRow, ExactRow]]:
    """By column the weight, sum and sum of squares of its known cells, by class."""
    classes = len(totals)
    for some, cells, at, target, weights in _parts(rows, columns, names):
        missing, once, twice, far, exponent = _native.moments([cells], target, len(some) * classes, weights)
        if far[0] >= 0:
            place = int(target[far[0]]) // classes
            refuse_far(some[place], rows, int(at[far[0]]))
        empty = whole_sums(missing, exponent)
        to_once, to_twice = (each + exponent for each in _native.MOMENTS_EXPONENTS)
        sums = [scaled(int.from_bytes(limbs.tobytes(), "little", signed=True), to_once) for limbs in once]
        squares = [
            scaled(int.from_bytes(limbs.tobytes(), "little", signed=True), to_twice) for limbs in twice
        ]
        for i in range(0, len(sums), classes):
            own = slice(i, i + classes)
            yield _less(totals, empty[own]), tuple(sums[own]), tuple(squares[own])


def _presence(
    rows: Table, columns: SparseColumns, names: Sequence[str], totals: ExactRow
) -> Iterator[tuple[ExactRow, ExactRow]]:
    """By column the weight of rows that hold it, and of those whose cell is known, by class."""
    classes = len(totals)
    for some, cells, _, target, weights in _parts(rows, columns, names):
        codes = np.where(np.isnan(cells), np.int32(MISSING), (cells > 0).astype(np.int32))
        halves, exponent = _native.tally([codes], [2], target, len(some) * classes, weights)
        tallied = whole_sums(halves, exponent)  # of each column and class: unseen, missing, absent, present
        for i in range(0, len(tallied), 4 * classes):
            own = slice(i, i + 4 * classes)
            yield tuple(tallied[own][3::4]), _less(totals, tallied[own][1::4])


def _parts(
    rows: Table, columns: SparseColumns, names: Sequence[str]
) -> Iterator[tuple[Sequence[str], NumberCells, npt.NDArray[np.int64], Codes, Weights | None]]:
    """Some columns at a time: their stored cells, the row of each, and its class under its column."""
    classes = len(rows.schema.classes)
    step = max(1, _MOST_AT_ONCE // classes)
    target = np.asarray(rows.target, dtype=np.int32)
    for first in range(0, len(names), step):
        some = names[first : first + step]
        of, at, cells = columns.cells(some)
        weights = None if rows.weights is None else rows.weights[at]
        yield some, cells, at, (of * classes + target[at]).astype(np.int32), weights


def _check_counts(rows: Table, columns: SparseColumns, names: Sequence[str]) -> None:
    of, _, cells = columns.cells(names)
    below = cells < 0
    if below.any():
        refuse_negative(names[int(of[np.argmax(below)])], rows)


def _less(totals: ExactRow, empty: Sequence[Exact]) -> ExactRow:
    return tuple(total - each for total, each in zip(totals, empty, strict=True))
