"""`clearwood edit`: rules added, changed, deleted and moved by hand, and what that does to the scores."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Final

import typer

from clearwood.cli.options import Columns, Output, Reading, RuleFile, SaveRules

_EDITS: Final = "Edits; numbers are those of the list as it was, counted from 1"


@dataclass(frozen=True, slots=True, kw_only=True)
class Edits:
    """What is to be done to the list, as it is typed."""

    change: Annotated[
        list[str] | None,
        typer.Option(
            "--change", metavar="N:'IF … THEN …'", help="Put this in rule N's place.", rich_help_panel=_EDITS
        ),
    ] = None
    move: Annotated[
        list[str] | None,
        typer.Option("--move", metavar="N:M", help="Make rule N the M-th.", rich_help_panel=_EDITS),
    ] = None
    delete: Annotated[
        list[int] | None,
        typer.Option("--delete", metavar="N", help="Take rule N out.", rich_help_panel=_EDITS),
    ] = None
    add: Annotated[
        list[str] | None,
        typer.Option(
            "--add", metavar="'IF … THEN …'", help="A new rule, after the others.", rich_help_panel=_EDITS
        ),
    ] = None
    at: Annotated[
        int | None,
        typer.Option(
            "--at", metavar="N", help="Add as the N-th rule of the new list.", rich_help_panel=_EDITS
        ),
    ] = None
    otherwise: Annotated[
        str | None,
        typer.Option(
            "--otherwise",
            metavar="CLASS",
            help="The default rule's answer, or 'nothing'.",
            rich_help_panel=_EDITS,
        ),
    ] = None


def edit(
    rules: RuleFile,
    *,
    edits: Edits,
    columns: Columns,
    reading: Reading,
    train: Annotated[
        str | None,
        typer.Option("--train", metavar="DATA", help="Rows the rules were made from: counted and scored."),
    ] = None,
    test: Annotated[
        str | None, typer.Option("--test", metavar="DATA", help="Rows they have not seen: scored.")
    ] = None,
    save: SaveRules = None,
    output: Output,
) -> None:
    """Edit a list of rules: first change, then move, delete and add; print it with its scores."""
    from clearwood.cli.running.edit import run

    run(rules, edits, columns, reading, output, train=train, test=test, save=save)
