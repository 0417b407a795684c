"""Steps of a pruning: a split, what it would cost as a leaf, and what its branches cost together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from clearwood.arrays import Bools, Floats
from clearwood.formulas.expressions import Compared, Expression, Number, Sum, value_of
from clearwood.learners.trees.pruning.places import TreeUnderPruning
from clearwood.models.kinds.tree.tree import Tree
from clearwood.working.derivation import BecameLeaf, Kept, Step
from clearwood.working.figures import Figure, Grid, GridCell, Rows, named, plain

CHAPTER: Final = "Pruning"


def split_step(
    places: TreeUnderPruning, node: int, figures: tuple[Figure, ...], decision: str, *, cut: bool
) -> Step:
    """A step about one split."""
    weight = places.tree.weight(node)
    return Step(
        CHAPTER,
        f"Prune {places.split(node)}?",
        figures,
        decision,
        (BecameLeaf if cut else Kept)(node),
        Rows(weight, places.conditions(node)),
    )


def above_leaves(tree: Tree, cut: Bools) -> list[int]:
    """The splits whose children are leaves, by nature or by a cut; the last first."""
    nodes = tree.nodes
    open_below = np.zeros(len(nodes), dtype=np.bool_)
    for node in range(len(nodes) - 1, 0, -1):
        if not nodes.is_leaf[node] and not cut[node]:
            open_below[nodes.parent[node]] = True
    splits: list[int] = np.flatnonzero(~nodes.is_leaf & ~open_below)[::-1].tolist()
    return splits


@dataclass(frozen=True, slots=True, eq=False)
class NodeCosts:
    """[node] What each costs as a leaf, what each split cost when it was judged, and which were cut."""

    places: TreeUnderPruning
    as_leaf: Floats
    subtree: Floats
    cut: Bools
    what: str  # errors, bits

    def step(self, node: int, as_leaf: Figure, split_cost: Sequence[Figure] = ()) -> Step:
        """Compare a leaf, worked out in the figure, with the branches and what asking costs."""
        subtree = self._subtree(node, split_cost)
        put_in = Compared(named(as_leaf), "≤", named(subtree))
        cut = bool(self.cut[node])
        close = cut != (value_of(put_in) > 0)
        if close:
            rounding = Number(1e-9 * max(1.0, abs(float(self.as_leaf[node]))))
            put_in = Compared(named(as_leaf), "≤", Sum((named(subtree), rounding)))
        because = "They are equal but for rounding." if close else ""
        compared = Figure("leaf ≤ subtree", cut, put_in=put_in, because=because)
        before, after = float(self.subtree[node]), float(self.as_leaf[node])
        decision = (
            f"{after:.4g} {self.what} as a leaf, {before:.4g} as a split: "
            f"{'it becomes a leaf' if cut else 'it stays'}."
        )
        return split_step(self.places, node, (as_leaf, subtree, compared), decision, cut=cut)

    def _subtree(self, node: int, split_cost: Sequence[Figure]) -> Figure:
        tree = self.places.tree
        children = tree.nodes.children(node)
        is_leaf = tree.nodes.is_leaf
        costs = [
            float((self.as_leaf if is_leaf[child] or self.cut[child] else self.subtree)[child])
            for child in children
        ]
        rows: list[tuple[GridCell, ...]] = [
            (str(tree.condition(child)), cost) for child, cost in zip(children, costs, strict=True)
        ]
        terms: tuple[Expression, ...] = (*map(named, split_cost), *map(plain, costs))
        return Figure(
            f"{self.what} of the subtree",
            float(self.subtree[node]),
            put_in=Sum(terms),
            because="What its branches come to, each cut at its best.",
            grids=(Grid("Branches", ("branch", self.what), rows, on_sheet=("given", "asked")),),
            under=tuple(split_cost),
        )
