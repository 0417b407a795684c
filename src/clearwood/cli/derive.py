"""`clearwood derive`: how every number came about, from the table to the model, or for one answer."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from clearwood.cli.options import (
    Dates,
    Decimal,
    Delimiter,
    Encoding,
    Header,
    Ignore,
    Json,
    Kinds,
    MaxBytes,
    Missing,
    Orders,
    Query,
    Quiet,
    SchemaFile,
    Target,
    Thousands,
    Weight,
    WeightsAre,
    columns_as,
    written_as,
)
from clearwood.cli.registry import LEARNERS

_WHAT = "What to derive"
_HOW = "How to write it"


def derive(
    data: Annotated[
        str | None,
        typer.Argument(
            metavar="DATA",
            help="The table to learn from, or that the model learned from; for --model with --row, none.",
            show_default=False,
        ),
    ] = None,
    target: Target = None,
    learner: Annotated[
        str | None,
        typer.Option(
            "--learner",
            "-l",
            metavar="NAME",
            help=f"One of: {', '.join(LEARNERS)} (c45).",
            autocompletion=lambda: list(LEARNERS),
            rich_help_panel=_WHAT,
        ),
    ] = None,
    settings: Annotated[
        list[str] | None,
        typer.Option(
            "--set",
            "-s",
            metavar="NAME=VALUE",
            help="A setting of the learner; see: clearwood learners.",
            rich_help_panel=_WHAT,
        ),
    ] = None,
    model: Annotated[
        Path | None,
        typer.Option(
            "--model",
            "-m",
            metavar="MODEL",
            help="A saved model, instead of learning.",
            rich_help_panel=_WHAT,
        ),
    ] = None,
    at: Annotated[
        str | None,
        typer.Option(
            metavar="CONDITION,…", help="Only this place in a tree: 'Outlook = Sunny'.", rich_help_panel=_WHAT
        ),
    ] = None,
    row: Annotated[
        list[str] | None,
        typer.Option(
            metavar="COLUMN=VALUE,…", help="The answer for this row, instead.", rich_help_panel=_WHAT
        ),
    ] = None,
    detail: Annotated[
        str | None,
        typer.Option(
            "--detail", "-d", metavar="NAME", help="short, full or worksheet (full).", rich_help_panel=_HOW
        ),
    ] = None,
    answers: Annotated[
        bool, typer.Option("--answers", help="The key to the worksheet.", rich_help_panel=_HOW)
    ] = False,
    format: Annotated[
        str | None,
        typer.Option(
            "--format",
            "-f",
            metavar="NAME",
            help="text, markdown, latex or html (by the ending of -o).",
            rich_help_panel=_HOW,
        ),
    ] = None,
    fragment: Annotated[
        bool,
        typer.Option(
            "--fragment", help="LaTeX or HTML to put into a document of yours.", rich_help_panel=_HOW
        ),
    ] = False,
    digits: Annotated[
        int, typer.Option(metavar="N", min=1, max=17, help="Significant digits.", rich_help_panel=_HOW)
    ] = 4,
    all_rows: Annotated[
        bool, typer.Option("--all-rows", help="Every row of long tables of cuts.", rich_help_panel=_HOW)
    ] = False,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="FILE", help="Write it here.", rich_help_panel=_HOW),
    ] = None,
    schema: SchemaFile = None,
    kind: Kinds = None,
    order: Orders = None,
    ignore: Ignore = None,
    weight: Weight = None,
    weights_are: WeightsAre = None,
    delimiter: Delimiter = None,
    encoding: Encoding = None,
    decimal: Decimal = None,
    header: Header = None,
    missing: Missing = None,
    thousands: Thousands = None,
    dates: Dates = None,
    max_bytes: MaxBytes = None,
    query: Query = None,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Show how a model came about, number by number: as text, Markdown, LaTeX, HTML, or a worksheet."""
    from clearwood.cli.deriving import Layout, Wanted, model_and_table
    from clearwood.cli.progress import working
    from clearwood.cli.rows import row_in
    from clearwood.cli.speaking import as_options, note, say_json
    from clearwood.cli.writing import check_place, whole_file
    from clearwood.derive.as_json import derivation_to_json
    from clearwood.derive.deriving import derive as derived
    from clearwood.working.shortening import MOST_ROWS

    layout = Layout.of(format, detail, output, answers=answers, fragment=fragment, as_json=as_json)
    if output is not None:
        check_place(output, but_not=data or "")
    wanted = Wanted(data, model, learner, settings, target)
    columns = {"weight": weight, "schema": schema, **columns_as(kind, order, ignore, weights_are)}
    with working("Learning" if model is None else f"Reading {model}"):
        found, table = model_and_table(
            wanted,
            columns,
            {
                "query": query,
                **written_as(delimiter, encoding, decimal, header, missing, thousands, dates, max_bytes),
            },
        )
    notes = () if table is None else table.notes
    derivation = derived(found, table, at=at, row=None if row is None else row_in(row, found))
    if as_json:
        told = derivation_to_json(derivation, most_rows=None if all_rows else MOST_ROWS)
        say_json({**told, "notes": as_options(notes)})
        return
    note(notes, quiet=quiet)
    text = layout.write(derivation, digits=digits, all_rows=all_rows)
    with whole_file(output) as file:
        file.write(text)
