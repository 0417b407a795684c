"""A way to an end of one diagram: the cells of a row that comes to it, usual ones if there are any."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

import numpy as np
import numpy.typing as npt

from clearwood.audit.axes import Domains
from clearwood.checking.diagrams.diagram import AskingOrder, DiagramNodes
from clearwood.checking.walking.ground import Ground


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


def odd_groups(ground: Ground, order: AskingOrder) -> tuple[npt.NDArray[np.int64], ...]:
    """[level][group that may occur] 1 where its cells are missing or were never met."""
    known = ground.known()
    return tuple(
        np.array([not known[column] >> group & 1 for group in groups], dtype=np.int64)
        for column, groups in zip(order.columns, order.groups, strict=True)
    )
