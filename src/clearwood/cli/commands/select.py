"""`clearwood select`: which columns tell most of the target."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from clearwood.catalogue import SELECTORS
from clearwood.cli.declaring import option
from clearwood.cli.learning_options import Learning
from clearwood.cli.options import ChartPath, Data, Output
from clearwood.cli.panels import JUDGING
from clearwood.cli.source_options import Source


def select(
    data: Data,
    *,
    source: Source,
    by: Annotated[
        str,
        option("--method", "NAME", f"How to rank, as mrmr or relieff:8: {', '.join(SELECTORS)}."),
    ] = "mrmr",
    stability: Annotated[
        int | None,
        option(
            "--stability",
            "SAMPLES",
            "Also say how often each column is kept in this many bootstrap samples of the rows.",
            JUDGING,
            min=2,
        ),
    ] = None,
    learning: Learning,
    save: Annotated[
        Path | None,
        option("--save", "FILE", "Write the schema with the other columns ignored, for --schema."),
    ] = None,
    picture: ChartPath = None,
    output: Output,
) -> None:
    from clearwood.cli.running.select import run

    run(data, source, learning, output, by=by, stability=stability, save=save, place=picture)
