"""Two diagrams at once: the pairs of nodes that some row comes to, down to the ends at which they differ."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import TypeAlias, cast

import numpy as np
import numpy.typing as npt

from clearwood.audit.axes import Domains
from clearwood.checking.diagrams.diagram import DiagramNodes, DiagramTooLargeError

NodePairs: TypeAlias = npt.NDArray[np.int64]  # two nodes, as one number


@dataclass(frozen=True, slots=True, eq=False)
class PairLevel:
    """The pairs that are asked at a level, ascending, and to which pair each group of cells leads.

    `above` and `group` are of a way to the pair with as few odd cells as there can be: the pair before it,
    and the group that leads from there, by its place among those that may occur.
    """

    pairs: NodePairs  # [pair]
    then: NodePairs  # [pair, group] −1: the two are one node from there on
    above: NodePairs  # [pair] −1: it is the first
    group: npt.NDArray[np.int64]  # [pair]


@dataclass(frozen=True, slots=True, eq=False)
class DiagramProduct:
    """All that two diagrams do. Its ends are pairs of values that differ; each is come to by some row."""

    nodes: DiagramNodes
    levels: tuple[PairLevel, ...]  # the last has the ends
    level_of_node: npt.NDArray[np.int64]

    @property
    def ends(self) -> NodePairs:
        return self.levels[-1].pairs

    @property
    def size(self) -> int:
        return sum(len(level.pairs) for level in self.levels)

    @property
    def steps(self) -> int:
        """From a pair to another, or to where the two are one."""
        return sum(level.then.size for level in self.levels)

    def values(self, pair: int) -> tuple[Hashable, Hashable]:
        """What the two give at an end."""
        one, other = divmod(pair, len(self.nodes.nodes))
        return self.nodes.value(one), self.nodes.value(other)

    def end_of(self, row: Domains) -> int | None:
        """The end that a row (a group of each column) comes to; None where the two give it the same."""
        order = self.nodes.order
        level = next((place for place, own in enumerate(self.levels) if len(own.pairs)), None)
        if level is None:
            return None
        pair = int(self.levels[level].pairs[0])
        while level < order.depth:
            own = self.levels[level]
            group = order.groups[level].index(row[order.columns[level]].bit_length() - 1)
            pair = int(own.then[np.searchsorted(own.pairs, pair), group])
            if pair < 0:
                return None
            level = int(self.levels_of(np.array([pair]))[0])
        return pair

    def way_to(self, end: int, everywhere: Domains) -> Domains:
        """A box of rows that come to this end, usual ones if there are any."""
        box = list(everywhere)
        order, pair, level = self.nodes.order, end, len(self.levels) - 1
        while True:
            own = self.levels[level]
            place = int(np.searchsorted(own.pairs, pair))
            above, group = int(own.above[place]), int(own.group[place])
            if above < 0:
                return box
            level = int(self.levels_of(np.array([above]))[0])
            box[order.columns[level]] = 1 << order.groups[level][group]
            pair = above

    def levels_of(self, pairs: NodePairs) -> npt.NDArray[np.int64]:
        """[·] where each pair is asked; −1 of those that are one node."""
        one, other = np.divmod(pairs, len(self.nodes.nodes))
        levels = np.minimum(self.level_of_node[one], self.level_of_node[other])
        return np.where(pairs < 0, -1, levels)


def product_of(
    nodes: DiagramNodes, one: int, other: int, odd: Sequence[npt.NDArray[np.int64]], most: int
) -> DiagramProduct:
    """Both diagrams, from their roots; `odd` [level][group that may occur] is 1 where cells are missing or
    never met. An error where it takes more than `most` steps, each from a pair to another."""
    level_of, children = _tables(nodes)
    depth, count = nodes.order.depth, len(nodes.nodes)
    waiting: list[list[tuple[NodePairs, NodePairs, npt.NDArray[np.int64], npt.NDArray[np.int64]]]]
    waiting = [[] for _ in range(depth + 1)]
    levels: list[PairLevel] = []
    if one != other:
        start = np.array([one * count + other], dtype=np.int64)
        nowhere = np.array([-1], dtype=np.int64)
        waiting[min(int(level_of[one]), int(level_of[other]))].append((start, nowhere, nowhere, nowhere + 1))
    steps = 0
    for level in range(depth + 1):
        reached = waiting[level]
        waiting[level] = []
        if not reached:
            empty = np.zeros(0, dtype=np.int64)
            levels.append(PairLevel(empty, empty.reshape(0, 0), empty, empty))
            continue
        pairs, above, group, cost = (np.concatenate(each) for each in zip(*reached, strict=True))
        usual_first = np.lexsort((cost, pairs))
        kept = usual_first[np.flatnonzero(np.diff(pairs[usual_first], prepend=-1))]
        pairs, above, group, cost = pairs[kept], above[kept], group[kept], cost[kept]
        if level == depth:
            levels.append(PairLevel(pairs, np.zeros((len(pairs), 0), dtype=np.int64), above, group))
            break
        steps += len(pairs) * len(odd[level])
        if steps > most:
            raise DiagramTooLargeError
        first, second = (
            _children(side, level, level_of, children[level]) for side in np.divmod(pairs, count)
        )
        then = first * count + second
        then[first == second] = -1
        levels.append(PairLevel(pairs, then, above, group))
        _pass_on(waiting, level_of, first, second, then, pairs, cost[:, None] + odd[level])
    return DiagramProduct(nodes, tuple(levels), level_of)


def _tables(nodes: DiagramNodes) -> tuple[npt.NDArray[np.int64], list[tuple[NodePairs, NodePairs]]]:
    """[node] its level; [level] the nodes of it, ascending, and their children [node, group]."""
    level_of = np.array([level for level, _ in nodes.nodes], dtype=np.int64)
    children = []
    for level, groups in enumerate(nodes.order.groups):
        own = np.flatnonzero(level_of == level)
        rows = [cast("tuple[int, ...]", nodes.nodes[number][1]) for number in own.tolist()]
        children.append((own, np.array(rows, dtype=np.int64).reshape(len(own), len(groups))))
    return level_of, children


def _children(
    side: NodePairs,
    level: int,
    level_of: npt.NDArray[np.int64],
    table: tuple[NodePairs, NodePairs],
) -> NodePairs:
    """[pair, group] the nodes that one diagram goes on to; where it asks nothing here, it stays."""
    own, children = table
    then = np.repeat(side[:, None], children.shape[1], axis=1)
    asks = level_of[side] == level
    then[asks] = children[np.searchsorted(own, side[asks])]
    return then


def _pass_on(
    waiting: list[list[tuple[NodePairs, NodePairs, npt.NDArray[np.int64], npt.NDArray[np.int64]]]],
    level_of: npt.NDArray[np.int64],
    first: NodePairs,
    second: NodePairs,
    then: NodePairs,
    pairs: NodePairs,
    cost: npt.NDArray[np.int64],
) -> None:
    """Each pair that is led to, to the level at which it is asked."""
    below = np.minimum(level_of[first], level_of[second])
    below[then < 0] = -1
    place, group = np.nonzero(then >= 0)
    target, to_level, costs = then[place, group], below[place, group], cost[place, group]
    by_level = np.argsort(to_level, kind="stable")
    ends = np.searchsorted(to_level[by_level], np.arange(len(waiting) + 1))
    for level in range(len(waiting)):
        chosen = by_level[ends[level] : ends[level + 1]]
        if len(chosen):
            # Pairs are led to by many others: only the most usual way is kept.
            order = chosen[np.lexsort((costs[chosen], target[chosen]))]
            order = order[np.flatnonzero(np.diff(target[order], prepend=-1))]
            waiting[level].append((target[order], pairs[place[order]], group[order], costs[order]))
