"""A pruning after learning: a pruner with its settings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from clearwood.models.tree import Tree
from clearwood.table.table import Table

if TYPE_CHECKING:  # what derivations are made of comes with them, and few trees are pruned again
    from clearwood.learners.trees.pruning.ledger import PrunedTree
    from clearwood.learners.trees.pruning.pruner import Pruner


@dataclass(frozen=True, slots=True)
class Pruning:
    """A pruner of the catalogue under its name there, and its settings."""

    name: str
    pruner: Pruner = field(repr=False)
    settings: Mapping[str, Any]

    @property
    def needs_fresh_rows(self) -> bool:
        return self.pruner.needs == "fresh"

    def __call__(self, tree: Tree, rows: Table) -> PrunedTree:
        """Prune with these rows: fresh ones where it needs them, else those the tree was grown on."""
        return self.pruner(tree, rows, **self.settings)
