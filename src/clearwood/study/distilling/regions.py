"""The regions of an imitation: its leaves or rules, and how far it differs from the model in each."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final, assert_never

import numpy as np

from clearwood.arrays import Floats, Longs
from clearwood.models.additive_model import AdditiveModel
from clearwood.models.bayes_tables import BayesTables
from clearwood.models.conditions import Condition
from clearwood.models.decision_words import all_of_shortened
from clearwood.models.ensemble import Ensemble
from clearwood.models.linear_model import LinearModel
from clearwood.models.model import Model
from clearwood.models.paths import path_to
from clearwood.models.rule_list import RuleList
from clearwood.models.tree import Tree
from clearwood.predict import leaf_of
from clearwood.predict.of_rules import first_rule
from clearwood.table.table import Column, Table
from clearwood.words.numbers import figure, percent_to, row_count
from clearwood.words.numbers import rows as rows_of

_VALUES: Final = 5  # of a set that are named


@dataclass(frozen=True, slots=True)
class DistilledRegion:
    """The rows under some conditions (none: the default rule), what both answer there, and how they differ.

    `number` is the leaf's node or the rule's place, −1 of the default rule. `disagreement` is the weighted
    part of the region's rows that the two answer differently; of numbers the root of the mean squared
    difference. `model_answers` are the model's classes there with their weight, or the mean of its numbers.
    """

    number: int
    when: tuple[Condition, ...]
    weight: float
    answer: str | float | None
    model_answers: dict[str, float] | float
    disagreement: float

    def to_json(self) -> dict[str, Any]:
        return {
            "number": self.number,
            "when": [str(each) for each in self.when],
            "weight": self.weight,
            "answer": self.answer,
            "model_answers": self.model_answers,
            "disagreement": self.disagreement,
        }

    def __str__(self) -> str:
        place = all_of_shortened(self.when, _VALUES) or ("otherwise" if self.number < 0 else "all rows")
        rows = row_count(self.weight)
        if isinstance(self.model_answers, dict):
            answer = "no prediction" if self.answer is None else self.answer
            theirs = ", ".join(f"{name} {rows_of(weight)}" for name, weight in self.model_answers.items())
            return f"{place}: {answer}, the model {theirs}; {percent_to(self.disagreement)} of {rows} differ"
        own = figure(self.answer) if isinstance(self.answer, float) else "no prediction"
        means = f"{own}, the model {figure(self.model_answers)} on average"
        return f"{place}: {means}; off by {figure(self.disagreement)} in {rows}"


def regions_of(
    learned: Model, table: Table, theirs: Column, ours: Column, weights: Floats
) -> tuple[DistilledRegion, ...]:
    """One for each leaf, or rule that is the first to hold, that rows come to; none of other models.

    Those that cost most fidelity come first.
    """
    match learned:
        case Tree():
            place: Longs = leaf_of(learned, table).astype(np.int64)
            conditions = {int(leaf): path_to(learned, int(leaf)) for leaf in np.unique(place)}
        case RuleList():
            place = first_rule(learned, table).astype(np.int64)
            conditions = {
                int(rule): learned.rules[rule].when if rule >= 0 else () for rule in np.unique(place)
            }
        case BayesTables() | LinearModel() | Ensemble() | AdditiveModel():
            return ()
        case _:
            assert_never(learned)
    made = [
        _region(learned, where, when, place == where, theirs, ours, weights)
        for where, when in conditions.items()
        if weights[place == where].sum() > 0
    ]
    return tuple(sorted(made, key=lambda each: (-_cost(each), each.number)))


def _cost(region: DistilledRegion) -> float:
    squared = not isinstance(region.model_answers, dict)
    return region.weight * (region.disagreement**2 if squared else region.disagreement)


def _region(
    learned: Model,
    where: int,
    when: tuple[Condition, ...],
    here: Column,
    theirs: Column,
    ours: Column,
    weights: Floats,
) -> DistilledRegion:
    theirs, ours, weights = theirs[here], ours[here], weights[here]
    total = float(weights.sum())
    if learned.is_numeric:
        off = float(np.sqrt(np.average((theirs - ours) ** 2, weights=weights)))
        answer, mean = float(np.average(ours, weights=weights)), float(np.average(theirs, weights=weights))
        return DistilledRegion(where, when, total, answer, mean, off)
    names = (*learned.schema.classes, "no prediction")
    counts = np.bincount(np.where(theirs < 0, len(names) - 1, theirs), weights, minlength=len(names))
    answers = {
        names[code]: float(counts[code]) for code in np.argsort(-counts, kind="stable") if counts[code] > 0
    }
    usual = int(np.bincount(np.where(ours < 0, len(names) - 1, ours), weights, minlength=len(names)).argmax())
    differs = float(np.average(theirs != ours, weights=weights))
    return DistilledRegion(
        where, when, total, None if usual == len(names) - 1 else names[usual], answers, differs
    )
