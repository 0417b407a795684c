"""A table as ARFF, WEKA's own format."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from clearwood.table.attributes import Attribute, Ignored, Nominal, Numeric, Ordinal, Text
from clearwood.table.schema import Schema
from clearwood.table.table import Table


def arff(table: Table) -> str:
    """The whole text; the target comes last, an ordinal column is written as a nominal one.

    >>> sky, wind = Nominal("sky", ("grey", "deep blue")), Numeric("wind")
    >>> schema = Schema((sky, wind), Nominal("go", ("no", "yes")))
    >>> columns = {"sky": np.array([1, -1]), "wind": np.array([2.5, np.nan]), "go": np.array([1, 0])}
    >>> print(arff(Table(schema, columns)), end="")
    @relation table
    @attribute sky {grey,'deep blue'}
    @attribute wind numeric
    @attribute go {no,yes}
    @data
    'deep blue',2.5,yes
    ?,?,no
    """
    target = table.schema.target
    attributes = [*table.schema.inputs, *([target] if target else [])]
    lines = ["@relation table", *(f"@attribute {_quoted(a.name)} {_kind(a)}" for a in attributes), "@data"]
    columns = [list(_cells(table, attribute)) for attribute in attributes]
    weights = [""] * len(table) if table.weights is None else [f",{{{w!r}}}" for w in table.weights.tolist()]
    lines += [
        ",".join(cells) + weight for cells, weight in zip(zip(*columns, strict=True), weights, strict=True)
    ]
    return "\n".join(lines) + "\n"


def by_position(table: Table) -> Table:
    """The same table with attributes a0, a1, …, values v0, v1, …, classes c0, c1, …: nothing to quote."""
    renamed: list[Attribute] = []
    columns = {}
    for i, attribute in enumerate(table.schema.attributes):
        if isinstance(attribute, Nominal | Ordinal):
            renamed.append(type(attribute)(f"a{i}", tuple(f"v{j}" for j in range(len(attribute.values)))))
        else:
            renamed.append(type(attribute)(f"a{i}"))
        if attribute.name in table.columns:
            columns[f"a{i}"] = table.columns[attribute.name]
    target = table.schema.target
    if target is None:
        return Table(Schema(tuple(renamed)), columns, table.weights)
    columns["y"] = table.target
    if isinstance(target, Numeric):
        return Table(Schema(tuple(renamed), Numeric("y")), columns, table.weights)
    classes = tuple(f"c{j}" for j in range(len(target.values)))
    return Table(Schema(tuple(renamed), Nominal("y", classes)), columns, table.weights)


def _kind(attribute: Attribute) -> str:
    match attribute:
        case Nominal() | Ordinal():
            return "{" + ",".join(_quoted(value) for value in attribute.values) + "}"
        case Numeric():
            return "numeric"
        case Text():
            return "string"
        case Ignored():
            raise AssertionError("an ignored column has no data to write")


def _cells(table: Table, attribute: Attribute) -> Iterator[str]:
    column = table.columns[attribute.name]
    if isinstance(attribute, Nominal | Ordinal):
        names = [*(_quoted(value) for value in attribute.values), "?"]
        return (names[code if code >= 0 else -1] for code in column.tolist())
    if isinstance(attribute, Numeric):
        # A float32 is written as the double it is, so that every program sees the same number.
        return ("?" if np.isnan(cell) else repr(cell) for cell in column.astype(np.float64).tolist())
    return ("?" if cell is None else _quoted(str(cell)) for cell in column.tolist())


def _quoted(text: str) -> str:
    if text and all(letter.isalnum() or letter in "_-.+<>=" for letter in text) and text != "?":
        return text
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'").replace("\n", "\\n") + "'"
