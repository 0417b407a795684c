"""A box of rows on its way through a tree: split by split it is divided, as the tests tell its rows apart.

A split is read as *steps*: its tests in the order of asking, each as a set of groups of one column's axis,
and where rows go for which none holds, whole or divided among several branches. Whoever walks chooses what
a group is: cells that no condition tells apart (`axes.py`), or what a cell may become, by its cost
(`explaining/moves.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple, TypeAlias

from clearwood.formulas.conditions import Condition
from clearwood.models.kinds.tree.tree import Tree
from clearwood.models.model import kept
from clearwood.models.routing import route_at
from clearwood.models.space.axes import Ask, Domains

WaysOn: TypeAlias = tuple[tuple[int, float], ...]  # nodes that rows come to, and which part of each row does


class SplitStep(NamedTuple):
    """Rows of a box for which no earlier test held, and whose cell in a column is of these groups, go whole
    to a child."""

    column: int
    groups: int
    ways: WaysOn

    @property
    def child(self) -> int:
        return self.ways[0][0]


class SplitSteps(NamedTuple):
    """The tests of a split, where rows go for which none of them holds, and all branches."""

    tests: tuple[SplitStep, ...]
    rest: WaysOn
    children: list[int]


class TreeSteps:
    """A tree's splits as steps, each worked out when a box first comes to it."""

    def __init__(self, tree: Tree, asked: Callable[[Condition], Ask]) -> None:
        self.is_leaf, self._children = _shape(tree)
        self._tree, self._asked = tree, asked
        self._steps: dict[int, SplitSteps] = {}

    def at(self, node: int) -> SplitSteps:
        """The steps of a split, by its number."""
        steps = self._steps.get(node)
        if steps is None:
            children, route = self._children.get(node), route_at(self._tree, node)
            if children is None:
                children = self._children[node] = self._tree.nodes.children(node)
            tests = [
                SplitStep(*self._asked(test.when), ((children[test.way.branch], 1.0),))
                for test in route.tests
            ]
            rest = tuple((children[way.branch], way.part) for way in route.rest)
            steps = self._steps[node] = SplitSteps(tuple(tests), rest, children)
        return steps

    def parts(self, node: int, box: Domains) -> Iterator[tuple[Domains, WaysOn]]:
        """The parts of a box that a split tells apart, in the order of asking, each with its ways on."""
        tests, rest, _ = self.at(node)
        for column, groups, ways in tests:
            held = box[column]
            taken = held & groups
            if taken:
                yield with_groups(box, column, taken), ways
                if taken == held:
                    return
                box = with_groups(box, column, held & ~taken)
        yield box, rest


@kept
def _shape(tree: Tree) -> tuple[list[bool], dict[int, list[int]]]:
    """[node] is it a leaf; and the children of the splits that were walked through so far."""
    return tree.nodes.is_leaf.tolist(), {}


def with_groups(box: Domains, column: int, groups: int) -> Domains:
    """The box with only these groups of a column."""
    smaller = box.copy()
    smaller[column] = groups
    return smaller
