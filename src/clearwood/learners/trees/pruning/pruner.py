"""A pruner as the list has it: its function, a line about it, the rows it needs, its derivation."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from clearwood.learners.trees.pruning.ledger import PrunedTree
from clearwood.learners.trees.pruning.pruning_steps import PruningSteps
from clearwood.models.lineage import RowsUsed
from clearwood.models.tree import Tree
from clearwood.registry import imported
from clearwood.table.table import Table

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
