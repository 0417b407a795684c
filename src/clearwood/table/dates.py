"""Dates: which texts and numbers are some, and how many days each lies after the first of January 1970."""

import re
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final, NoReturn

import numpy as np

from clearwood.advice import Advice, Place
from clearwood.errors import SchemaError
from clearwood.table.raw import NumberCells, RawStrings

_TIME: Final = r"\d{1,2}:\d{2}(:\d{2}(\.\d+)?)?"
_DATE: Final = re.compile(
    r"\d{4}[-/.]\d{1,2}[-/.]\d{1,2}([T ]\d{1,2}:\d{2}.*)?"  # 2024-01-31, with or without a time
    r"|\d{1,2}[-/.]\d{1,2}[-/.](\d{4}|\d{2})( \d{1,2}:\d{2}.*)?"  # 31.01.2024, 1/31/24
    r"|\d{1,2}[- ][A-Za-z]{3,9}\.?,?[- ]\d{2,4}"  # 31 Jan 2024
    r"|[A-Za-z]{3,9}\.? \d{1,2}, ?\d{4}"  # January 31, 2024
    rf"|{_TIME}"  # 12:30
)
_PARTS: Final = re.compile(
    r"(?:(?P<year>\d{4})[-/.](?P<month>\d{1,2})[-/.](?P<day>\d{1,2})"
    r"|(?P<first>\d{1,2})[-/.](?P<second>\d{1,2})[-/.](?P<last>\d{4})"
    r"|(?P<of>\d{1,2})[- ](?P<name>[A-Za-z]{3,9})\.?,?[- ](?P<in>\d{4})"
    r"|(?P<called>[A-Za-z]{3,9})\.? (?P<on>\d{1,2}), ?(?P<then>\d{4}))"
    r"(?:[T ](?P<hour>\d{1,2}):(?P<minute>\d{2})(?::(?P<seconds>\d{2}(?:\.\d{1,9})?))?(?:Z|\+00:?00)?)?"
)
_MONTHS: Final = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_EPOCH: Final = datetime(1970, 1, 1)
_SAMPLE: Final = 1000


def are_dates(column: RawStrings) -> bool:
    """Does the source's type say so, or does every text look like a date or a time of day?"""
    return column.dates or _all_like(column, _DATE)


def are_times(column: RawStrings) -> bool:
    """Is every text a time of day, which belongs to no date?"""
    return _all_like(column, re.compile(_TIME))


def are_calendar(known: NumberCells) -> bool:
    """Are these all dates written as one number, 20240131?"""
    if not ((known >= 18000101) & (known <= 21991231)).all():
        return False
    month, day = known.astype(np.int64) // 100 % 100, known.astype(np.int64) % 100
    return bool(((month >= 1) & (month <= 12) & (day >= 1) & (day <= 31)).all())


def days_of(name: str, texts: Sequence[str]) -> list[float]:
    """Days since 1970-01-01, a time of day as their fraction.

    Where day and month are both numbers and the year comes last, a day above 12 anywhere in the column tells
    which is which; without one it is refused.

    >>> days_of("day", ["1970-01-02", "31 Jan 1970", "1970-01-01 18:00"])
    [1.0, 30.0, 0.75]
    """
    parts = [_PARTS.fullmatch(text.strip()) for text in texts]
    numbered = [(int(each["first"]), int(each["second"])) for each in parts if each and each["first"]]
    day_first = any(first > 12 for first, _ in numbered)
    if numbered and day_first == any(second > 12 for _, second in numbered):
        example = next(text for text, each in zip(texts, parts, strict=True) if each and each["first"])
        raise SchemaError(
            f"Column '{name}': it is not clear which is the day and which the month in dates such as "
            f"'{example}'. Write them as 2024-01-31."
        )
    return [_days(each, day_first, text, name) for text, each in zip(texts, parts, strict=True)]


def _days(parts: re.Match[str] | None, day_first: bool, text: str, name: str) -> float:
    if parts is None:
        _refuse(text, name)
    if parts["first"]:
        one, two = int(parts["first"]), int(parts["second"])
        year, (day, month) = int(parts["last"]), (one, two) if day_first else (two, one)
    elif parts["year"]:
        year, month, day = int(parts["year"]), int(parts["month"]), int(parts["day"])
    else:
        word = (parts["name"] or parts["called"])[:3].lower()
        month = _MONTHS.index(word) + 1 if word in _MONTHS else 0
        year, day = int(parts["in"] or parts["then"]), int(parts["of"] or parts["on"])
    clock = timedelta(
        hours=int(parts["hour"] or 0), minutes=int(parts["minute"] or 0), seconds=float(parts["seconds"] or 0)
    )
    try:
        return (datetime(year, month, day) - _EPOCH + clock) / timedelta(days=1)
    except ValueError:
        _refuse(text, name)


def _refuse(text: str, name: str) -> NoReturn:
    raise SchemaError(
        f"Column '{name}': '{text[:40]}' cannot be read as a date. Write it as 2024-01-31 or "
        "2024-01-31 12:30, or leave the column out: ",
        Advice("ignore", [name]),
        ".",
        place=Place(column=name),
    )


def _all_like(column: RawStrings, pattern: re.Pattern[str]) -> bool:
    sample = column.values[:: max(1, len(column.values) // _SAMPLE)]
    return bool(sample) and all(pattern.fullmatch(value.strip()) for value in sample)
