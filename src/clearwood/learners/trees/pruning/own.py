"""Prunings that are part of learning: what a learner makes of the tree that it grew."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Final, TypeAlias

from clearwood.learners.learner import OwnPruning
from clearwood.learners.parts import threads_for
from clearwood.learners.trees.growing import rows_to_add_up
from clearwood.learners.trees.pruning import PRUNERS
from clearwood.learners.trees.pruning.pessimistic import collapse, prune_with_raising, prune_without_raising
from clearwood.learners.trees.pruning.weakest_links import (
    CostComplexityPath,
    CrossValidatedAlpha,
    Grow,
    alpha_by_growing,
    cost_complexity_path,
    cut_at,
)
from clearwood.models.kinds.tree.tree import Tree
from clearwood.records import dataclass
from clearwood.table.table import Table

PruneGrown: TypeAlias = Callable[[Tree, Table, Grow, Mapping[str, Any]], Tree]
PricesTried: TypeAlias = CostComplexityPath | CrossValidatedAlpha


@dataclass(frozen=True, slots=True)
class OwnPruner:
    """`prune` takes the grown tree, its rows, what grows a tree from other rows, and the settings.

    So do `steps` ("module:function" in a higher room), which makes a derivation's steps, and `prices`, which
    gives the prices of a leaf from which one was taken. Without `steps` they are those of the listed pruner
    of the same name; without `prices` leaves have none.
    """

    prune: PruneGrown
    steps: str = ""
    prices: Callable[[Tree, Table, Grow, Mapping[str, Any]], PricesTried] | None = None


def prune_grown(tree: Tree, prunings: tuple[OwnPruning, ...], table: Table, grow: Grow) -> Tree:
    """The tree after these prunings by the rows it was grown from; `grow` grows one from other rows.

    They are part of learning: the lineage does not name them, since the learner's settings do.
    """
    rows = rows_to_add_up(table) if prunings else table
    for each in prunings:
        tree = own_pruner(each.pruner).prune(tree, rows, grow, each.settings)
    return tree


def own_pruner(name: str) -> OwnPruner:
    """The pruner of this name as learners use it."""
    return _OWN.get(name) or OwnPruner(_listed(name))


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


def _cross_validated(tree: Tree, table: Table, grow: Grow, settings: Mapping[str, Any]) -> Tree:
    chosen = _tried_on_folds(tree, table, grow, settings)
    return cut_at(tree, chosen.path, chosen.alpha)


def _tried_on_folds(tree: Tree, table: Table, grow: Grow, settings: Mapping[str, Any]) -> CrossValidatedAlpha:
    folds, seed, rule = (settings[name] for name in ("folds", "seed", "rule"))
    return alpha_by_growing(grow, table, tree, folds, seed, rule, threads=threads_for(table))


# Those not in the list, or faster without the ledger that the pruner of the same name keeps.
_OWN: Final[Mapping[str, OwnPruner]] = {
    "collapse": OwnPruner(
        lambda tree, _, __, ___: collapse(tree),
        steps="clearwood.deriving.trees.pessimistic_errors:collapse_steps",
    ),
    "error-based": OwnPruner(_error_based),
    "cost-complexity": OwnPruner(
        lambda tree, _, __, how: cut_at(tree, cost_complexity_path(tree), how["alpha"]),
        prices=lambda tree, _, __, ___: cost_complexity_path(tree),
    ),
    "cross-validated": OwnPruner(
        _cross_validated,
        steps="clearwood.deriving.trees.cost_complexity:cross_validated_steps",
        prices=_tried_on_folds,
    ),
}
