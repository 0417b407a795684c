"""Intervals of scores at 95 %, each by the way that fits the score, the weights and how rows were judged.

Parts of rows have Wilson's, an AUC DeLong's, costs their own; all others, and all under weights that are no
counts, come from rows drawn anew. Rows that belong together, as those of one customer do, are drawn together:
ten that are alike tell little more than one. Where folds or other parts have a model each, once or in several
repeats, their scores vary: there it is t over the parts, corrected for the rows that their models share
(Nadeau and Bengio 2003), for every score and every number of repeats alike.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final, assert_never

import numpy as np

from clearwood.arrays import Bools, Floats, Longs, distinct
from clearwood.measures.inference import normal_quantile, wilson_of
from clearwood.records import dataclass
from clearwood.scoring import SCORES, OverParts, Scored, ScoredOf, ScoreEntry, Stakes
from clearwood.scoring.answer_scores import costs_asked
from clearwood.scoring.costs import expected_cost
from clearwood.scoring.differences.same_rows import areas_under_curves
from clearwood.scoring.evaluation import ClassEvaluation, Evaluation
from clearwood.scoring.positive import positive_code
from clearwood.scoring.predictions import ClassPredictions, Predictions, counted_once
from clearwood.scoring.share_scores import judged_rows
from clearwood.table.schema import effective_rows

CORRECTED: Final = "Nadeau–Bengio"
_OFS: Final[tuple[ScoredOf, ...]] = ("answers", "shares", "numbers")


def _scored(
    name: str, value: float, interval: tuple[float, float] | None = None, by: str = "", why: str = ""
) -> Scored:
    return Scored(name, SCORES[name].label, value, SCORES[name].better, interval, by, why=why)


def score_intervals(
    names: tuple[str, ...], predictions: Predictions, stakes: Stakes, *, seed: int = 0, quick: bool = False
) -> dict[str, Scored]:
    """Each of these scores with its interval; `quick` leaves out those that are drawn."""
    if is_over_parts(predictions):
        return {name: _over_parts(name, predictions, stakes) for name in names}
    scored: dict[str, Scored] = {}
    drawn: list[str] = []
    for name in names:
        statistic = SCORES[name].statistic(predictions, stakes)
        value = float(statistic.of(predictions.weights[None])[0])
        scored[name] = _scored(name, value, why=statistic.why)
        if math.isnan(value) or SCORES[name].interval == "none":
            continue
        drawn_only = predictions.weights_are in ("sampling", "importance") or predictions.units is not None
        known = None if drawn_only else _by_formula(name, value, predictions, stakes)
        if known is not None:
            scored[name] = known
        else:
            drawn.append(name)
    return scored if quick else scored | _drawn(drawn, scored, predictions, stakes, seed)


def _by_formula(name: str, value: float, predictions: Predictions, stakes: Stakes) -> Scored | None:
    """The interval that needs no drawing; None where there is none for such a score."""
    entry = SCORES[name]
    if not isinstance(predictions, ClassPredictions):
        return None
    if entry.interval == "wilson":
        part_of = entry.statistic(predictions, stakes).part_of
        if part_of is None:
            return None
        rows = float(predictions.weights[part_of].sum())
        return _wilson(name, value, rows, "Wilson")
    if entry.interval == "delong":
        positive = positive_code(predictions, stakes)
        if positive is None or (name == "auc_hand_till" and len(predictions.classes) > 2):
            return None
        rows_judged = judged_rows(predictions)
        own = predictions.truth[rows_judged] == positive
        shares = predictions.shares[rows_judged, positive]
        interval = auc_interval(shares, own, predictions.weights[rows_judged])
        return _scored(name, value, interval, "DeLong" if interval else "a class has one row")
    if entry.interval == "cost":
        cost = expected_cost(
            predictions.classes, predictions.evaluation.confusion, costs_asked(predictions, stakes)
        )
        assert cost is not None  # or the value would be NaN
        low, high = cost.interval
        return _scored(name, value, (low, high) if entry.better == "less" else (-high, -low), "Wilson")
    return None


def _drawn(
    names: list[str], scored: Mapping[str, Scored], predictions: Predictions, stakes: Stakes, seed: int
) -> dict[str, Scored]:
    from clearwood.scoring.resampling import bootstrap_intervals, distinct_rows  # late: fit draws none

    made: dict[str, Scored] = {}
    for of in _OFS:
        these = [name for name in names if SCORES[name].of == of]
        if not these:
            continue
        rows = distinct_rows(predictions, of)
        statistics = {name: SCORES[name].statistic(rows.predictions, stakes) for name in these}
        many = isinstance(predictions, ClassPredictions) and of == "shares" and len(predictions.classes) > 2
        work = len(predictions.classes) if many and isinstance(predictions, ClassPredictions) else 1
        intervals, draws = bootstrap_intervals(rows, statistics, seed=seed, work=work)
        for name in these:
            value, interval = scored[name].value, intervals[name]
            if interval is not None:
                of_what = f"{draws:,} draws" if rows.units is None else f"{rows.units.max() + 1:,} groups"
                made[name] = _scored(name, value, interval, f"bootstrap of {of_what}")
            else:
                made[name] = _undrawn(name, value, predictions, stakes)
    return made


def _undrawn(name: str, value: float, predictions: Predictions, stakes: Stakes) -> Scored:
    """Where all resamples agree, or cannot tell: of parts of rows Wilson's, by the effective rows."""
    part_of = SCORES[name].statistic(predictions, stakes).part_of
    if part_of is None:
        return _scored(name, value, None, "resamples of these rows do not tell")
    if predictions.units is not None:
        groups = np.unique(predictions.units[part_of], return_inverse=True)[1].ravel()
        effective = effective_rows(np.bincount(groups, predictions.weights[part_of]).astype(np.float64))
        if effective < 2:
            return _scored(name, value, None, "one group does not tell")
        return _wilson(name, value, effective, "Wilson of the effective groups")
    return _wilson(name, value, effective_rows(predictions.weights[part_of]), "Wilson of the effective rows")


