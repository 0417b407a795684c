"""Edited: a rule list before and after, with its scores on training and held-out rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from clearwood.editing.counting import recounted
from clearwood.models.kinds import check_kind
from clearwood.models.rule_list import RuleList
from clearwood.scoring.costs import ExpectedCost
from clearwood.scoring.evaluation import ClassEvaluation, Evaluation, evaluate
from clearwood.words.numbers import with_noun

BeforeAndAfter = tuple[Evaluation, Evaluation]  # before and after


@dataclass(frozen=True, slots=True)
class EditedRules:
    """The edited `rules`, counted on the training rows if given, and the scores before and after the edit."""

    rules: RuleList
    training: BeforeAndAfter | None = None
    held_out: BeforeAndAfter | None = None

    def __str__(self) -> str:
        lines = [str(self.rules)]
        for name, scores in (("training", self.training), ("held out", self.held_out)):
            if scores is not None:
                lines.append(f"{name}  {_figure(scores[0])} → {_figure(scores[1])}")
        return "\n".join(lines)


def compare_scores(
    before: RuleList, after: RuleList, *, training: Any = None, held_out: Any = None
) -> EditedRules:
    """The scores of a list before and after an edit, on training rows, on held-out rows, or on both.

    Each is a Table, or anything a table can be made of.
    """
    check_kind("compare_scores", before, RuleList)
    check_kind("compare_scores", after, RuleList)
    return EditedRules(
        after if training is None else recounted(after, training),
        None if training is None else (evaluate(before, training), evaluate(after, training)),
        None if held_out is None else (evaluate(before, held_out), evaluate(after, held_out)),
    )


def _figure(scores: Evaluation) -> str:
    if isinstance(scores, ClassEvaluation):
        silent = _unanswered(sum(scores.silent), scores.weight)
        if not scores.weight_answered:
            return silent.removeprefix(", ")
        low, high = scores.interval
        cost = "" if scores.cost is None else f", {_cost(scores.cost)}"
        return f"accuracy {100 * scores.accuracy:.1f} % ({100 * low:.1f} to {100 * high:.1f} %){cost}{silent}"
    return f"off by {scores.score[1]:.4g}{_unanswered(scores.silent, scores.weight + scores.silent)}"


def _cost(cost: ExpectedCost) -> str:
    return f"cost {cost.per_row:.3g} per row (always predicting {cost.constant}: {cost.constant_per_row:.3g})"


def _unanswered(silent: float, rows: float) -> str:
    return f", {silent:g} of {with_noun(f'{rows:g}', 'row')} without a prediction" if silent else ""
