"""`clearwood audit`: what overlaps, conflicts or never answers in rules; where curves can go."""

from __future__ import annotations

from typing import Annotated

import typer

from clearwood.cli.declaring import option
from clearwood.cli.options import Output, RulePath
from clearwood.cli.source_options import Source


def audit(
    rules: RulePath,
    *,
    source: Source,
    data: Annotated[
        str | None,
        typer.Argument(
            metavar="[DATA]", help="Rows to count; for rules as text, also the kinds of the columns."
        ),
    ] = None,
    most: Annotated[int, option("--most", "N", "List at most N findings of each kind.", min=0)] = 20,
    budget: Annotated[
        int | None,
        option("--steps", "N", "Stop proving after this many steps, and list what is left unproven.", min=0),
    ] = None,
    output: Output,
) -> None:
    from clearwood.cli.running.audit import run

    run(rules, source, output, data=data, most=most, budget=budget)
