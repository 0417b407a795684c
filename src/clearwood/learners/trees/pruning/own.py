"""A learner's own pruning, done: what it makes of the tree that it grew."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Final, TypeAlias

from clearwood.learners.learner import OwnPruning
from clearwood.learners.trees.pruning import PRUNERS
from clearwood.learners.trees.pruning.collapse import collapse
from clearwood.learners.trees.pruning.cross_validated_alpha import Grow, alpha_by_growing
from clearwood.learners.trees.pruning.pessimistic import prune_with_raising, prune_without_raising
from clearwood.learners.trees.pruning.weakest_links import cost_complexity_path, cut_at
from clearwood.models.tree import Tree
from clearwood.table.table import Table

PruneGrown: TypeAlias = Callable[[Tree, Table, Grow, Mapping[str, Any]], Tree]


def prune_grown(tree: Tree, prunings: tuple[OwnPruning, ...], table: Table, grow: Grow) -> Tree:
    """The tree after these prunings by the rows it was grown from; `grow` grows one from other rows.

    They are part of learning: the lineage does not name them, since the learner's settings do.
    """
    for each in prunings:
        own = _PRUNE.get(each.pruner, _listed(each.pruner))
        tree = own(tree, table, grow, each.settings)
    return tree


def _listed(name: str) -> PruneGrown:
    """A pruner of the list, whose entry in the lineage is left out."""

    def prune(tree: Tree, table: Table, _: Grow, settings: Mapping[str, Any]) -> Tree:
        return replace(PRUNERS.find(name)(tree, table, **settings).tree, origin=tree.origin)

    return prune


def _error_based(tree: Tree, table: Table, _: Grow, settings: Mapping[str, Any]) -> Tree:
    how = settings["confidence"], settings["confidence_table"]
    if settings["raise_subtrees"]:
        return prune_with_raising(tree, table, *how).tree
    return prune_without_raising(tree, *how).tree


def _cost_complexity(tree: Tree, _: Table, __: Grow, settings: Mapping[str, Any]) -> Tree:
    return cut_at(tree, cost_complexity_path(tree), settings["alpha"])


def _cross_validated(tree: Tree, table: Table, grow: Grow, settings: Mapping[str, Any]) -> Tree:
    chosen = alpha_by_growing(grow, table, tree, settings["folds"], settings["seed"], settings["rule"])
    return cut_at(tree, chosen.path, chosen.alpha)


# Those not in the list, or faster without the ledger that the pruner of the same name keeps.
_PRUNE: Final[Mapping[str, PruneGrown]] = {
    "collapse": lambda tree, _, __, ___: collapse(tree),
    "error-based": _error_based,
    "cost-complexity": _cost_complexity,
    "cross-validated": _cross_validated,
}
