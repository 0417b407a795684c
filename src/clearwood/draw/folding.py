"""Which part of a tree is drawn: deep parts are folded, and say how many leaves they hold."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from heapq import heappop, heappush
from typing import Final, Literal, TypeAlias

import numpy as np

from clearwood.errors import SettingError
from clearwood.models.tree import Tree

Fold: TypeAlias = Literal["auto"] | int | None

_MOST_LEAVES: Final = 64  # that a person takes in at once


@dataclass(frozen=True, slots=True)
class Drawn:
    """The nodes drawn, in preorder; `parents` by their place among them; `hidden` leaves by folded node."""

    nodes: tuple[int, ...]
    parents: tuple[int, ...]
    hidden: Mapping[int, int]


def folded(tree: Tree, fold: Fold, kept: Collection[int] = ()) -> Drawn:
    """The tree to a depth of `fold` questions; None: all of it; "auto": where most rows go, to 64 leaves.

    Splits among `kept` are drawn with their branches, come what may.
    """
    opened = _opened(tree, fold, kept)
    n = tree.nodes
    nodes: list[int] = []
    parents: list[int] = []
    hidden: dict[int, int] = {}
    place: dict[int, int] = {}
    end, parent = n.end.tolist(), n.parent.tolist()
    node = 0
    while node < len(n):
        place[node] = len(nodes)
        nodes.append(node)
        parents.append(place[parent[node]] if node else -1)
        if end[node] > node + 1 and not opened[node]:
            hidden[node] = int(n.is_leaf[node : end[node]].sum())
            node = end[node]
        else:
            node += 1
    return Drawn(tuple(nodes), tuple(parents), hidden)


def _opened(tree: Tree, fold: Fold, kept: Collection[int]) -> list[bool]:
    """[node] is what hangs below it drawn?"""
    n = tree.nodes
    match fold:
        case None:
            return [True] * len(n)
        case "auto":
            return [True] * len(n) if tree.leaves <= _MOST_LEAVES else _by_rows(tree, kept)
        case bool() | str() | float():
            pass
        case _ if fold >= 0:
            level = np.zeros(len(n), dtype=np.int64)
            for node, above in enumerate(n.parent.tolist()[1:], 1):
                level[node] = level[above] + 1
            opened = level < fold
            opened[list(kept)] = True
            return [bool(each) for each in opened]
    raise SettingError(f"fold is a number of questions, 'auto', or None to draw everything, not {fold!r}.")


def _by_rows(tree: Tree, kept: Collection[int]) -> list[bool]:
    """Unfold the split with the most rows, time and again, while the leaves in sight stay few enough."""
    n = tree.nodes
    weight = (n.counts[:, 0] if tree.is_numeric else n.counts.sum(axis=1)).tolist()
    leaf = n.is_leaf.tolist()
    opened = [False] * len(n)
    in_sight = 1
    waiting = [(0.0, 0)]
    while waiting:
        _, node = heappop(waiting)
        children = n.children(node)
        if node not in kept and in_sight + len(children) - 1 > _MOST_LEAVES:
            continue
        opened[node] = True
        in_sight += len(children) - 1
        for child in children:
            if not leaf[child]:
                heappush(waiting, (-float("inf") if child in kept else -weight[child], child))
    return opened
