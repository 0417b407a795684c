"""A forest's trees by their definition: each node takes the best split of the columns that are drawn there.

How a node splits stands in `forest_definition.py`, since derivations show it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from clearwood.arrays import Bools
from clearwood.counting.coding import Code, ColumnCoding
from clearwood.counting.question import Takes, codes_taken
from clearwood.counting.ties import better
from clearwood.learners.ensembles.forest_definition import (
    OpenNode,
    SplitByDraw,
    best_of_drawn,
    summary_of_rows,
    weight_of_counts,
)
from clearwood.learners.ensembles.forest_task import ForestTask, drawn_weights, nodes_without_scores
from clearwood.models.kinds.tree.nodes import Nodes

_ANYTHING: Final = Takes(-math.inf)


@dataclass(slots=True, eq=False)
class _Node(OpenNode):
    parent: int = -1
    share: float = 1.0
    attribute: int = -1
    takes: Takes = _ANYTHING
    otherwise: int = -1


def tree_by_counts(task: ForestTask, tree: int) -> Nodes:
    """The nodes of one tree of a forest."""
    weights = drawn_weights(task, tree)
    rows = np.flatnonzero(weights > 0)
    waiting, nodes = [_Node(rows, summary_of_rows(task, rows, weights))], []
    while waiting:
        node = waiting.pop()
        nodes.append(node)
        found = best_of_drawn(task, tree, node, weights)
        if found is None:
            continue
        place, way = found
        column = task.coded.coding.columns[place]
        if not column.ordered and any(takes.or_missing for takes in way.takes):
            node.otherwise = int(way.takes[1].or_missing)
        else:  # values that the node has not met, or too seldom, follow the heavier branch
            node.otherwise = int(better(way.known[1], way.known[0], sum(way.known)))
        right = _goes_right(column, way, task.coded.columns[place][node.rows])
        sides = (weight_of_counts(task, way.left), weight_of_counts(task, way.right))
        for branch in (1, 0):
            rows, takes = node.rows[right == bool(branch)], way.takes[branch]
            takes = takes if column.numeric else replace(takes, low=-math.inf)
            waiting.append(
                _Node(
                    rows, summary_of_rows(task, rows, weights), (*node.path, branch), len(nodes) - 1,
                    sides[branch] / (sides[0] + sides[1]), column.position, takes,
                )
            )  # fmt: skip
    return _columns(nodes)


def _goes_right(column: ColumnCoding, way: SplitByDraw, codes: Code) -> Bools:
    left, right = (codes_taken(column, each) for each in way.takes)
    if not column.ordered:  # values that are too rare here go with the missing ones
        right |= ~left & way.takes[1].or_missing
    return right[codes]


def _columns(nodes: list[_Node]) -> Nodes:
    """The nodes, in preorder, as columns."""
    size = len(nodes)
    end = list(range(1, size + 1))
    for i in range(size - 1, 0, -1):
        end[nodes[i].parent] = max(end[nodes[i].parent], end[i])
    sets = [each.takes.codes for each in nodes]
    own = {name: np.array([getattr(each, name) for each in nodes]) for name in ("parent", "counts", "share")}
    taken = {name: [getattr(each.takes, name) for each in nodes] for name in ("low", "high", "or_missing")}
    return nodes_without_scores(
        {
            **own,
            **taken,
            "end": end,
            "otherwise": [each.otherwise for each in nodes],
            "attribute": [each.attribute for each in nodes],
            "set_start": np.concatenate([[0], np.cumsum([len(each) for each in sets])]),
            "set_codes": np.array([code for each in sets for code in each], dtype=np.int32),
        }
    )
