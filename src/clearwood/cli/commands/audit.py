"""`clearwood audit`: what overlaps, conflicts, falls through, never answers, or could go in rules."""

from __future__ import annotations

from typing import Annotated

import typer

from clearwood.cli.options import Columns, Output, Reading, RuleFile


def audit(
    rules: RuleFile,
    *,
    columns: Columns,
    reading: Reading,
    data: Annotated[
        str | None,
        typer.Argument(metavar="[DATA]", help="Rows to count; for rules as text also what the columns are."),
    ] = None,
    most: Annotated[
        int, typer.Option("--most", metavar="N", min=0, help="List at most N findings of each kind.")
    ] = 20,
    budget: Annotated[
        int | None,
        typer.Option(
            "--budget", metavar="N", min=0, help="Stop proving after this many steps, and say what is open."
        ),
    ] = None,
    output: Output,
) -> None:
    """Check rules on paper: overlaps, conflicts, gaps, dead and redundant ones, what their order decides."""
    from clearwood.cli.running.audit import run

    run(rules, columns, reading, output, data=data, most=most, budget=budget)
