"""Conditions on cells as SQL: an empty cell falls through unless the condition says `or missing`."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, assert_never

from clearwood.export.sql.dialect import SqlDialect
from clearwood.models.conditions import (
    Above,
    AtLeast,
    AtMost,
    Below,
    Between,
    Condition,
    Equals,
    IsMissing,
    OneOf,
)

NEVER: Final = "1 = 0"
ALWAYS: Final = "1 = 1"
_AT_ONCE: Final = 100


@dataclass(frozen=True, slots=True)
class SqlCell:
    """A column as SQL: what conditions compare and what is reckoned with.

    `as_it_stands`: nothing has made a NULL of a NaN.
    """

    compared: str
    reckoned: str
    is_number: bool
    as_it_stands: bool = False


def condition_in_sql(condition: Condition, cell: SqlCell, dialect: SqlDialect) -> str:
    """A condition on a cell.

    >>> from clearwood.export.sql.dialects import DUCKDB
    >>> age = SqlCell('"age"', '"age"', is_number=True, as_it_stands=True)
    >>> condition_in_sql(Above("age", 30.0), age, DUCKDB)
    '("age" > 30e0 AND "age" < \\'NaN\\'::DOUBLE)'
    """
    own = cell.compared
    if isinstance(condition, IsMissing):
        return missing_in_sql(cell, dialect)
    match condition:
        case Equals(_, value):
            written = f"{own} = {text_in_sql(value, dialect)}"
        case OneOf(_, values):
            written = _one_of(own, values, dialect)
        case AtMost(_, limit):
            written = _known(cell, dialect) if limit == math.inf else f"{own} <= {dialect.beside(limit)}"
        case Below(_, limit):
            written = f"{own} < {dialect.beside(limit)}"
        case Above(_, limit):
            written = _no_nan(f"{own} > {dialect.beside(limit)}", cell, dialect)
        case AtLeast(_, limit):
            written = _no_nan(f"{own} >= {dialect.beside(limit)}", cell, dialect)
        case Between(_, low, high, _, low_included, high_included):
            above = f"{own} {'>=' if low_included else '>'} {dialect.beside(low)}"
            below = f"{own} {'<=' if high_included else '<'} {dialect.beside(high)}"
            written = f"({above} AND {below})"
        case _:
            assert_never(condition)
    if getattr(condition, "or_missing", False):
        return f"({written} OR {missing_in_sql(cell, dialect)})"
    return written


def missing_in_sql(cell: SqlCell, dialect: SqlDialect) -> str:
    """Is a cell empty?"""
    written = f"{cell.compared} IS NULL"
    if cell.is_number and cell.as_it_stands:
        if dialect.is_nan is not None:
            return f"({written} OR {dialect.is_nan(cell.compared)})"
        if dialect.nan:
            return f"({written} OR {cell.compared} = {dialect.nan})"
    return written


def text_in_sql(value: str, dialect: SqlDialect) -> str:
    """The literal that a text cell is compared with."""
    return dialect.text(value + dialect.mark)


def joined_tests(tests: Sequence[str], by: str) -> str:
    """Tests joined in groups, so that many of them do not stand deep within each other."""
    if len(tests) == 1:
        return tests[0]
    while len(tests) > _AT_ONCE:
        groups = [tests[start : start + _AT_ONCE] for start in range(0, len(tests), _AT_ONCE)]
        tests = ["(" + f" {by} ".join(each) + ")" for each in groups]
    return "(" + f" {by} ".join(tests) + ")"


def _one_of(own: str, values: Sequence[str], dialect: SqlDialect) -> str:
    if not values:
        return NEVER
    if len(values) == 1:
        return f"{own} = {text_in_sql(values[0], dialect)}"
    return f"{own} IN ({', '.join(text_in_sql(each, dialect) for each in values)})"


def _no_nan(written: str, cell: SqlCell, dialect: SqlDialect) -> str:
    """Where a NaN is above all numbers, it has to be told apart."""
    if cell.as_it_stands and dialect.nan:
        return f"({written} AND {cell.compared} < {dialect.nan})"
    return written


def _known(cell: SqlCell, dialect: SqlDialect) -> str:
    if cell.as_it_stands and dialect.nan:
        return f"{cell.compared} < {dialect.nan}"
    if cell.as_it_stands and dialect.is_nan is not None:
        return f"{cell.compared} = {cell.compared}"
    return f"{cell.compared} IS NOT NULL"
