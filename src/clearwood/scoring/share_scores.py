"""Scores of shares: how dear are surprises, and how far are the shares from what comes true?"""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations
from typing import Final

import numpy as np

from clearwood.arrays import Bools, Floats, Longs
from clearwood.records import dataclass
from clearwood.scoring import Stakes, WeighedScore
from clearwood.scoring.positive import positive_code
from clearwood.scoring.predictions import (
    ClassPredictions,
    divided_or_nan,
    summed_by_weight,
    weighted_mean,
    weights_of_rows,
)
from clearwood.words.columns import in_columns

_LEAST: Final = float(np.finfo(np.float64).eps)  # a share of 0 is taken for this, as calibration does
_BINS: Final = 10


def log_loss(predictions: ClassPredictions, _: Stakes) -> WeighedScore:
    """The mean of −ln(probability of the true class)."""
    rows = judged_rows(predictions)
    own = predictions.shares[rows, predictions.truth[rows]]
    return _mean(rows, -np.log(np.clip(own, _LEAST, 1.0 - _LEAST)))


def brier(predictions: ClassPredictions, _: Stakes) -> WeighedScore:
    """The mean square of share − truth: of one class where there are two, else summed over the classes."""
    rows = judged_rows(predictions)
    return _mean(rows, _squares(predictions, rows))


def brier_reliability(predictions: ClassPredictions, _: Stakes) -> WeighedScore:
    """The part of the Brier score that comes from shares that are off: Σ weight · (share − observed)², over
    groups of rows of about equal share."""
    return _by_groups(predictions, "reliability")


def brier_resolution(predictions: ClassPredictions, _: Stakes) -> WeighedScore:
    """What telling rows apart takes off the Brier score: Brier = reliability − resolution + uncertainty.

    Murphy (1973) has Σ weight · (observed − base rate)² over groups of equal shares. Where a group has
    several shares, what they tell within it counts as well (Stephenson, Coelho and Jolliffe 2008), so that
    the three always add up.
    """
    return _by_groups(predictions, "resolution")


def brier_uncertainty(predictions: ClassPredictions, _: Stakes) -> WeighedScore:
    """The Brier score of the classes' own shares among these rows: base rate · (1 − base rate)."""
    return _by_groups(predictions, "uncertainty")


def _by_groups(predictions: ClassPredictions, part: str) -> WeighedScore:
    rows = judged_rows(predictions)
    squares = _squares(predictions, rows)
    truth, shares = predictions.truth[rows], predictions.shares[rows]
    classes = [1] if len(predictions.classes) == 2 else list(range(len(predictions.classes)))
    grouped = [_groups(shares[:, each], predictions.weights[rows]) for each in classes]

    def of(weights: Floats) -> Floats:
        kept = weights_of_rows(weights, rows)
        total = kept.sum(axis=1)
        off, base = np.zeros(len(kept)), np.zeros(len(kept))
        with np.errstate(invalid="ignore", divide="ignore"):
            for each, (order, starts) in zip(classes, grouped, strict=True):
                ordered = kept[:, order]
                own = (truth[order] == each).astype(np.float64)
                inside = np.add.reduceat(ordered, starts, axis=1)
                observed = np.add.reduceat(ordered * own, starts, axis=1) / inside
                given = np.add.reduceat(ordered * shares[order, each], starts, axis=1) / inside
                off += np.where(inside > 0, inside * (given - observed) ** 2, 0.0).sum(axis=1)
                rate = summed_by_weight(ordered, own) / total
                base += rate * (1 - rate)
            parts = {"reliability": off / total, "uncertainty": base}
            parts["resolution"] = parts["reliability"] + base - summed_by_weight(kept, squares) / total
        return np.where(total > 0, parts[part], np.nan)

    return _told(of, rows)


def _groups(shares: Floats, weights: Floats) -> tuple[Longs, Longs]:
    """Rows in the order of their shares, and where each group begins: a group for every share, or of more
    than ten shares ten groups of about equal weight, where rows of one share stay together."""
    order = np.argsort(shares, kind="stable")
    new = np.append(True, np.diff(shares[order]) != 0) if len(shares) else np.zeros(0, np.bool_)
    starts = np.flatnonzero(new)
    if len(starts) > _BINS:
        before = np.cumsum(weights[order]) - weights[order]
        at = np.searchsorted(before[starts], np.arange(_BINS) / _BINS * float(weights.sum()), side="right")
        starts = starts[np.unique(np.maximum(at - 1, 0))]
    return order, starts


def _squares(predictions: ClassPredictions, rows: Longs) -> Floats:
    off = predictions.shares[rows] - (predictions.truth[rows][:, None] == np.arange(len(predictions.classes)))
    two = len(predictions.classes) == 2
    return np.asarray(off[:, -1] ** 2 if two else (off**2).sum(axis=1))


