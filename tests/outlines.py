"""An outline: a tree in a form that other programs' trees can be brought to, by position instead of by name.

A line is a branch: its depth in bars, the test on an attribute by number (`a3 = v1`, `a0 <= 2.5`, `a0 > 2.5`)
and the class at a leaf (`: c0`). A tree that is one leaf is the line `: c0`.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from clearwood.models.kinds.tree.tree import Tree
from clearwood.table.attributes import Numeric


@dataclass(frozen=True, slots=True)
class Outline:
    """The lines from top to bottom, and the row weight of each leaf in the same order."""

    lines: tuple[str, ...]
    weights: tuple[float, ...]

    @property
    def leaves(self) -> int:
        return len(self.weights)

    @property
    def nodes(self) -> int:
        return len(self.lines) + (0 if self.lines[0].startswith(":") else 1)

    def same_as(self, other: Outline) -> bool:
        """Line for line equal, and leaf weights equal to the two digits that are printed."""
        return (
            self.lines == other.lines
            and len(self.weights) == len(other.weights)
            and bool(np.allclose(self.weights, other.weights, rtol=0, atol=0.0101))
        )


def outline(tree: Tree) -> Outline:
    """The outline of one of our trees with nominal and numeric branches."""
    nodes, lines, weights = tree.nodes, [], []
    majority = np.zeros(len(nodes), dtype=int)
    depth = np.zeros(len(nodes), dtype=int)
    for node in range(len(nodes)):
        parent = int(nodes.parent[node])
        counts = nodes.counts[node]
        majority[node] = majority[parent] if parent >= 0 and not counts.any() else int(counts.argmax())
        depth[node] = depth[parent] + 1 if parent >= 0 else -1
        line = "|  " * int(depth[node]) + _test(tree, node) if parent >= 0 else ""
        if nodes.is_leaf[node]:
            line += f": c{majority[node]}"
            weights.append(float(counts.sum()))
        if line:
            lines.append(line)
    return Outline(tuple(lines), tuple(weights))


def plain(value: float) -> str:
    """A threshold to six digits after the point, as J48 prints it.

    >>> plain(2.5), plain(3.0), plain(4e-6)
    ('2.5', '3', '0.000004')
    """
    return f"{value:.6f}".rstrip("0").rstrip(".")


def _test(tree: Tree, node: int) -> str:
    nodes = tree.nodes
    position = int(nodes.attribute[node])
    if isinstance(tree.schema.attributes[position], Numeric):
        if nodes.low[node] == -np.inf:
            return f"a{position} <= {plain(float(nodes.high[node]))}"
        return f"a{position} > {plain(float(nodes.low[node]))}"
    codes = nodes.set_codes[int(nodes.set_start[node]) : int(nodes.set_start[node + 1])].tolist()
    return f"a{position} = " + ",".join(f"v{code}" for code in sorted(codes))