def _wilson(name: str, value: float, rows: float, by: str) -> Scored:
    return _scored(name, value, wilson_of(value, rows), by)


def is_over_parts(predictions: Predictions) -> bool:
    """Did several models judge, each the rows of its part?"""
    return len(predictions) > 0 and not bool((predictions.part == predictions.part[0]).all())


def judged_to_learned_by(predictions: Predictions) -> float:
    """Rows that judge to rows learned from, in the average part: one learns from all rows but its own."""
    rows = len(distinct(predictions.places))
    sizes = np.unique(predictions.part, return_counts=True)[1]
    return float(np.mean(sizes / np.maximum(rows - sizes, 1)))


def _over_parts(name: str, predictions: Predictions, stakes: Stakes) -> Scored:
    """The score over the parts that were judged by a model each, with t over the parts, corrected for the
    rows that their models share."""
    entry = SCORES[name]
    over = score_over_parts(name, predictions, stakes)
    if math.isnan(over.value):
        return _scored(name, over.value, why=over.why)
    terms = over.terms[~np.isnan(over.terms)]
    rows = len(distinct(predictions.places))
    value = over.value
    sizes = np.unique(predictions.part, return_counts=True)[1]
    shared = judged_to_learned_by(predictions)
    if len(terms) < 2 or entry.interval == "none" or int(sizes.max()) == rows:
        return _scored(name, value, by="the parts together")
    from clearwood.scoring.differences.paired import corrected_resampled_t  # late, as above

    by = f"{CORRECTED} over {len(terms)} parts"
    low, high = corrected_resampled_t(terms, shared).interval
    if not math.isnan(low):
        return _scored(name, value, entry.within_range((low, high)), by)
    # Equal scores have no spread. Parts of rows still have their number, which is corrected alike.
    part_of = entry.statistic(predictions, stakes).part_of if entry.interval == "wilson" else None
    if part_of is None:
        return _scored(name, value, by="the parts together, whose scores are the same")
    of_part = float(predictions.weights[part_of].sum()) / len(sizes)
    return _wilson(name, value, of_part / (1 / len(terms) + shared), f"Wilson of the effective rows, {by}")


# The interval of an AUC: DeLong's variance, on the scale of log odds.


def auc_interval(
    shares: Floats, own: Bools, weights: Floats, confidence: float = 0.95
) -> tuple[float, float] | None:
    """Of shares that should be larger for rows of the class (`own`); a weight w is w equal rows. None where a
    class has one row.

    On the scale of log odds the distribution of an AUC near 1 is more even, and no end is beyond 0 or 1. An
    AUC of 0 or 1 has no spread: it gets Wilson's interval, as if of as many pairs as the rarer side has rows.

    >>> import numpy as np
    >>> shares = np.array([0.9, 0.8, 0.3, 0.7, 0.2, 0.1])
    >>> own = np.array([True, True, True, False, False, False])
    >>> [round(end, 3) for end in auc_interval(shares, own, np.ones(6))]
    [0.261, 0.995]
    """
    placed = areas_under_curves(shares[None], own, weights)
    area, variance = float(placed.areas[0]), float(placed.covariances[0, 0])
    if math.isnan(variance):
        return None
    if not variance > 0 or not 0 < area < 1:
        rows = min(float(weights[own].sum()), float(weights[~own].sum()))
        return wilson_of(area, rows, confidence)
    reach = float(normal_quantile(0.5 + confidence / 2)) * math.sqrt(variance) / (area * (1 - area))
    centre = math.log(area / (1 - area))
    return _share(centre - reach), _share(centre + reach)


def _share(log_odds: float) -> float:
    return 1 / (1 + math.exp(-log_odds)) if log_odds > -700 else 0.0


# A score over parts that were judged by a model each: one value, and a term for each part that adds to it.
#
# The value is that of all rows together, each counted once, so that it agrees with what was counted; it
# varies as the scores of the parts do. Of what small parts get wrong, such as F or balanced accuracy, the
# jackknife's pseudo-values are the terms. Rankings are made within parts alone: shares of different models
# do not compare, and where each row has a model of its own, they would rank the wrong way round.


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
        return _jackknifed(entry, predictions, stakes, places, scores)
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


def _jackknifed(
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
