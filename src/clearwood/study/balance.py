"""Balance: the classes of the training rows are balanced before a recipe learns from them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from clearwood.balancing import BALANCERS
from clearwood.balancing.balance_rows import balance_rows, complete_settings
from clearwood.bounds import whole
from clearwood.errors import SettingError
from clearwood.study.recipe_steps import PreparedRows
from clearwood.table.table import Table


@dataclass(frozen=True, slots=True)
class Balance:
    """A way to balance under its name in the catalogue's list, its settings, and a seed.

    As a step of a recipe it is done to training rows alone: in every fold anew, and never to rows that judge.
    The model's lineage keeps it, and its shares are those of the classes as they came.

    >>> import clearwood as cw
    >>> table = cw.read_table(cw.datasets.path("tennis"), target="PlayTennis")
    >>> model = cw.Recipe(cw.ID3(max_depth=1), before=(cw.Balance("over", {"ratio": 1.0}),)).learn(table)
    >>> model.origin.rows, model.origin.after[0].before, model.origin.after[0].after
    (14, (5.0, 9.0), (9.0, 9.0))
    """

    by: str = "weights"
    settings: Mapping[str, Any] = field(default_factory=dict)
    seed: int = 0

    def __post_init__(self) -> None:
        if not isinstance(self.by, str):
            raise SettingError(f"Balance takes the name of a way, such as 'weights', not {self.by!r}.")
        object.__setattr__(self, "settings", complete_settings(self.by, self.settings))
        object.__setattr__(self, "by", self.by.lower())
        object.__setattr__(self, "seed", whole("seed", self.seed, 0))

    @property
    def draws(self) -> bool:
        """Does the seed matter?"""
        return BALANCERS[self.by].draws

    def prepare(self, table: Table) -> PreparedRows:
        """The balanced rows, and what was done."""
        return PreparedRows(*balance_rows(table, self.by, self.seed, self.settings))
