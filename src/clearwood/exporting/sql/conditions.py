"""Conditions on cells as SQL: an empty cell falls through unless the condition says `or missing`."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from clearwood.exporting.sql.dialects import SqlDialect
from clearwood.formulas.conditions import Condition, Equals, IsMissing, OnNumbers, comparisons, takes_missing
from clearwood.formulas.expressions import CellNumber, LogOfBells, Product
from clearwood.models.program.program import ModelProgram, program_parts
from clearwood.table.attributes import Attribute, Numeric

NEVER: Final = "1 = 0"
ALWAYS: Final = "1 = 1"
_AT_ONCE: Final = 100


@dataclass(frozen=True, slots=True)
class SqlCell:
    """A column as SQL: what conditions compare and what is computed with.

    `as_it_stands`: nothing has made a NULL of a NaN.
    """

    compared: str
    computed: str
    is_number: bool
    as_it_stands: bool = False


def condition_in_sql(condition: Condition, cell: SqlCell, dialect: SqlDialect) -> str:
    """A condition on a cell.

    >>> from clearwood.exporting.sql.dialects import DUCKDB
    >>> from clearwood.formulas.conditions import Above
    >>> age = SqlCell('"age"', '"age"', is_number=True, as_it_stands=True)
    >>> condition_in_sql(Above("age", 30.0), age, DUCKDB)
    '("age" > 30e0 AND "age" < \\'NaN\\'::DOUBLE)'
    """
    own = cell.compared
    if isinstance(condition, IsMissing):
        return missing_in_sql(cell, dialect)
    if isinstance(condition, OnNumbers):
        compared = comparisons(condition)
        tests = [f"{own} {sign} {dialect.beside(limit)}" for sign, limit in compared]
        if compared[-1][0] in (">", ">=") and cell.as_it_stands and dialect.nan:
            tests.append(f"{own} < {dialect.nan}")  # where a NaN is above all numbers
        written = tests[0] if len(tests) == 1 else f"({' AND '.join(tests)})"
        if compared == (("<=", math.inf),):
            written = _known(cell, dialect)
    else:
        values = (condition.value,) if isinstance(condition, Equals) else condition.values
        written = _one_of(own, values, dialect)
    if takes_missing(condition):
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


def _known(cell: SqlCell, dialect: SqlDialect) -> str:
    if cell.as_it_stands and dialect.nan:
        return f"{cell.compared} < {dialect.nan}"
    if cell.as_it_stands and dialect.is_nan is not None:
        return f"{cell.compared} = {cell.compared}"
    return f"{cell.compared} IS NOT NULL"


# How a column of the source is read: a double or a text as the model expects it, what is missing as NULL.


_LARGE, _LARGE_SQUARED, _TINY = 1e300, 1e140, 1e-100


def read_cell(attribute: Attribute, cell: str, dialect: SqlDialect) -> str:
    """A cell as the model reads it."""
    return dialect.known_number(cell) if isinstance(attribute, Numeric) else dialect.known_text(cell)


def in_reach(number: str, bound: float, dialect: SqlDialect) -> str:
    """A number that is computed with, kept where what is made of it is neither too large nor too small.

    Where that is no error, nothing is done: the program sorts numbers far out from others by itself. The sign
    is kept, and what so large or so tiny a number comes to is the same.
    """
    if not dialect.guarded:
        return number
    large, tiny = dialect.number(bound), dialect.number(_TINY)
    return (
        f"CASE WHEN ABS({number}) > {large} THEN {large} * SIGN({number}) "
        f"WHEN ABS({number}) < {tiny} THEN {tiny} * SIGN({number}) ELSE {number} END"
    )


def columns_in_arithmetic(program: ModelProgram) -> dict[str, float]:
    """The columns whose numbers are computed with, not only compared with limits, and how large they may be.

    What is multiplied by a weight may be larger than what is squared.
    """
    bounds: dict[str, float] = {}
    for step in program.steps:
        for part in program_parts(step.value):
            if isinstance(part, CellNumber):
                bounds.setdefault(part.name, _LARGE)
            elif isinstance(part, LogOfBells):
                bounds[part.name] = _LARGE_SQUARED
            elif isinstance(part, Product) and len(part.factors) > 1 and part.factors[0] == part.factors[1]:
                cells = (each for each in program_parts(part.factors[0]) if isinstance(each, CellNumber))
                bounds |= {cell.name: _LARGE_SQUARED for cell in cells}
    return bounds
