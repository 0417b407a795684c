"""`clearwood explain`: why a model answers as it does for one row, and what would have to change."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Final

import typer

from clearwood.cli.options import Json, Model, Reading, Row

_CHANGE: Final = "What may change"


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """What a change of the row may be, and what it is to reach."""

    to: Annotated[
        str | None,
        typer.Option(
            "--to", metavar="CLASS", help="The answer to reach (any other).", rich_help_panel=_CHANGE
        ),
    ] = None
    fixed: Annotated[
        list[str] | None,
        typer.Option(
            "--fixed", metavar="COLUMN,…", help="Columns that must stay as they are.", rich_help_panel=_CHANGE
        ),
    ] = None
    only_up: Annotated[
        list[str] | None,
        typer.Option(
            "--only-up",
            metavar="COLUMN,…",
            help="Numeric or ordinal columns that may change to higher values only.",
            rich_help_panel=_CHANGE,
        ),
    ] = None
    only_down: Annotated[
        list[str] | None,
        typer.Option(
            "--only-down",
            metavar="COLUMN,…",
            help="Numeric or ordinal columns that may change to lower values only.",
            rich_help_panel=_CHANGE,
        ),
    ] = None


def explain(
    model: Model,
    change: Change,
    reading: Reading,
    row: Row = None,
    data: Annotated[
        str | None,
        typer.Option(
            "--data",
            metavar="DATA",
            help="A table: --number takes its row from it, and changes of numbers are measured by the "
            "range of its columns.",
        ),
    ] = None,
    number: Annotated[
        int | None, typer.Option("--number", "-n", metavar="N", min=1, help="The Nth row of --data.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Say why a model answers one row as it does, and the smallest change that gives another answer."""
    from clearwood.cli.running.explain import run

    run(model, change, reading, row=row, data=data, number=number, as_json=as_json)
