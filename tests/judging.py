"""How right a model of classes is on a table: the evaluation that tests ask of classes, never of numbers."""

from __future__ import annotations

from clearwood.models.model import Model
from clearwood.scoring.evaluation import ClassEvaluation, evaluate
from clearwood.table.table import Table


def judged(model: Model, table: Table) -> ClassEvaluation:
    evaluation = evaluate(model, table)
    assert isinstance(evaluation, ClassEvaluation)
    return evaluation
