"""Prunings that are part of learning: what a learner makes of the tree that it grew."""

from dataclasses import replace
from typing import Final

from clearwood.learners.directions import with_directions
from clearwood.learners.learner import Grow, OwnPruner, OwnPruning, TreeLearner
from clearwood.learners.trees.growing import rows_to_add_up
from clearwood.learners.trees.pruning import PRUNERS
from clearwood.models.kinds.tree.tree import Tree
from clearwood.registry import CheckedSettings, Listed
from clearwood.table.table import Table

_HERE: Final = "clearwood.learners.trees.pruning"

# Those not in the list, or faster without the ledger that the pruner of the same name keeps.
_OWN: Final[Listed[OwnPruner]] = Listed(
    "pruner",
    {
        "collapse": f"{_HERE}.pessimistic:COLLAPSE",
        "error-based": f"{_HERE}.pessimistic:ERROR_BASED",
        "cost-complexity": f"{_HERE}.weakest_links:COST_COMPLEXITY",
        "cross-validated": f"{_HERE}.weakest_links:CROSS_VALIDATED",
    },
)


class LearnsTrees(CheckedSettings):
    """What learners of trees do alike: a tree is grown, and then pruned, unless they prune nothing."""

    __slots__ = ()

    def learn(self: TreeLearner, table: Table) -> Tree:
        self = with_directions(self, table)  # every class is named from here on
        return prune_grown(self.grow(table), self.prunings(), table, self.grow)

    def prunings(self) -> tuple[OwnPruning, ...]:
        return ()


def prune_grown(tree: Tree, prunings: tuple[OwnPruning, ...], table: Table, grow: Grow) -> Tree:
    """The tree after these prunings by the rows it was grown from; `grow` grows one from other rows.

    They are part of learning: the lineage does not name them, since the learner's settings do.
    """
    for each in prunings:
        tree = own_pruner(each.pruner).prune(tree, table, grow, each.settings)
    return tree


def own_pruner(name: str) -> OwnPruner:
    """The pruner of this name as learners use it; one of the list leaves no entry in the lineage."""
    listed = OwnPruner(
        lambda tree, table, _, how: replace(
            PRUNERS.find(name)(tree, rows_to_add_up(table), **how).tree, origin=tree.origin
        )
    )
    return _OWN.get(name, listed)
