"""One row as a model reads it: every column, spelled as its schema spells it; absent ones are empty."""

from __future__ import annotations

from collections.abc import Mapping
from difflib import get_close_matches
from typing import Any

from clearwood.errors import ColumnError, no_such
from clearwood.explain.evidence import Standing
from clearwood.models.model import Model
from clearwood.predict.columns import columns_used, table_of_row
from clearwood.predict.row import as_value, check_cell
from clearwood.table.attributes import Attribute, Nominal, Numeric, Ordinal
from clearwood.table.excerpts import excerpt
from clearwood.table.row import Cell, Row, cell_number
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
