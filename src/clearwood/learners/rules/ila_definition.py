"""ILA by counts: the task, its definition, which counts again before each rule, and the native one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from itertools import combinations
from math import comb
from typing import Final, Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from clearwood import _native
from clearwood.arrays import Longs
from clearwood.errors import Advice, LearningError, Part
from clearwood.table.raw import Codes
from clearwood.table.table import MISSING, Weights

Why: TypeAlias = Literal["best", "passed", "none", "alike", "limit"]
ValueCodes: TypeAlias = tuple[int, ...]  # codes of some columns in one row


@dataclass(frozen=True, slots=True)
class Look:
    """One look at all descriptions of one size: the good ones, which was taken, and the rows it marked.

    `why`: the "best" was taken; in a fast pass the next that was still good ("passed"); there was "none"; the
    rows left are so "alike" to rows of other classes that no size helps; or there is no larger size
    ("limit").
    """

    cls: int
    size: int
    combinations: int
    good: tuple[Description, ...]  # those of a score above 0, in the order in which they are tried
    taken: Description | None
    marked: tuple[int, ...]  # rows
    left: tuple[int, ...]  # rows of the class that are unmarked after it
    why: Why


def look_by_counts(task: IlaTask, marked: Longs | None = None) -> Iterator[Look]:
    """Every look that ILA takes, class by class; the rows in `marked` are described already."""
    covered = frozenset(() if marked is None else marked.tolist())
    for cls in task.order:
        yield from _Class(task, cls, covered).looks()


def descriptions_in(looks: list[Look]) -> Descriptions:
    """The descriptions taken in these looks, and the rows left over."""
    taken = tuple(look.taken for look in looks if look.taken is not None)
    left = [row for look in looks if look.why in ("alike", "limit") for row in look.left]
    return Descriptions(taken, np.array(sorted(left), dtype=np.int64))


class _Class:
    """The rows of one class, some of them marked, against those of all others."""

    def __init__(self, task: IlaTask, cls: int, covered: frozenset[int]) -> None:
        self.task, self.cls = task, cls
        self.cells = [np.maximum(column, MISSING).tolist() for column in task.columns]
        self.units = [1] * len(task.target) if task.units is None else task.units.tolist()
        target = task.target.tolist()
        self.unmarked = [row for row, each in enumerate(target) if each == cls and row not in covered]
        self.others = [row for row, each in enumerate(target) if each != cls]
        self.against = cache(self._against)
        self.likeness: dict[int, int] = {}

    def looks(self) -> Iterator[Look]:
        largest = self.task.largest(self.cls)
        for size in range(1, largest + 1):
            columns = self.task.columns_for(self.cls, size)
            if size <= 2:  # larger sizes combine the columns that pairs do
                self.likeness = {row: self._likeness(row, columns) for row in self.unmarked}
            if not self.unmarked or self._hopeless():
                break
            self.task.check_combinations(self.cls, size, len(self.unmarked))
            yield from self._pass(size) if self.task.fast else self._one_by_one(size)
        if self.unmarked:
            yield self._look(largest, (), None, "alike" if self._hopeless() else "limit")

    def _one_by_one(self, size: int) -> Iterator[Look]:
        """The best description, the first of equals; then all are counted again."""
        while self.unmarked and not self._hopeless():
            good = self._good(size)
            if not good:
                yield self._look(size, (), None, "none")
                return
            yield self._look(size, good, max(good, key=self._rank), "best")

    def _pass(self, size: int) -> Iterator[Look]:
        """The descriptions as they rank at the start, each counted again when its turn comes."""
        good = self._good(size)
        if not good:
            yield self._look(size, (), None, "none")
        for each in sorted(good, key=self._rank, reverse=True):  # a stable sort, also in reverse
            again = replace(each, covers=sum(self.units[row] for row in self._rows(each)))
            if again.score(self.task.penalty) > 0:
                yield self._look(size, good, again, "passed")

    def _good(self, size: int) -> tuple[Description, ...]:
        """All descriptions of a score above 0: combinations in order, values as unmarked rows have them."""
        good = []
        for columns in combinations(self.task.columns_for(self.cls, size), size):
            covers: Counter[ValueCodes] = Counter()
            for row in self.unmarked:
                covers[self._values(row, columns)] += self.units[row]
            for codes, units in covers.items():
                if MISSING not in codes:
                    each = Description(self.cls, columns, codes, units, self._wrong(columns, codes))
                    if each.score(self.task.penalty) > 0:
                        good.append(each)
        return tuple(good)

    def _rank(self, each: Description) -> tuple[object, int]:
        return each.score(self.task.penalty), -each.wrong

    def _look(self, size: int, good: tuple[Description, ...], taken: Description | None, why: Why) -> Look:
        """Mark the rows of the description taken, and record it."""
        marked = set() if taken is None else set(self._rows(taken))
        self.unmarked = [row for row in self.unmarked if row not in marked]
        columns = self.task.columns_for(self.cls, size)
        count = sum(1 for _ in combinations(columns, size)) if why in ("best", "passed", "none") else 0
        return Look(self.cls, size, count, good, taken, tuple(sorted(marked)), tuple(self.unmarked), why)

    def _values(self, row: int, columns: tuple[int, ...]) -> ValueCodes:
        return tuple(self.cells[column][row] for column in columns)

    def _rows(self, each: Description) -> list[int]:
        return [row for row in self.unmarked if self._values(row, each.columns) == each.codes]

    def _against(self, columns: tuple[int, ...]) -> Counter[ValueCodes]:
        """How much weight of the other classes has which values."""
        counts: Counter[ValueCodes] = Counter()
        for row in self.others:
            counts[self._values(row, columns)] += self.units[row]
        return counts

    def _wrong(self, columns: tuple[int, ...], codes: ValueCodes) -> int:
        against = self.against(columns)
        if not self.task.cautious:
            return against[codes]
        return sum(units for values, units in against.items() if _may_be(values, codes))

    def _likeness(self, row: int, columns: tuple[int, ...]) -> int:
        """The weight of other classes' rows that no description of this row by these columns leaves out."""
        known = tuple(column for column in columns if self.cells[column][row] != MISSING)
        return self._wrong(known, self._values(row, known))

    def _hopeless(self) -> bool:
        """Is no description good, of whatever size? Even one of all unmarked rows would cost too much."""
        most = sum(self.units[row] for row in self.unmarked)
        whole = (Description(self.cls, (), (), most, self.likeness.get(row, 0)) for row in self.unmarked)
        return all(each.score(self.task.penalty) <= 0 for each in whole)


