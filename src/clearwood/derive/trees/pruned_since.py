"""Pruned since: which splits of a learned tree became leaves, or gave way to a branch, in the one at hand."""

from __future__ import annotations

from dataclasses import dataclass, fields
from itertools import pairwise

import numpy as np

from clearwood.errors import LearningError
from clearwood.models.nodes import Longs, Nodes
from clearwood.models.tree import Tree


@dataclass(frozen=True, slots=True)
class Change:
    """A split of the learned tree: what took its place (a node below it; None: it is a leaf), and where."""

    split: int
    taken_by: int | None
    node: int  # of the tree at hand


@dataclass(frozen=True, slots=True, eq=False)
class Since:
    """`became` [learned node] is a node's number in the tree at hand, −1 where it is gone; `changes` in an
    order in which they can be made: what is below first."""

    became: Longs
    changes: tuple[Change, ...]


def changes_since(learned: Tree, tree: Tree) -> Since:
    """How the tree at hand comes of the learned one; a sentence if it cannot.

    >>> import clearwood as cw
    >>> table = cw.read_table(cw.datasets.path("tennis"), target="PlayTennis")
    >>> learned = cw.ID3().learn(table)
    >>> changes_since(learned, cw.prune_chi_square(learned, alpha=0.01).tree).changes
    (Change(split=0, taken_by=None, node=0),)
    """
    if _same(learned.nodes, tree.nodes):
        return Since(np.arange(tree.size), ())
    found = _changes(learned, tree, 0, 0)
    if found is None:
        raise LearningError(
            "This tree is not what its learner makes of this table, nor that tree with splits cut or raised: "
            "it was changed otherwise, or the table. Derive the tree the learner gives for this table."
        )
    met, changes = found
    became = np.full(learned.size, -1, dtype=np.int64)
    became[list(met)] = list(met.values())
    return Since(became, tuple(changes[::-1]))


def _same(one: Nodes, other: Nodes) -> bool:
    return all(
        np.array_equal(mine := getattr(one, each.name), getattr(other, each.name), mine.dtype.kind == "f")
        for each in fields(Nodes)
    )


def _changes(
    learned: Tree, tree: Tree, start: int, at: int, *, counted: bool = True
) -> tuple[dict[int, int], list[Change]] | None:
    """Below a node of either tree: which became which, and what was changed, from the top down.

    Rows are sent down anew below a split that gave way (not `counted`); elsewhere counts must agree.
    """
    met: dict[int, int] = {}
    changes: list[Change] = []
    waiting = [(start, at)]
    while waiting:
        node, now = waiting.pop()
        if counted and not np.allclose(learned.nodes.counts[node], tree.nodes.counts[now], rtol=1e-6):
            return None
        below, left = learned.nodes.children(node), tree.nodes.children(now)
        if not left:
            met[node] = now
            if below:
                changes.append(Change(node, None, now))
        elif _asks(learned, node) == _asks(tree, now):
            met[node] = now
            waiting.extend(zip(below, left, strict=True))
        else:
            raised = _raised(learned, tree, node, now)
            if raised is None:
                return None
            met |= raised[0]
            changes += raised[1]
    return met, changes


def _raised(learned: Tree, tree: Tree, split: int, now: int) -> tuple[dict[int, int], list[Change]] | None:
    """The same where a node further down took the split's place."""
    asks = _asks(tree, now)
    for node in range(split + 1, int(learned.nodes.end[split])):
        if _asks(learned, node) != asks:
            continue
        found = _changes(learned, tree, node, now, counted=False)
        if found is not None:
            way = [node]
            while way[-1] != split:
                way.append(int(learned.nodes.parent[way[-1]]))
            # From the top: each gives way to what has by then taken the place of the next.
            steps = [Change(above, below, now) for below, above in pairwise(way)]
            return found[0], [*steps[::-1], *found[1]]
    return None


def _asks(tree: Tree, node: int) -> list[object]:
    """A split's branches, empty for a leaf."""
    return [tree.condition(child) for child in tree.nodes.children(node)]
