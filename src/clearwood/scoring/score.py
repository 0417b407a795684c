"""A score: one number that says how good predictions are, as the list of scores declares it."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import field
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

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
