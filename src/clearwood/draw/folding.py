"""Which part of a tree is drawn: deep parts are folded, with the number of their leaves."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from heapq import heappop, heappush
from typing import Any, Final, Literal, TypeAlias

from clearwood.draw.layout import levels_of
from clearwood.errors import SettingError
from clearwood.models.kinds.tree.tree import Tree
from clearwood.predicting.one import predict_one, reached
from clearwood.predicting.row import row_predictor

Fold: TypeAlias = Literal["auto"] | int | None

_MOST_LEAVES: Final = 64  # that a person takes in at once
_MOST_QUESTIONS: Final = 7  # below each other, where a tree is folded by itself


@dataclass(frozen=True, slots=True)
class Drawn:
    """The nodes drawn, in preorder; `parents` by their place among them; `hidden` leaves by folded node."""

    nodes: tuple[int, ...]
    parents: tuple[int, ...]
    hidden: Mapping[int, int]


def folded(tree: Tree, fold: Fold, case: Case | None = None) -> Drawn:
    """The tree to a depth of `fold` questions; None: all of it; "auto": where most rows go, to 64 leaves.

    The main path of a case is always drawn to its end.
    """
    opened = _opened(tree, fold, case)
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


def _opened(tree: Tree, fold: Fold, case: Case | None) -> list[bool]:
    """[node] Is the part below it drawn?"""
    n = tree.nodes
    match fold:
        case None:
            return [True] * len(n)
        case "auto":
            return [True] * len(n) if tree.leaves <= _MOST_LEAVES else _by_rows(tree, case)
        case bool() | str() | float():
            pass
        case _ if fold >= 0:
            kept = set() if case is None else set(case.main_way)
            levels = levels_of(n.parent.tolist())
            return [level < fold or node in kept for node, level in enumerate(levels)]
    raise SettingError(f"fold is a number of questions, 'auto', or None to draw everything, not {fold!r}.")


def _by_rows(tree: Tree, case: Case | None) -> list[bool]:
    """Unfold the split with the most rows, again and again, while few enough leaves are shown; but
    first those of a case's main way, then those that most of the case comes to."""
    n = tree.nodes
    weight = tree.weights.tolist()
    leaf, level = n.is_leaf.tolist(), levels_of(n.parent.tolist())
    kept = set() if case is None else set(case.main_way)
    parts = {} if case is None else case.parts
    opened = [False] * len(n)
    in_sight = 1
    waiting = [(0, 0.0, 0.0, 0)]
    while waiting:
        _, _, _, node = heappop(waiting)
        children = n.children(node)
        too_many = in_sight + len(children) - 1 > _MOST_LEAVES or level[node] >= _MOST_QUESTIONS
        if too_many and node not in kept:
            continue
        opened[node] = True
        in_sight += len(children) - 1
        for child in children:
            if not leaf[child]:
                heappush(waiting, (child not in kept, -parts.get(child, 0.0), -weight[child], child))
    return opened


# A case in a tree: the nodes that a row passes, and which part of it where it is divided.


@dataclass(frozen=True, slots=True)
class Case:
    """One row's way down: by node the part of the row that comes there, and the answer.

    `main_way` are the nodes down to the leaf that the largest part comes to, first of equals.
    """

    row: Mapping[str, str | float | None]
    parts: Mapping[int, float]
    main_way: tuple[int, ...]
    answer: str | float


def case_in(tree: Tree, row: Mapping[str, Any]) -> Case:
    """The path of a row through a tree; columns that are not named are missing.

    >>> import clearwood as cw
    >>> table = cw.read_table(cw.datasets.path("tennis"), target="PlayTennis")
    >>> case = case_in(cw.ID3().learn(table), {"Outlook": "Overcast"})
    >>> case.answer, dict(case.parts)
    ('Yes', {0: 1.0, 1: 1.0})
    """
    predictor = row_predictor(tree)
    cells = predictor.spelled({**dict.fromkeys(predictor.names), **row})
    parts: dict[int, float] = {}
    main_way: tuple[int, ...] = ()
    largest = 0.0
    for leaf in reached(tree, cells):
        way = [0]
        for branch in leaf.path:
            way.append(tree.nodes.children(way[-1])[branch])
        for node in way:
            parts[node] = parts.get(node, 0.0) + leaf.weight
        if leaf.weight > largest:
            main_way, largest = tuple(way), leaf.weight
    given = {name: cells[name] for name in row if name in cells}
    return Case(given, parts, main_way, predict_one(tree, cells))
