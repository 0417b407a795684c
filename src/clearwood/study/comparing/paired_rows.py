"""Two models on the same rows: the difference of each score, row by row where it can be."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from statistics import NormalDist
from typing import Final

import numpy as np

from clearwood.arrays import Floats, Longs
from clearwood.scoring import SCORES, Better, ScoreEntry, Stakes
from clearwood.scoring.answer_scores import costs_asked
from clearwood.scoring.differences.paired import (
    CONFIDENCE,
    POWER,
    ROPE,
    bayesian_correlated_t,
    corrected_resampled_t,
    paired_mean,
    paired_mean_of_groups,
    tango_interval,
)
from clearwood.scoring.differences.same_rows import areas_under_curves, mcnemar_of_rows
from clearwood.scoring.intervals import mean_of_known
from clearwood.scoring.predictions import ClassPredictions, NumberPredictions, Predictions
from clearwood.study.comparing.score_difference import ScoreDifference
from clearwood.table.schema import effective_rows

_NORMAL: Final = NormalDist()
_BOTH: Final = _NORMAL.inv_cdf(0.5 + CONFIDENCE / 2) + _NORMAL.inv_cdf(POWER)


@dataclass(frozen=True, slots=True, eq=False)
class PairedRows:
    """What two models gave the same rows, in the same order; `counts`: weights are counts of equal rows."""

    first: str
    second: str
    one: Predictions
    other: Predictions
    counts: bool
    stakes: Stakes
    rope: float | None = None

    def rope_for(self, *scores: float, is_share: bool) -> float:
        """The differences that nobody minds: as given, else 0.01 of a share and 1 % of another score."""
        if self.rope is not None:
            return self.rope
        known = [abs(score) for score in scores if not math.isnan(score)]
        return ROPE if is_share else ROPE * min(known, default=0.0)

    def by_mean(
        self,
        score: tuple[str, str, Better],
        ones: Floats,
        others: Floats,
        rows: Predictions,
        *,
        is_share: bool = False,
    ) -> ScoreDifference:
        """The difference of two means over these rows, or over the groups that they belong to."""
        weights = rows.weights
        found = (
            paired_mean(ones, others, weights, counts=self.counts)
            if rows.units is None
            else paired_mean_of_groups(ones, others, weights, rows.units)
        )
        total = float(weights.sum())
        one, other = (float((each * weights).sum()) / total if total else math.nan for each in (ones, others))
        rope = self.rope_for(one, other, is_share=is_share)
        return ScoreDifference.of_means((self.first, self.second), score, (one, other), found, rope)


def differences_of_rows(pair: PairedRows) -> Iterator[ScoreDifference]:
    """Of classes: accuracy, AUC where there are two, the Brier score, and costs where there are some; of
    numbers: the errors that their kind of answer is judged by."""
    if isinstance(pair.one, ClassPredictions) and isinstance(pair.other, ClassPredictions):
        yield from _of_classes(pair, pair.one, pair.other)
    elif isinstance(pair.one, NumberPredictions) and isinstance(pair.other, NumberPredictions):
        yield from _of_numbers(pair, pair.one, pair.other)


def _of_classes(
    pair: PairedRows, one: ClassPredictions, other: ClassPredictions
) -> Iterator[ScoreDifference]:
    answered = (one.answers >= 0) & (other.answers >= 0)
    one, other = one.take(answered), other.take(answered)
    yield _accuracy(pair, one, other)
    yield from _costs(pair, one, other)
    judged = (one.truth >= 0) & (one.shares.sum(axis=1) > 0) & (other.shares.sum(axis=1) > 0)
    if set(one.classes) != set(other.classes) or not judged.any():
        return
    order = [other.classes.index(name) for name in one.classes]
    rows, truth = one.take(judged), one.truth[judged]
    shares, others = rows.shares, other.shares[judged][:, order]
    if len(one.classes) == 2 and 0 < truth.sum() < len(truth):
        scores = np.stack([shares[:, 1], others[:, 1]])
        areas = areas_under_curves(scores, truth == 1, rows.weights, counts=pair.counts, units=rows.units)
        values = float(areas.areas[0]), float(areas.areas[1])
        names, rope = (pair.first, pair.second), pair.rope_for(is_share=True)
        yield ScoreDifference.of_means(names, ("auc", "AUC", "more"), values, areas.difference(0, 1), rope)
    brier = _squared(shares, truth), _squared(others, truth)
    difference = pair.by_mean(("brier", "Brier score", "less"), *brier, rows)
    yield replace(difference, rope=pair.rope_for(is_share=True))


def _accuracy(pair: PairedRows, one: ClassPredictions, other: ClassPredictions) -> ScoreDifference:
    """By McNemar's test, whose rows are each by themselves; groups are compared by their sums."""
    right, other_right = one.answers == one.truth, other.answers == other.truth
    if one.units is not None:
        means = right.astype(np.float64), other_right.astype(np.float64)
        return pair.by_mean(("accuracy", "accuracy", "more"), *means, one, is_share=True)
    tested = mcnemar_of_rows(right, other_right, one.weights, counts=pair.counts)
    total = float(one.weights.sum())
    rows = total if pair.counts else effective_rows(one.weights)
    accuracy, other_accuracy = (
        float(one.weights[each].sum()) / total if total else math.nan for each in (right, other_right)
    )
    only, only_other = (
        float(one.weights[each].sum()) / total * rows if total else 0.0
        for each in (right & ~other_right, other_right & ~right)
    )
    # With a row more of either kind (Bonett and Price 2012): none at all would promise to show anything.
    n = rows + 2
    error = math.sqrt(max(only + only_other + 2 - (only - only_other) ** 2 / n, 0.0)) / n
    return ScoreDifference(
        first=pair.first,
        second=pair.second,
        score="accuracy",
        label="accuracy",
        better="more",
        of_first=accuracy,
        of_second=other_accuracy,
        difference=accuracy - other_accuracy,
        interval=tango_interval(only, only_other, rows),
        test="McNemar's exact test",
        p=tested.p if total else math.nan,
        detectable=_BOTH * error,
        rope=pair.rope_for(is_share=True),
        mcnemar=tested,
    )


