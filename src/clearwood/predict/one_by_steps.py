"""One row by a tree that is unrolled into nested steps: the short way of rows that meet nothing unusual.

A step of a number is (position, limit, step if ≤, step if >); of a value (position, None, steps by
value, None); a leaf is (−1, its answer, its shares, its node).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, TypeAlias

from clearwood.models.tree import Tree
from clearwood.predict.answers import ShareSmoothing, node_codes, node_shares, node_values
from clearwood.table.attributes import Numeric

RowStep: TypeAlias = tuple[int, Any, Any, Any]


def unrolled(tree: Tree, smoothing: ShareSmoothing) -> RowStep:
    """The tree as steps, children before parents: preorder read backwards."""
    n, attributes = tree.nodes, tree.schema.attributes
    place = {a.name: i for i, a in enumerate(tree.schema.inputs)}
    answers: list[Any]
    answer: list[Any]
    if tree.is_numeric:
        answers = answer = node_values(tree).tolist()
    else:
        answers = [tree.schema.classes[code] for code in node_codes(tree).tolist()]
        answer = node_shares(tree, smoothing).tolist()
    low, high, end, tested = n.low.tolist(), n.high.tolist(), n.end.tolist(), n.attribute.tolist()
    starts, codes = n.set_start.tolist(), n.set_codes.tolist()
    steps: list[RowStep] = [(-1, None, None, None)] * len(n)
    for node in range(len(n) - 1, -1, -1):
        if end[node] == node + 1:
            steps[node] = (-1, answers[node], answer[node], node)
            continue
        children = n.children(node)
        attribute = attributes[tested[node + 1]]
        position = place[attribute.name]
        if isinstance(attribute, Numeric):
            takers = [(low[c], high[c], steps[c]) for c in children if low[c] < high[c]]
            steps[node] = _cuts(position, takers)
        else:
            by_value: dict[str, RowStep] = {}
            for child in children:
                for code in codes[starts[child] : starts[child + 1]]:
                    by_value.setdefault(attribute.values[code], steps[child])
            steps[node] = (position, None, by_value, None)
    return steps[0]


def leaf_by_steps(step: RowStep | None, cells: Sequence[str | float | None]) -> RowStep | None:
    """The leaf, or None where there is none or the row meets something unusual."""
    if step is None:
        return None
    try:
        while True:
            position, limit, low, high = step
            if position < 0:
                return step
            cell = cells[position]
            if limit is None:
                step = low[cell]
            elif cell <= limit:
                step = low
            elif cell > limit:
                step = high
            else:
                return None
    except (TypeError, KeyError):
        return None


def _cuts(position: int, takers: list[tuple[float, float, RowStep]]) -> RowStep:
    """Intervals as a chain of cuts, split in the middle: a number meets about log2 of them."""
    limits = sorted({limit for low, high, _ in takers for limit in (low, high) if math.isfinite(limit)})
    ends = [-math.inf, *limits, math.inf]
    nowhere: RowStep = (position, None, {}, None)
    stretches = [
        next((then for low, high, then in takers if low <= ends[i] and ends[i + 1] <= high), nowhere)
        for i in range(len(ends) - 1)
    ]

    def between(first: int, stop: int) -> RowStep:
        if stop - first == 1:
            return stretches[first]
        middle = (first + stop) // 2
        return (position, ends[middle], between(first, middle), between(middle, stop))

    # Even a single interval must look at its cell, which may be empty.
    return between(0, len(stretches)) if limits else (position, math.inf, stretches[0], nowhere)
