"""CN2, the definition: rules one after another, each the best complex among the rows not yet covered."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from clearwood.arrays import Longs
from clearwood.learners.rules.beam_search import Complex, Labelled, beam_search, covered_by
from clearwood.learners.rules.rule_quality import ClassWeights, RuleQuality, critical_value
from clearwood.learners.rules.rule_steps import BeamStep, Considered
from clearwood.models.rule_list import Rule
from clearwood.table.table import Table

if TYPE_CHECKING:
    from clearwood.learners.rules.cn2 import CN2

BeamSteps = list[BeamStep]  # where each level of each search is written down


def cn2_by_counts(learner: CN2, rows: Table, steps: BeamSteps) -> tuple[list[Rule], ClassWeights]:
    """The rules, and the class weights behind the default rule."""
    data = Labelled(rows, rows.target.astype(np.int64), rows.schema.classes)
    every = np.arange(len(rows))
    if learner.rules == "ordered":
        return _ordered(learner, data, every, steps)
    rules: list[Rule] = []
    for goal in range(len(data.names)):
        rules += _for_one_class(learner, data, every, goal, steps)
    return rules, data.count(every)


def _ordered(learner: CN2, data: Labelled, every: Longs, steps: BeamSteps) -> tuple[list[Rule], ClassWeights]:
    """Each rule takes its rows away from those that follow."""
    critical = critical_value(learner.alpha, len(np.unique(data.label)) - 1)
    rules: list[Rule] = []
    left = every
    while len(left):
        quality = RuleQuality(learner.measure, data.count(left), None, learner.min_rows, critical)
        best = _search(learner, data, left, quality, len(rules) + 1, steps)
        if best is None:
            break
        rules.append(Rule(best.when, data.names[quality.answer(best.counts)], tuple(best.counts)))
        left = np.setdiff1d(left, best.rows)
    return rules, data.count(left if len(left) else every)


def _for_one_class(learner: CN2, data: Labelled, every: Longs, goal: int, steps: BeamSteps) -> Iterator[Rule]:
    """Each rule takes away the rows of its own class only: those of others must stay to be avoided."""
    name = data.names[goal]
    versus = Labelled(data.table, (data.label == goal).astype(np.int64), (f"not {name}", name))
    critical = critical_value(learner.alpha, 1)
    left, number = every, 1
    while versus.label[left].any():
        quality = RuleQuality(learner.measure, versus.count(left), 1, learner.min_rows, critical)
        best = _search(learner, versus, left, quality, number, steps)
        if best is None:
            break
        yield Rule(best.when, name, tuple(data.count(covered_by(data.table, best.when))))
        left = np.setdiff1d(left, best.rows[versus.label[best.rows] == 1])
        number += 1


def _search(
    learner: CN2, data: Labelled, rows: Longs, quality: RuleQuality, number: int, steps: BeamSteps
) -> Complex | None:
    best: Complex | None = None
    levels = beam_search(data, rows, quality, learner.beam, learner.max_conditions, learner.negations)
    for level, (kept, best) in enumerate(levels, 1):
        beam = tuple(_considered(each, data, quality) for each in kept)
        leader = None if best is None else _considered(best, data, quality)
        steps.append(BeamStep(number, level, beam, leader, tuple(quality.before)))
    return best


def _considered(one: Complex, data: Labelled, quality: RuleQuality) -> Considered:
    answer = quality.answer(one.counts)
    score = quality.score(one.counts)
    counts = tuple(one.counts)
    return Considered(one.when, data.names[answer], score.right, sum(counts), score.quality, counts)