def _may_be(values: ValueCodes, codes: ValueCodes) -> bool:
    return all(value in (MISSING, code) for value, code in zip(values, codes, strict=True))


# The way to the native ILA and back: codes and settings out, descriptions in.


def describe_classes(
    task: IlaTask, marked: Longs | None = None, *, most_candidates: int = 0, threads: int = 0
) -> Descriptions:
    """What `ila_definition` defines, fast; `most_candidates` bounds the memory, 0 is the usual bound."""
    penalty = task.penalty
    try:
        arrays = _native.ila(
            [np.ascontiguousarray(column) for column in task.columns],
            list(task.values),
            np.ascontiguousarray(task.target),
            task.units,
            order=list(task.order),
            relevant=[list(task.relevant[cls]) for cls in task.order],
            marked=marked,
            penalty_over=0 if penalty is None else penalty.numerator,
            penalty_under=0 if penalty is None else penalty.denominator,
            fast=task.fast,
            cautious=task.cautious,
            max_conditions=task.max_conditions or 0,
            most_combinations=MOST_COMBINATIONS,
            most_work=MOST_WORK if task.max_conditions is None else 0,
            most_candidates=most_candidates,
            threads=threads,
        )
    except _native.TooManyCombinationsError as error:
        task.check_combinations(error.cls, error.size, error.left)
        raise
    start, columns, codes = (arrays[name].tolist() for name in ("start", "column", "code"))
    parts = zip(
        start, start[1:], *(arrays[name].tolist() for name in ("cls", "covers", "wrong")), strict=False
    )
    descriptions = [
        Description(cls, tuple(columns[begin:end]), tuple(codes[begin:end]), covers, wrong)
        for begin, end, cls, covers, wrong in parts
    ]
    return Descriptions(tuple(descriptions), arrays["left"])


# An ILA task: a table's rows as codes, and what makes one description better than another.


MOST_COMBINATIONS: Final = 5_000_000  # of columns, in one size
MOST_WORK: Final = 6_000_000_000  # combinations times rows, in one size: a minute
_PER_SECOND: Final = 100_000_000  # of them on one core, roughly


