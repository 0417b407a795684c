"""The search: a box of rows is divided until every model that walks through it is done with each part."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from heapq import heappop, heappush
from typing import Final

from clearwood.audit.axes import Domains
from clearwood.checking.walking.walk import Walk, ask_of

BUDGET: Final = 50_000  # boxes looked at: some seconds


@dataclass(slots=True)
class Searched:
    """How far a search has come: boxes looked at, parts that were settled, and what it left open.

    `open_from` is None where all rows were looked at. A number: of rows with so many odd cells or more
    (missing, or of a value never met) some were not; 0: of any rows.
    """

    budget: int = BUDGET
    looked: int = 0
    settled: int = 0
    open_from: int | None = None
    passed: list[Domains] | None = None  # where a list is given, the boxes that were passed or left open

    @property
    def complete(self) -> bool:
        return self.open_from is None


def settled_parts(
    walks: tuple[Walk, ...],
    start: Domains,
    passed: Callable[[tuple[Walk, ...]], bool],
    searched: Searched,
    known: Domains,
) -> Iterator[Domains]:
    """The parts of a box in which all walks are settled, but for those that `passed` says are of no interest.

    Rows whose cells are all `known` come first, then those with one odd cell, two, …: what the budget leaves
    open is what is least usual. It is the same on every machine.
    """
    heap: list[tuple[int, int, Domains, tuple[Walk, ...]]] = []
    count = 0

    def put(box: Domains, ways: tuple[Walk, ...]) -> None:
        nonlocal count
        narrowed = tuple(walk.within(box) for walk in ways)
        if passed(narrowed):
            searched.settled += 1
            if searched.passed is not None:
                searched.passed.append(box)
            return
        count += 1
        # Of equal ones the latest comes first: so the heap stays small.
        heappush(heap, (odd_cells(box, known), -count, box, narrowed))

    searched.looked += 1
    put(start, walks)
    while heap:
        if searched.looked >= searched.budget:
            left = heap[0][0]
            searched.open_from = left if searched.open_from is None else min(left, searched.open_from)
            if searched.passed is not None:
                searched.passed.extend(each[2] for each in heap)
            return
        _, _, box, ways = heappop(heap)
        asked = ask_of(ways)
        if asked is None:
            searched.settled += 1
            yield box
            continue
        column, groups = asked
        searched.looked += 2
        for half in (box[column] & ~groups, box[column] & groups):
            smaller = list(box)
            smaller[column] = half
            put(smaller, ways)


def odd_cells(box: Domains, known: Domains) -> int:
    """In how many columns every row of the box has no known cell. A row has at least as many odd cells."""
    return sum(not groups & usual for groups, usual in zip(box, known, strict=True))
