"""`clearwood scorecard`: a logistic or an additive model in whole points that a person can add up."""

from __future__ import annotations

from typing import Annotated

import typer

from clearwood.cli.declaring import option
from clearwood.cli.options import ModelPath, Output
from clearwood.cli.source_options import Reading


def scorecard(
    model: ModelPath,
    *,
    data: Annotated[
        str | None,
        typer.Argument(metavar="[DATA]", help="Rows on which to say how far the card is from the model."),
    ] = None,
    points_per_doubling: Annotated[
        float, option("--points-per-doubling", "N", "Points that double the odds.")
    ] = 20,
    base: Annotated[float, option("--base", "N", "The sum at even odds.")] = 0,
    cuts: Annotated[
        list[str] | None,
        option("--cuts", "COLUMN=N,…", "Points for these intervals of a number; may be repeated."),
    ] = None,
    bins: Annotated[
        int | None,
        option("--bins", "N", "Of a curve: at most so many intervals for each number (8).", min=1),
    ] = None,
    reading: Reading,
    output: Output,
) -> None:
    from clearwood.cli.running.scorecard import run

    run(model, data, reading, output, points_per_doubling, base, cuts, bins)
