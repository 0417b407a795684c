"""The rows that a user gives for a proof: from any source, as they are written, by the model's columns."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from clearwood.errors import ColumnError, no_such
from clearwood.export.proof.hurting import input_columns
from clearwood.models.model import Model
from clearwood.table.attributes import Attribute, Nominal, Numeric, Ordinal
from clearwood.table.coding import as_numbers, as_strings
from clearwood.table.row import Cell, Row
from clearwood.table.sources import is_array, read_raw
from clearwood.table.table import MISSING, Table


def rows_given(model: Model, source: Any) -> tuple[Row, ...]:
    """The rows of a table, file, frame or list; a value that a coded table has not kept is any unseen one."""
    if source is None:
        return ()
    inputs = input_columns(model)
    if isinstance(source, Table):
        columns = [_from_table(source, each) for each in inputs]
    else:
        names = [each.name for each in model.schema.attributes] if is_array(source) else None
        raw = read_raw(source, names=names)
        cells = dict(zip(raw.names, raw.columns, strict=True))
        for each in inputs:
            if each.name not in cells:
                raise ColumnError(
                    f"{raw.where} lacks a column of the model. {no_such('column', each.name, cells)}"
                )
        columns = [
            _numbers(as_numbers(cells[each.name], each.name, settled=True).tolist())
            if isinstance(each, Numeric)
            else _texts(as_strings(cells[each.name]).codes.tolist(), as_strings(cells[each.name]).values)
            for each in inputs
        ]
    rows = zip(*columns, strict=True)
    return tuple({each.name: cell for each, cell in zip(inputs, row, strict=True)} for row in rows)


def _from_table(table: Table, attribute: Attribute) -> Sequence[Cell]:
    name = attribute.name
    if name not in table.columns:
        raise ColumnError(
            f"The model needs a column the table lacks. {no_such('column', name, table.columns)}"
        )
    column, theirs = table.columns[name], table.schema[name]
    if isinstance(theirs, Nominal | Ordinal):
        known = getattr(attribute, "values", ())
        unseen = "never met" + "?" * max((len(each) for each in known), default=0)
        return _texts(column.tolist(), theirs.values, unseen)
    if isinstance(theirs, Numeric):
        return _numbers(column.tolist())
    return list(column)


def _numbers(cells: Sequence[float]) -> list[Cell]:
    return [None if math.isnan(each) else float(each) for each in cells]


def _texts(codes: Sequence[int], values: Sequence[str], unseen: str = "") -> list[Cell]:
    return [values[code] if code >= 0 else None if code == MISSING else unseen for code in codes]
