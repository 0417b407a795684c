"""Learners by the same folds: their scores part by part, and the difference of every pair."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from clearwood import shown
from clearwood.arrays import Floats
from clearwood.errors import SettingError
from clearwood.records import json_of
from clearwood.scoring.score import Better
from clearwood.study.comparing.score_difference import ScoreDifference
from clearwood.study.cross_validation import CrossValidation
from clearwood.words.numbers import with_and


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class LearnerComparison:
    """The score of each learner in each part of one design, and the difference of every pair.

    `scores` are by learner, part after part, each part with the same rows for all of them; NaN where the rows
    of a part cannot tell. `means` are by learner over the parts; of scores that are no means over rows what
    all rows together give.
    """

    names: tuple[str, ...]
    score: str
    label: str
    better: Better
    design: str  # in words
    rows: int
    scores: Mapping[str, tuple[float, ...]]
    means: Mapping[str, float]
    differences: tuple[ScoreDifference, ...]
    notes: tuple[str, ...] = ()
    validations: Mapping[str, CrossValidation] = field(default_factory=dict)

    @property
    def best_first(self) -> tuple[str, ...]:
        """The learners by their mean score; one without a score is last."""
        sign = -1 if self.better == "more" else 1
        known = {name: mean for name, mean in self.means.items() if not math.isnan(mean)}
        without = [name for name in self.names if name not in known]
        return (*sorted(known, key=lambda name: sign * known[name]), *without)

    def difference(self, first: str, second: str) -> ScoreDifference:
        """That of two learners, in the order of the comparison."""
        for each in self.differences:
            if (each.first, each.second) == (first, second):
                return each
        known = ", ".join(f"({each.first}, {each.second})" for each in self.differences)
        raise SettingError(f"No difference ({first}, {second}). There are: {known}.")

    @property
    def conclusions(self) -> tuple[str, ...]:
        """What may be concluded, pair by pair, and what may not."""
        return tuple(each.conclusion for each in self.differences)

    def __str__(self) -> str:
        return shown.text(self)

    def __repr__(self) -> str:
        return f"<LearnerComparison of {with_and(self.names)} by {self.label}: {self.design}>"

    def _repr_html_(self) -> str:
        return shown.html(self)

    def to_json(self) -> dict[str, Any]:
        """Plain values, ready for `json.dumps`."""
        learners = {
            name: {
                "mean": self.means[name],
                "scores": self.scores[name],
                "sizes": self.validations[name].reading_sizes,
            }
            for name in self.names
        }
        return json_of(self, *("names", "label", "scores", "means", "validations"), learners=learners)


def mean_known(scores: Floats) -> float:
    """The mean of those that are no NaN; NaN where there is none."""
    known = scores[~np.isnan(scores)]
    return float(known.mean()) if len(known) else math.nan
