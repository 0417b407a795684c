"""ILA by counts: the definition, which counts everything again before each rule and records what it saw."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from itertools import combinations
from typing import Literal, TypeAlias

import numpy as np

from clearwood import _native
from clearwood.arrays import Longs
from clearwood.learners.rules.ila_task import MOST_COMBINATIONS, MOST_WORK, Description, Descriptions, IlaTask
from clearwood.table.table import MISSING

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