def _mean(rows: Longs, losses: Floats) -> WeighedScore:
    return _told(lambda weights: weighted_mean(weights_of_rows(weights, rows), losses), rows)


def _told(of: Callable[[Floats], Floats], rows: Longs) -> WeighedScore:
    return WeighedScore(of, "" if len(rows) else _NONE)


_NONE: Final = "no row has probabilities and a class that the model knows"


def judged_rows(predictions: ClassPredictions) -> Longs:
    """The rows by which shares can be judged."""
    judged = (predictions.truth >= 0) & (predictions.shares.sum(axis=1) > 0) & (predictions.weights > 0)
    return np.flatnonzero(judged)


# Scores of rankings: do the rows of a class get larger shares of it than the others?


@dataclass(frozen=True, slots=True, eq=False)
class RankedRows:
    """Rows from the largest share of a class down; those of equal share are one step."""

    rows: Longs  # [place] positions among the predictions
    own: Bools  # [place] is the row of the class?
    starts: Longs  # [step] the place of its first row

    def steps(self, weights: Floats) -> tuple[Floats, Floats]:
        """Weights [draw, row] → those of the class's own rows and of the others, [draw, step]."""
        ordered = weights_of_rows(weights, self.rows)
        own = ordered * self.own
        if len(self.starts) == len(self.rows):  # no two shares are equal
            return own, ordered - own
        summed = np.add.reduceat(own, self.starts, axis=1)
        return summed, np.add.reduceat(ordered, self.starts, axis=1) - summed


def ranking(shares: Floats, own: Bools, rows: Longs) -> RankedRows:
    """Rank these rows by their share."""
    order = np.argsort(-shares, kind="stable")
    ordered = shares[order]
    return RankedRows(rows[order], own[order], np.flatnonzero(np.append(True, np.diff(ordered) != 0)))


def auc(predictions: ClassPredictions, stakes: Stakes) -> WeighedScore:
    """How often a row of the positive class has a larger share of it than another row, equal ones counting
    half; of many classes the mean over the classes, each against the rest."""
    return _of_rankings(predictions, stakes, _area)


def auc_hand_till(predictions: ClassPredictions, _: Stakes) -> WeighedScore:
    """The mean over all pairs of classes of how well the shares of both tell their rows apart (Hand and Till
    2001); of two classes the AUC."""
    judged = judged_rows(predictions)
    truth = predictions.truth[judged]
    areas = []
    for pair in combinations(range(len(predictions.classes)), 2):
        rows = judged[np.isin(truth, pair)]
        own = [predictions.truth[rows] == each for each in pair]
        if own[0].any() and own[1].any():
            areas += [ranking(predictions.shares[rows, each], own[i], rows) for i, each in enumerate(pair)]
    return _mean_of_rankings(areas, _area, predictions, _ALL_ONE_CLASS)


def average_precision(predictions: ClassPredictions, stakes: Stakes) -> WeighedScore:
    """The precision at each step of the ranking, weighed by the recall that the step adds; of many classes
    the mean over the classes, each against the rest."""
    return _of_rankings(predictions, stakes, _average_precision)


def ks(predictions: ClassPredictions, stakes: Stakes) -> WeighedScore:
    """The largest distance by which the recall is ahead of the false positive rate, over all cutoffs."""
    return _of_rankings(predictions, stakes, _distance)


def lift(predictions: ClassPredictions, stakes: Stakes, *, at: float) -> WeighedScore:
    """How many times as often the class comes among the rows with the largest shares as among all."""
    gained = gain_at(predictions, stakes, at=at)
    return WeighedScore(lambda weights: gained.of(weights) / at, gained.why)


def gain_at(predictions: ClassPredictions, stakes: Stakes, *, at: float) -> WeighedScore:
    """The part of the class's rows that are among the rows with the largest shares.

    Of rows with equal shares the part that is still missing is taken, as it would be on average in any order.
    """

    def reached(own: Floats, others: Floats) -> Floats:
        step = own + others
        before = np.cumsum(step, axis=1) - step
        missing = at * step.sum(axis=1, keepdims=True) - before
        taken = np.divide(np.clip(missing, 0.0, step), step, out=np.zeros_like(step), where=step > 0)
        return divided_or_nan((own * taken).sum(axis=1), own.sum(axis=1))

    return _of_rankings(predictions, stakes, reached)


_OfSteps = Callable[[Floats, Floats], Floats]  # own and other weights [draw, step] → [draw]

_ALL_ONE_CLASS = "the rows whose probabilities can be evaluated are all of one class"


