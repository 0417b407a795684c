"""The best cutoff: from which share on must the positive class be answered for these rows to cost least?"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from clearwood.scoring.answer_scores import costs_asked
from clearwood.scoring.positive import positive_code
from clearwood.scoring.predictions import ClassPredictions
from clearwood.scoring.rank_scores import ranking
from clearwood.scoring.score import Stakes, WeighedScore
from clearwood.scoring.share_scores import judged_rows
from clearwood.scoring.weighing import weighted_mean, weights_of_rows


@dataclass(frozen=True, slots=True)
class BestCutoff:
    """Answering `positive` from a share of `at` on costs these rows least: `per_row` each on average.

    `at` lies midway between the shares that it parts; it is 0 where every row is answered so, and None where
    none is. The rows chose it, so that other rows will cost more.
    """

    positive: str
    at: float | None
    per_row: float


def best_cutoff(predictions: ClassPredictions, stakes: Stakes) -> BestCutoff | None:
    """The cutoff of least cost on these rows; None of more than two classes, or without rows to judge by.

    Among equally cheap cutoffs the largest, which raises the fewest alarms.
    """
    positive = positive_code(predictions, stakes)
    rows = judged_rows(predictions)
    if len(predictions.classes) != 2 or positive is None or not len(rows):
        return None
    paid = np.array(costs_asked(predictions, stakes))
    ranked = ranking(predictions.shares[rows, positive], predictions.truth[rows] == positive, rows)
    own, others = (side[0] for side in ranked.steps(predictions.weights[None]))
    # Before the first step nothing is answered as the positive class; each step adds its rows.
    other = 1 - positive
    gained = own * (paid[positive, positive] - paid[positive, other])
    gained += others * (paid[other, positive] - paid[other, other])
    none = own.sum() * paid[positive, other] + others.sum() * paid[other, other]
    costs = none + np.concatenate([[0.0], np.cumsum(gained)])
    taken = int(costs.argmin())
    shares = predictions.shares[ranked.rows[ranked.starts], positive]
    at: float | None = None
    if taken == len(shares):
        at = 0.0
    elif taken:
        at = float(shares[taken - 1] + shares[taken]) / 2
    return BestCutoff(predictions.classes[positive], at, float(costs[taken]) / float((own + others).sum()))


def cost_at_best_cutoff(predictions: ClassPredictions, stakes: Stakes) -> WeighedScore:
    """What a row costs at the cutoff that costs these rows least."""
    best = best_cutoff(predictions, stakes)
    if best is None:
        many = len(predictions.classes) != 2
        why = (
            "a cutoff is for two classes"
            if many
            else "no row has probabilities and a class that the model knows"
        )
        return WeighedScore(lambda weights: np.full(len(weights), np.nan), why)
    rows = judged_rows(predictions)
    positive = predictions.classes.index(best.positive)
    called = np.full(len(rows), 1 - positive)
    if best.at is not None:
        called[predictions.shares[rows, positive] >= best.at] = positive
    paid = np.array(costs_asked(predictions, stakes))[predictions.truth[rows], called]

    return WeighedScore(lambda weights: weighted_mean(weights_of_rows(weights, rows), paid))


def profit_at_best_cutoff(predictions: ClassPredictions, stakes: Stakes) -> WeighedScore:
    """What a row brings at that cutoff."""
    cost = cost_at_best_cutoff(predictions, stakes)
    return WeighedScore(lambda weights: -cost.of(weights), cost.why)
