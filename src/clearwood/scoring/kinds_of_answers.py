"""Kinds of numbers that contenders predict: a mean and a quantile are not right by the same score."""

from __future__ import annotations

from collections.abc import Mapping

from clearwood.scoring.predictions import NumberPredictions, Predictions
from clearwood.scoring.score import ScoreEntry
from clearwood.words.numbers import with_and


def note_on_kinds(predictions: Mapping[str, Predictions | None], by: str, entry: ScoreEntry) -> list[str]:
    """Who predicts what, where one score judges means and quantiles, or quantiles by a score of means."""
    names: dict[float | None, list[str]] = {}
    for name, each in predictions.items():
        if isinstance(each, NumberPredictions):
            names.setdefault(each.quantile, []).append(name)
    if not names or (len(names) < 2 and (None in names or by not in ("rmse", "r2"))):
        return []
    kinds = [f"{_kind(quantile)} by {with_and(each)}" for quantile, each in names.items()]
    favoured = {"rmse": "means", "r2": "means", "mae": "medians"}.get(by, "the quantile that it is of")
    return [f"Predicted are {'; '.join(kinds)}: {entry.label} favours {favoured}."]


def _kind(quantile: float | None) -> str:
    if quantile is None:
        return "means"
    return "medians" if quantile == 0.5 else f"{quantile:g} quantiles"
