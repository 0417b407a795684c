"""`clearwood decide`: a saved model that decides otherwise, and what that changes."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from clearwood.cli.decision_options import DecisionsAlone
from clearwood.cli.declaring import option
from clearwood.cli.options import ModelPath, Output, Save
from clearwood.cli.source_options import Reading


def decide(
    model: ModelPath,
    data: Annotated[
        str | None,
        typer.Argument(
            metavar="DATA", help="Rows that the model has not learned from: they choose, and count."
        ),
    ] = None,
    *,
    decisions: DecisionsAlone,
    costs: Annotated[
        str | None,
        option(
            "--costs",
            "TRUE/PREDICTED:COST,…",
            "What mistakes cost, those not named 1; they decide where no cutoff is asked for.",
        ),
    ] = None,
    positive: Annotated[
        str | None,
        option("--positive", "CLASS", "List the cutoffs on the probability of this class, and set none."),
    ] = None,
    picture: Annotated[
        Path | None, option("--output -o", "FILE", "Draw the cutoffs, or the coverage: .svg, .png or .pdf.")
    ] = None,
    reading: Reading,
    save: Save = None,
    output: Output,
) -> None:
    from clearwood.cli.running.decide import run

    run(
        model,
        data,
        reading,
        output,
        decisions=decisions,
        costs=costs,
        positive=positive,
        place=picture,
        save=save,
    )
