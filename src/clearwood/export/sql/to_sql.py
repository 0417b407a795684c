"""SQL as a format: which dialect, which form, which source, and what the answer has."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Final, Literal

from clearwood.errors import SettingError, no_such
from clearwood.export.exportable import Exportable
from clearwood.export.exported import Exported, ExportFormat, heading_of
from clearwood.export.exporting import refused_without_words
from clearwood.export.program.program_of import program_of
from clearwood.export.sql.dialects import DIALECTS, SqlDialect
from clearwood.export.sql.expression_form import DividedRows, divides_rows, expression_form
from clearwood.export.sql.naming import output_names, refuse_same_names
from clearwood.export.sql.select_form import select_form
from clearwood.export.sql.source import source_in_sql, source_parts
from clearwood.table.attributes import Attribute

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
    program = program_of(model)
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
    if form not in FORMS:
        raise SettingError(no_such("form of SQL", form, FORMS, plural="forms"))
    for each in outputs:
        if each not in OUTPUTS:
            raise SettingError(no_such("output of a query", each, OUTPUTS, plural="outputs of a query"))
    if divided not in ("refuse", "null"):
        raise SettingError(no_such("way with divided rows", divided, ("refuse", "null"), plural="ways"))


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
    "sql",
    "a query or one expression in the SQL of eight databases",
    (".sql",),
    to_sql,
    refused_without_words,
)
