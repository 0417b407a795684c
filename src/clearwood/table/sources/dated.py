"""Columns of dates as numbers, where that is asked for: days since the first of January 1970."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

import numpy as np

from clearwood.advice import NamedOption
from clearwood.errors import SettingError
from clearwood.table.attributes import Ignored, Numeric
from clearwood.table.dates import are_calendar, are_dates, are_times, days_of
from clearwood.table.raw import Raw, RawColumn, RawNumbers


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
    days = days_of(name, column.values)
    values = np.array([*days, np.nan])[column.codes]
    return RawNumbers(values, whole=all(day.is_integer() for day in days), texts=lambda: column)


def _example(column: RawColumn, days: RawNumbers) -> str:
    row = int(np.argmax(~np.isnan(days.values)))
    text = f"{column.values[row]:.0f}" if isinstance(column, RawNumbers) else column.values[column.codes[row]]
    return f"{text} is {days.values[row]:.10g}"
