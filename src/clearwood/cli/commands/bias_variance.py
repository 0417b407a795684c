"""`clearwood bias-variance`: which part of a learner's error comes of bias, and which of variance."""

from __future__ import annotations

from typing import Annotated

from clearwood.cli.declaring import option
from clearwood.cli.judging_options import GroupColumn, Samples
from clearwood.cli.learning_options import Seed, SeveralLearners
from clearwood.cli.options import ChartPath, Data, Output
from clearwood.cli.panels import JUDGING
from clearwood.cli.source_options import Source


def bias_variance(
    data: Data,
    *,
    source: Source,
    learners: SeveralLearners = None,
    samples: Samples = 50,
    part: Annotated[
        float, option("--test-part", "SHARE", "Hold out this part of the rows as test rows.", JUDGING)
    ] = 0.333,
    group: GroupColumn = None,
    seed: Seed = None,
    picture: ChartPath = None,
    output: Output,
) -> None:
    from clearwood.cli.running.bias_variance import run

    run(
        data,
        source,
        output,
        learners=learners,
        samples=samples,
        part=part,
        group=group,
        seed=seed,
        place=picture,
    )
