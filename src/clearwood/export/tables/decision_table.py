"""A DecisionTable: rows of conditions, one per attribute, of which the first that holds answers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

from clearwood.export.exportable import Exportable
from clearwood.models.conditions import Condition, holds
from clearwood.table.attributes import Attribute
from clearwood.table.row import Row

HitPolicy: TypeAlias = Literal["unique", "first"]


@dataclass(frozen=True, slots=True)
class DecisionRow:
    """If every condition holds, and those of no row above: this answer, with these shares of the classes.

    `rest` names the attributes of which only the rows above say more: any value that they leave. `weight` is
    that of the training rows behind the answer, and `reason` the text of the leaf or rule; both are None
    where the answer is mixed from several leaves.
    """

    when: Mapping[str, Condition]
    rest: frozenset[str]
    answer: str | float | None
    shares: tuple[float, ...]
    weight: float | None
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class DecisionTable:
    """The attributes asked for, and the rows. Under "unique" exactly one row holds; under "first" several
    may, and the first of them answers."""

    model: Exportable
    inputs: tuple[Attribute, ...]
    rows: tuple[DecisionRow, ...]
    policy: HitPolicy

    @property
    def policy_sentence(self) -> str:
        """How the rows are to be read."""
        if self.policy == "unique":
            return "Hit policy: unique. Exactly one row holds, and it decides."
        return "Hit policy: first. The rows are read from the top, and the first that holds decides."


def hit_of(table: DecisionTable, row: Row) -> int | None:
    """The place of the row of the table that answers; None: there is none."""
    for place, each in enumerate(table.rows):
        if all(holds(condition, row.get(name)) for name, condition in each.when.items()):
            return place
    return None
