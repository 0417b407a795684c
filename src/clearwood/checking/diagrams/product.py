"""Two diagrams at once: the pairs of nodes that some row comes to, down to the ends at which they differ."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias, cast

import numpy as np
import numpy.typing as npt

from clearwood.arrays import Bools
from clearwood.checking.diagrams.diagram import DiagramNodes, DiagramTooLargeError
from clearwood.models.space.axes import Domains

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
    side: NodePairs, level: int, level_of: npt.NDArray[np.int64], table: tuple[NodePairs, NodePairs]
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


# How many boxes a product parts its rows into: the ways to its ends, those through one pair counted once.


_MOST: Final = 2**53  # beyond, sums would be rounded, and programs that read JSON could not have them


def count_boxes(product: DiagramProduct) -> int:
    """The boxes in which the two diagrams differ; no two share a row. More than 2⁵³ are not told apart."""
    counts = [np.zeros(len(level.pairs)) for level in product.levels]
    counts[-1][:] = 1.0
    for level in range(len(product.levels) - 2, -1, -1):
        own = product.levels[level]
        if not len(own.pairs):
            continue
        then = np.sort(own.then, axis=1)
        new = np.diff(then, axis=1, prepend=-1) != 0  # groups that lead to one pair are one box
        place, _ = np.nonzero(new)
        reached = then[new]
        levels = product.levels_of(reached)
        for below in np.unique(levels).tolist():
            there = levels == below
            known = np.searchsorted(product.levels[below].pairs, reached[there])
            counts[level] += np.bincount(place[there], counts[below][known], minlength=len(own.pairs))
    first = next((each for each in counts if len(each)), np.zeros(1))
    return int(min(first[0], _MOST))


# Widening: a box of rows at one end of a product is made as large as it can be without other rows.


_MOST_PAIRS: Final = 50_000  # that may be looked at to free a column; beyond it stays as it is


def widened_at(product: DiagramProduct, box: Domains, end: int, everywhere: Domains) -> Domains:
    """A box that holds this one, in which all rows come to the same end; the fewest columns restricted."""
    order = product.nodes.order
    level_of = {column: level for level, column in enumerate(order.columns)}
    wide = list(box)
    for column, everything in enumerate(everywhere):
        level = level_of.get(column)
        wide[column] = everything if level is None else wide[column] | _safe(product, wide, end, level)
    return wide


def _safe(product: DiagramProduct, box: Domains, end: int, free: int) -> int:
    """The groups of the level `free` with which all rows of the box, whatever they have there, come to this
    end."""
    order = product.nodes.order
    groups = [
        np.array(
            [place for place, group in enumerate(own) if level == free or box[column] >> group & 1],
            dtype=np.int64,
        )
        for level, (column, own) in enumerate(zip(order.columns, order.groups, strict=True))
    ]
    met = _met(product, groups)
    if met is None:
        return 0
    fine: list[Bools] = [np.zeros(0, dtype=np.bool_) for _ in met]
    fine[-1] = met[-1] == end
    safe = np.ones(len(groups[free]), dtype=np.bool_)
    for level in range(len(met) - 2, -1, -1):
        if not len(met[level]):
            continue
        then = _then(product, level, met[level], groups[level])
        good = np.zeros(then.shape, dtype=np.bool_)
        levels = product.levels_of(then)
        for below in np.unique(levels[levels >= 0]).tolist():
            there = levels == below
            good[there] = fine[below][np.searchsorted(met[below], then[there])]
        if level == free:
            safe = np.logical_and.reduce(good, axis=0)
        fine[level] = np.logical_and.reduce(good, axis=1)
    own = order.groups[free]
    return sum(1 << own[place] for place in groups[free][safe].tolist())


def _met(product: DiagramProduct, groups: Sequence[NodePairs]) -> list[NodePairs] | None:
    """[level] the pairs that rows of the box come to; None where they are too many."""
    waiting: list[list[NodePairs]] = [[] for _ in product.levels]
    first = next(level for level, own in enumerate(product.levels) if len(own.pairs))
    waiting[first].append(product.levels[first].pairs[:1])
    met: list[NodePairs] = []
    for level, reached in enumerate(waiting):
        own = np.unique(np.concatenate(reached)) if reached else np.zeros(0, dtype=np.int64)
        met.append(own)
        if sum(map(len, met)) > _MOST_PAIRS:
            return None
        if level < len(groups) and len(own):
            then = np.unique(_then(product, level, own, groups[level]))
            levels = product.levels_of(then)
            for below in np.unique(levels[levels >= 0]).tolist():
                waiting[below].append(then[levels == below])
    return met


def _then(product: DiagramProduct, level: int, pairs: NodePairs, groups: NodePairs) -> NodePairs:
    own = product.levels[level]
    then: NodePairs = own.then[np.searchsorted(own.pairs, pairs)][:, groups]
    return then
