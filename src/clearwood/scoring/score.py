"""A score: one number that says how good predictions are, as the list of scores declares it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from clearwood.registry import imported

if TYPE_CHECKING:
    from clearwood.scoring.predictions import Predictions

Better: TypeAlias = Literal["more", "less"]
ScoredOf: TypeAlias = Literal["answers", "shares", "numbers"]


@dataclass(frozen=True, slots=True)
class Stakes:
    """What is at stake, beside the predictions: the class that it is about, what mistakes cost.

    `positive` is "" where no class was named. `costs` are by (true class, predicted class), other mistakes
    cost 1; None: those that the model minimises, and 1 for every mistake where it has none. `beta` weighs
    recall against precision.
    """

    positive: str = ""
    costs: Mapping[tuple[str, str], float] | None = None
    beta: float = 1.0


@dataclass(frozen=True, slots=True)
class ScoreEntry:
    """A score as the list has it. `compute` ("module:function", imported when needed) takes predictions and
    what is at stake, and gives NaN where the rows cannot tell.

    `of` says what it judges: answers, shares of classes, or numbers. `about_positive`: it is about one class
    against the others, which must be named or guessed. `better` says which way is good. `interval` names
    the way to its interval.
    """

    label: str
    compute: str | Callable[[Any, Stakes], float]
    of: ScoredOf
    better: Better
    about: str
    about_positive: bool = False
    interval: str = "bootstrap"
    settings: Mapping[str, Any] = field(default_factory=dict)

    def value(self, predictions: Predictions, stakes: Stakes) -> float:
        """The score of these predictions."""
        compute = imported(self.compute) if isinstance(self.compute, str) else self.compute
        return float(compute(predictions, stakes, **self.settings))


@dataclass(frozen=True, slots=True)
class Scored:
    """A score of some predictions, with its interval at 95 % and what the baseline gets.

    NaN is a score that the rows cannot tell. `interval` is None where it has none; `by` says how it was made.
    The baseline gives every row the commonest class with the classes' shares, or the mean, or the quantile.
    """

    name: str
    label: str
    value: float
    better: Better
    interval: tuple[float, float] | None = None
    by: str = ""
    baseline: float | None = None
