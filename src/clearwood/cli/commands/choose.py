"""`clearwood choose`: learners judged alike on the same rows, and which of their models to take."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Final

from clearwood.catalogue import LEARNERS
from clearwood.cli.declaring import option
from clearwood.cli.options import (
    JUDGING,
    LEARNING,
    Data,
    Judging,
    Output,
    PredictionsFile,
    Save,
    Seed,
    Source,
)

_YARDSTICKS: Final = ("lda", "knn", "svm", "random_forest")


def choose(
    data: Data,
    *,
    source: Source,
    learner: Annotated[
        list[str] | None,
        option(
            "--learner -l",
            "NAME[:SETTINGS]",
            "A contender, such as gam:pairs=0; may be repeated (by default every readable learner).",
            LEARNING,
            autocompletion=lambda: list(LEARNERS),
        ),
    ] = None,
    yardstick: Annotated[
        list[str] | None,
        option(
            "--yardstick",
            "NAME",
            f"A model that nobody can read beside them: {', '.join(_YARDSTICKS)}, or none; may be repeated.",
            LEARNING,
            autocompletion=lambda: list(_YARDSTICKS),
        ),
    ] = None,
    tune: Annotated[
        bool | None,
        option(
            "--tune/--no-tune",
            None,
            "Tune each learner over a small grid, within every part of the rows (as --budget allows).",
            LEARNING,
        ),
    ] = None,
    budget: Annotated[
        float | None,
        option(
            "--budget",
            "SECONDS",
            "Time for all: who would not fit is left out, and what is left goes into tuning.",
            LEARNING,
        ),
    ] = None,
    seed: Seed = None,
    by: Annotated[
        str | None,
        option("--by", "SCORE", "Judge by accuracy, auc, cost, rmse or another score (guessed).", JUDGING),
    ] = None,
    positive: Annotated[
        str | None, option("--positive", "CLASS", "The class that the score is about.", JUDGING)
    ] = None,
    costs: Annotated[
        str | None,
        option(
            "--costs",
            "TRUE/PREDICTED:COST,…",
            "What mistakes cost, such as bad/good:5; others cost 1. All contenders decide by them.",
            JUDGING,
        ),
    ] = None,
    judging: Judging,
    save: Save = None,
    chart: Annotated[
        Path | None, option("--chart", "FILE", "Draw score against size here, as .svg, .png or .pdf.")
    ] = None,
    report: Annotated[
        Path | None, option("--report", "FILE", "Write all of it as a page here, .html or .pdf.")
    ] = None,
    predictions: PredictionsFile = None,
    output: Output,
) -> None:
    """Judge readable learners alike on the same rows; say who is really better, and which model to take."""
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
    )
