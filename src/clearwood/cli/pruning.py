"""A pruner by name and settings, given the rows it needs: fresh ones, the training rows, or none."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from clearwood.cli.registry import PRUNERS, find

if TYPE_CHECKING:
    from clearwood.learners.trees.pruning.ledger import Pruned
    from clearwood.models.tree import Tree
    from clearwood.table.table import Table

KEPT_BACK: Final = 1 / 3  # of the rows, for a pruner that must see fresh ones


@dataclass(frozen=True, slots=True)
class Pruning:
    """A pruner's name and its settings."""

    name: str
    settings: dict[str, Any]

    @property
    def needs_fresh_rows(self) -> bool:
        return self.name == "reduced-error"

    def __call__(self, tree: Tree, rows: Table) -> Pruned:
        """Prune with these rows: fresh ones where it needs them, else those the tree was learned from."""
        prune = PRUNERS[self.name].load()
        takes_rows = self.name in ("reduced-error", "error-based")
        pruned: Pruned = prune(tree, *([rows] if takes_rows else []), **self.settings)
        # Here a pruner is called as the options call it.
        return replace(pruned, ledger=replace(pruned.ledger, pruner=self.name))


def scored_on(pruning: Pruning, tree: Tree, rows: Table) -> list[str]:
    """What must be known of scores on these rows, if they chose something."""
    from clearwood.learners.fingerprint import fingerprint

    if pruning.needs_fresh_rows:
        return [
            "The scores are on the rows that chose the pruning: those after it, and their interval, are too "
            "good. Judge the pruned tree on other rows."
        ]
    if fingerprint(rows) == tree.origin.fingerprint:
        return ["The scores are on the rows that the tree was learned from: they are too good."]
    return []


def pruning_of(text: str, more: list[str] | None = None) -> Pruning:
    """`cost-complexity:alpha=0.01` as a pruning; `more` holds settings given apart.

    >>> pruning_of("chi-square:alpha=0.01")
    Pruning(name='chi-square', settings={'alpha': 0.01})
    """
    from clearwood.cli.settings import parse
    from clearwood.errors import SettingError

    name, _, settings = text.partition(":")
    entry = find("pruner", name, PRUNERS)
    given = parse(name, [each for each in (*settings.split(","), *(more or ())) if each], entry.load())
    if name == "cost-complexity" and "alpha" not in given:
        raise SettingError(
            "cost-complexity needs the price of a leaf: alpha=0.01, say."
            " To have it chosen by cross-validation, learn with --learner cart --set alpha=cv."
        )
    return Pruning(name.lower(), given)
