"""`clearwood overfitting`: the size of a tree and what it learns, with and without noise."""

from __future__ import annotations

from typing import Annotated

from clearwood.cli.declaring import option
from clearwood.cli.judging_options import Judging
from clearwood.cli.learning_options import LearningTree
from clearwood.cli.options import ChartPath, Data, Output
from clearwood.cli.source_options import Source


def overfitting(
    data: Data,
    *,
    source: Source,
    learning: LearningTree,
    noise: Annotated[
        list[float] | None,
        option(
            "--noise",
            "SHARE",
            "Put noise into this share of the rows learned from; may be repeated, 0 is none.",
            min=0.0,
        ),
    ] = None,
    judging: Judging,
    picture: ChartPath = None,
    output: Output,
) -> None:
    from clearwood.cli.running.overfitting import run

    run(data, source, learning, judging, output, noise=noise, place=picture)
