"""A model as one expression: the class or the number, usable wherever SQL takes a value.

Of a tree or a list of rules it is a CASE with the rule in a comment beside each end. Other models are written
out as far as that stays short.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Final

from clearwood.errors import SettingError
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
from clearwood.export.sql.conditions import SqlCell
from clearwood.export.sql.dialect import Dialect
from clearwood.export.sql.flattening import flattened
from clearwood.export.sql.lowering import lowered
from clearwood.export.sql.parts import everything_in, rewritten
from clearwood.export.sql.reading import in_reach, read_cell, reckoned_columns
from clearwood.export.sql.writer import SqlWriter
from clearwood.table.attributes import Numeric

_MOST_PARTS: Final = 600  # of formulas, where steps are written into each other


def expression_form(program: ModelProgram, dialect: Dialect) -> str:
    """The expression of the class or the number."""
    chosen = _chosen_region(program)
    if chosen is not None:
        return _by_region(program, chosen, dialect)
    return _written_out(program, dialect)


def _chosen_region(program: ModelProgram) -> StepFormula | None:
    """Which leaf or rule answers, as one formula; None where it takes more to know the answer."""
    steps = {step.name: step for step in program.steps}
    if program.region is None or not isinstance(steps[program.answer].value, Lookup):
        return None

    def within(formula: StepFormula) -> StepFormula:
        return whole[formula.step] if isinstance(formula, Earlier) else formula

    whole: dict[str, StepFormula] = {}
    for step in program.steps:
        whole[step.name] = rewritten(step.value, within)
        if step.name == program.region:
            break
    return whole[program.region]


def _by_region(program: ModelProgram, chosen: StepFormula, dialect: Dialect) -> str:
    looked_up = next(step.value for step in program.steps if step.name == program.answer)
    assert isinstance(looked_up, Lookup)
    writer = SqlWriter(dialect, _cells(program, dialect), {}, ())

    def ending(place: float) -> tuple[str, str]:
        rule = " ".join(program.regions[int(place)].split())
        return _answer(program, looked_up.values[int(place)], dialect), f" -- {rule}"

    flat = flattened(chosen, dialect.nesting)
    if isinstance(flat, Choose) and flat.cases:
        return writer.choice(flat, "", ending=ending)
    assert isinstance(flat, Constant)
    answer, rule = ending(flat.value)
    return answer + rule


def _answer(program: ModelProgram, value: float, dialect: Dialect) -> str:
    if not program.classes:
        return "NULL" if math.isnan(value) else dialect.number(value)
    return "NULL" if value < 0 else dialect.text(program.classes[int(value)])


def _written_out(program: ModelProgram, dialect: Dialect) -> str:
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
            "Write it as a query: form='select'."
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


def _cells(program: ModelProgram, dialect: Dialect) -> dict[str, SqlCell]:
    reckoned = reckoned_columns(program)
    cells = {}
    for each in program.inputs:
        cell = dialect.quote(each.name)
        if isinstance(each, Numeric):
            whole = in_reach(read_cell(each, cell, dialect), dialect) if each.name in reckoned else cell
            cells[each.name] = SqlCell(cell, f"({whole})", is_number=True, as_it_stands=True)
        else:
            own = dialect.text_cell(cell)
            cells[each.name] = SqlCell(own, own, is_number=False)
    return cells
