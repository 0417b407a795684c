"""A schema as a person reads it: a line for each column, what it was taken for, and its values."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, assert_never

import numpy as np

from clearwood.table.attributes import Attribute, Ignored, Nominal, Numeric, Ordinal, Text
from clearwood.table.schema import Schema
from clearwood.table.table import Table, empty_cells
from clearwood.words.columns import in_columns, printable

_WIDTH: Final = 60


def describe(schema: Schema, table: Table | None = None) -> str:
    """An aligned text table; with a table of data, the missing cells are counted too.

    >>> inputs = Numeric("Humidity"), Ignored("id", "it numbers the rows")
    >>> print(describe(Schema(inputs, Nominal("Play", ("No", "Yes")))))
    column    kind     role    values
    Humidity  numeric
    id        ignored          it numbers the rows
    Play      nominal  target  No, Yes
    """
    rows = [("column", "kind", "role", *(("missing",) if table else ()), "values")]
    count = _missing(table) if table else None
    for attribute in (*schema.attributes, *([schema.target] if schema.target else [])):
        role = "target" if attribute is schema.target else ""
        middle = (count(attribute),) if count else ()
        rows.append((attribute.name, attribute.kind, role, *middle, _values(attribute)))
    if schema.weight is not None:
        rows.append((schema.weight, "numeric", "weight", *(("",) if table else ()), schema.weights_are or ""))
    lines = in_columns([list(map(printable, row)) for row in rows])
    for name, changes in schema.read_as.items():
        where = f"In '{name}'" if name else "In every column"
        read = (f"{old} is read as {'missing' if new is None else new}" for old, new in changes.items())
        lines.append(printable(f"{where} {', '.join(read)}."))
    return "\n".join(lines)


def _values(attribute: Attribute) -> str:
    match attribute:
        case Nominal(_, values):
            return _listed(values, ", ")
        case Ordinal(_, values):
            return _listed(values, " < ")
        case Numeric(_, cuts):
            return f"cut at {_listed(tuple(f'{cut:g}' for cut in cuts), ', ')}" if cuts else ""
        case Ignored(_, because):
            return because
        case Text():
            return ""
        case _:
            assert_never(attribute)


def _listed(values: tuple[str, ...], separator: str) -> str:
    shown = separator.join(values[:_WIDTH])
    if len(shown) <= _WIDTH and len(values) <= _WIDTH:
        return shown
    fits = 1
    while fits < len(values) and len(separator.join(values[: fits + 1])) <= _WIDTH - 15:
        fits += 1
    return f"{separator.join(values[:fits])[: _WIDTH - 15]}{separator}… ({len(values):,} in all)"


def _missing(table: Table) -> Callable[[Attribute], str]:
    def count(attribute: Attribute) -> str:
        column = table.columns.get(attribute.name)
        if column is None or isinstance(attribute, Ignored):
            return ""
        return f"{np.count_nonzero(empty_cells(column)):,}"

    return count


# Cells and lists of values in sentences: as much of them as a person reads.


_LETTERS: Final = 40
_VALUES: Final = 20


def excerpt(text: str) -> str:
    """A text, cut where it is long.

    >>> excerpt("9" * 50)
    '999999999999999999999999999999999999999…'
    """
    return text if len(text) <= _LETTERS else text[: _LETTERS - 1] + "…"


def listed(values: Sequence[str]) -> str:
    """Values with commas, the first ones where there are many.

    >>> listed([str(i) for i in range(30)])
    '0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, … (30 in all)'
    """
    shown = [excerpt(value) for value in values[:_VALUES]]
    return ", ".join(shown if len(values) <= _VALUES else [*shown[:-1], f"… ({len(values)} in all)"])
