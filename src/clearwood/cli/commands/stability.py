"""`clearwood stability`: what of a model changes when its rows are drawn anew."""

from __future__ import annotations

from typing import Annotated

from clearwood.cli.declaring import option
from clearwood.cli.judging_options import GroupColumn, Samples
from clearwood.cli.learning_options import Learning, Prune
from clearwood.cli.options import ChartPath, Data, Output
from clearwood.cli.panels import COMPARED
from clearwood.cli.source_options import Source


def stability(
    data: Data,
    *,
    source: Source,
    learning: Learning,
    prune: Prune = None,
    samples: Samples = 50,
    group: GroupColumn = None,
    depth: Annotated[
        int,
        option("--conditions", "N", "Most conditions of a tree's path.", COMPARED, min=1),
    ] = 2,
    cuts: Annotated[
        int,
        option(
            "--parts", "N", "Move thresholds to the nearest of N quantiles before comparing.", COMPARED, min=2
        ),
    ] = 10,
    least: Annotated[
        float,
        option(
            "--least",
            "SHARE",
            "Minimum fraction of the models that contain a rule.",
            COMPARED,
            min=0.0,
            max=1.0,
        ),
    ] = 0.1,
    most: Annotated[int, option("--most", "N", "Most rules that are listed.", COMPARED, min=1)] = 20,
    picture: ChartPath = None,
    output: Output,
) -> None:
    from clearwood.cli.running.stability import run

    run(
        data,
        source,
        learning,
        output,
        prune=prune,
        samples=samples,
        group=group,
        depth=depth,
        cuts=cuts,
        least=least,
        most=most,
        place=picture,
    )
