"""`clearwood diff`: where two models answer differently."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from clearwood.cli.declaring import option
from clearwood.cli.options import Output
from clearwood.cli.source_options import Reading


def diff(
    old: Annotated[Path, typer.Argument(metavar="OLD", help="A model file.")],
    new: Annotated[Path, typer.Argument(metavar="NEW", help="Another model of the same target.")],
    *,
    data: Annotated[
        str | None,
        typer.Argument(
            metavar="[DATA]", help="Rows to count; models that are neither trees nor rules need them."
        ),
    ] = None,
    reading: Reading,
    share_change: Annotated[
        float | None,
        option("--share-change", "X", "Also the regions in which a probability changes by more than X."),
    ] = None,
    most: Annotated[int, option("--most", "N", "List at most N regions.", min=0)] = 20,
    steps: Annotated[
        int | None,
        option("--steps", "N", "Stop looking after this many boxes, and say what is left open.", min=1),
    ] = None,
    output: Output,
) -> None:
    from clearwood.cli.running.diff import run

    run(old, new, reading, output, data=data, shares=share_change, most=most, budget=steps)
