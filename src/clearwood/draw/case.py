"""A case in a tree: the nodes that a row passes, and which part of it where it is divided."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from clearwood.models.tree import Tree
from clearwood.predict.one import predict_one, reached
from clearwood.predict.row import row_predictor


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
