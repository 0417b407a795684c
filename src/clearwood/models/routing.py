"""Routing: the one way down a split. Which branches a row follows, with which part of it, and why.

A split asks in order. The first branch whose condition holds takes the whole row. If none does (the cell is
empty, or a value that no branch names), the surrogates are asked, best first, each for both of its sides;
the first side that holds sends the row. What is left follows the split's `otherwise` or, where there is
none, goes down every branch with that branch's share.

A `Route` is that order as data, for those who write it in another language: `tests` are the cases of an
`if … elif …`, `rest` is its `else`. `ways` sends one row, `sent` many rows at once.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Generic, Literal, TypeAlias, TypeVar

import numpy as np

from clearwood.arrays import Bools, Floats, Longs
from clearwood.formulas.conditions import Condition, holds
from clearwood.models.kinds.tree.tree import Split, Surrogate, Tree
from clearwood.models.model import kept
from clearwood.records import dataclass

Because: TypeAlias = Literal["cell", "surrogate", "otherwise", "every branch"]
ConditionT = TypeVar("ConditionT")  # what a test asks: a Condition, or what an engine makes of one
Sides: TypeAlias = tuple[
    ConditionT, ConditionT, int
]  # of a surrogate, and the branch of the first; the other's is 1 − it


@dataclass(frozen=True, slots=True)
class Way:
    """A branch that a row follows with `part` of it, and what decided that: the split's own cell, one of its
    surrogates (by its place among them), its `otherwise`, or nothing, so that every branch has its share."""

    branch: int
    part: float
    because: Because
    surrogate: int | None = None


@dataclass(frozen=True, slots=True)
class Test(Generic[ConditionT]):
    """A row for which this holds, and no earlier test of its route, goes this way, whole."""

    when: ConditionT
    way: Way


@dataclass(frozen=True, slots=True)
class Route(Generic[ConditionT]):
    """The tests of a split in the order of asking, and where a row goes for which none holds."""

    tests: tuple[Test[ConditionT], ...]
    rest: tuple[Way, ...]


def ways(route: Route[Condition], row: Mapping[str, str | float | None]) -> tuple[Way, ...]:
    """Where one row goes: most often to one branch. Columns that the row lacks are empty."""
    for test in route.tests:
        if holds(test.when, row.get(test.when.name)):
            return (test.way,)
    return route.rest


def route_of(split: Split) -> Route[Condition]:
    """The route of a split, worked out once.

    >>> from clearwood.formulas.conditions import Above, AtMost
    >>> from clearwood.models.kinds.tree.tree import Branch, Leaf
    >>> dry = Branch(AtMost("Humidity", 75.0), 0.4, Leaf((0.0, 2.0)))
    >>> damp = Branch(Above("Humidity", 75.0), 0.6, Leaf((3.0, 0.0)))
    >>> route = route_of(Split((3.0, 2.0), {}, (dry, damp)))
    >>> [(str(test.when), test.way.branch) for test in route.tests]
    [('Humidity ≤ 75', 0), ('Humidity > 75', 1)]
    >>> [(way.branch, way.part, way.because) for way in route.rest]
    [(0, 0.4, 'every branch'), (1, 0.6, 'every branch')]
    """
    known: Route[Condition] | None = split._route
    if known is None:
        known = route(
            [branch.when for branch in split.branches],
            _sides(split.surrogates),
            split.otherwise,
            [branch.share for branch in split.branches],
        )
        object.__setattr__(split, "_route", known)
    return known


def route_at(tree: Tree, node: int) -> Route[Condition]:
    """The route of a tree's split, by its number; worked out once."""
    routes = _routes(tree)
    known = routes.get(node)
    if known is None:
        known = routes[node] = _route_at(tree, node)
    return known


@kept
def _routes(_: Tree) -> dict[int, Route[Condition]]:
    """The routes asked for so far."""
    return {}


def _route_at(tree: Tree, node: int) -> Route[Condition]:
    below, otherwise = tree.nodes.children(node), int(tree.nodes.otherwise[node])
    return route(
        [tree.condition(child) for child in below],
        _sides(tree.surrogates(node)),
        None if otherwise < 0 else otherwise,
        tree.nodes.share[below].tolist(),
    )


def route(
    branches: Sequence[ConditionT],
    surrogates: Sequence[Sides[ConditionT]],
    otherwise: int | None,
    shares: Sequence[float],
    *,
    least: float = 0.0,
) -> Route[ConditionT]:
    """A route from its pieces: what each branch asks, the surrogates, the branch of what is left if it is
    one, and the branches' shares, of which those above `least` count."""
    tests = [Test(when, _whole(branch, "cell")) for branch, when in enumerate(branches)]
    for place, (when, other, then) in enumerate(surrogates):
        tests.append(Test(when, _whole(then, "surrogate", place)))
        tests.append(Test(other, _whole(1 - then, "surrogate", place)))
    if otherwise is not None:
        return Route(tuple(tests), (_whole(otherwise, "otherwise"),))
    rest = (Way(branch, part, "every branch") for branch, part in enumerate(shares) if part > least)
    return Route(tuple(tests), tuple(rest))


@cache  # every split of a tree has the same few
def _whole(branch: int, because: Because, surrogate: int | None = None) -> Way:
    return Way(branch, 1.0, because, surrogate)


def _sides(surrogates: Sequence[Surrogate]) -> list[Sides[Condition]]:
    return [(each.when, each.otherwise, each.then) for each in surrogates]


@dataclass(frozen=True, slots=True, eq=False)
class Sent(Generic[ConditionT]):
    """Where many rows go: the test that sends each of them, and the branch; −1 where there is not one."""

    route: Route[ConditionT]
    test: Longs  # [row] by its place in the route
    branch: Longs  # [row] where the row goes whole

    def part(self, branch: int) -> Floats:
        """[row] The part of each row that follows a branch: 1, 0, or its share of a divided row."""
        share = next((way.part for way in self.route.rest if way.branch == branch), 0.0)
        parts: Floats = np.where(self.branch == branch, 1.0, np.where(self.branch < 0, share, 0.0))
        return parts

    def ways(self, row: int) -> tuple[Way, ...]:
        """Where one of the rows goes."""
        test = int(self.test[row])
        return self.route.rest if test < 0 else (self.route.tests[test].way,)


def sent(route: Route[ConditionT], takes: Callable[[ConditionT], Bools], rows: int) -> Sent[ConditionT]:
    """Where each of many rows goes; `takes` says for which of them [row] a question holds."""
    test = first_that_holds([test.when for test in route.tests], takes, rows)
    left = route.rest[0].branch if route.rest and route.rest[0].because == "otherwise" else -1
    # The last entry is for rows that no test sends: their place is −1.
    branch = np.array([*(test.way.branch for test in route.tests), left], dtype=np.int64)
    return Sent(route, test, branch[test])


def first_that_holds(
    conditions: Sequence[ConditionT], takes: Callable[[ConditionT], Bools], rows: int
) -> Longs:
    """[row] The first question that holds, by its place; −1 where none does."""
    first = np.full(rows, -1, dtype=np.int64)
    for place, each in enumerate(conditions):
        first[(first < 0) & takes(each)] = place
    return first
