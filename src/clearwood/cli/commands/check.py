"""`clearwood check`: assertions on a model, for continuous integration."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from clearwood.cli.declaring import option
from clearwood.cli.options import ModelPath, Output
from clearwood.cli.source_options import Reading


def check(
    model: ModelPath,
    assertions: Annotated[Path, typer.Argument(metavar="ASSERTIONS", help="What must hold, as TOML.")],
    *,
    data: Annotated[
        str | None,
        typer.Argument(
            metavar="[DATA]", help="Rows, for scores, drift, and models that cannot be proved without."
        ),
    ] = None,
    reading: Reading,
    junit: Annotated[
        Path | None, option("--junit", "FILE", "Also write the verdicts here, as JUnit's XML.")
    ] = None,
    steps: Annotated[
        int | None,
        option("--steps", "N", "Stop a proof after this many boxes, and say what is left open.", min=1),
    ] = None,
    output: Output,
) -> None:
    from clearwood.cli.running.check import run

    run(model, assertions, reading, output, data=data, junit=junit, budget=steps)
