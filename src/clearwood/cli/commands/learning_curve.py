"""`clearwood learning-curve`: how good learners are by the number of rows they learn from."""

from __future__ import annotations

from typing import Annotated

from clearwood.cli.declaring import option
from clearwood.cli.judging_options import Judging
from clearwood.cli.learning_options import Seed, SeveralLearners
from clearwood.cli.options import ChartPath, Data, Output, Positive
from clearwood.cli.panels import JUDGING
from clearwood.cli.source_options import Source


def learning_curve(
    data: Data,
    *,
    source: Source,
    learners: SeveralLearners = None,
    sizes: Annotated[
        str,
        option("--sizes", "N or N,N,…", "How many numbers of rows to learn from, or the numbers.", JUDGING),
    ] = "8",
    judging: Judging,
    score: Annotated[
        str | None, option("--score", "NAME", "Evaluate by this score, not by accuracy or RMSE.", JUDGING)
    ] = None,
    positive: Positive = None,
    seed: Seed = None,
    picture: ChartPath = None,
    output: Output,
) -> None:
    from clearwood.cli.running.learning_curve import run

    run(
        data,
        source,
        judging,
        output,
        learners=learners,
        sizes=sizes,
        score=score,
        positive=positive,
        seed=seed,
        place=picture,
    )
