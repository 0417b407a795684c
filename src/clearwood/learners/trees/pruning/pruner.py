"""A pruner as the list has it: its function, a line about it, the rows it needs, its derivation."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

from clearwood.arrays import Bools, Longs
from clearwood.errors import SettingError
from clearwood.learners.fingerprint import fingerprint
from clearwood.learners.trees.pruning.ledger import PrunedTree
from clearwood.learners.trees.pruning.places import renumbered
from clearwood.models.kinds.tree.cutting import below, cut_below
from clearwood.models.kinds.tree.tree import Tree
from clearwood.models.lineage import RowsUsed
from clearwood.registry import imported
from clearwood.table.table import Table
from clearwood.working.derivation import Step

# The steps of one pruning: each made when it is read, beside the tree that came of them.


@dataclass(frozen=True, slots=True)
class StepAt:
    """A step to be made, and the node it is about, as numbered before the pruning; None: the whole tree.

    Where a branch took a split's place, that is the branch's node. The step's outcome names the split by its
    number before the pruning, and leaves open where it ended.
    """

    node: int | None
    make: Callable[[], Step]


@dataclass(frozen=True, slots=True, eq=False)
class PruningSteps:
    """`tree` is what came of the steps, `after` [node before] a node's number in it; −1: it is gone."""

    tree: Tree
    after: Longs
    steps: tuple[StepAt, ...]


def cutting(tree: Tree, cut: Bools, steps: Iterable[StepAt]) -> PruningSteps:
    """The steps of a pruning that turned the marked splits [node] to leaves."""
    smaller = replace(tree, nodes=cut_below(tree.nodes, cut))
    return PruningSteps(smaller, renumbered(~below(tree.nodes, cut)), tuple(steps))


def refuse_training_rows(what: str, tree: Tree, rows: Table) -> None:
    """Refuse no rows, or the rows that the tree was learned from, where a pruning needs fresh ones."""
    if not len(rows):
        raise SettingError(f"{what} needs validation rows, and this table has none.")
    if tree.origin.fingerprint and tree.origin.fingerprint == fingerprint(rows):
        raise SettingError(
            f"The tree was learned from these very rows, which speak for every split of it. {what} needs "
            "rows it has not seen: keep some back before learning."
        )


StepsOf: TypeAlias = Callable[[Tree, Table | None, Mapping[str, Any]], PruningSteps]


@dataclass(frozen=True, slots=True)
class Pruner:
    """`prune` takes the tree, the rows if it needs any, and its settings.

    `steps` makes a derivation's steps from the tree before the pruning, the rows and the settings; it is the
    function or, where that stands in a higher room, "module:function". Without it a derivation refuses.
    `keeps_answers`: it cuts only what no answer depends on, so that its rows choose nothing.
    """

    prune: Callable[..., PrunedTree]
    about: str
    needs: RowsUsed = "none"
    steps: StepsOf | str | None = None
    keeps_answers: bool = False

    def __call__(self, tree: Tree, rows: Table | None = None, /, **settings: Any) -> PrunedTree:
        """Prune, with the rows only where they are needed."""
        given = () if self.needs == "none" else (rows,)
        return self.prune(tree, *given, **settings)

    def load_steps(self) -> StepsOf | None:
        """The function that makes a derivation's steps, imported now."""
        if isinstance(self.steps, str):
            steps: StepsOf = imported(self.steps)
            return steps
        return self.steps
