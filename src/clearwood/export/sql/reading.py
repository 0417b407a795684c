"""How a column of the source is read: a double or a text as the model expects it, what is missing as NULL."""

from __future__ import annotations

from clearwood.export.program.formula import CellNumber, LogOfBells, Multiplied
from clearwood.export.program.program import ModelProgram
from clearwood.export.sql.dialect import SqlDialect
from clearwood.export.sql.parts import everything_in
from clearwood.table.attributes import Attribute, Numeric

_LARGE, _LARGE_SQUARED, _TINY = 1e300, 1e140, 1e-100


def read_cell(attribute: Attribute, cell: str, dialect: SqlDialect) -> str:
    """A cell as the model reads it."""
    return dialect.known_number(cell) if isinstance(attribute, Numeric) else dialect.known_text(cell)


def in_reach(number: str, bound: float, dialect: SqlDialect) -> str:
    """A number that is reckoned with, kept where what is made of it is neither too large nor too small.

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


def reckoned_columns(program: ModelProgram) -> dict[str, float]:
    """The columns whose numbers are reckoned with, not only compared with limits, and how large they may be.

    What is multiplied by a weight may be larger than what is squared.
    """
    bounds: dict[str, float] = {}
    for step in program.steps:
        for part in everything_in(step.value):
            match part:
                case CellNumber(name):
                    bounds.setdefault(name, _LARGE)
                case LogOfBells(name):
                    bounds[name] = _LARGE_SQUARED
                case Multiplied((first, second, *_)) if first == second:
                    squared = (each.name for each in everything_in(first) if isinstance(each, CellNumber))
                    bounds |= dict.fromkeys(squared, _LARGE_SQUARED)
                case _:
                    pass
    return bounds
