"""Evaluations of rows that belong together: what was counted is the same, how sure it is is not."""

from __future__ import annotations

from dataclasses import replace

from clearwood.scoring.evaluation import ClassEvaluation, Evaluation
from clearwood.scoring.predictions import Predictions
from clearwood.scoring.score import Stakes


def with_intervals_of_groups(evaluation: Evaluation, predictions: Predictions) -> Evaluation:
    """The evaluation of these predictions with intervals from their groups; as it is where rows are by
    themselves. Where the groups cannot tell, as a single one cannot, anything is possible."""
    if predictions.units is None or not isinstance(evaluation, ClassEvaluation):
        return evaluation
    if not evaluation.weight_answered > 0:
        return evaluation
    from clearwood.scoring.intervals import score_intervals  # late: most rows are by themselves

    names = ("accuracy", "cost") if evaluation.costs else ("accuracy",)
    made = score_intervals(names, predictions, Stakes())
    low, high = made["accuracy"].interval or (0.0, 1.0)
    accuracy = max(low, 0.0), min(high, 1.0)
    if not evaluation.costs:
        return replace(evaluation, of_groups=accuracy)
    paid = [cost for row in evaluation.costs for cost in row]
    cost = made["cost"].interval or (min(paid), max(paid))
    return replace(evaluation, of_groups=accuracy, cost_of_groups=cost)
