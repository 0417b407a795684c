"""The difference of two contenders over the parts of a design: one way for `compare` and `choose`."""

from __future__ import annotations

import math
from typing import Final

import numpy as np

from clearwood.arrays import Floats
from clearwood.scoring import SCORES
from clearwood.scoring.differences.bayes import ROPE, bayesian_correlated_t
from clearwood.scoring.differences.paired import corrected_resampled_t
from clearwood.scoring.score import ScoreEntry
from clearwood.study.comparing.learner_comparison import mean_known
from clearwood.study.comparing.score_difference import ScoreDifference

_NO_SHARES: Final = frozenset(
    SCORES[name].label
    for name in (
        *("cost", "profit", "cost_at_best_cutoff", "profit_at_best_cutoff"),
        *("log_loss", "lift", "calibration_slope", "calibration_intercept"),
    )
)


def difference_over_parts(
    names: tuple[str, str],
    scores: tuple[Floats, Floats],
    score: str,
    entry: ScoreEntry,
    judged_to_learned: float,
    rope: float | None = None,
) -> ScoreDifference:
    """The first one's scores less the second one's, part by part, by the corrected resampled t-test and its
    Bayesian counterpart; parts where either has no score are left out."""
    apart = scores[0] - scores[1]
    known = ~np.isnan(apart)
    found = corrected_resampled_t(apart[known], judged_to_learned)
    means = mean_known(scores[0][known]), mean_known(scores[1][known])
    minded = rope_of(entry, means, rope)
    gains = apart[known] if entry.better == "more" else -apart[known]
    posterior = None
    if found.standard_error > 0:
        posterior = bayesian_correlated_t(gains, judged_to_learned, minded)
    return ScoreDifference(
        first=names[0],
        second=names[1],
        score=score,
        label=entry.label,
        better=entry.better,
        of_first=means[0],
        of_second=means[1],
        difference=found.mean,
        interval=found.interval,
        test=found.test,
        p=found.p,
        detectable=found.detectable,
        rope=minded,
        posterior=posterior,
    )


def rope_of(entry: ScoreEntry, means: tuple[float, float], rope: float | None = None) -> float:
    """As given; 0.01 of what lies between 0 and 1, and 1 % of the smaller of other scores."""
    if rope is not None:
        return rope
    if entry.label not in _NO_SHARES and (entry.of != "numbers" or entry.better == "more"):
        return ROPE
    return ROPE * min((abs(each) for each in means if not math.isnan(each)), default=0.0)
