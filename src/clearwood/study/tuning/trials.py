"""Trials: settings that were tried, with their scores fold by fold; the best, and the simplest as good."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import numpy as np

from clearwood.errors import LearningError
from clearwood.scoring.over_parts import error_of_terms, mean_of_known, terms_of_parts
from clearwood.scoring.score import OverParts, ScoreEntry


@dataclass(frozen=True, slots=True)
class Trial:
    """Settings, the score of each fold (NaN where its rows cannot tell), and the sizes of its models.

    The size is how much a person reads to know all of a model. `failed` says why the settings have no scores:
    they do not go together, or a fold refused them. `shared` is by how much the folds' rows overlap, as the
    corrected resampled t-test has it: rows that judge to rows learned from, 0 where no row judges twice.
    `over` says how the score goes over folds.
    """

    settings: Mapping[str, Any]
    scores: tuple[float, ...] = ()
    sizes: tuple[int, ...] = ()
    training: tuple[float, ...] = ()
    failed: str = ""
    shared: float = 0.0
    over: OverParts = "mean"

    def __post_init__(self) -> None:
        object.__setattr__(self, "settings", MappingProxyType(dict(self.settings)))

    def __reduce__(self) -> tuple[object, ...]:
        # A view cannot be pickled or copied: what it shows can.
        rest = (self.scores, self.sizes, self.training, self.failed, self.shared, self.over)
        return Trial, (dict(self.settings), *rest)

    @property
    def mean(self) -> float:
        """Over the folds that have a score; of a root, the root of the mean square."""
        return mean_of_known(terms_of_parts(self.scores, self.over))

    @property
    def standard_error(self) -> float:
        """Of the mean over the folds; NaN of fewer than two.

        >>> round(Trial({}, (0.5, 0.7), (3, 5)).standard_error, 3)
        0.1
        """
        return error_of_terms(terms_of_parts(self.scores, self.over), self.shared)

    @property
    def mean_on_training(self) -> float:
        """On the rows learned from, where that was asked for."""
        return mean_of_known(terms_of_parts(self.training, self.over))

    @property
    def standard_error_on_training(self) -> float:
        """Of that mean."""
        return error_of_terms(terms_of_parts(self.training, self.over), self.shared)

    @property
    def size(self) -> float:
        """The mean size of the folds' models."""
        return float(np.mean(self.sizes)) if self.sizes else math.nan


def best_of(trials: Sequence[Trial], entry: ScoreEntry) -> int:
    """The place of the best mean; of equal ones the simplest, and of these the first."""
    judged = _judged(trials)
    return min(judged, key=lambda place: (*_rank(trials[place], entry), place))


def simplest_within_one_error(trials: Sequence[Trial], entry: ScoreEntry) -> int:
    """The place of the simplest whose mean is within one standard error of the best's; of equally simple
    ones the better (Breiman et al. 1984).

    >>> from clearwood.scoring import SCORES
    >>> deep, flat = Trial({}, (0.9, 0.7, 0.8), (9, 9, 9)), Trial({}, (0.8, 0.7, 0.8), (3, 3, 3))
    >>> simplest_within_one_error([deep, flat], SCORES["accuracy"])
    1
    """
    best = trials[best_of(trials, entry)]
    error = 0.0 if math.isnan(best.standard_error) else best.standard_error
    limit = entry.goodness(best.mean) - error
    within = [
        place
        for place in _judged(trials)
        if entry.goodness(trials[place].mean) >= limit - 1e-12 * (1 + abs(limit))
    ]
    return min(within, key=lambda place: (trials[place].size, _rank(trials[place], entry)[0], place))


def _judged(trials: Sequence[Trial]) -> list[int]:
    """The places of those with a score; a sentence where there are none."""
    judged = [place for place, each in enumerate(trials) if not each.failed and not math.isnan(each.mean)]
    if not judged:
        failed = [each.failed for each in trials if each.failed]
        why = (
            failed[0]
            if failed
            else "No fold has rows that the score can be computed from. Take another score."
        )
        raise LearningError(f"None of the settings could be evaluated. {why}")
    return judged


def _rank(trial: Trial, entry: ScoreEntry) -> tuple[float, float]:
    # Means that differ by rounding alone are equal: the simpler then is better.
    return -float(f"{entry.goodness(trial.mean):.12g}"), trial.size
