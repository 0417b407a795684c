"""One row as a model reads it: every column, spelled as its schema spells it; absent ones are empty."""

from __future__ import annotations

import math
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any, Final

import numpy as np

from clearwood.arrays import Floats
from clearwood.errors import ColumnError, SettingError, check_known, no_such
from clearwood.explaining.evidence import Standing
from clearwood.models.model import Model
from clearwood.models.space.space_of import columns_used
from clearwood.predicting.columns import table_of_row
from clearwood.predicting.row import as_value, check_cell
from clearwood.table.attributes import Attribute, Nominal, Numeric, Ordinal
from clearwood.table.describe import excerpt
from clearwood.table.raw import Cell, Row, cell_number
from clearwood.table.schema import Schema
from clearwood.table.table import Table
from clearwood.words.numbers import number


def row_for(model: Model, row: Mapping[str, Any]) -> dict[str, Cell]:
    """The row's cells for every input of the model, in schema order; None where it gives none.

    >>> import clearwood as cw
    >>> table = cw.read_table(cw.datasets.path("tennis_numeric"), target="Play")
    >>> row_for(cw.C45().learn(table), {"Outlook": "Sunny", "Humidity": 70})
    {'Outlook': 'Sunny', 'Temperature': None, 'Humidity': 70.0, 'Wind': None}
    """
    schema = model.schema
    others = {getattr(schema.target, "name", None), schema.weight}
    for name in row:
        if name not in schema.positions and name not in others:
            raise ColumnError(no_such("column", str(name), schema.positions))
    cells: dict[str, Cell] = {}
    for attribute in schema.inputs:
        cell = schema.cell(attribute.name, row.get(attribute.name))
        check_cell(attribute, cell)
        if isinstance(attribute, Numeric):
            cells[attribute.name] = cell_number(cell)
        else:
            cells[attribute.name] = as_value(attribute, cell)
    return cells


def table_of_one(model: Model, row: Row) -> Table:
    """The row as a table of the columns that the model asks about."""
    return table_of_row(model, row)


def notes_on(model: Model, row: Row) -> tuple[str, ...]:
    """A sentence for each value that the model has never met."""
    columns = columns_used(model)
    return tuple(
        never_met(model.schema[name], cell)
        for name, cell in row.items()
        if name in columns and is_unseen(model.schema[name], cell)
    )


def never_met(attribute: Attribute, cell: object) -> str:
    """The sentence for a value that its column has not had; where one like it is known, which.

    >>> never_met(Nominal("Outlook", ("Sunny", "Rain")), "suny")
    "The model has never met Outlook = 'suny'. Did you mean 'Sunny'?"
    """
    assert isinstance(attribute, Nominal | Ordinal)
    # Of a long text the beginning: it is somebody else's, and to look for others like it takes time.
    text = excerpt(str(cell))
    folded = {value.casefold(): value for value in attribute.values}
    near = get_close_matches(text.casefold(), list(folded), n=1)
    hint = f" Did you mean '{folded[near[0]]}'?" if near else ""
    return f"The model has never met {attribute.name} = '{text}'.{hint}"


def standing_of(attribute: object, cell: Cell) -> Standing:
    """Is the cell known, missing, or a value that its column has never met?"""
    return "missing" if is_empty(cell) else "unseen" if is_unseen(attribute, cell) else "known"


def is_empty(cell: Any) -> bool:
    return cell is None or cell != cell


def is_unseen(attribute: object, cell: Cell) -> bool:
    """Is it a value that its column does not know?"""
    return (
        isinstance(attribute, Nominal | Ordinal) and not is_empty(cell) and str(cell) not in attribute.values
    )


def cell_text(cell: Cell) -> str:
    """The cell as a person writes it."""
    return "missing" if cell is None else cell if isinstance(cell, str) else number(cell)


# Constraints on a change: which cells of a row may change, and which way.


@dataclass(frozen=True, slots=True)
class Constraints:
    """What may change: `fixed` columns never, `only_up` and `only_down` one way; `ranges` bound numbers."""

    fixed: frozenset[str] = frozenset()
    only_up: frozenset[str] = frozenset()
    only_down: frozenset[str] = frozenset()
    ranges: Mapping[str, tuple[float, float]] | None = None

    def leaves_free(self, name: str) -> bool:
        """May a number go anywhere?"""
        return name not in self.only_up and name not in self.only_down and name not in (self.ranges or {})

    def allows(self, name: str, before: float, after: float) -> bool:
        """May the number, or the place in an order, go from the one to the other?"""
        low, high = (self.ranges or {}).get(name, (-math.inf, math.inf))
        return (
            not (name in self.only_up and after < before)
            and not (name in self.only_down and after > before)
            and (low <= after <= high)
        )


def constraints_of(
    schema: Schema,
    fixed: Iterable[str],
    only_up: Iterable[str],
    only_down: Iterable[str],
    table: Table | None,
) -> Constraints:
    """The constraints, with every column checked."""
    still, up, down = (_names(schema, each) for each in (fixed, only_up, only_down))
    for name in sorted(up | down):
        if not isinstance(schema[name], Numeric | Ordinal):
            raise SettingError(
                f"Column '{name}' is {schema[name].kind}: it has no up or down. Fix it, or leave it free."
            )
        if name in up and name in down:
            raise SettingError(f"Column '{name}' may go only up and only down. If it must stay, fix it.")
    return Constraints(still, up, down, None if table is None else _ranges(schema, table))


def _names(schema: Schema, given: Iterable[str]) -> frozenset[str]:
    if isinstance(given, str):
        raise SettingError(f"Give columns as a list: ['{given}'], not '{given}'.")
    names = frozenset(given)
    for name in sorted(names, key=str):
        check_known("column", name, schema.positions, error=ColumnError)
    return names


def _ranges(schema: Schema, table: Table) -> dict[str, tuple[float, float]]:
    """From the least to the greatest number of each column that the table has."""
    ranges: dict[str, tuple[float, float]] = {}
    for attribute in schema.inputs:
        column: Any = table.columns.get(attribute.name)
        if isinstance(attribute, Numeric) and column is not None and column.dtype.kind == "f":
            known = column[~np.isnan(column)]
            if known.size:
                ranges[attribute.name] = (float(known.min()), float(known.max()))
    return ranges


# What a change of a number costs: how far it goes, in scales of its column.


FARTHEST: Final = 1e300
_LARGEST: Final = sys.float_info.max


def scale_of(thresholds: Sequence[float] | Floats, name: str, constraints: Constraints) -> float:
    """How far is far: the range given for the column; else from the model's lowest threshold to
    its highest, which stand in order; of a single threshold its size."""
    low, high = (constraints.ranges or {}).get(name, (0.0, 0.0))
    if not low < high:
        low, high = (float(thresholds[0]), float(thresholds[-1])) if len(thresholds) else (0.0, 0.0)
    return min(high - low, _LARGEST) or abs(low) or 1.0


def way(cell: float, after: float, scale: float) -> float:
    """How far it is from one number to another, in scales; at most so far that several still have a sum.

    >>> way(-1.5, 0.0, 2.0), way(-1.5, 0.0, 5e-324)
    (0.75, 1e+300)
    """
    return min(abs(after - cell) / scale, FARTHEST)
