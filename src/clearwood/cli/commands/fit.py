"""`clearwood fit`: from a table to a model, shown, measured and saved."""

from __future__ import annotations

from clearwood.cli.decision_options import Decisions
from clearwood.cli.fairness_options import Protecting
from clearwood.cli.judging_options import Judge, Judging, PredictionsFile
from clearwood.cli.learning_options import Keep, Learning, Prune
from clearwood.cli.options import BalanceBy, Data, Output, Positive, Rules, Save, Select
from clearwood.cli.source_options import Source


def fit(
    data: Data,
    *,
    source: Source,
    learning: Learning,
    decisions: Decisions,
    protecting: Protecting,
    judging: Judging,
    balance: BalanceBy = None,
    positive: Positive = None,
    select: Select = None,
    prune: Prune = None,
    keep: Keep = False,
    save: Save = None,
    rules: Rules = False,
    predictions: PredictionsFile = None,
    judge: Judge = True,
    output: Output,
) -> None:
    from clearwood.cli.running.fit import run

    run(
        data,
        source,
        learning,
        judging,
        output,
        balance=balance,
        decisions=decisions,
        protecting=protecting,
        positive=positive,
        select=select,
        prune=prune,
        keep=keep,
        save=save,
        rules=rules,
        predictions=predictions,
        judge=judge,
    )
