"""Scoring: truth and answers in, numbers out. The list of scores is here, and only here."""

from __future__ import annotations

from typing import Final

from clearwood.scoring.score import ScoreEntry

_ANSWERS: Final = "clearwood.scoring.answer_scores"
_RANKS: Final = "clearwood.scoring.rank_scores"
_SHARES: Final = "clearwood.scoring.share_scores"
_LINE: Final = "clearwood.scoring.calibration_line"
_NUMBERS: Final = "clearwood.scoring.number_scores"
_TENTH: Final = {"at": 0.1}

SCORES: Final[dict[str, ScoreEntry]] = {
    "accuracy": ScoreEntry(
        "accuracy",
        f"{_ANSWERS}:accuracy",
        "answers",
        "more",
        "The part of the answered rows whose answer is true.",
        interval="wilson",
    ),
    "balanced_accuracy": ScoreEntry(
        "balanced accuracy",
        f"{_ANSWERS}:balanced_accuracy",
        "answers",
        "more",
        "The mean of the classes' recalls.",
    ),
    "recall": ScoreEntry(
        "recall",
        f"{_ANSWERS}:recall",
        "answers",
        "more",
        "The part of the class's rows that were predicted as it.",
        about_positive=True,
        interval="wilson",
    ),
    "precision": ScoreEntry(
        "precision",
        f"{_ANSWERS}:precision",
        "answers",
        "more",
        "The part of the rows predicted as the class that are of it.",
        about_positive=True,
        interval="wilson",
    ),
    "f_beta": ScoreEntry(
        "F",
        f"{_ANSWERS}:f_beta",
        "answers",
        "more",
        "Precision and recall in one: their harmonic mean, where recall counts β times as much.",
        about_positive=True,
    ),
    "mcc": ScoreEntry(
        "Matthews' correlation",
        f"{_ANSWERS}:mcc",
        "answers",
        "more",
        "The correlation of truth and answer: 0 without skill, 1 without a mistake.",
    ),
    "kappa": ScoreEntry(
        "kappa",
        f"{_ANSWERS}:kappa",
        "answers",
        "more",
        "How far the accuracy is above chance, as a part of how far it could be.",
    ),
    "auc": ScoreEntry(
        "AUC",
        f"{_RANKS}:auc",
        "shares",
        "more",
        "How often a row of the class gets a larger share of it than another row.",
        about_positive=True,
        interval="delong",
    ),
    "auc_hand_till": ScoreEntry(
        "AUC of pairs",
        f"{_RANKS}:auc_hand_till",
        "shares",
        "more",
        "The mean AUC over all pairs of classes, by Hand and Till.",
        interval="delong",
    ),
    "average_precision": ScoreEntry(
        "average precision",
        f"{_RANKS}:average_precision",
        "shares",
        "more",
        "The precision at every cutoff, weighed by the recall that it adds.",
        about_positive=True,
    ),
    "ks": ScoreEntry(
        "Kolmogorov–Smirnov",
        f"{_RANKS}:kolmogorov_smirnov",
        "shares",
        "more",
        "The largest lead of the recall over the false positive rate.",
        about_positive=True,
    ),
    "lift": ScoreEntry(
        "lift at 10 %",
        f"{_RANKS}:lift_at",
        "shares",
        "more",
        "How many times as often the class comes among the tenth of the rows with the largest shares.",
        about_positive=True,
        settings=_TENTH,
    ),
    "gains": ScoreEntry(
        "gain at 10 %",
        f"{_RANKS}:gain_at",
        "shares",
        "more",
        "The part of the class's rows that are among the tenth with the largest shares.",
        about_positive=True,
        settings=_TENTH,
    ),
    "log_loss": ScoreEntry(
        "log loss",
        f"{_SHARES}:log_loss",
        "shares",
        "less",
        "The mean of −ln(share of the true class).",
    ),
    "brier": ScoreEntry(
        "Brier score",
        f"{_SHARES}:brier",
        "shares",
        "less",
        "The mean square of share − truth.",
    ),
    "brier_reliability": ScoreEntry(
        "reliability",
        f"{_SHARES}:brier_reliability",
        "shares",
        "less",
        "The part of the Brier score that comes from shares that are off.",
        interval="none",
    ),
    "brier_resolution": ScoreEntry(
        "resolution",
        f"{_SHARES}:brier_resolution",
        "shares",
        "more",
        "What telling rows apart takes off the Brier score.",
        interval="none",
    ),
    "brier_uncertainty": ScoreEntry(
        "uncertainty",
        f"{_SHARES}:brier_uncertainty",
        "shares",
        "less",
        "The Brier score of the classes' own shares: a matter of the rows, not of the model.",
        interval="none",
    ),
    "calibration_slope": ScoreEntry(
        "calibration slope",
        f"{_LINE}:calibration_slope",
        "shares",
        "more",
        "1 where the shares are right, less where they are too extreme, more where too timid.",
        about_positive=True,
        best_at=1.0,
    ),
    "calibration_intercept": ScoreEntry(
        "calibration intercept",
        f"{_LINE}:calibration_intercept",
        "shares",
        "more",
        "0 where the class comes as often as the shares say, below 0 where they are too large.",
        about_positive=True,
        best_at=0.0,
    ),
    "cost": ScoreEntry(
        "expected cost",
        f"{_ANSWERS}:cost_per_row",
        "answers",
        "less",
        "What an answered row costs on average.",
        interval="cost",
    ),
    "profit": ScoreEntry(
        "expected profit",
        f"{_ANSWERS}:profit_per_row",
        "answers",
        "more",
        "What an answered row brings on average: the expected cost, the other way round.",
        interval="cost",
    ),
    "cost_at_best_cutoff": ScoreEntry(
        "cost at the best cutoff",
        "clearwood.scoring.best_cutoff:cost_at_best_cutoff",
        "shares",
        "less",
        "What a row costs at the cutoff that these rows choose, and so less than it will cost others.",
        interval="none",
    ),
    "profit_at_best_cutoff": ScoreEntry(
        "profit at the best cutoff",
        "clearwood.scoring.best_cutoff:profit_at_best_cutoff",
        "shares",
        "more",
        "What a row brings at the cutoff that these rows choose, and so more than others will bring.",
        interval="none",
    ),
    "rmse": ScoreEntry("RMSE", f"{_NUMBERS}:rmse", "numbers", "less", "The root of the mean squared error."),
    "mae": ScoreEntry("MAE", f"{_NUMBERS}:mae", "numbers", "less", "The mean absolute error."),
    "r2": ScoreEntry("R²", f"{_NUMBERS}:r2", "numbers", "more", "The part of the variance explained."),
    "pinball": ScoreEntry(
        "quantile loss", f"{_NUMBERS}:pinball", "numbers", "less", "The mean loss of a predicted quantile."
    ),
}
