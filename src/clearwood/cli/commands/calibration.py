"""`clearwood calibration`: do the classes come as often as the model's shares say?"""

from __future__ import annotations

from typing import Annotated

import typer

from clearwood.cli.options import Data, Model, Output, Reading


def calibration(
    model: Model,
    data: Data,
    *,
    reading: Reading,
    bins: Annotated[int, typer.Option("--bins", metavar="N", help="Lines of the reliability table.")] = 10,
    by: Annotated[
        str,
        typer.Option("--by", metavar="WORD", help="width: bins of equal width; rows: of about equal weight."),
    ] = "width",
    output: Output,
) -> None:
    """Judge a model's shares by rows whose class is known: log loss, Brier score, reliability table."""
    from clearwood.cli.running.calibration import run

    run(model, data, reading, output, bins=bins, by=by)
