"""`clearwood derive`: how every number came about, from the table to the model, or for one answer."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Final

import typer

from clearwood.cli.options import Chosen, Columns, Detail, Output, Reading, Row

_LAYOUT: Final = "How to write it"


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """How the derivation is written."""

    detail: Detail = None
    answers: Annotated[
        bool, typer.Option("--answers", help="The key to the worksheet.", rich_help_panel=_LAYOUT)
    ] = False
    format: Annotated[
        str | None,
        typer.Option(
            "--format",
            "-f",
            metavar="NAME",
            help="text, markdown, latex or html (by the ending of -o).",
            rich_help_panel=_LAYOUT,
        ),
    ] = None
    fragment: Annotated[
        bool,
        typer.Option(
            "--fragment", help="LaTeX or HTML to put into a document of yours.", rich_help_panel=_LAYOUT
        ),
    ] = False
    digits: Annotated[
        int | None,
        typer.Option(
            "--digits", metavar="N", min=1, max=17, help="Significant digits (4).", rich_help_panel=_LAYOUT
        ),
    ] = None
    file: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="FILE", help="Write it here.", rich_help_panel=_LAYOUT),
    ] = None


def derive(
    *,
    columns: Columns,
    chosen: Chosen,
    layout: Layout,
    reading: Reading,
    data: Annotated[
        str | None,
        typer.Argument(
            metavar="DATA",
            help="The table to learn from, or that the model learned from; for --model with --row, none.",
            show_default=False,
        ),
    ] = None,
    at: Annotated[
        str | None,
        typer.Option("--at", metavar="CONDITION,…", help="Only this place in a tree: 'Outlook = Sunny'."),
    ] = None,
    row: Row = None,
    all_rows: Annotated[
        bool,
        typer.Option("--all-rows", help="Every row of long tables of cuts, not the first and last alone."),
    ] = False,
    output: Output,
) -> None:
    """Show how a model came about, number by number: as text, Markdown, LaTeX, HTML, or a worksheet."""
    from clearwood.cli.running.derive import run

    run(data, columns, reading, chosen, layout, output, at=at, row=row, all_rows=all_rows)
