"""SQL as a format: which dialect, which form, which source, and what the answer has."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final, Literal, TypeAlias

from clearwood.errors import SettingError, check_known
from clearwood.exporting.exportable import Exportable, program_to_export, refused_without_words
from clearwood.exporting.exported import Exported, ExportFormat, heading_of, in_brief
from clearwood.exporting.sql.conditions import SqlCell, columns_in_arithmetic, in_reach, read_cell
from clearwood.exporting.sql.dialects import DIALECTS, SqlDialect
from clearwood.exporting.sql.merging_steps import flattened, lowered, merged_steps
from clearwood.exporting.sql.naming import output_names, refuse_same_names, source_in_sql, source_parts
from clearwood.exporting.sql.select_form import select_form
from clearwood.exporting.sql.writer import SqlWriter
from clearwood.formulas import expressions as f
from clearwood.models.program.program import ModelProgram, program_parts
from clearwood.table.attributes import Attribute, Numeric

FORMS: Final = ("select", "expression")
OUTPUTS: Final = ("prediction", "shares", "region", "reason", "points")
NEEDS_MATHS: Final = "It needs the mathematical functions of SQLite (SQLITE_ENABLE_MATH_FUNCTIONS)."

GETS_NULL: Final = (
    "A row with missing values that the tree divides among leaves gets NULL; the query predicts it."
)


def to_sql(
    model: Exportable,
    *,
    dialect: str = "duckdb",
    form: Literal["select", "expression"] = "select",
    source: str = "source",
    outputs: Sequence[str] | str = OUTPUTS,
    keep: Sequence[str] | str | None = None,
    divided: DividedRows = "refuse",
) -> Exported:
    """A query over the table `source`, or one expression.

    `source` is the name of a table, `sales.orders` one in a schema; it is quoted where it has to be.

    The query has all columns of the source, or those that `keep` names, and the `outputs`: the prediction,
    the share of each class, the place of the leaf or rule (region) and what that says (reason), and of a
    scorecard the sum of points.

    An expression of a tree that divides rows among leaves is refused where it would be too long; with
    `divided="null"` such rows get NULL instead.
    """
    own = DIALECTS.find(dialect)
    chosen = names_listed(outputs)
    asked = None if keep is None else names_listed(keep)
    _check_words(form, chosen, divided)
    program = program_to_export(model)
    refuse_same_names(program.inputs, own)
    notes = list(own.notes)
    if form == "expression":
        text = expression_form(program, own, divided=divided)
        if divided == "null" and divides_rows(program):
            notes.append(GETS_NULL)
        if program.points is not None:
            notes.append("The expression gives the class without the points; the query has both.")
    else:
        kept = columns_kept(asked, program.inputs, own)
        if kept != asked:
            notes.append(
                f"{own.title} has no way to leave columns out of *: the query has the columns that the model "
                "asks for. Name others by keep=…"
            )
        names = output_names(model, own, kept or ())
        read_from = source_in_sql(source_parts(source, own), own)
        text = select_form(model, program, own, source=read_from, outputs=chosen, keep=kept, names=names)
    if own.name == "sqlite" and re.search(r"\b(EXP|LN)\(", text):
        notes.append(NEEDS_MATHS)
    top = "".join(f"-- {line}\n" for line in (*heading_of(model), f"In the SQL of {own.title}.", *notes))
    end = "" if text.endswith("\n") else "\n"
    options: dict[str, Any] = {
        "dialect": own.name,
        "form": form,
        "source": source,
        "outputs": chosen,
        "keep": asked,
    }
    if form == "expression" and divided == "null":
        options["divided"] = divided
    return Exported(
        "sql", top + text + end, ".sql", model, target=own.name, options=options, notes=tuple(notes)
    )


def _check_words(form: str, outputs: Sequence[str], divided: str) -> None:
    """Refuse words that none of the options has."""
    check_known("form of SQL", form, FORMS, plural="forms")
    for each in outputs:
        check_known("output of a query", each, OUTPUTS, plural="outputs of a query")
    check_known("way with divided rows", divided, ("refuse", "null"), plural="ways")


def columns_kept(
    asked: Sequence[str] | None, inputs: Sequence[Attribute], dialect: SqlDialect
) -> tuple[str, ...] | None:
    """The columns of the source that go along, None: all. A database that cannot leave columns out of *, and
    is not asked for some, has those of the model."""
    if asked is not None:
        return tuple(asked)
    return tuple(each.name for each in inputs) if dialect.keeping == "list" else None


def names_listed(names: Sequence[str] | str) -> tuple[str, ...]:
    """Names as a list, or as one text with commas between them."""
    return tuple(each.strip() for each in names.split(",")) if isinstance(names, str) else tuple(names)


FORMAT = ExportFormat(
    "sql", "a query or one expression in the SQL of eight databases", (".sql",), to_sql, refused_without_words
)


# A model as one expression: the class or the number, usable wherever SQL takes a value.
#
# Of a tree or a list of rules it is a CASE with the rule in a comment beside each end. Other models are
# written out as far as that stays short.


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
        case f.Lookup(values):
            return values
        case f.Choose(_, f.Lookup(values)) if divided == "null":
            return values
        case _:
            return None


def divides_rows(program: ModelProgram) -> bool:
    """Does a tree divide some rows among leaves, so that they have no answer with `divided="null"`?"""
    return _answers(program, "refuse") is None and _answers(program, "null") is not None


def _chosen_region(program: ModelProgram) -> f.Expression:
    """Which leaf or rule answers, as one formula."""
    return next(step.value for step in merged_steps(program) if step.name == program.region)


def _by_region(program: ModelProgram, answers: Sequence[float], dialect: SqlDialect) -> str:
    writer = SqlWriter(dialect, _cells(program, dialect), {}, ())

    def ending(place: float) -> tuple[str, str]:
        if place < 0:
            return "NULL", " -- the row would be divided among leaves"
        return _answer(program, answers[int(place)], dialect), f" -- {in_brief(program.regions[int(place)])}"

    flat = flattened(_chosen_region(program), dialect.nesting)
    if isinstance(flat, f.Choose) and flat.cases:
        return writer.choice(flat, "", ending=ending)
    assert isinstance(flat, f.Number)
    answer, rule = ending(float(flat.value))
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
        sizes[step.name] = sum(_size(each, sizes) for each in program_parts(step.value))
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
        case f.Earlier(step):
            return sizes[step]
        case f.Lookup(values, at):
            return len(values) + sizes[at]
        case f.PlaceOfValue(_, values) | f.PlaceOfNumber(_, values):
            return len(values)
        case _:
            return int(isinstance(part, f.Expression | f.StepTest))


def _cells(program: ModelProgram, dialect: SqlDialect) -> dict[str, SqlCell]:
    computed = columns_in_arithmetic(program)
    cells = {}
    for each in program.inputs:
        cell = dialect.quote(each.name)
        if isinstance(each, Numeric):
            whole = (
                in_reach(read_cell(each, cell, dialect), computed[each.name], dialect)
                if each.name in computed
                else cell
            )
            cells[each.name] = SqlCell(cell, f"({whole})", is_number=True, as_it_stands=True)
        else:
            own = dialect.text_cell(cell)
            cells[each.name] = SqlCell(own, own, is_number=False)
    return cells
