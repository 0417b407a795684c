"""A decision diagram: columns are asked in one order, and parts of the space that go on alike are one."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from typing import Final, cast

import numpy as np
import numpy.typing as npt

from clearwood.models.space.axes import Domains
from clearwood.models.space.input_space import InputSpace

# For each box that a search may look at a diagram may have so many states, and two of them so many steps
# from a pair of nodes to another: it takes about as long.
STATES_PER_BOX: Final = 2
PAIRS_PER_BOX: Final = 400


class DiagramTooLargeError(Exception):
    """A diagram has more nodes than it was allowed."""


@dataclass(frozen=True, slots=True)
class AskingOrder:
    """The columns in the order of asking, by their axes, and of each the groups of cells that may occur."""

    columns: tuple[int, ...]
    groups: tuple[tuple[int, ...], ...]  # [level]

    @property
    def depth(self) -> int:
        return len(self.columns)


@dataclass(slots=True)
class DiagramNodes:
    """The nodes of all diagrams of one order. Each stands once: two that are equal have the same number.

    A node asks at a level and has a child for each group that may occur there; one at the level `depth` is an
    end, and has a value in place of children. Diagrams are the same function if, and only if, their roots
    have the same number.
    """

    order: AskingOrder
    nodes: list[tuple[int, tuple[Hashable, ...]]] = field(default_factory=list)
    _numbers: dict[tuple[int, tuple[Hashable, ...]], int] = field(default_factory=dict)

    def end(self, value: Hashable) -> int:
        return self._of((self.order.depth, (value,)))

    def node(self, level: int, children: tuple[int, ...]) -> int:
        """One whose children are all the same asks nothing: it is its child."""
        first = children[0]
        if children.count(first) == len(children):
            return first
        return self._of((level, children))

    def value(self, number: int) -> Hashable:
        """What rows get at an end."""
        return self.nodes[number][1][0]

    def ends(self) -> list[int]:
        return [number for number, (level, _) in enumerate(self.nodes) if level == self.order.depth]

    def _of(self, node: tuple[int, tuple[Hashable, ...]]) -> int:
        number = self._numbers.get(node)
        if number is None:
            number = self._numbers[node] = len(self.nodes)
            self.nodes.append(node)
        return number


def groups_of_domain(domain: int) -> tuple[int, ...]:
    """
    >>> groups_of_domain(0b1011)
    (0, 1, 3)
    """
    return tuple(group for group in range(domain.bit_length()) if domain >> group & 1)


def order_within(columns: tuple[int, ...], domains: Domains) -> AskingOrder:
    """These columns, with the groups of a box."""
    return AskingOrder(columns, tuple(groups_of_domain(domains[column]) for column in columns))


# A way to an end of one diagram: the cells of a row that comes to it, usual ones if there are any.


def way_to_end(
    nodes: DiagramNodes, root: int, end: int, odd: Sequence[npt.NDArray[np.int64]], start: Domains
) -> Domains:
    """A box inside of `start` whose rows all come to this end, with as few `odd` cells as there can be."""
    depth = nodes.order.depth
    waiting: list[list[int]] = [[] for _ in range(depth + 1)]
    waiting[nodes.nodes[root][0]].append(root)
    best: dict[int, tuple[int, int, int]] = {root: (0, -1, -1)}  # [node] odd cells, the node above, the group
    for level in range(depth):
        costs = odd[level].tolist()
        for node in waiting[level]:
            cost = best[node][0]
            for group, child in enumerate(cast("tuple[int, ...]", nodes.nodes[node][1])):
                known = best.get(child)
                if known is None:
                    waiting[nodes.nodes[child][0]].append(child)
                if known is None or cost + costs[group] < known[0]:
                    best[child] = (cost + costs[group], node, group)
    box, node = list(start), end
    while best[node][1] >= 0:
        _, above, group = best[node]
        level = nodes.nodes[above][0]
        box[nodes.order.columns[level]] = 1 << nodes.order.groups[level][group]
        node = above
    return box


def odd_groups(space: InputSpace, order: AskingOrder) -> tuple[npt.NDArray[np.int64], ...]:
    """[level][group that may occur] 1 where its cells are missing or were never met."""
    known = space.known()
    return tuple(
        np.array([not known[column] >> group & 1 for group in groups], dtype=np.int64)
        for column, groups in zip(order.columns, order.groups, strict=True)
    )
