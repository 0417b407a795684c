"""Cells read as others: a value that means another one, and a mark that means nothing in one column."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Final

import numpy as np

from clearwood.errors import ColumnError, SettingError, no_such
from clearwood.table.attributes import Nominal, Ordinal
from clearwood.table.coding import as_strings
from clearwood.table.raw import Raw, RawColumn, RawNumbers, RawStrings
from clearwood.table.recoding import number_in
from clearwood.table.schema import Schema

_PADDED: Final = re.compile(r"\s*[+-]?0\d")
EVERYWHERE: Final = ""  # the name under which marks for missing cells count in all columns


def marks_by_column(missing: Any) -> tuple[Any, dict[str, tuple[str, ...]]]:
    """The marks of all columns, and those of some, by name.

    >>> marks_by_column({"insulin": "0", "": ["-"]}), marks_by_column(["-"])
    ((('-',), {'insulin': ('0',)}), (['-'], {}))
    """
    if not isinstance(missing, Mapping):
        return missing, {}
    marks = {
        str(name): (str(each),) if isinstance(each, str | int | float) else tuple(str(mark) for mark in each)
        for name, each in missing.items()
    }
    everywhere = marks.pop(EVERYWHERE, None)
    return everywhere, marks


def with_recoding(
    raw: Raw, recode: Mapping[str, Mapping[str, str]], missing: Mapping[str, Sequence[str]]
) -> Raw:
    """The same rows, where a value of a column is read as another (`recode`), or as nothing (`missing`)."""
    changes: dict[str, dict[str, str | None]] = {}
    for name, marks in missing.items():
        changes.setdefault(name, {}).update(dict.fromkeys(marks))
    for name, values in recode.items():
        if not isinstance(values, Mapping):
            raise SettingError(
                f"recode must be a dict such as {{'{name}': {{'M': 'male'}}}}, not {values!r}."
            )
        changes.setdefault(name, {}).update({str(old): str(new) for old, new in values.items()})
    for name in changes:
        if name not in raw.names:
            raise ColumnError(no_such("column", name, raw.names))
    columns = tuple(
        _recoded(column, changes[name]) if name in changes else column
        for name, column in zip(raw.names, raw.columns, strict=True)
    )
    schema = None if raw.schema is None else _with_values(raw.schema, changes)
    return replace(raw, columns=columns, schema=schema)


def _recoded(column: RawColumn, changes: Mapping[str, str | None]) -> RawColumn:
    numbers = {number_in(old) for old, new in changes.items() if new is None}
    if isinstance(column, RawNumbers) and len(numbers) == len(changes) and None not in numbers:
        return _without_numbers(column, [each for each in numbers if each is not None])
    strings = _with_other_values(as_strings(column), changes)
    if isinstance(column, RawNumbers) or None in changes.values():
        return _as_numbers(strings)
    return strings


def _without_numbers(column: RawNumbers, numbers: Sequence[float]) -> RawNumbers:
    """A column of numbers, some of which count as missing."""
    values = np.where(np.isin(column.values, numbers), np.array(np.nan, column.values.dtype), column.values)
    known = values[~np.isnan(values)]
    texts = None if column.texts is None else partial(_texts_without, column, numbers)
    return RawNumbers(values, bool((known == np.floor(known)).all()), column.padded, None, texts)


def _texts_without(column: RawNumbers, numbers: Sequence[float]) -> RawStrings:
    strings = as_strings(column)
    return _with_other_values(
        strings, {value: None for value in strings.values if number_in(value) in numbers}
    )


def _with_other_values(column: RawStrings, changes: Mapping[str, str | None]) -> RawStrings:
    """The values renamed; those that become one are one, and come where the first of them did."""
    renamed = [changes.get(value, changes.get(value.strip(), value)) for value in column.values]
    places: dict[str, int] = {}
    for value in renamed:
        if value is not None:
            places.setdefault(value, len(places))
    codes = [-1 if value is None else places[value] for value in renamed]
    return replace(column, codes=np.array([*codes, -1], dtype=np.int32)[column.codes], values=tuple(places))


def _as_numbers(column: RawStrings) -> RawColumn:
    """As numbers where all that is left are, as a reader would have taken them."""
    if column.declared or not column.values:
        return column
    words = {value.casefold().strip() for value in column.values}
    known = [each for value in column.values if (each := number_in(value)) is not None and np.isfinite(each)]
    if len(known) < len(column.values) or words & {"true", "false"}:
        return column
    values = np.array([*known, np.nan])[column.codes]
    padded = any(_PADDED.match(value) for value in column.values)
    return RawNumbers(values, all(each.is_integer() for each in known), padded, None, lambda: column)


def _with_values(schema: Schema, changes: Mapping[str, Mapping[str, str | None]]) -> Schema:
    """A declared schema with the values as they are read."""

    def changed(attribute: Any) -> Any:
        if not isinstance(attribute, Nominal | Ordinal) or attribute.name not in changes:
            return attribute
        new = [changes[attribute.name].get(value, value) for value in attribute.values]
        return replace(attribute, values=tuple(dict.fromkeys(value for value in new if value is not None)))

    return replace(schema, attributes=tuple(map(changed, schema.attributes)), target=changed(schema.target))
