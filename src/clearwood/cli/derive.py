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
    allow_unseen: Annotated[
        bool,
        typer.Option(
            "--allow-unseen",
            help="Values in --row that the model has never seen are meant so.",
            rich_help_panel=_WHAT,
        ),
    ] = False,
    detail: Annotated[
        str | None,
        typer.Option(
            "--detail", "-d", metavar="NAME", help="short, full or worksheet (full).", rich_help_panel=_HOW
        ),
    ] = None,
    chapter: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="What a worksheet asks: Growing, Pruning, …", rich_help_panel=_HOW),
    ] = None,
    intervals: Annotated[
        bool, typer.Option("--intervals/--no-intervals", help="With intervals.", rich_help_panel=_HOW)
    ] = True,
    answers: Annotated[
        bool, typer.Option("--answers", help="The key to the worksheet.", rich_help_panel=_HOW)
    ] = False,
    format: Annotated[
        str | None,
        typer.Option(
            "--format",
            "-f",
            metavar="NAME",
            help="text, markdown (GitHub's), pandoc, latex or html (by the ending of -o).",
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
    from clearwood.cli.rows import check_values, row_in
    from clearwood.cli.speaking import as_options, note, say_json
    from clearwood.cli.writing import check_place, whole_file
    from clearwood.derive.as_json import derivation_to_json
    from clearwood.derive.deriving import derive as derived
    from clearwood.working.shortening import MOST_ROWS

    layout = Layout.of(format, detail, output, answers=answers, fragment=fragment, as_json=as_json)
    if output is not None:
        check_place(output, but_not=data or "")
    wanted = Wanted(data, model, learner, settings, target)
    columns = {"weight": weight, "schema": schema, **columns_as(kind, order, ignore)}
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
    cells = None if row is None else row_in(row, found)
    if cells is not None and not allow_unseen:
        check_values(cells, found)
    derivation = derived(found, table, at=at, row=cells)
    if as_json:
        told = derivation_to_json(derivation, most_rows=None if all_rows else MOST_ROWS)
        say_json({**told, "notes": as_options(notes)})
        return
    note(notes, quiet=quiet)
    text = layout.write(derivation, digits=digits, all_rows=all_rows, intervals=intervals, chapter=chapter)
    with whole_file(output) as file:
        file.write(text)
