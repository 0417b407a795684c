"""AdaBoost, plainly: the textbook's lines, one row after another (Freund & Schapire 1997; Zhu et al. 2009).

`AdaBoost` has the same in arrays; a property test demands the same rounds and the same votes. Sums are made
as there, to the last digit: boosting makes classes weigh the same in a leaf, and a digit would choose one.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from clearwood.errors import LearningError
from clearwood.learners.ensembles.adaboost import LEAST, WIDEST, AdaBoost, unbound
from clearwood.learners.ensembles.members import learned
from clearwood.learners.training import usable_rows
from clearwood.models.decision import Decision
from clearwood.models.kinds.ensemble.ensemble import Member
from clearwood.predicting.batch import plain_codes
from clearwood.table.table import Table


@dataclass(frozen=True, slots=True, eq=False)
class PlainRound:
    """The rows' weights, which add up to 1, the member, its error and weight, and the vote's error so far."""

    weights: list[float]
    member: Member
    error: float
    weight: float
    error_of_all: float


def adaboost_by_definition(learner: AdaBoost, table: Table) -> list[PlainRound]:
    """Every round that `learner` keeps."""
    rows = usable_rows(learner, table, reads_text=True)
    truth = rows.target.tolist()
    own = [1.0] * len(rows) if rows.weights is None else rows.weights.tolist()
    classes = len(set(truth))
    total = _sum(own)
    weights = [weight / total for weight in own]
    votes = [[0.0] * len(rows.schema.classes) for _ in truth]
    rounds: list[PlainRound] = []
    for place in range(learner.trees):
        weights = [max(weight, LEAST) for weight in weights]
        member = _member(learner, rows, weights, total, place)
        answers = plain_codes(member, rows).tolist()
        wrong = [answer != true for answer, true in zip(answers, truth, strict=True)]
        error = _sum([w * is_wrong for w, is_wrong in zip(weights, wrong, strict=True)]) / _sum(weights)
        if error > 0 and error >= learner.worst(classes):
            if not rounds:
                raise LearningError("The first member is no better than chance.")
            break
        weight = 1.0
        if error > 0:
            weight = learner.rate * (math.log((1 - error) / error) + math.log(classes - 1))
        for row, answer in enumerate(answers):
            if answer >= 0:
                votes[row][answer] += weight
        said = [each.index(max(each)) for each in votes]
        missed = sum(w for w, answer, true in zip(own, said, truth, strict=True) if answer != true)
        rounds.append(PlainRound(weights, member, error, weight, missed / total))
        if error <= 0:
            break
        # w · e^a for the rows answered wrongly, in logarithms, as scikit-learn does.
        raised = [float(np.exp(np.log(w) + weight * miss)) for w, miss in zip(weights, wrong, strict=True)]
        weights = [w / _sum(raised) for w in raised]
    return rounds


def _member(learner: AdaBoost, rows: Table, weights: list[float], total: float, place: int) -> Member:
    """Learned from weights that add up to those of the rows; the lightest beside the heaviest are out."""
    heavy = [weight if weight >= max(weights) / WIDEST else 0.0 for weight in weights]
    scaled = np.array([weight * (total / _sum(heavy)) for weight in heavy])
    seen = replace(rows, weights=scaled, weights_are="counts")
    return replace(learned(unbound(learner.of), seen, place), decision=Decision())


def _sum(weights: list[float]) -> float:
    return float(np.array(weights).sum())
