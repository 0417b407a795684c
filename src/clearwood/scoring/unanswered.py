"""Rows left unanswered, where contenders are compared: they count as wrong, and all have the same rows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

import numpy as np

from clearwood.errors import SettingError
from clearwood.scoring.predictions import ClassPredictions, NumberPredictions, Predictions
from clearwood.scoring.score import ScoreEntry

NOTHING: Final = "(nothing)"  # as a class that no row is of


def counting_all_rows(predictions: Predictions, entry: ScoreEntry) -> Predictions:
    """The predictions with every row answered: no answer is one that is never right. Refuses what has no
    value of such a row: a cost, an error, shares where there are none."""
    if isinstance(predictions, NumberPredictions):
        if np.isnan(predictions.answers).any():
            raise SettingError(_sentence(predictions, entry))
        return predictions
    silent = predictions.answers < 0
    if not silent.any():
        return predictions
    if entry.of == "shares":
        if (predictions.shares[silent & (predictions.truth >= 0)].sum(axis=1) <= 0).any():
            raise SettingError(_sentence(predictions, entry))
        # The answers are not judged: the largest share stands for them.
        return replace(
            predictions, answers=np.where(silent, predictions.shares.argmax(axis=1), predictions.answers)
        )
    if entry.interval == "cost":
        raise SettingError(_sentence(predictions, entry))
    k = len(predictions.classes)
    return replace(
        predictions,
        classes=(*predictions.classes, NOTHING),
        answers=np.where(silent, k, predictions.answers),
        shares=np.column_stack([predictions.shares, np.zeros(len(predictions))]),
        costs=(),
    )


def part_answered(predictions: Predictions) -> float:
    """The part of the rows that got an answer, by weight; 1 of none."""
    if isinstance(predictions, ClassPredictions):
        answered = predictions.answers >= 0
    else:
        answered = ~np.isnan(predictions.answers)
    total = float(predictions.weights.sum())
    return float(predictions.weights[answered].sum()) / total if total > 0 and not answered.all() else 1.0


def note_on_unanswered(answered: Mapping[str, float], entry: ScoreEntry) -> list[str]:
    """What must be known where a contender answers a part of the rows only, by name."""
    some = [f"{name} predicts {100 * part:.1f} %" for name, part in answered.items() if part < 1]
    if not some:
        return []
    how = (
        "rows without a prediction count as wrong"
        if entry.of == "answers"
        else "the others by their probabilities"
    )
    return [f"Of the rows {', '.join(some)}; {how}."]


def _sentence(predictions: Predictions, entry: ScoreEntry) -> str:
    left = 100 * (1 - part_answered(predictions))
    way_out = "" if isinstance(predictions, NumberPredictions) else ", or take accuracy"
    return (
        f"It leaves {left:.1f} % of the rows without a prediction, and their {entry.label} is not known: "
        "it cannot "
        f"be compared by that. Let it predict all rows{way_out}."
    )
