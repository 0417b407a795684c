"""`clearwood fit`: from a table to a model, shown, measured and saved."""

from __future__ import annotations

from clearwood.cli.options import (
    Data,
    Judging,
    Keep,
    Learning,
    Output,
    PredictionsFile,
    Prune,
    Rules,
    Save,
    Select,
    Source,
)


def fit(
    data: Data,
    *,
    source: Source,
    learning: Learning,
    judging: Judging,
    select: Select = None,
    prune: Prune = None,
    keep: Keep = False,
    save: Save = None,
    rules: Rules = False,
    predictions: PredictionsFile = None,
    output: Output,
) -> None:
    """Learn a model from a table, print it, say how good it is, and save it."""
    from clearwood.cli.running.fit import run

    run(
        data,
        source,
        learning,
        judging,
        output,
        select=select,
        prune=prune,
        keep=keep,
        save=save,
        rules=rules,
        predictions=predictions,
    )
