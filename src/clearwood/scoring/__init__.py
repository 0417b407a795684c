"""Scoring: truth and answers in, numbers out. The list of scores is here, and only here."""

from __future__ import annotations

from typing import Final

from clearwood.scoring.score import ScoreEntry

_SIMPLE: Final = "clearwood.scoring.simple_scores"

SCORES: Final[dict[str, ScoreEntry]] = {
    "accuracy": ScoreEntry(
        "accuracy",
        f"{_SIMPLE}:accuracy",
        "answers",
        "more",
        "The part of the answered rows whose answer is true.",
        interval="wilson",
    ),
    "cost": ScoreEntry(
        "expected cost",
        f"{_SIMPLE}:cost_per_row",
        "answers",
        "less",
        "What an answered row costs on average.",
        interval="cost",
    ),
    "rmse": ScoreEntry("RMSE", f"{_SIMPLE}:rmse", "numbers", "less", "The root of the mean squared error."),
    "mae": ScoreEntry("MAE", f"{_SIMPLE}:mae", "numbers", "less", "The mean absolute error."),
    "r2": ScoreEntry("R²", f"{_SIMPLE}:r2", "numbers", "more", "The part of the variance that is explained."),
    "pinball": ScoreEntry(
        "quantile loss", f"{_SIMPLE}:quantile_loss", "numbers", "less", "The mean loss of a quantile."
    ),
}
