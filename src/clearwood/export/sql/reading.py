"""How a column of the source is read: a double or a text as the model expects them, anything missing as NULL."""

from __future__ import annotations

from clearwood.export.program.formula import CellNumber, LogOfBells
from clearwood.export.program.program import ModelProgram
from clearwood.export.sql.dialect import Dialect
from clearwood.export.sql.parts import everything_in
from clearwood.table.attributes import Attribute, Numeric

_BOUND = 1e100  # its square is in reach of a double, and no weight makes another answer of a larger number


def read_cell(attribute: Attribute, cell: str, dialect: Dialect, *, reckoned: bool = False) -> str:
    """A cell as the model reads it; a number that is `reckoned` with is kept where its square is a number."""
    if not isinstance(attribute, Numeric):
        return dialect.known_text(cell)
    read = dialect.known_number(cell)
    if not reckoned:
        return read
    low, high = dialect.number(-_BOUND), dialect.number(_BOUND)
    return f"CASE WHEN {read} > {high} THEN {high} WHEN {read} < {low} THEN {low} ELSE {read} END"


def reckoned_columns(program: ModelProgram) -> set[str]:
    """The columns whose numbers are added, multiplied or compared with points, not only with limits."""
    return {
        part.name
        for step in program.steps
        for part in everything_in(step.value)
        if isinstance(part, CellNumber | LogOfBells)
    }
