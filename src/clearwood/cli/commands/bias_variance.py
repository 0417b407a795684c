"""`clearwood bias-variance`: which part of a learner's error comes of bias, and which of variance."""

from __future__ import annotations

from typing import Annotated

from clearwood.cli.declaring import option
from clearwood.cli.options import (
    JUDGING,
    ChartPath,
    Data,
    GroupColumn,
    Output,
    Samples,
    Seed,
    SeveralLearners,
    Source,
)


def bias_variance(
    data: Data,
    *,
    source: Source,
    learners: SeveralLearners = None,
    samples: Samples = 50,
    part: Annotated[
        float, option("--test-part", "SHARE", "Hold out this part of the rows to judge by.", JUDGING)
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
