"""`clearwood tune`: settings of a learner tried in folds; the best, or the simplest as good, is learned."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Final

from clearwood.cli.decision_options import Decisions
from clearwood.cli.declaring import option
from clearwood.cli.judging_options import Judging
from clearwood.cli.learning_options import Learning
from clearwood.cli.options import BalanceBy, Data, Output, Save, Select
from clearwood.cli.panels import DECIDING, JUDGING
from clearwood.cli.source_options import Source

TUNING: Final = "How to tune"


def tune(
    data: Data,
    *,
    source: Source,
    learning: Learning,
    grid: Annotated[
        list[str] | None,
        option(
            "--grid",
            "NAME=VALUES",
            "Try 3..10, 3..30:3, 0.01..1:log or 5,20,50.",
            TUNING,
            show_default=False,
        ),
    ] = None,
    draws: Annotated[
        int | None,
        option("--draws", "N", "Try so many, drawn by --seed, not all.", TUNING),
    ] = None,
    one_se: Annotated[
        bool,
        option("--one-se", None, "Within one standard error, take the simplest.", TUNING),
    ] = False,
    nested: Annotated[
        int | None,
        option(
            "--nested",
            "FOLDS",
            "Outer folds, for a score that may be quoted.",
            TUNING,
        ),
    ] = None,
    resume: Annotated[
        Path | None,
        option("--resume", "FILE", "Keep a journal here, and go on where it ends.", TUNING),
    ] = None,
    by: Annotated[
        str | None, option("--score", "NAME", "Tune by accuracy, auc, cost, rmse, …", JUDGING)
    ] = None,
    positive: Annotated[
        str | None, option("--positive", "CLASS", "The class that the score is about.", JUDGING)
    ] = None,
    costs: Annotated[
        str | None,
        option(
            "--costs", "TRUE/PREDICTED:COST,…", "What mistakes cost: bad/good:5. Tunes by cost.", DECIDING
        ),
    ] = None,
    decisions: Decisions,
    judging: Judging,
    balance: BalanceBy = None,
    select: Select = None,
    save: Save = None,
    chart: Annotated[Path | None, option("--chart", "FILE", "Draw the score by the settings here.")] = None,
    output: Output,
) -> None:
    from clearwood.cli.running.tune import TuningAsked, run

    asked = TuningAsked(
        grid=grid or [],
        draws=draws,
        one_se=one_se,
        nested=nested,
        resume=resume,
        by=by,
        positive=positive,
        costs=costs,
        decisions=decisions,
        balance=balance,
        select=select,
    )
    run(data, source, learning, judging, output, asked, save=save, place=chart)
