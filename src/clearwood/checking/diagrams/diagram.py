"""A decision diagram: columns are asked in one order, and parts of the space that go on alike are one."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field
from typing import Final

from clearwood.audit.axes import Domains

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
