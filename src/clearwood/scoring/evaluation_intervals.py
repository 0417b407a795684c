"""Evaluations of rows that belong together, or that several models judged: what was counted is the same, how
sure it is is not."""

from __future__ import annotations

from dataclasses import replace

from clearwood.scoring.evaluation import ClassEvaluation, Evaluation
from clearwood.scoring.predictions import Predictions
from clearwood.scoring.score import Stakes


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
