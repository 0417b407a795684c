"""A page for people: the report's form that answers, what the model is, and how a program asks the same."""

from __future__ import annotations

import json
from collections.abc import Sequence
from html import escape
from typing import Any, Final
from urllib.parse import quote

from clearwood.draw.escaping import escape_xml
from clearwood.models.kinds.kind import NumbersProfile, ValuesProfile
from clearwood.models.model import how_large
from clearwood.reporting.markup import isolated, paragraph, table
from clearwood.reporting.model_section import model_in_page
from clearwood.reporting.page import Hint, Page, Section, live
from clearwood.serving.served import ServedModel
from clearwood.serving.service import AT
from clearwood.table.attributes import Attribute, Nominal, Numeric, Ordinal
from clearwood.table.describe import listed
from clearwood.words.numbers import many, number

_LINE: Final = 90  # letters
_FOOT: Final = "Served by Clearwood. The page predicts by itself: what you type stays in your browser."


def page_of_model(served: ServedModel, *, alone: bool) -> Page:
    model = served.model
    rows = model.origin.rows
    learned = f", learned from {many(rows, 'row')}" if rows else ""
    back = "" if alone else '<p class="muted"><a href="../../">All models</a></p>\n'
    target = "" if model.schema.target is None else model.schema.target.name
    return Page(
        title=f"Predicting {target}" if target else served.name,
        model=model,
        lead=f"{served.name} ({model.origin.title}, {how_large(model)}{learned}), version {served.version}.",
        sections=(
            Section("ask", "Ask it about a row", f"{back}{live('form')}"),
            Section("model", "The model", model_in_page(model, "above")),
            Section("columns", "The columns it uses", _columns(served)),
            Section("programs", "How programs ask", _programs(served)),
        ),
        foot=_FOOT,
        hints=hints_from_profile(served),
    )


def page_of_list(all_served: Sequence[ServedModel]) -> Page:
    cards = [
        (
            f'<a href="models/{escape_xml(quote(each.name, safe=""))}/form">{isolated(each.name)}</a>',
            isolated(getattr(each.model.schema.target, "name", "")),
            escape_xml(f"{each.model.origin.title}, {how_large(each.model)}"),
            f"<code>{each.version}</code>",
        )
        for each in all_served
    ]
    section = Section("models", "Models", table(("model", "predicts", "what it is", "version"), cards))
    return Page(
        title="Models to ask",
        model=None,
        lead="Each has a form that predicts, says why, and what would have to change.",
        sections=(section,),
        foot="Served by Clearwood.",
    )


def example_row(served: ServedModel) -> dict[str, Any]:
    """A row to try: the commonest value and the median of each column that the model asks about."""
    hints = hints_from_profile(served)
    return {each.name: _plain(hints[each.name].usual) for each in served.reader.columns}


def hints_from_profile(served: ServedModel) -> dict[str, Hint]:
    """What the fields of the form begin with, from the profile of the training rows."""
    profile = served.model.profile
    hints = {}
    for attribute in served.reader.columns:
        column = None if profile is None else profile.columns.get(attribute.name)
        values = attribute.values if isinstance(attribute, Nominal | Ordinal) else ()
        hint = Hint(values[0]) if values else Hint()
        if isinstance(column, ValuesProfile) and any(column.counts) and values:
            hint = Hint(values[column.counts.index(max(column.counts))])
        elif isinstance(column, NumbersProfile) and column.quantiles and isinstance(attribute, Numeric):
            quantiles = column.quantiles
            hint = Hint(quantiles[len(quantiles) // 2], quantiles[0], quantiles[-1], "training")
        hints[attribute.name] = hint
    return hints


def _plain(cell: str | float | None) -> str | float | None:
    return int(cell) if isinstance(cell, float) and cell.is_integer() else cell


def _columns(served: ServedModel) -> str:
    hints = hints_from_profile(served)
    rows = [
        (isolated(each.name), escape_xml(each.kind), isolated(_may_be(each, hints[each.name])))
        for each in served.reader.columns
    ]
    if not rows:
        return paragraph("It uses no column: every row gets the same prediction.")
    return table(("column", "kind", "values"), rows)


def _may_be(attribute: Attribute, hint: Hint) -> str:
    if isinstance(attribute, Nominal | Ordinal):
        return listed(attribute.values)
    if hint.least is None or hint.greatest is None:
        return "any number" if isinstance(attribute, Numeric) else "any text"
    return f"{number(hint.least)} to {number(hint.greatest)} in training"


def _programs(served: ServedModel) -> str:
    row = _in_lines(example_row(served))
    path = f"/models/{quote(served.name, safe='')}"
    quoted = row.replace("'", "'\\''")
    command = f"{path}/predict \\\n  -H 'Content-Type: application/json' \\\n  -d '{quoted}'"
    return (
        f"{paragraph('A row is a JSON object, rows are an array of them, CSV or Arrow:')}\n"
        f"<pre>{AT}{escape(command)}</code></pre>\n"
        "<p><code>/explain</code> adds the reason and the smallest change that changes the prediction. "
        '<a href="../../openapi.json">openapi.json</a> describes it all; <a href="../../metrics">metrics</a> '
        "say how often it was asked, and whether the rows have drifted.</p>"
    )


def _in_lines(row: dict[str, Any]) -> str:
    """A row as JSON in lines that a person reads, broken between columns."""
    lines = ["{"]
    for name, cell in row.items():
        column = f"{json.dumps(name, ensure_ascii=False)}: {json.dumps(cell, ensure_ascii=False)}"
        if len(lines[-1]) > 1 and len(lines[-1]) + len(column) > _LINE:
            lines.append("       ")
        lines[-1] += ("" if lines[-1] == "{" else " ") + column + ","
    return "\n".join(lines).removesuffix(",") + "}"
