"""Pruned afterwards: a step for each split that a pruner took from a tree once it was learned."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final

from clearwood.derive.trees.leaves import leaf_figures
from clearwood.derive.trees.pruned_since import Change, Since
from clearwood.learners.trees.pruning.places import asks, branch_of
from clearwood.models.conditions import all_of
from clearwood.models.nodes import Bools, Longs
from clearwood.models.paths import path_to
from clearwood.models.tree import Tree
from clearwood.working.derivation import Step
from clearwood.working.figures import Rows
from clearwood.working.outcomes import Cut, Outcome, Raised

CHAPTER: Final = "Pruned afterwards"
_NUMBERS: Final = "The numbers are in the pruner's ledger: cw.derive_pruning, clearwood prune … --work."


def steps_since(
    learned: Tree, tree: Tree, since: Since, grown_as: Longs, only: Bools | None = None
) -> list[Callable[[], Step]]:
    """A step for each change; outcomes name splits by their number in the grown tree, `grown_as` [node].

    `only` those places [node] of the tree at hand have one, where given.
    """
    return [
        partial(_step, learned, tree, change, grown_as)
        for change in since.changes
        if only is None or only[change.node]
    ]


def _step(learned: Tree, tree: Tree, change: Change, grown_as: Longs) -> Step:
    counts = tuple(tree.nodes.counts[change.node].tolist())
    where = path_to(tree, change.node)
    rows = Rows(counts[0] if tree.is_numeric else sum(counts), where)
    place = int(grown_as[change.split])
    outcome: Outcome
    if change.taken_by is None:
        figures = leaf_figures(tree, counts, rows)
        outcome, said = Cut(place), "It was cut after learning, and is a leaf since."
    else:
        figures = ()
        outcome = Raised(branch_of(learned, change.split, change.taken_by), place)
        said = f"After learning it gave way to its branch {learned.condition(change.taken_by)}."
    of = f"where {all_of(where)}" if where else "at the top"
    return Step(
        CHAPTER,
        f"The split on {asks(learned, change.split)} {of}",
        figures,
        f"{said} {_NUMBERS}",
        outcome,
        rows,
        change.node,
    )