def _squared(shares: Floats, truth: Longs) -> Floats:
    """[row] The squared distance of the shares from the truth: of two classes that of one of them."""
    true = np.zeros_like(shares)
    true[np.arange(len(truth)), truth] = 1.0
    squared: Floats = ((shares - true) ** 2).sum(axis=1)
    return squared / 2 if shares.shape[1] == 2 else squared


def _costs(pair: PairedRows, one: ClassPredictions, other: ClassPredictions) -> Iterator[ScoreDifference]:
    """Of the costs asked for; of those that both models minimise, where they are the same."""
    shared = one.costs and one.costs == other.costs and one.classes == other.classes
    known = (one.truth >= 0) & (other.truth >= 0)
    if (pair.stakes.costs is None and not shared) or not known.any():
        return
    paid, others = (
        np.array(costs_asked(each, pair.stakes))[each.truth[known], each.answers[known]]
        for each in (one, other)
    )
    yield pair.by_mean(("cost", "expected cost", "less"), paid, others, one.take(known))


def _of_numbers(
    pair: PairedRows, one: NumberPredictions, other: NumberPredictions
) -> Iterator[ScoreDifference]:
    answered = ~np.isnan(one.answers) & ~np.isnan(other.answers)
    rows = one.take(answered)
    errors = rows.truth - one.answers[answered], rows.truth - other.answers[answered]
    quantile = one.quantile if one.quantile == other.quantile else None
    if quantile is None:
        squares = [each**2 for each in errors]
        yield pair.by_mean(("mse", "mean squared error", "less"), squares[0], squares[1], rows)
    if quantile is None or quantile == 0.5:
        away = [np.abs(each) for each in errors]
        yield pair.by_mean(("mae", "mean absolute error", "less"), away[0], away[1], rows)
        return
    loss, other_loss = (np.maximum(quantile * each, (quantile - 1) * each) for each in errors)
    yield pair.by_mean(("pinball", "quantile loss", "less"), loss, other_loss, rows)


# The difference of two contenders over the parts of a design: one way for `compare` and `choose`.


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
    means = mean_of_known(scores[0][known]), mean_of_known(scores[1][known])
    minded = rope_of(entry, means, rope)
    posterior = None
    if found.standard_error > 0:
        gains = apart[known] if entry.better == "more" else -apart[known]
        posterior = bayesian_correlated_t(gains, judged_to_learned, minded)
    named = score, entry.label, entry.better
    return ScoreDifference.of_means(names, named, means, found, minded, posterior)


def rope_of(entry: ScoreEntry, means: tuple[float, float], rope: float | None = None) -> float:
    """As given; 0.01 of what lies between 0 and 1, and 1 % of the smaller of other scores."""
    if rope is not None:
        return rope
    if entry.label not in _NO_SHARES and (entry.of != "numbers" or entry.better == "more"):
        return ROPE
    return ROPE * min((abs(each) for each in means if not math.isnan(each)), default=0.0)