@dataclass(frozen=True, slots=True, eq=False)
class IlaTask:
    """What the definition and its native twin both work on. Columns are those that conditions may test."""

    classes: tuple[str, ...]
    columns: tuple[Codes, ...]
    values: tuple[int, ...]  # [column] how many codes
    target: Codes
    units: Units | None  # [row] weight in whole units; None: 1 each
    order: tuple[int, ...]  # classes in the order they are described
    relevant: tuple[tuple[int, ...], ...]  # [class] columns that combinations of two and more may use
    penalty: Fraction | None = None  # what a wrongly covered row costs; None: it must not be
    fast: bool = False
    cautious: bool = False  # a missing cell of another class's row may be any value
    max_conditions: int | None = None

    def columns_for(self, cls: int, size: int) -> tuple[int, ...]:
        """The columns that descriptions of this size may combine."""
        return tuple(range(len(self.columns))) if size == 1 else self.relevant[cls]

    def largest(self, cls: int) -> int:
        """The most conditions that a description of the class may have."""
        widest = max(len(self.relevant[cls]), min(len(self.columns), 1))
        return widest if self.max_conditions is None else min(widest, self.max_conditions)

    def check_combinations(self, cls: int, size: int, left: int) -> None:
        """Refuse a size with more combinations than fit, or with too much work.

        Every combination is counted in the rows of the class that are `left` and in all rows of the others.
        With `max_conditions` that many are tried, however long they take.
        """
        columns = len(self.columns_for(cls, size))
        count = comb(columns, size)
        rows = left + int((self.target != cls).sum())
        if count > MOST_COMBINATIONS:
            limit: list[Part] = [
                f" (the limit is {MOST_COMBINATIONS:,}). Leave out columns, or stop before: ",
                Advice("max_conditions", size - 1, setting=True),
                ".",
            ]
        elif size > 1 and self.max_conditions is None and count * rows > MOST_WORK:
            limit = [
                f". With {rows:,} rows to count for each that is {count * rows:,} looks at a row, "
                f"{_duration(count * rows)} of work (the limit is {MOST_WORK:,}). "
                "Leave out columns; or to stop here: ",
                Advice("max_conditions", size - 1, setting=True),
                ", to wait: ",
                Advice("max_conditions", size, setting=True),
                ".",
            ]
        else:
            return
        raise LearningError(
            f"Class '{self.classes[cls]}' has {left:,} rows that fewer than {size} conditions do not "
            f"describe, and {columns} columns have {count:,} combinations of {size}",
            *limit,
        )


@dataclass(frozen=True, slots=True)
class Description:
    """Values of some columns that describe a class: what they cover of it, and what of other classes."""

    cls: int
    columns: tuple[int, ...]
    codes: tuple[int, ...]
    covers: int  # units of unmarked rows
    wrong: int = 0  # units of other classes' rows

    def score(self, penalty: Fraction | None) -> Fraction | int:
        """What it covers less the penalty; without a penalty nothing may be covered wrongly."""
        if penalty is None:
            return 0 if self.wrong else self.covers
        return self.covers - penalty * self.wrong


@dataclass(frozen=True, slots=True, eq=False)
class Descriptions:
    """The descriptions in the order they were found, and the rows that none describes."""

    descriptions: tuple[Description, ...]
    left: Longs


def _duration(work: int) -> str:
    """About how long this takes one core, in words.

    >>> _duration(MOST_WORK), _duration(12 * MOST_WORK), _duration(150 * MOST_WORK)
    ('about 60 seconds', 'about 12 minutes', 'about 2 hours')
    """
    seconds = work / _PER_SECOND
    if seconds < 120:
        return f"about {seconds:,.0f} seconds"
    return f"about {seconds / 60:,.0f} minutes" if seconds < 7200 else f"about {seconds / 3600:,.0f} hours"


# Weights in whole units: sums that no order of adding can change, so that equal scores are equal.


Units: TypeAlias = npt.NDArray[np.int64]  # [row]

_MOST: Final = 2**40  # units in all: a million times as many still fit a long
_PARTS: Final = 100  # of the lightest row that are tried as the unit


def whole_weights(weights: Weights) -> tuple[Units, float]:
    """Each weight as a number of units, and the unit: a part of the lightest weight that all are made of.

    Weights that share no such part are rounded, to about a billionth of the heaviest of a thousand rows.

    >>> whole_weights(np.array([0.1, 0.3, 0.25]))[0].tolist()
    [2, 6, 5]
    >>> whole_weights(np.array([1.0, 1.0, 3.0]))
    (array([1, 1, 3]), 1.0)
    """
    lightest, total = float(weights.min()), float(weights.sum())
    for parts in range(1, _PARTS + 1):
        unit = lightest / parts
        if total / unit > _MOST:
            break
        exact = weights / unit
        units = np.rint(exact)
        if (np.abs(exact - units) <= 1e-9 * units).all():
            return units.astype(np.int64), unit
    unit = total / _MOST
    return np.maximum(np.rint(weights / unit), 1.0).astype(np.int64), unit
