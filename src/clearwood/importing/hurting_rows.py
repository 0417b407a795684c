"""Rows that hurt: those that prove exports, in groups by what is unusual in them, which an origin may
refuse."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, TypeAlias

import numpy as np

from clearwood.export.proof.hurting import MOST_ROWS, hurting_rows
from clearwood.models.bayes_tables import BayesTables
from clearwood.models.distributions import Bag
from clearwood.models.model import Model
from clearwood.table.attributes import Attribute, Nominal, Numeric, Ordinal

RowCells: TypeAlias = dict[str, float | str | None]
UNSEEN: Final = "a value never met"
KNOWN: Final = "rows on thresholds and beside them"
_LARGEST: Final = float(np.finfo(np.float32).max)


@dataclass(frozen=True, slots=True)
class RowsThatHurt:
    """Rows with one thing in common, which the origin may refuse together."""

    what: str
    rows: list[RowCells]


def rows_that_hurt(model: Model, most: int = MOST_ROWS) -> list[RowsThatHurt]:
    """Rows made from the model, with the neighbours of cuts in single precision too.

    Many programs refuse all rows of a table for the sake of one cell, so that each group has one thing that
    may be refused.
    """
    inputs = [each for each in model.schema.inputs if isinstance(each, Nominal | Ordinal | Numeric)]
    usual = {each.name: _usual(each) for each in inputs}
    counted = _counted(model)
    groups: dict[str, list[RowCells]] = {KNOWN: []}
    for made in hurting_rows(model, most=most, single=True):
        row: RowCells = {**usual, **made}
        if not _counts_below_0(row, counted):
            groups.setdefault(_unusual(row, inputs), []).append(row)
    return [RowsThatHurt(what, rows) for what, rows in groups.items() if rows]


def _usual(attribute: Nominal | Ordinal | Numeric) -> float | str | None:
    """The cell of a column that the model does not ask, but its origin may want to be there."""
    if isinstance(attribute, Numeric):
        return 0.0
    return attribute.values[0] if attribute.values else None


def _counts_below_0(row: RowCells, counted: frozenset[str]) -> bool:
    """Does a column count less than nothing? No program defines what that means."""
    return any(isinstance(cell := row[name], float) and cell < 0 for name in counted)


def _unusual(row: RowCells, inputs: list[Nominal | Ordinal | Numeric]) -> str:
    """What is unusual in a row, by name where it is one column."""
    missing = [each.name for each in inputs if row[each.name] is None]
    unseen = [each.name for each in inputs if _is_unseen(each, row[each.name])]
    found = []
    if missing:
        found.append(f"{missing[0]} missing" if len(missing) == 1 else "several cells missing")
    if unseen:
        found.append(f"a value of {unseen[0]} never met" if len(unseen) == 1 else "several values never met")
    if any(isinstance(cell, float) and abs(cell) > _LARGEST for cell in row.values()):
        found.append("numbers beyond single precision")
    return ", ".join(found) or KNOWN


def _is_unseen(attribute: Attribute, cell: float | str | None) -> bool:
    return isinstance(attribute, Nominal | Ordinal) and cell is not None and cell not in attribute.values


def _counted(model: Model) -> frozenset[str]:
    """The columns that count things."""
    if not isinstance(model, BayesTables):
        return frozenset()
    return frozenset(name for each in model.distributions if isinstance(each, Bag) for name in each.names)
