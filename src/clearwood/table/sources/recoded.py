"""Cells read as others: a value that means another one, and a mark that means nothing in one column."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from clearwood.errors import ColumnError, NamedOption, SettingError, check_known
from clearwood.table.attributes import Ignored, Nominal, Numeric, Ordinal
from clearwood.table.coding import as_strings
from clearwood.table.raw import (
    Raw,
    RawColumn,
    RawNumbers,
    RawStrings,
    are_calendar,
    are_dates,
    are_times,
    days_of,
)
from clearwood.table.schema import (
    EVERYWHERE,
    ReadAs,
    Schema,
    by_number,
    changes_of,
    is_padded,
    joined_readings,
    number_in,
    reader_of,
)


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


def readings_of(recode: Mapping[str, Mapping[str, str]] | None, missing: Any) -> ReadAs:
    """What `recode` and `missing` say, by column.

    >>> readings_of({"sex": {"M": "male"}}, {"sex": "-", "": ["none"]})
    {'': {'none': None}, 'sex': {'-': None, 'M': 'male'}}
    """
    everywhere, by_column = marks_by_column(missing)
    marks = (everywhere,) if isinstance(everywhere, str) else tuple(everywhere or ())
    changes: dict[str, dict[str, str | None]] = {}
    for name, own in ((EVERYWHERE, marks), *by_column.items()):
        if own:
            changes[name] = dict.fromkeys(map(str, own))
    for name, values in (recode or {}).items():
        if not isinstance(values, Mapping):
            raise SettingError(
                f"recode must be a dict such as {{'{name}': {{'M': 'male'}}}}, not {values!r}."
            )
        changes.setdefault(name, {}).update({str(old): str(new) for old, new in values.items()})
    return changes


def as_read(raw: Raw, read_as: ReadAs, *, settled: bool = False) -> Raw:
    """The same rows, where values are read as others or as missing cells, and that this was done.

    A column that is not there is refused, unless the readings are `settled`: those of a schema, whose columns
    may be absent.
    """
    if not read_as:
        return raw
    for name in () if settled else [each for each in read_as if each != EVERYWHERE]:
        check_known("column", name, raw.names, error=ColumnError)
    columns = tuple(
        _as_read(column, changes) if (changes := changes_of(name, read_as)) else column
        for name, column in zip(raw.names, raw.columns, strict=True)
    )
    schema = None if raw.schema is None else _with_values(raw.schema, read_as)
    return replace(raw, columns=columns, schema=schema, read_as=joined_readings(raw.read_as, read_as))


def _as_read(column: RawColumn, changes: Mapping[str, str | None]) -> RawColumn:
    if isinstance(column, RawNumbers):
        numbers = by_number(changes)
        if not numbers and not column.padded:
            return column
        if not column.padded and all(new is None for new in numbers.values()):
            return _without_numbers(column, [*numbers])
    strings = _with_other_values(as_strings(column), changes)
    if isinstance(column, RawNumbers) or None in changes.values():
        return _as_numbers(strings)
    return strings


def _without_numbers(column: RawNumbers, numbers: Sequence[float]) -> RawNumbers:
    """A numeric column, some of which count as missing."""
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
    renamed = [*map(reader_of(changes), column.values)]
    if renamed == [*column.values]:
        return column
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
    return column.as_numbers(known, padded=any(map(is_padded, column.values)))


def _with_values(schema: Schema, read_as: ReadAs) -> Schema:
    """A declared schema with the values as they are read."""

    def changed(attribute: Any) -> Any:
        if not isinstance(attribute, Nominal | Ordinal):
            return attribute
        new = map(reader_of(changes_of(attribute.name, read_as)), attribute.values)
        return replace(attribute, values=tuple(dict.fromkeys(value for value in new if value is not None)))

    return replace(schema, attributes=tuple(map(changed, schema.attributes)), target=changed(schema.target))


# Columns of dates as numbers, where that is asked for: days since the first of January 1970.


def with_dates_as_numbers(raw: Raw, dates: str, only: Collection[str] | None = None) -> Raw:
    """The source with every column of dates as days, each announced; times of day stay as they are.

    With `only`, no column but these is looked at: what a few rows look like does not make it one.
    """
    if dates != "days":
        raise SettingError(
            NamedOption("dates"), f" must be 'days', the number of days since 1970-01-01, not {dates!r}."
        )
    taken = {
        name: days
        for name, column in zip(raw.names, raw.columns, strict=True)
        if (only is None or name in only) and (days := _in_days(name, column)) is not None
    }
    columns = tuple(taken.get(name, column) for name, column in zip(raw.names, raw.columns, strict=True))
    notes = [
        f"Column '{name}' holds dates, taken as days since 1970-01-01: {_example(column, taken[name])}."
        for name, column in zip(raw.names, raw.columns, strict=True)
        if name in taken
    ]
    schema = raw.schema
    if schema is not None:  # a source that declares its kinds has left the dates out
        attributes = tuple(
            Numeric(each.name) if isinstance(each, Ignored) and each.name in taken else each
            for each in schema.attributes
        )
        schema = replace(schema, attributes=attributes)
    return replace(raw, columns=columns, notes=(*raw.notes, *notes), schema=schema)


def _in_days(name: str, column: RawColumn) -> RawNumbers | None:
    """The days of a column of dates; None for any other."""
    if isinstance(column, RawNumbers):
        known = ~np.isnan(column.values)
        if not column.whole or not known.any() or not are_calendar(column.values[known]):
            return None
        distinct, inverse = np.unique(column.values[known], return_inverse=True)
        written = [f"{value:.0f}" for value in distinct]
        days = days_of(name, [f"{each[:4]}-{each[4:6]}-{each[6:]}" for each in written])
        values = np.full(len(column), np.nan)
        values[known] = np.array(days)[inverse]
        return RawNumbers(values, whole=True, texts=column.texts)
    if not column.values or not are_dates(column) or are_times(column):
        return None
    return column.as_numbers(days_of(name, column.values))


def _example(column: RawColumn, days: RawNumbers) -> str:
    row = int(np.argmax(~np.isnan(days.values)))
    text = f"{column.values[row]:.0f}" if isinstance(column, RawNumbers) else column.values[column.codes[row]]
    return f"{text} is {days.values[row]:.10g}"
