"""The rows that a user gives for a proof: from any source, by the model's columns.

A value that is the number of a known one in another spelling, 01 for 1, is taken as the known one, as
prediction does; a target compares texts, and is given the model's spelling. Such rows are counted.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import numpy as np

from clearwood.errors import ColumnError, no_such
from clearwood.exporting.exportable import Exportable
from clearwood.exporting.proof.adversarial import input_columns
from clearwood.table.attributes import Attribute, Nominal, Numeric, Ordinal
from clearwood.table.coding import as_numbers, as_strings, recoded
from clearwood.table.raw import Cell, RawStrings, Row
from clearwood.table.sources import is_array, read_raw
from clearwood.table.sources.recoded import as_read
from clearwood.table.table import MISSING, UNSEEN, Table

_GivenCell: TypeAlias = tuple[Cell, bool]  # and whether it is spelled otherwise in the source


@dataclass(frozen=True, slots=True)
class OwnRows:
    """The rows as a target is given them, and how many have a value that the source spells otherwise."""

    rows: tuple[Row, ...] = field(repr=False)
    respelled: int = 0


def rows_given(model: Exportable, source: Any) -> OwnRows:
    """The rows of a table, file, frame or list; a value that a coded table has not kept is any unseen one."""
    if source is None:
        return OwnRows(())
    inputs = input_columns(model)
    if isinstance(source, Table):
        columns = [_from_table(source, each) for each in inputs]
    else:
        names = [each.name for each in model.schema.attributes] if is_array(source) else None
        raw = as_read(read_raw(source, names=names), model.schema.read_as, settled=True)
        cells = dict(zip(raw.names, raw.columns, strict=True))
        for each in inputs:
            if each.name not in cells:
                raise ColumnError(
                    f"{raw.where} lacks a column of the model. {no_such('column', each.name, cells)}"
                )
        columns = [
            _as_they_are(_numbers(as_numbers(cells[each.name], each.name, settled=True).tolist()))
            if isinstance(each, Numeric)
            else _values(as_strings(cells[each.name]), each)
            for each in inputs
        ]
    rows = list(zip(*columns, strict=True))
    return OwnRows(
        tuple({each.name: cell for each, (cell, _) in zip(inputs, row, strict=True)} for row in rows),
        sum(any(respelled for _, respelled in row) for row in rows),
    )


def _from_table(table: Table, attribute: Attribute) -> list[_GivenCell]:
    name = attribute.name
    if name not in table.columns:
        raise ColumnError(
            f"The model needs a column the table lacks. {no_such('column', name, table.columns)}"
        )
    column, theirs = table.columns[name], table.schema[name]
    if isinstance(theirs, Nominal | Ordinal):
        return _values(RawStrings(column.astype(np.int32, copy=False), theirs.values), attribute)
    if isinstance(theirs, Numeric):
        return _as_they_are(_numbers(column.tolist()))
    return _as_they_are(list(column))


def _values(column: RawStrings, attribute: Attribute) -> list[_GivenCell]:
    values: list[_GivenCell] = [(value, False) for value in column.values]
    if isinstance(attribute, Nominal | Ordinal):
        codes = recoded(np.arange(len(values), dtype=np.int32), column.values, attribute.values).tolist()
        values = [
            (attribute.values[code], attribute.values[code] != value) if code >= 0 else (value, False)
            for value, code in zip(column.values, codes, strict=True)
        ]
    known = getattr(attribute, "values", ())
    unseen = "never met" + "?" * max((len(each) for each in known), default=0)
    named = dict(enumerate(values)) | {MISSING: (None, False), UNSEEN: (unseen, False)}
    return [named[code] for code in column.codes.tolist()]


def _as_they_are(cells: Sequence[Cell]) -> list[_GivenCell]:
    return [(cell, False) for cell in cells]


def _numbers(cells: Sequence[float]) -> list[Cell]:
    return [None if math.isnan(each) else float(each) for each in cells]
