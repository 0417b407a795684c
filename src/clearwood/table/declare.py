"""A column under a kind that someone named: `kinds={'age': 'numeric'}`, `ordered={'size': ['S', 'M']}`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, get_args

import numpy as np

from clearwood.advice import Advice, Place
from clearwood.errors import SchemaError, no_such
from clearwood.table.attributes import (
    Attribute,
    AttributeKind,
    Ignored,
    Nominal,
    Numeric,
    Ordinal,
    Text,
    natural_order,
)
from clearwood.table.coding import as_numbers, as_strings, by_value, code_column
from clearwood.table.excerpts import excerpt, listed
from clearwood.table.guess import Guess
from clearwood.table.raw import RawColumn, RawNumbers, RawStrings
from clearwood.table.recoding import recoded
from clearwood.table.table import UNSEEN

ATTRIBUTE_KINDS: Final[tuple[str, ...]] = get_args(AttributeKind)


def declare(name: str, column: RawColumn, kind: str, order: Sequence[str] | None = None) -> Guess:
    """The attribute of this kind, and the cells in the form it asks for.

    >>> declare("doors", RawNumbers(np.array([4.0, 2.0]), whole=True), "ordinal").attribute
    Ordinal(name='doors', values=('2', '4'))
    """
    if kind not in ATTRIBUTE_KINDS:
        raise SchemaError(f"Column '{name}': {no_such('kind', str(kind), ATTRIBUTE_KINDS)}")
    if order is not None and kind not in ("nominal", "ordinal"):
        raise SchemaError(
            f"Column '{name}' is declared {kind}, which has no order of values. Give its kind or its order."
        )
    match kind:
        case "ignored":
            return Guess(Ignored(name), column)
        case "numeric":
            values = as_numbers(column, name)
            return Guess(
                Numeric(name), column if isinstance(column, RawNumbers) else RawNumbers(values, whole=False)
            )
        case "text":
            return Guess(Text(name), as_strings(column))
        case "nominal":
            strings = as_strings(column)
            return Guess(_listed(Nominal(name, tuple(order or _values(strings))), strings), strings)
        case "ordinal":
            strings = as_strings(column)
            return Guess(_listed(Ordinal(name, _order(name, strings, order)), strings), strings)
        case _:
            raise AssertionError(f"nobody has written down how a column is declared {kind}")


def check_listed(attribute: Nominal | Ordinal, column: RawStrings) -> None:
    """Refuse a column with a value its attribute doesn't list."""
    distinct = np.arange(len(column.values), dtype=np.int32)
    if not (recoded(distinct, column.values, attribute.values) == UNSEEN).any():
        return  # without a look at the cells: their values are all listed
    unlisted = code_column(column, attribute) == UNSEEN
    if unlisted.any():
        row = int(np.argmax(unlisted))
        value = column.values[column.codes[row]]
        raise SchemaError(
            f"Column '{attribute.name}', row {row + 1}: '{excerpt(value)}' is not among its values "
            f"({listed(attribute.values)}). Correct the cell, or add the value to the list."
        )


def _listed(attribute: Nominal | Ordinal, column: RawStrings) -> Attribute:
    check_listed(attribute, column)
    return attribute


def _values(strings: RawStrings) -> tuple[str, ...]:
    """As the source declares them, or else in natural order."""
    return strings.values if strings.declared else natural_order(strings.values)


def _order(name: str, column: RawStrings, order: Sequence[str] | None) -> tuple[str, ...]:
    if order is not None:
        return tuple(str(value) for value in order)
    if column.ordered:
        return column.values
    numbers = by_value(column.values)
    if numbers is None:
        raise SchemaError(
            f"Column '{name}' is declared ordinal: give its values from low to high, ",
            Advice("ordered", {name: list(natural_order(column.values)[:20])}, more=len(column.values) > 20),
            ".",
            place=Place(column=name),
        )
    return numbers
