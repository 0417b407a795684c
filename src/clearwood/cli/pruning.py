"""A pruner by name and settings, given the rows it needs: fresh ones, the training rows, or none."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from clearwood.catalogue import PRUNERS, pruner_called

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
        return PRUNERS[self.name].needs == "fresh"

    def __call__(self, tree: Tree, rows: Table) -> Pruned:
        """Prune with these rows: fresh ones where it needs them, else those the tree was learned from."""
        return PRUNERS[self.name](tree, rows, **self.settings)


def pruning_of(text: str, more: list[str] | None = None) -> Pruning:
    """`cost-complexity:alpha=0.01` as a pruning; `more` holds settings given apart.

    >>> pruning_of("chi-square:alpha=0.01")
    Pruning(name='chi-square', settings={'alpha': 0.01})
    """
    from clearwood.cli.settings import parse
    from clearwood.errors import SettingError
    from clearwood.registry import settings_of

    called, _, settings = text.partition(":")
    name = pruner_called(called)
    prune = PRUNERS[name].prune
    given = parse(name, [each for each in (*settings.split(","), *(more or ())) if each], prune)
    for setting in settings_of(prune).values():
        if setting.required and setting.name not in given:
            what = setting.meaning[:1].lower() + setting.meaning[1:].removesuffix(".")
            raise SettingError(f"{name} needs {what}: {setting.name}=0.01, say.")
    return Pruning(name, given)
