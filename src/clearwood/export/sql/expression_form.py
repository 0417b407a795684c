"""A model as one expression: the class or the number, usable wherever SQL takes a value.

Of a tree or a list of rules it is a CASE with the rule in a comment beside each end. Other models are written
out as far as that stays short.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Final, Literal, TypeAlias

from clearwood.errors import SettingError
from clearwood.export.exported import in_brief
from clearwood.export.program.formula import (
    Choose,
    Constant,
    Earlier,
    Lookup,
    PlaceOfNumber,
    PlaceOfValue,
    StepFormula,
)
from clearwood.export.program.program import ModelProgram
from clearwood.export.sql.conditions import SqlCell, in_reach, read_cell, reckoned_columns
from clearwood.export.sql.dialects import SqlDialect
from clearwood.export.sql.merging_steps import flattened, lowered, merged_steps
from clearwood.export.sql.parts import everything_in
from clearwood.export.sql.writer import SqlWriter
from clearwood.table.attributes import Numeric

DividedRows: TypeAlias = Literal["refuse", "null"]

_OR_NULL: Final = " Or let rows that it divides among leaves have no prediction: divided='null'."
_MOST_PARTS: Final = 600  # of formulas, where steps are written into each other


def expression_form(program: ModelProgram, dialect: SqlDialect, *, divided: DividedRows = "refuse") -> str:
    """The expression of the class or the number; `divided`: what of rows that a tree would divide."""
    answers = _answers(program, divided)
    if answers is not None:
        return _by_region(program, answers, dialect)
    return _written_out(program, dialect)


def _answers(program: ModelProgram, divided: DividedRows) -> tuple[float, ...] | None:
    """What each leaf or rule answers; None where it takes more to know the answer."""
    if program.region is None:
        return None
    answer = next(step.value for step in program.steps if step.name == program.answer)
    match answer:
        case Lookup(values):
            return values
        case Choose(_, Lookup(values)) if divided == "null":
            return values
        case _:
            return None


def divides_rows(program: ModelProgram) -> bool:
    """Does a tree divide some rows among leaves, so that they have no answer with `divided="null"`?"""
    return _answers(program, "refuse") is None and _answers(program, "null") is not None


def _chosen_region(program: ModelProgram) -> StepFormula:
    """Which leaf or rule answers, as one formula."""
    return next(step.value for step in merged_steps(program) if step.name == program.region)


def _by_region(program: ModelProgram, answers: Sequence[float], dialect: SqlDialect) -> str:
    writer = SqlWriter(dialect, _cells(program, dialect), {}, ())

    def ending(place: float) -> tuple[str, str]:
        if place < 0:
            return "NULL", " -- the row would be divided among leaves"
        return _answer(program, answers[int(place)], dialect), f" -- {in_brief(program.regions[int(place)])}"

    flat = flattened(_chosen_region(program), dialect.nesting)
    if isinstance(flat, Choose) and flat.cases:
        return writer.choice(flat, "", ending=ending)
    assert isinstance(flat, Constant)
    answer, rule = ending(flat.value)
    return answer + rule


def _answer(program: ModelProgram, value: float, dialect: SqlDialect) -> str:
    if not program.classes:
        return "NULL" if math.isnan(value) else dialect.number(value)
    return "NULL" if value < 0 else dialect.text(program.classes[int(value)])


def _written_out(program: ModelProgram, dialect: SqlDialect) -> str:
    """Each step is written wherever it is used."""
    steps = lowered(program.steps, dialect.terms)
    writer_steps: dict[str, str] = {}
    sizes: dict[str, int] = {}
    wholes = {step.name for step in steps if step.whole}
    writer = SqlWriter(dialect, _cells(program, dialect), writer_steps, wholes)
    answer = {step.name: step for step in steps}[program.answer]
    for step in steps:
        sizes[step.name] = sum(_size(each, sizes) for each in everything_in(step.value))
    if sizes[answer.name] > _MOST_PARTS:
        raise SettingError(
            "This model is too long for one expression, because its steps would be written many times over. "
            "Write it as a query: form='select'." + (_OR_NULL if program.region is not None else "")
        )
    for step in steps:
        if sizes[step.name] <= _MOST_PARTS:
            writer_steps[step.name] = f"({writer.step(replace(step, when=None), '')})"
    written = writer_steps[answer.name]
    if not program.classes:
        return written
    cases = (f"  WHEN {place} THEN {dialect.text(each)}" for place, each in enumerate(program.classes))
    return "\n".join([f"CASE {written}", *cases, "END"])


def _size(part: object, sizes: dict[str, int]) -> int:
    match part:
        case Earlier(step):
            return sizes[step]
        case Lookup(values, at):
            return len(values) + sizes[at]
        case PlaceOfValue(_, values) | PlaceOfNumber(_, values):
            return len(values)
        case _:
            return 1


def _cells(program: ModelProgram, dialect: SqlDialect) -> dict[str, SqlCell]:
    reckoned = reckoned_columns(program)
    cells = {}
    for each in program.inputs:
        cell = dialect.quote(each.name)
        if isinstance(each, Numeric):
            whole = (
                in_reach(read_cell(each, cell, dialect), reckoned[each.name], dialect)
                if each.name in reckoned
                else cell
            )
            cells[each.name] = SqlCell(cell, f"({whole})", is_number=True, as_it_stands=True)
        else:
            own = dialect.text_cell(cell)
            cells[each.name] = SqlCell(own, own, is_number=False)
    return cells
