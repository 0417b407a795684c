"""`clearwood scorecard`: a logistic or an additive model in whole points that a person can add up."""

from __future__ import annotations

from typing import Annotated

import typer

from clearwood.cli.card_options import CardOptions
from clearwood.cli.options import ModelPath, Output
from clearwood.cli.source_options import Reading


def scorecard(
    model: ModelPath,
    *,
    data: Annotated[
        str | None,
        typer.Argument(metavar="[DATA]", help="Rows on which to say how far the card is from the model."),
    ] = None,
    points: CardOptions,
    reading: Reading,
    output: Output,
) -> None:
    from clearwood.cli.running.scorecard import run

    run(model, data, points, reading, output)
