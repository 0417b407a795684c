"""`clearwood compare`: one table through several tree learners, and where they part."""

from __future__ import annotations

from typing import Annotated

import typer

from clearwood.cli.options import LEARNING, Columns, Data, Output, Reading
from clearwood.cli.registry import TREES


def compare(
    data: Data,
    *,
    columns: Columns,
    reading: Reading,
    learners: Annotated[
        list[str] | None,
        typer.Option(
            "--learner",
            "-l",
            metavar="NAME[:SETTING=VALUE,…]",
            help=f"Repeated, of: {', '.join(TREES)}. Without it ID3, C4.5, CART and CHAID.",
            autocompletion=lambda: list(TREES),
            rich_help_panel=LEARNING,
        ),
    ] = None,
    output: Output,
) -> None:
    """Compare tree learners on one table: the first place where they part, and the numbers that decided."""
    from clearwood.cli.running.compare import run

    run(data, columns, reading, output, learners)