def _of_rankings(predictions: ClassPredictions, stakes: Stakes, figure: _OfSteps) -> WeighedScore:
    """Of the positive class against the rest; of many classes the mean over all that have rows and others."""
    positive = positive_code(predictions, stakes)
    judged = judged_rows(predictions)
    truth = predictions.truth[judged]
    wanted = range(len(predictions.classes)) if positive is None else [positive]
    ranked = [
        ranking(predictions.shares[judged, each], truth == each, judged)
        for each in wanted
        if (truth == each).any() and (truth != each).any()
    ]
    why = _ALL_ONE_CLASS
    if positive is not None and (truth >= 0).any() and not (truth == positive).any():
        why = f"no row whose probabilities can be evaluated is {predictions.classes[positive]}"
    return _mean_of_rankings(ranked, figure, predictions, why)


def _mean_of_rankings(
    ranked: list[RankedRows], figure: _OfSteps, predictions: ClassPredictions, why: str
) -> WeighedScore:
    def mean(weights: Floats) -> Floats:
        if not ranked:
            return np.full(len(weights), np.nan)
        return np.asarray(sum(figure(*each.steps(weights)) for each in ranked) / len(ranked))

    return WeighedScore(mean, "" if not np.isnan(mean(predictions.weights[None])[0]) else why)


def _area(own: Floats, others: Floats) -> Floats:
    # Of the others, those further down and half of those of equal share.
    below = others.sum(axis=1, keepdims=True) - np.cumsum(others, axis=1) + others / 2
    return divided_or_nan((own * below).sum(axis=1), own.sum(axis=1) * others.sum(axis=1))


def _average_precision(own: Floats, others: Floats) -> Floats:
    hits, called = np.cumsum(own, axis=1), np.cumsum(own + others, axis=1)
    precise = np.divide(hits, called, out=np.zeros_like(hits), where=called > 0)
    return divided_or_nan((own * precise).sum(axis=1), hits[:, -1])


def _distance(own: Floats, others: Floats) -> Floats:
    hits, alarms = np.cumsum(own, axis=1), np.cumsum(others, axis=1)
    with np.errstate(invalid="ignore", divide="ignore"):
        ahead = hits / hits[:, -1:] - alarms / alarms[:, -1:]
    return np.where(np.isnan(ahead[:, 0]), np.nan, np.maximum(ahead.max(axis=1), 0.0))


# A lift table: how many of a class's rows are reached by taking the rows with its largest shares first?


_PARTS: Final = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)


@dataclass(frozen=True, slots=True)
class LiftStep:
    """The rows with the largest shares, this `part` of all: `hits` of them are of the class.

    `from_share` is the smallest share among them; of rows with that share a part may be taken, and their hits
    are what any order gives on average. `gained` is the part of the class's rows that is reached.
    """

    part: float
    rows: float
    from_share: float
    hits: float
    gained: float
    lift: float


@dataclass(frozen=True, slots=True)
class LiftTable:
    """Tenth by tenth, from the rows with the largest shares of the class down; `weighted`: a row counts as
    much as it weighs."""

    positive: str
    steps: tuple[LiftStep, ...]
    weighted: bool = False

    def __str__(self) -> str:
        lines = [["rows taken", "rows", "probability from", f"{self.positive} among them", "of all", "lift"]]
        lines += [
            [
                f"{100 * each.part:.0f} %",
                f"{each.rows:.4g}",
                f"{each.from_share:.4f}",
                f"{each.hits:.4g}",
                f"{100 * each.gained:.1f} %",
                f"{each.lift:.3f}",
            ]
            for each in self.steps
        ]
        return "\n".join([*in_columns(lines, "figures"), *self._what_counts_are])

    @property
    def _what_counts_are(self) -> list[str]:
        """What must be known of counts that are no whole numbers."""
        if self.weighted:
            return ["Rows are counted by their weights."]
        counts = [count for each in self.steps for count in (each.rows, each.hits)]
        if all(abs(count - round(count)) < 1e-9 * max(1.0, count) for count in counts):
            return []
        return [
            "A decile may end within a row, or among rows of one probability: parts of them are then counted."
        ]


def lift_table(predictions: ClassPredictions, positive: str) -> LiftTable | None:
    """The lift table of a class; None where it has no rows, or no others, to judge by."""
    code = predictions.classes.index(positive)
    rows = judged_rows(predictions)
    own = predictions.truth[rows] == code
    if not own.any() or own.all():
        return None
    ranked = ranking(predictions.shares[rows, code], own, rows)
    hits, others = (side[0] for side in ranked.steps(predictions.weights[None]))
    step = hits + others
    total, of_class = float(step.sum()), float(hits.sum())
    shares = predictions.shares[ranked.rows[ranked.starts], code]
    before = np.cumsum(step) - step
    steps = []
    for part in _PARTS:
        taken = np.clip(part * total - before, 0.0, step)
        reached = float((hits * taken / np.where(step > 0, step, 1.0)).sum())
        last = int(np.flatnonzero(taken > 1e-12 * total)[-1])
        gained = reached / of_class
        steps.append(LiftStep(part, part * total, float(shares[last]), reached, gained, gained / part))
    weights = predictions.weights[rows]
    return LiftTable(positive, tuple(steps), bool((weights != 1).any()))
