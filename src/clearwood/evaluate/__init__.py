"""Evaluate: how good is a model, on which rows, and how sure can one be?"""

from clearwood.evaluate.cross_validation import CrossValidation, cross_validate
from clearwood.evaluate.evaluation import ClassEvaluation, Evaluation, NumberEvaluation, evaluate
from clearwood.evaluate.rule_scores import RuleScores, rule_scores
from clearwood.table.folding import folds, hold_out

__all__ = [
    "ClassEvaluation",
    "CrossValidation",
    "Evaluation",
    "NumberEvaluation",
    "RuleScores",
    "cross_validate",
    "evaluate",
    "folds",
    "hold_out",
    "rule_scores",
]
