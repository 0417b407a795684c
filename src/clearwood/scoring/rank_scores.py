"""Scores of rankings: do the rows of a class get larger shares of it than the others?"""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations
from typing import Final

import numpy as np

from clearwood.arrays import Bools, Floats, Longs
from clearwood.records import dataclass
from clearwood.scoring.positive import positive_code
from clearwood.scoring.predictions import ClassPredictions, divided_or_nan, weights_of_rows
from clearwood.scoring.score import Stakes, WeighedScore
from clearwood.scoring.share_scores import judged_rows
from clearwood.words.columns import in_columns


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
    return _of_class(predictions, stakes, _area)


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
    return _mean_of(areas, _area, predictions, _ONE_CLASS)


def average_precision(predictions: ClassPredictions, stakes: Stakes) -> WeighedScore:
    """The precision at each step of the ranking, weighed by the recall that the step adds; of many classes
    the mean over the classes, each against the rest."""
    return _of_class(predictions, stakes, _average_precision)


def kolmogorov_smirnov(predictions: ClassPredictions, stakes: Stakes) -> WeighedScore:
    """The largest distance by which the recall is ahead of the false positive rate, over all cutoffs."""
    return _of_class(predictions, stakes, _distance)


def lift_at(predictions: ClassPredictions, stakes: Stakes, *, at: float) -> WeighedScore:
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

    return _of_class(predictions, stakes, reached)


_OfSteps = Callable[[Floats, Floats], Floats]  # own and other weights [draw, step] → [draw]

_ONE_CLASS = "the rows whose probabilities can be evaluated are all of one class"


def _of_class(predictions: ClassPredictions, stakes: Stakes, figure: _OfSteps) -> WeighedScore:
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
    why = _ONE_CLASS
    if positive is not None and (truth >= 0).any() and not (truth == positive).any():
        why = f"no row whose probabilities can be evaluated is {predictions.classes[positive]}"
    return _mean_of(ranked, figure, predictions, why)


def _mean_of(
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


_PARTS: Final = tuple(k / 10 for k in range(1, 11))


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
