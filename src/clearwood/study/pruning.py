"""A pruning after learning: a pruner, its settings, and which rows it looks at."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal, TypeAlias, assert_never

from clearwood.learners.trees.pruning.ledger import Pruned
from clearwood.models.tree import Tree
from clearwood.table.table import Table

RowsNeeded: TypeAlias = Literal["none", "training", "fresh"]  # fresh: rows the tree was not grown on


@dataclass(frozen=True, slots=True)
class Pruning:
    """`prune` with its settings, under the name that its ledger is to show."""

    name: str
    prune: Callable[..., Pruned] = field(repr=False)
    settings: Mapping[str, Any]
    rows_needed: RowsNeeded = field(repr=False)

    @property
    def needs_fresh_rows(self) -> bool:
        return self.rows_needed == "fresh"

    def __call__(self, tree: Tree, rows: Table) -> Pruned:
        """Prune with these rows: fresh ones where it needs them, else those the tree was grown on."""
        match self.rows_needed:
            case "none":
                pruned = self.prune(tree, **self.settings)
            case "training" | "fresh":
                pruned = self.prune(tree, rows, **self.settings)
            case _:
                assert_never(self.rows_needed)
        return replace(pruned, ledger=replace(pruned.ledger, pruner=self.name))
