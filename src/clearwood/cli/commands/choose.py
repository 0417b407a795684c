"""`clearwood choose`: learners judged alike on the same rows, and which of their models to take."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Final

from clearwood.catalogue import LEARNERS
from clearwood.cli.decision_options import Decisions
from clearwood.cli.declaring import option
from clearwood.cli.judging_options import Judging, PredictionsFile
from clearwood.cli.learning_options import Seed
from clearwood.cli.options import BalanceBy, Data, Output, Positive, Save, Select
from clearwood.cli.panels import DECIDING, JUDGING, LEARNING
from clearwood.cli.source_options import Source

_YARDSTICKS: Final = ("lda", "knn", "svm", "random_forest")


def choose(
    data: Data,
    *,
    source: Source,
    learner: Annotated[
        list[str] | None,
        option(
            "--learner -l",
            "NAME[:…]",
            "A contender, as in gam:pairs=0; may be repeated.",
            LEARNING,
            autocompletion=lambda: list(LEARNERS),
        ),
    ] = None,
    yardstick: Annotated[
        list[str] | None,
        option(
            "--yardstick",
            "NAME",
            f"{', '.join(_YARDSTICKS)} beside them, or none; may be repeated.",
            LEARNING,
            autocompletion=lambda: list(_YARDSTICKS),
        ),
    ] = None,
    tune: Annotated[
        bool | None,
        option(
            "--tune/--no-tune",
            None,
            "Tune each over a small grid (if it takes about a minute).",
            LEARNING,
        ),
    ] = None,
    budget: Annotated[
        float | None,
        option(
            "--budget",
            "SECONDS",
            "Stop who has not ended by then, 60 unless given; what is left goes into tuning. inf: no limit.",
            LEARNING,
        ),
    ] = None,
    seed: Seed = None,
    by: Annotated[
        str | None,
        option("--score", "NAME", "The score to compare by: accuracy, auc, cost, rmse, …", JUDGING),
    ] = None,
    positive: Positive = None,
    costs: Annotated[
        str | None,
        option(
            "--costs",
            "TRUE/PREDICTED:COST,…",
            "What mistakes cost: bad/good:5; all contenders decide by it.",
            DECIDING,
        ),
    ] = None,
    decisions: Decisions,
    judging: Judging,
    balance: BalanceBy = None,
    select: Select = None,
    save: Save = None,
    chart: Annotated[
        Path | None, option("--chart", "FILE", "Draw score against size: .svg, .png or .pdf.")
    ] = None,
    report: Annotated[
        Path | None, option("--report", "FILE", "Write all of it as a page here, .html or .pdf.")
    ] = None,
    predictions: PredictionsFile = None,
    output: Output,
) -> None:
    from clearwood.cli.running.choose import Files, run

    run(
        data,
        source,
        judging,
        output,
        Files(save, chart, report, predictions),
        learners=learner,
        yardsticks=yardstick,
        tune=tune,
        budget=budget,
        seed=seed,
        by=by,
        positive=positive,
        costs=costs,
        decisions=decisions,
        balance=balance,
        select=select,
    )
