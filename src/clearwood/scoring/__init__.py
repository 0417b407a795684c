"""Scoring: truth and answers in, numbers out. The list of scores is here, and only here."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import field
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias

from clearwood.records import dataclass
from clearwood.registry import imported

if TYPE_CHECKING:
    from clearwood.arrays import Bools, Floats
    from clearwood.scoring.predictions import Predictions


Better: TypeAlias = Literal["more", "less"]
ScoredOf: TypeAlias = Literal["answers", "shares", "numbers"]
IntervalBy: TypeAlias = Literal["wilson", "delong", "cost", "bootstrap", "none"]
OverParts: TypeAlias = Literal["mean", "root", "together", "within"]


@dataclass(frozen=True, slots=True)
class Stakes:
    """What is at stake, beside the predictions: the class that it is about, what mistakes cost.

    `positive` is "" where no class was named. `costs` are by (true class, predicted class), other mistakes
    cost 1, a cost below 0 is a profit; None: those that the model minimises, and 1 for every mistake where it
    has none. `beta` weighs recall against precision.
    """

    positive: str = ""
    costs: Mapping[tuple[str, str], float] | None = None
    beta: float = 1.0


@dataclass(frozen=True, slots=True)
class WeighedScore:
    """A score of the same rows under any weights, so that resamples of them are weighed all at once.

    `why` says why the rows cannot tell, where they cannot: the score is then NaN. A score that is the part of
    some rows in which something holds has these rows as `part_of`.
    """

    of: Callable[[Floats], Floats]  # weights [draw, row] → the score [draw]
    why: str = ""
    part_of: Bools | None = None


@dataclass(frozen=True, slots=True)
class ScoreEntry:
    """A score as the list has it. `compute` ("module:function", imported when needed) takes predictions, what
    is at stake and the `settings`, and gives a WeighedScore.

    `of` says what it judges: answers, shares of classes, or numbers. `about_positive`: it is about one class
    against the others, which must be named or guessed. `better` says which way is good, unless it is best
    at one place: `best_at`. `interval` names the way to its interval, `between` what it can be. `over_parts`:
    over parts judged by a model each it varies as a mean of theirs, as the root of their mean square or,
    where a part is too small for it, as that of all rows does without one of them; or, "within", it is the
    mean over the parts of at least `least_rows` rows.
    """

    label: str
    compute: str | Callable[..., WeighedScore]
    of: ScoredOf
    better: Better
    about: str
    about_positive: bool = False
    interval: IntervalBy = "bootstrap"
    settings: Mapping[str, Any] = field(default_factory=dict)
    best_at: float | None = None
    between: tuple[float, float] = (-math.inf, math.inf)
    over_parts: OverParts = "mean"
    least_rows: int = 1

    def statistic(self, predictions: Predictions, stakes: Stakes) -> WeighedScore:
        """The score of these predictions under any weights."""
        compute = imported(self.compute) if isinstance(self.compute, str) else self.compute
        made: WeighedScore = compute(predictions, stakes, **self.settings)
        return made

    def value(self, predictions: Predictions, stakes: Stakes) -> float:
        """The score of these predictions."""
        return float(self.statistic(predictions, stakes).of(predictions.weights[None])[0])

    def within_range(self, interval: tuple[float, float]) -> tuple[float, float]:
        """The interval, without what the score cannot be."""
        low, high = self.between
        return min(max(interval[0], low), high), min(max(interval[1], low), high)

    def goodness(self, value: float) -> float:
        """The score so turned that more is better, by which models are ordered."""
        if self.best_at is not None:
            return -abs(value - self.best_at)
        return value if self.better == "more" else -value


@dataclass(frozen=True, slots=True)
class Scored:
    """A score of some predictions, with its interval at 95 % and what the baseline gets.

    NaN is a score that the rows cannot tell, and `why` says why. `interval` is None where it has none; `by`
    says how it was made. The baseline gives every row the commonest class with the classes' shares, or the
    mean, or the quantile; NaN where it has no such score.
    """

    name: str
    label: str
    value: float
    better: Better
    interval: tuple[float, float] | None = None
    by: str = ""
    baseline: float | None = None
    why: str = ""


_ANSWERS: Final = "clearwood.scoring.answer_scores"
_SHARES: Final = "clearwood.scoring.share_scores"
_LINE: Final = "clearwood.scoring.calibration"
_TENTH: Final = {"at": 0.1}
_SHARE: Final = (0.0, 1.0)
_CORRELATION: Final = (-1.0, 1.0)
_FROM_0: Final = (0.0, math.inf)
_TO_RANK: Final = 5  # rows: an AUC is fair of any two, figures of the top of a ranking are not

SCORES: Final[dict[str, ScoreEntry]] = {
    "accuracy": ScoreEntry(
        "accuracy",
        f"{_ANSWERS}:accuracy",
        "answers",
        "more",
        "The share of predicted rows whose prediction is correct.",
        interval="wilson",
        between=_SHARE,
    ),
    "balanced_accuracy": ScoreEntry(
        "balanced accuracy",
        f"{_ANSWERS}:balanced_accuracy",
        "answers",
        "more",
        "The mean of the classes' recalls.",
        between=_SHARE,
        over_parts="together",
    ),
    "recall": ScoreEntry(
        "recall",
        f"{_ANSWERS}:recall",
        "answers",
        "more",
        "The part of the class's rows that were predicted as it.",
        about_positive=True,
        interval="wilson",
        between=_SHARE,
        over_parts="together",
    ),
    "precision": ScoreEntry(
        "precision",
        f"{_ANSWERS}:precision",
        "answers",
        "more",
        "The part of the rows predicted as the class that are of it.",
        about_positive=True,
        interval="wilson",
        between=_SHARE,
        over_parts="together",
    ),
    "f_beta": ScoreEntry(
        "F",
        f"{_ANSWERS}:f_beta",
        "answers",
        "more",
        "Precision and recall in one: their harmonic mean, where recall counts β times as much.",
        about_positive=True,
        between=_SHARE,
        over_parts="together",
    ),
    "mcc": ScoreEntry(
        "Matthews' correlation",
        f"{_ANSWERS}:mcc",
        "answers",
        "more",
        "The correlation of truth and prediction: 0 without skill, 1 without a mistake.",
        between=_CORRELATION,
        over_parts="together",
    ),
    "kappa": ScoreEntry(
        "kappa",
        f"{_ANSWERS}:kappa",
        "answers",
        "more",
        "How far the accuracy is above chance, as a part of how far it could be.",
        between=_CORRELATION,
        over_parts="together",
    ),
    "auc": ScoreEntry(
        "AUC",
        f"{_SHARES}:auc",
        "shares",
        "more",
        "How often a row of the class gets a larger probability of it than another row.",
        about_positive=True,
        interval="delong",
        between=_SHARE,
        over_parts="within",
    ),
    "auc_hand_till": ScoreEntry(
        "AUC of pairs",
        f"{_SHARES}:auc_hand_till",
        "shares",
        "more",
        "The mean AUC over all pairs of classes, by Hand and Till.",
        interval="delong",
        between=_SHARE,
        over_parts="within",
    ),
    "average_precision": ScoreEntry(
        "average precision",
        f"{_SHARES}:average_precision",
        "shares",
        "more",
        "The precision at every cutoff, weighed by the recall that it adds.",
        about_positive=True,
        between=_SHARE,
        over_parts="within",
        least_rows=_TO_RANK,
    ),
    "ks": ScoreEntry(
        "Kolmogorov–Smirnov",
        f"{_SHARES}:kolmogorov_smirnov",
        "shares",
        "more",
        "The largest lead of the recall over the false positive rate.",
        about_positive=True,
        between=_SHARE,
        over_parts="within",
        least_rows=_TO_RANK,
    ),
    "lift": ScoreEntry(
        "lift at 10 %",
        f"{_SHARES}:lift_at",
        "shares",
        "more",
        "How many times as often the class comes among the 10 % of the rows with the largest probabilities.",
        about_positive=True,
        settings=_TENTH,
        between=(0.0, 10.0),
        over_parts="within",
        least_rows=_TO_RANK,
    ),
    "gains": ScoreEntry(
        "gain at 10 %",
        f"{_SHARES}:gain_at",
        "shares",
        "more",
        "The share of the class's rows that are among the 10 % of rows with the largest probabilities.",
        about_positive=True,
        settings=_TENTH,
        between=_SHARE,
        over_parts="within",
        least_rows=_TO_RANK,
    ),
    "log_loss": ScoreEntry(
        "log loss",
        f"{_SHARES}:log_loss",
        "shares",
        "less",
        "The mean of −ln(probability of the true class).",
        between=_FROM_0,
    ),
    "brier": ScoreEntry(
        "Brier score",
        f"{_SHARES}:brier",
        "shares",
        "less",
        "The mean square of probability − truth.",
        between=(0.0, 2.0),
    ),
    "brier_reliability": ScoreEntry(
        "reliability",
        f"{_SHARES}:brier_reliability",
        "shares",
        "less",
        "The part of the Brier score that comes from probabilities that are off.",
        interval="none",
        between=_FROM_0,
        over_parts="together",
    ),
    "brier_resolution": ScoreEntry(
        "resolution",
        f"{_SHARES}:brier_resolution",
        "shares",
        "more",
        "What telling rows apart takes off the Brier score.",
        interval="none",
        between=_FROM_0,
        over_parts="together",
    ),
    "brier_uncertainty": ScoreEntry(
        "uncertainty",
        f"{_SHARES}:brier_uncertainty",
        "shares",
        "less",
        "The Brier score of the classes' frequencies: it depends on the rows, not on the model.",
        interval="none",
        between=_SHARE,
        over_parts="together",
    ),
    "calibration_slope": ScoreEntry(
        "calibration slope",
        f"{_LINE}:calibration_slope",
        "shares",
        "more",
        "1 where the probabilities are right, less where they are too extreme, more where they are too "
        "cautious.",
        about_positive=True,
        best_at=1.0,
        over_parts="together",
    ),
    "calibration_intercept": ScoreEntry(
        "calibration intercept",
        f"{_LINE}:calibration_intercept",
        "shares",
        "more",
        "0 where the class comes as often as the probabilities say, below 0 where they are too large.",
        about_positive=True,
        best_at=0.0,
        over_parts="together",
    ),
    "cost": ScoreEntry(
        "expected cost",
        f"{_ANSWERS}:cost_per_row",
        "answers",
        "less",
        "What a predicted row costs on average.",
        interval="cost",
    ),
    "profit": ScoreEntry(
        "expected profit",
        f"{_ANSWERS}:profit_per_row",
        "answers",
        "more",
        "What a predicted row brings on average: the expected cost, the other way round.",
        interval="cost",
    ),
    "cost_at_best_cutoff": ScoreEntry(
        "cost at the best cutoff",
        "clearwood.scoring.cutoffs:cost_at_best_cutoff",
        "shares",
        "less",
        "What a row costs at the cutoff that these rows choose, and so less than it will cost others.",
        interval="none",
        over_parts="together",
    ),
    "profit_at_best_cutoff": ScoreEntry(
        "profit at the best cutoff",
        "clearwood.scoring.cutoffs:profit_at_best_cutoff",
        "shares",
        "more",
        "What a row brings at the cutoff that these rows choose, and so more than others will bring.",
        interval="none",
        over_parts="together",
    ),
    "rmse": ScoreEntry(
        "RMSE",
        f"{_ANSWERS}:rmse",
        "numbers",
        "less",
        "The root of the mean squared error.",
        between=_FROM_0,
        over_parts="root",
    ),
    "mae": ScoreEntry(
        "MAE",
        f"{_ANSWERS}:mae",
        "numbers",
        "less",
        "The mean absolute error.",
        between=_FROM_0,
    ),
    "r2": ScoreEntry(
        "R²",
        f"{_ANSWERS}:r2",
        "numbers",
        "more",
        "The part of the variance explained.",
        between=(-math.inf, 1.0),
        over_parts="together",
    ),
    "pinball": ScoreEntry(
        "quantile loss",
        f"{_ANSWERS}:pinball",
        "numbers",
        "less",
        "The mean loss of a predicted quantile.",
        between=_FROM_0,
    ),
}
