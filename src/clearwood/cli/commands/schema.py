"""`clearwood schema`: what each column was taken for, and how to change it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from clearwood.cli.options import Columns, Data, Output, Reading


def schema(
    data: Data,
    *,
    columns: Columns,
    reading: Reading,
    save: Annotated[
        Path | None,
        typer.Option("--save", metavar="FILE", help="Write the schema here, to be edited and given to fit."),
    ] = None,
    output: Output,
) -> None:
    """Say what each column is taken for, and how to change it."""
    from clearwood.cli.running.schema import run

    run(data, columns, reading, output, save)
