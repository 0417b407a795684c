"""A score over parts that were judged by a model each: one value, and a term for each part that adds to it.

The value is that of all rows together, each counted once, so that it agrees with what was counted; it varies
as the scores of the parts do. Of what small parts get wrong, such as F or balanced accuracy, the jackknife's
pseudo-values are the terms. Rankings are made within parts alone: shares of different models do not compare,
and where each row has a model of its own, they would rank the wrong way round.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Final, assert_never

import numpy as np

from clearwood.arrays import Floats, Longs, distinct
from clearwood.records import dataclass
from clearwood.scoring import SCORES
from clearwood.scoring.evaluation import ClassEvaluation, Evaluation
from clearwood.scoring.predictions import ClassPredictions, Predictions, counted_once
from clearwood.scoring.score import OverParts, ScoreEntry, Stakes

FEW_ROWS: Final = 5  # of a part with fewer, what is no mean over rows is a matter of chance
NO_RANKING: Final = "parts of so few rows cannot rank; take folds of more rows"
_GROUPS: Final = 200  # of parts to leave out in turn


@dataclass(frozen=True, slots=True, eq=False)
class PartsScore:
    """`scores` are those of the parts alone; `terms` [part] have the value as their mean and vary as it does:
    tests and errors are made of them. NaN where a part cannot tell; `why` says why the value is NaN."""

    value: float
    scores: Floats
    terms: Floats
    why: str = ""

    def standard_error(self, shared: float = 0.0) -> float:
        """Of the value; `shared` is rows that judge to rows learned from, by which it is corrected for
        the rows that the parts share (Nadeau and Bengio 2003)."""
        return error_of_terms(self.terms, shared)


def score_over_parts(name: str, predictions: Predictions, stakes: Stakes) -> PartsScore:
    """The score of predictions by several models, numbered by `part`; of one it is that of its rows."""
    entry = SCORES[name]
    places = [np.flatnonzero(predictions.part == part) for part in distinct(predictions.part)]
    parts = [predictions.take(rows) for rows in places]
    scores = np.array([entry.value(each, stakes) for each in parts])
    if entry.over_parts == "within" and len(parts) > 1:
        few = np.array([len(each) < entry.least_rows for each in parts])
        terms = np.where(few, np.nan, scores)
    elif entry.over_parts == "together" and len(parts) > 1 and _lack(parts, scores):
        return _together(entry, predictions, stakes, places, scores)
    else:
        terms = terms_of_parts(scores, entry.over_parts)
        if len(parts) > 1 and not math.isnan(whole_score := score_together(entry, predictions, stakes)):
            return PartsScore(whole_score, scores, terms + (whole_score - mean_of_known(terms)))
    value = mean_of_known(terms)
    why = ""
    if math.isnan(value):
        whole = entry.statistic(predictions, stakes).why
        why = whole or (NO_RANKING if entry.over_parts == "within" else "no part of the rows can tell")
    return PartsScore(value, scores, terms, why)


def score_together(entry: ScoreEntry, predictions: Predictions, stakes: Stakes) -> float:
    """Of all rows, each counted once however often it was judged."""
    once = counted_once(predictions)
    return float(entry.statistic(once, stakes).of(once.weights[None])[0])


def terms_of_parts(scores: Sequence[float] | Floats, over: OverParts) -> Floats:
    """What the scores of parts add to the value: of roots, what their squares add to the root of the mean.

    >>> float(terms_of_parts([3.0, 5.0], "root").mean() ** 2)
    17.0
    """
    values = np.asarray(scores, dtype=np.float64)
    match over:
        case "mean" | "together" | "within":
            return values
        case "root":
            square = mean_of_known(values**2)
            if math.isnan(square) or square <= 0:
                return values
            root = math.sqrt(square)
            return np.asarray(root + (values**2 - square) / (2 * root))
        case _:
            assert_never(over)


def least_rows(entry: ScoreEntry) -> int:
    """How many rows a part needs so that its own score is worth a mean."""
    match entry.over_parts:
        case "mean" | "root":
            return 1
        case "together":
            return FEW_ROWS
        case "within":
            return max(entry.least_rows, 2)
        case _:
            assert_never(entry.over_parts)


def mean_of_known(terms: Floats) -> float:
    """The mean of those that are known; NaN of none."""
    known = terms[~np.isnan(terms)]
    return float(known.mean()) if len(known) else math.nan


def error_of_terms(terms: Floats, shared: float = 0.0) -> float:
    """The standard error of their mean; NaN of fewer than two."""
    known = terms[~np.isnan(terms)]
    if len(known) < 2:
        return math.nan
    return float(np.std(known, ddof=1) * np.sqrt(1 / len(known) + shared))


def _lack(parts: Sequence[Predictions], scores: Floats) -> bool:
    """Is there a part with too few rows, without a class that others have, or without a score?"""
    if np.isnan(scores).any() or min(map(len, parts)) < FEW_ROWS:
        return True
    classes = [set(each.truth.tolist()) for each in parts if isinstance(each, ClassPredictions)]
    return any(each != classes[0] for each in classes)


def _together(
    entry: ScoreEntry, predictions: Predictions, stakes: Stakes, places: Sequence[Longs], scores: Floats
) -> PartsScore:
    """The score of all rows, each counted once, with the pseudo-values of leaving out part after part."""
    once = counted_once(predictions)
    statistic = entry.statistic(once, stakes)
    value = float(statistic.of(once.weights[None])[0])
    if math.isnan(value):
        return PartsScore(value, scores, np.full(len(places), np.nan), statistic.why)
    groups = min(len(places), _GROUPS)
    left = np.empty(groups)
    for group in range(groups):
        weights = once.weights.copy()
        for rows in places[group::groups]:
            weights[rows] = 0.0
        left[group] = statistic.of(weights[None])[0]
    left = np.where(np.isnan(left), value, left)
    # What a group adds is shared by its parts: their mean then varies as that of the groups does.
    pseudo = (groups - 1) * (left.mean() - left) * math.sqrt(len(places) / groups)
    terms = pseudo[np.arange(len(places)) % groups]
    return PartsScore(value, scores, value + terms - terms.mean())


# Evaluations of rows that belong together, or that several models judged: what was counted is the same, how
# sure it is is not.


def with_fitting_intervals(evaluation: Evaluation, predictions: Predictions) -> Evaluation:
    """The evaluation of these predictions with intervals from their groups, or over the parts that a model
    each judged; as it is where rows of one model are by themselves. Where they cannot tell, as a single group
    cannot, anything is possible."""
    if not isinstance(evaluation, ClassEvaluation) or not evaluation.weight_answered > 0:
        return evaluation
    if predictions.units is None and (predictions.part == predictions.part[0]).all():
        return evaluation
    from clearwood.scoring.intervals import (
        is_over_parts,
        score_intervals,
    )  # late: most rows are by themselves

    names = ("accuracy", "cost") if evaluation.costs else ("accuracy",)
    made = score_intervals(names, predictions, Stakes())
    low, high = made["accuracy"].interval or (0.0, 1.0)
    accuracy = max(low, 0.0), min(high, 1.0)
    by = made["accuracy"].by if is_over_parts(predictions) else "groups"
    if not evaluation.costs:
        return replace(evaluation, made_interval=accuracy, interval_by=by)
    paid = [cost for row in evaluation.costs for cost in row]
    cost = made["cost"].interval or (min(paid), max(paid))
    return replace(evaluation, made_interval=accuracy, made_cost_interval=cost, interval_by=by)
