"""The lines below a tree, as text or as picture: size, origin and decision, and where unusual cells go."""

from __future__ import annotations

import numpy as np

from clearwood.models.decision_words import decision_words
from clearwood.models.lineage_words import lineage_lines
from clearwood.models.tree import Tree
from clearwood.models.weights_words import with_weights
from clearwood.words.columns import printable
from clearwood.words.numbers import many


def tree_summary(tree: Tree, mark: str = "marked *") -> list[str]:
    """One line on its size and origin, one on what was done to it since it was learned, if anything was,
    one for each part of its decision and, if it asks anything, one on values that no branch takes.

    `mark` is how the drawing shows the branch that such cells follow.
    """
    rows = f" from {many(tree.origin.rows, 'row', 'rows')}" if tree.origin.rows else ""
    shape = f"{many(tree.leaves, 'leaf', 'leaves')}, {many(tree.size, 'node', 'nodes')}, depth {tree.depth}"
    summary = [f"{shape} · {tree.origin.title}{rows}{with_weights(tree.origin)}"]
    summary += lineage_lines(tree.origin.after)
    summary += map(printable, decision_words(tree))
    n = tree.nodes
    if tree.size > 1:
        chosen = n.otherwise[~n.is_leaf] >= 0
        ways = ["a surrogate column"] * bool(len(n.s_attribute)) + [f"the branch {mark}"] * bool(chosen.any())
        ways += ["every branch, weighted by its share"] * (not chosen.all())
        summary.append(f"{_untaken(tree)} follow {', else '.join(ways)}.")
    return summary


def _untaken(tree: Tree) -> str:
    """Which values no branch takes: those missing too, unless every split has a branch for them."""
    n = tree.nodes
    splits = np.flatnonzero(~n.is_leaf)
    takes_missing = np.isin(splits, n.parent[1:][n.or_missing[1:]])
    if takes_missing.all():
        return "Unknown values"
    return "Unknown and some missing values" if takes_missing.any() else "Missing and unknown values"
