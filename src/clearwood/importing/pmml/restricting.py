"""A predicate where something is known already of one column: what is left of it to be asked."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import assert_never

from clearwood.importing.pmml.cells import NO_CELLS, HalfOpen, SomeCells, ThreeValued
from clearwood.importing.pmml.predicates import Always, AskedColumn, FirstKnown, Predicate, Together
from clearwood.table.attributes import Nominal, Ordinal
from clearwood.table.schema import Schema


@dataclass(frozen=True, slots=True)
class KnownCells:
    """The cells that a column can still have: numbers or codes, empty, never met."""

    column: str
    intervals: tuple[HalfOpen, ...]
    codes: frozenset[int]
    missing: bool
    unseen: bool


def known_cells(asked: AskedColumn, truth: ThreeValued, schema: Schema) -> KnownCells:
    """The cells of which a predicate is true, false or unknown."""
    attribute, cells = schema[asked.column], asked.cells
    has_values = isinstance(attribute, Nominal | Ordinal)
    usual = SomeCells(cells.intervals, cells.codes)
    if truth is False:
        every = range(len(attribute.values)) if isinstance(attribute, Nominal | Ordinal) else ()
        usual = SomeCells(((-math.inf, math.inf),), frozenset(every)).but_not(usual).but_not(cells.empty)
    elif truth is None:
        usual = NO_CELLS
    if cells.missing is truth:
        usual = usual.also(cells.empty)
    return KnownCells(
        asked.column,
        () if has_values else usual.intervals,
        usual.codes if has_values else frozenset(),
        cells.missing is truth,
        has_values and cells.unseen is truth,
    )


def restricted(predicate: Predicate, known: KnownCells) -> Predicate:
    """What is left to be asked of rows whose cell is one of these."""
    match predicate:
        case Always():
            return predicate
        case AskedColumn(column):
            return _answered(predicate, known) if column == known.column else predicate
        case Together(parts, all_of):
            left = [each for each in (restricted(part, known) for part in parts) if each != Always(all_of)]
            if Always(not all_of) in left:
                return Always(not all_of)
            if len(left) < 2:
                return left[0] if left else Always(all_of)
            return Together(tuple(left), all_of)
        case FirstKnown(parts):
            asked: list[Predicate] = []
            for part in parts:
                asked.append(restricted(part, known))
                if isinstance(asked[-1], Always):
                    break
            return asked[0] if isinstance(asked[0], Always) else FirstKnown(tuple(asked))
        case _:
            assert_never(predicate)


def _answered(asked: AskedColumn, known: KnownCells) -> Predicate:
    cells = asked.cells
    truths: set[ThreeValued] = set()
    all_known = SomeCells(known.intervals, known.codes)
    usual = all_known.but_not(cells.empty)
    outside = usual.but_not(cells)
    if usual.but_not(outside):
        truths.add(True)
    if outside:
        truths.add(False)
    if known.missing or all_known.but_not(usual):
        truths.add(cells.missing)
    if known.unseen:
        truths.add(cells.unseen)
    if truths == {True}:
        return Always(True)
    return Always(False) if truths == {False} else asked
