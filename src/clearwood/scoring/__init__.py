"""Scoring: truth and answers in, numbers out. The list of scores is here, and only here."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import field
from functools import partial
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


_SHARE: Final = (0.0, 1.0)
_CORRELATION: Final = (-1.0, 1.0)
_FROM_0: Final = (0.0, math.inf)
_TO_RANK: Final = 5  # rows: an AUC is fair of any two, figures of the top of a ranking are not


def _of(
    module: str, of: ScoredOf, better: Better = "more", **usual: Any
) -> Callable[..., tuple[str, ScoreEntry]]:
    """What makes the entries of a family: the file that computes them, by their names or another `function`,
    and what most of them are."""

    def entry(
        name: str, about: str, label: str = "", better: Better = better, **own: Any
    ) -> tuple[str, ScoreEntry]:
        compute = f"clearwood.scoring.{module}:{own.pop('function', name)}"
        return name, ScoreEntry(label or name.replace("_", " "), compute, of, better, about, **usual | own)

    return entry


_answers = _of("answer_scores", "answers", between=_SHARE, over_parts="together")
_costs = _of("answer_scores", "answers", interval="cost")
_rankings = _of("share_scores", "shares", between=_SHARE, over_parts="within")
_tops = partial(_rankings, about_positive=True, least_rows=_TO_RANK)
_losses = _of("share_scores", "shares", "less")
_brier = _of("share_scores", "shares", "less", interval="none", between=_FROM_0, over_parts="together")
_line = _of("calibration", "shares", about_positive=True, over_parts="together")
_cutoffs = _of("cutoffs", "shares", interval="none", over_parts="together")
_numbers = _of("answer_scores", "numbers", "less", between=_FROM_0)

SCORES: Final[dict[str, ScoreEntry]] = dict(
    [
        _answers(
            "accuracy",
            "The share of predicted rows whose prediction is correct.",
            interval="wilson",
            over_parts="mean",
        ),
        _answers("balanced_accuracy", "The mean of the classes' recalls."),
        _answers(
            "recall",
            "The part of the class's rows that were predicted as it.",
            about_positive=True,
            interval="wilson",
        ),
        _answers(
            "precision",
            "The part of the rows predicted as the class that are of it.",
            about_positive=True,
            interval="wilson",
        ),
        _answers(
            "f_beta",
            "Precision and recall in one: their harmonic mean, where recall counts β times as much.",
            "F",
            about_positive=True,
        ),
        _answers(
            "mcc",
            "The correlation of truth and prediction: 0 without skill, 1 without a mistake.",
            "Matthews' correlation",
            between=_CORRELATION,
        ),
        _answers(
            "kappa",
            "How far the accuracy is above chance, as a part of how far it could be.",
            between=_CORRELATION,
        ),
        _rankings(
            "auc",
            "How often a row of the class gets a larger probability of it than another row.",
            "AUC",
            about_positive=True,
            interval="delong",
        ),
        _rankings(
            "auc_hand_till",
            "The mean AUC over all pairs of classes, by Hand and Till.",
            "AUC of pairs",
            interval="delong",
        ),
        _tops("average_precision", "The precision at every cutoff, weighed by the recall that it adds."),
        _tops("ks", "The largest lead of the recall over the false positive rate.", "Kolmogorov–Smirnov"),
        _tops(
            "lift",
            "How many times as often the class comes among the 10 % of the rows with the largest "
            "probabilities.",
            "lift at 10 %",
            settings={"at": 0.1},
            between=(0.0, 10.0),
        ),
        _tops(
            "gains",
            "The share of the class's rows that are among the 10 % of rows with the largest probabilities.",
            "gain at 10 %",
            function="gain_at",
            settings={"at": 0.1},
        ),
        _losses("log_loss", "The mean of −ln(probability of the true class).", between=_FROM_0),
        _losses("brier", "The mean square of probability − truth.", "Brier score", between=(0.0, 2.0)),
        _brier(
            "brier_reliability",
            "The part of the Brier score that comes from probabilities that are off.",
            "reliability",
        ),
        _brier(
            "brier_resolution", "What telling rows apart takes off the Brier score.", "resolution", "more"
        ),
        _brier(
            "brier_uncertainty",
            "The Brier score of the classes' frequencies: it depends on the rows, not on the model.",
            "uncertainty",
            between=_SHARE,
        ),
        _line(
            "calibration_slope",
            "1 where the probabilities are right, less where they are too extreme, more where they are too "
            "cautious.",
            best_at=1.0,
        ),
        _line(
            "calibration_intercept",
            "0 where the class comes as often as the probabilities say, below 0 where they are too large.",
            best_at=0.0,
        ),
        _costs("cost", "What a predicted row costs on average.", "expected cost", "less"),
        _costs(
            "profit",
            "What a predicted row brings on average: the expected cost, the other way round.",
            "expected profit",
        ),
        _cutoffs(
            "cost_at_best_cutoff",
            "What a row costs at the cutoff that these rows choose, and so less than it will cost others.",
            "cost at the best cutoff",
            "less",
        ),
        _cutoffs(
            "profit_at_best_cutoff",
            "What a row brings at the cutoff that these rows choose, and so more than others will bring.",
            "profit at the best cutoff",
        ),
        _numbers("rmse", "The root of the mean squared error.", "RMSE", over_parts="root"),
        _numbers("mae", "The mean absolute error.", "MAE"),
        _numbers(
            "r2",
            "The part of the variance explained.",
            "R²",
            "more",
            between=(-math.inf, 1.0),
            over_parts="together",
        ),
        _numbers("pinball", "The mean loss of a predicted quantile.", "quantile loss"),
    ]
)
