"""The search: a box of rows is divided until every model that walks through it is done with each part."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import dataclass, field
from heapq import heappop, heappush
from typing import Final, Protocol, TypeAlias

from clearwood.models.space.axes import Ask, Domains

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


# Joining: parts that differ in one column only become one, until none are left that do.


def joined_parts(parts: Iterable[Domains]) -> list[Domains]:
    """The same rows in fewer parts; parts that share no row still share none.

    >>> joined_parts([[0b01, 0b1], [0b10, 0b1], [0b11, 0b10]])
    [[3, 3]]
    """
    boxes = [tuple(part) for part in parts]
    width = len(boxes[0]) if boxes else 0
    fewer = True
    while fewer:
        before = len(boxes)
        for column in range(width):
            together: dict[tuple[int, ...], int] = {}
            for box in boxes:
                others = box[:column] + box[column + 1 :]
                together[others] = together.get(others, 0) | box[column]
            boxes = [(*key[:column], groups, *key[column:]) for key, groups in together.items()]
        fewer = len(boxes) < before
    return [list(box) for box in boxes]


# A walk: how far a model has come with a box of rows, and what it asks of them next.


_LATER: Final = 0.8  # what a step counts, beside the one before it

WalkStep: TypeAlias = tuple[Hashable, tuple[Ask, ...]]  # by its identity what may come; its questions


class Walk(Protocol):
    """One model on its way through a box of rows.

    `steps` are what the model may still do, in its order, each with the conditions on which rows of the box
    differ, none where they no longer do. Walks of equal `key` give every row of the box the same shares and
    answer. `answer` is a tuple with the one answer that all rows of the box get, where that is certain
    already, else None. `ends` are the least and the largest figure (the share of the class asked about, or
    the number) that they can get; None where that is not known.
    """

    @property
    def steps(self) -> tuple[WalkStep, ...]: ...
    @property
    def key(self) -> Hashable: ...
    @property
    def answer(self) -> tuple[object] | None: ...
    @property
    def ends(self) -> tuple[float, float] | None: ...

    def within(self, box: Domains) -> Walk:
        """The same walk with a smaller box, as far as it now goes without asking."""
        ...


@dataclass(slots=True)
class Identities:
    """A number for whatever is the same: subtrees, leaves and rules of several models share them."""

    numbers: dict[Hashable, int] = field(default_factory=dict)

    def of(self, thing: Hashable) -> int:
        return self.numbers.setdefault(thing, len(self.numbers))


def ask_of(walks: tuple[Walk, ...]) -> Ask | None:
    """The condition to divide a box by: of two walks, one by which they differ; None where all is settled.

    Two models share most of what they ask where one was made from the other. What both ask, at the same
    place, need not be decided to see that they answer alike. Of the others that one is taken which most
    steps ask: a short step counts more than a long one, since it is nearer to its end, and an early one more
    than those that may never be taken.
    """
    if len(walks) == 2:
        one, other = walks[0].steps, walks[1].steps
        unlike = [(place, step) for place, step in enumerate(one) if other[place : place + 1] != (step,)]
        unlike += [(place, step) for place, step in enumerate(other) if one[place : place + 1] != (step,)]
        asked = _most_asked(unlike)
        if asked is not None:
            return asked
    return _most_asked([placed for walk in walks for placed in enumerate(walk.steps)])


def _most_asked(steps: Iterable[tuple[int, WalkStep]]) -> Ask | None:
    weights: dict[Ask, float] = {}
    for place, (_, asks) in steps:
        weight = 0.5 ** len(asks) * _LATER**place
        for ask in asks:
            weights[ask] = weights.get(ask, 0.0) + weight
    return max(weights, key=weights.__getitem__) if weights else None
