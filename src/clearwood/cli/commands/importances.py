"""`clearwood importances`: how much worse a model answers if one column is shuffled."""

from __future__ import annotations

from typing import Annotated

from clearwood.cli.declaring import option
from clearwood.cli.options import Data, ModelPath, Output, SchemaOfRules
from clearwood.cli.panels import JUDGING
from clearwood.cli.source_options import Reading


def importances(
    model: ModelPath,
    data: Data,
    *,
    loss: Annotated[
        str,
        option(
            "--loss",
            "NAME",
            "What rises: error, log-loss, squared-error, absolute-error, quantile-loss; auto: what fits.",
        ),
    ] = "auto",
    shuffles: Annotated[int, option("--shuffles", "N", "How often each column is shuffled.", min=1)] = 5,
    out_of_bag: Annotated[
        bool,
        option(
            "--out-of-bag",
            None,
            "Of a forest: on the rows that each tree did not draw; DATA are those it was learned from.",
        ),
    ] = False,
    seed: Annotated[int, option("--seed", "N", "The seed of the shuffles.", JUDGING, min=0)] = 0,
    reading: Reading,
    schema: SchemaOfRules = None,
    output: Output,
) -> None:
    from clearwood.cli.running.importances import run

    run(
        model,
        data,
        reading,
        output,
        loss=loss,
        shuffles=shuffles,
        out_of_bag=out_of_bag,
        seed=seed,
        schema=schema,
    )
