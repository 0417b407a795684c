"""How a column of the source is read: a double or a text as the model expects it, what is missing as NULL."""

from __future__ import annotations

from clearwood.export.program.formula import CellNumber, LogOfBells
from clearwood.export.program.program import ModelProgram
from clearwood.export.sql.dialect import SqlDialect
from clearwood.export.sql.parts import everything_in
from clearwood.table.attributes import Attribute, Numeric

_LARGE, _TINY = 1e140, 1e-100


def read_cell(attribute: Attribute, cell: str, dialect: SqlDialect) -> str:
    """A cell as the model reads it."""
    return dialect.known_number(cell) if isinstance(attribute, Numeric) else dialect.known_text(cell)


def in_reach(number: str, dialect: SqlDialect) -> str:
    """A number that is reckoned with, kept where its square is neither too large nor too small for a double.

    Where that is no error, nothing is done: the program sorts numbers far out from others by itself. The sign
    is kept, and what so large or so tiny a number comes to is the same.
    """
    if not dialect.guarded:
        return number
    large, tiny = dialect.number(_LARGE), dialect.number(_TINY)
    return (
        f"CASE WHEN ABS({number}) > {large} THEN {large} * SIGN({number}) "
        f"WHEN ABS({number}) < {tiny} THEN {tiny} * SIGN({number}) ELSE {number} END"
    )


def reckoned_columns(program: ModelProgram) -> set[str]:
    """The columns whose numbers are added, multiplied or compared with points, not only with limits."""
    return {
        part.name
        for step in program.steps
        for part in everything_in(step.value)
        if isinstance(part, CellNumber | LogOfBells)
    }
