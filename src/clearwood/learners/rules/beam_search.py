"""Beam search: the best complex of conditions among those kept at each level; and CN2, defined by it."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias, assert_never

import numpy as np

from clearwood.arrays import Longs
from clearwood.counting.coding import numbers_of
from clearwood.counting.cuts import midpoint
from clearwood.counting.ties import TIE, better, enough
from clearwood.formulas.conditions import Above, AtMost, Condition, Equals
from clearwood.learners.rules.covering import BeamStep, Considered, all_but, covered_by
from clearwood.measures.inference import chi2_sf
from clearwood.models.kinds.rules.rule_list import Rule
from clearwood.models.kinds.tree.tree import merged_conditions
from clearwood.table.attributes import Ignored, Nominal, Numeric, Ordinal, Text
from clearwood.table.table import Column, Table

if TYPE_CHECKING:
    from clearwood.learners.rules.cn2 import CN2


@dataclass(frozen=True, slots=True, eq=False)
class RuleSearch:
    """What rules are searched in, and by what: rows with a label each, which need not be the target's (one
    class against the rest is two), and what makes a complex good among those searched."""

    learner: CN2
    table: Table
    label: Longs  # [row]
    names: tuple[str, ...]  # [label]
    quality: RuleQuality


@dataclass(frozen=True, slots=True, eq=False)
class Complex:
    """Conditions, the rows that satisfy them all, and their classes; how good is it, and may it be a rule?"""

    when: tuple[Condition, ...]
    rows: Longs
    counts: ClassWeights
    score: QualityScore
    may_be_rule: bool


def beam_search(search: RuleSearch, rows: Longs) -> Iterator[tuple[list[Complex], Complex | None]]:
    """Step by step, the beam and the best complex so far; the last step has what was looked for, or None."""
    kept = [_complex(search, (), rows)]
    best: Complex | None = None
    most, steps = search.learner.max_conditions, 0
    while kept and (most is None or steps < most):
        candidates = [each for one in kept for each in _specialised(search, one)]
        for each in candidates:
            if each.may_be_rule and (best is None or each.score.beats(best.score)):
                best = each
        kept = _best_few(search, candidates, best)
        steps += 1
        yield kept, best


def _best_few(search: RuleSearch, candidates: list[Complex], best: Complex | None) -> list[Complex]:
    """Those worth going on with, best first: not pure, of enough promise, each set of conditions once."""
    quality = search.quality
    left = [
        each
        for each in candidates
        if not quality.is_pure(each.counts)
        and (best is None or quality.potential(each.counts).beats(best.score))
    ]
    kept: list[Complex] = []
    while left and len(kept) < search.learner.beam:
        first = 0
        for i, each in enumerate(left):
            if each.score.beats(left[first].score):
                first = i
        chosen = left.pop(first)
        if all(set(chosen.when) != set(each.when) for each in kept):
            kept.append(chosen)
    return kept


def _specialised(search: RuleSearch, one: Complex) -> Iterator[Complex]:
    """The complex with one condition more, which must leave out some of its rows and cover enough."""
    for attribute in search.table.schema.inputs:
        match attribute:
            case Nominal() | Ordinal():
                for more in _by_value(search, one, attribute):
                    if 0 < len(more.rows) < len(one.rows) and search.quality.covers_enough(more.counts):
                        yield more
            case Numeric():
                yield from _cut(search, one, attribute)
            case Text() | Ignored():
                continue
            case _:
                assert_never(attribute)


def _by_value(search: RuleSearch, one: Complex, attribute: Nominal | Ordinal) -> Iterator[Complex]:
    """`=` for every value that occurs, then `≠`, which of two values is the `=` of the other."""
    name, values = attribute.name, attribute.values
    tested = [condition for condition in one.when if condition.name == name]
    if any(isinstance(condition, Equals) for condition in tested):
        return
    cells = search.table.columns[name][one.rows]
    codes = np.unique(cells[cells >= 0]).tolist()
    if not tested:
        for code in codes:
            yield _with(search, one, Equals(name, values[code]), one.rows[cells == code])
    if search.learner.negations and len(codes) > 2:
        for code in codes:
            others = one.rows[(cells >= 0) & (cells != code)]
            yield _with(search, one, all_but(name, values, code), others)


def _cut(search: RuleSearch, one: Complex, attribute: Numeric) -> Iterator[Complex]:
    """The best `≤` and the best `>`, of those that may be a rule where any may: all would flood the beam."""
    steps = numbers_of(attribute, search.table.columns[attribute.name][one.rows])
    known = ~np.isnan(steps)
    rows, steps = one.rows[known], steps[known]
    for side in (AtMost, Above):
        best: Complex | None = None
        for below, above in pairwise(np.unique(steps).tolist()):
            limit = midpoint(below, above)
            limit = attribute.cuts[int(limit)] if attribute.cuts else limit
            taken = rows[(steps <= below) == (side is AtMost)]
            more = _with(search, one, side(attribute.name, limit), taken)
            if search.quality.covers_enough(more.counts) and (best is None or _better_cut(more, best)):
                best = more
        if best is not None:
            yield best


def _better_cut(one: Complex, other: Complex) -> bool:
    if one.may_be_rule != other.may_be_rule:
        return one.may_be_rule
    return one.score.beats(other.score)


def _with(search: RuleSearch, one: Complex, condition: Condition, rows: Longs) -> Complex:
    return _complex(search, merged_conditions([*one.when, condition]), rows)


def _complex(search: RuleSearch, when: tuple[Condition, ...], rows: Longs) -> Complex:
    quality, counts = search.quality, weights_of(search.table, search.label, rows, len(search.names))
    may_be_rule = quality.is_likelier(counts) and quality.is_significant(counts)
    return Complex(when, rows, counts, quality.score(counts), may_be_rule)


def weights_of(table: Table, label: Column, rows: Longs, labels: int) -> ClassWeights:
    """[label] the weight of these rows."""
    weights = None if table.weights is None else table.weights[rows]
    counts: ClassWeights = np.bincount(label[rows], weights, labels).astype(np.float64).tolist()
    return counts


BeamSteps = list[BeamStep]  # where each level of each search is written down


def cn2_by_counts(learner: CN2, rows: Table, steps: BeamSteps) -> tuple[list[Rule], ClassWeights]:
    """The rules, and the class weights behind the default rule."""
    if learner.rules == "ordered":
        return _ordered(learner, rows, steps)
    classes = range(len(rows.schema.classes))
    rules = [rule for goal in classes for rule in _for_one_class(learner, rows, goal, steps)]
    return rules, weights_of(rows, rows.target, np.arange(len(rows)), len(classes))


def _ordered(learner: CN2, rows: Table, steps: BeamSteps) -> tuple[list[Rule], ClassWeights]:
    """Each rule takes its rows away from those that follow."""
    names, every = rows.schema.classes, np.arange(len(rows))
    critical = critical_value(learner.alpha, len(np.unique(rows.target)) - 1)
    rules: list[Rule] = []
    left = every
    while len(left):
        before = weights_of(rows, rows.target, left, len(names))
        quality = RuleQuality(learner.measure, before, None, learner.min_rows, critical)
        search = RuleSearch(learner, rows, rows.target.astype(np.int64), names, quality)
        best = _best_rule(search, left, len(rules) + 1, steps)
        if best is None:
            break
        rules.append(Rule(best.when, names[quality.answer(best.counts)], tuple(best.counts)))
        left = np.setdiff1d(left, best.rows)
    return rules, weights_of(rows, rows.target, left if len(left) else every, len(names))


def _for_one_class(learner: CN2, rows: Table, goal: int, steps: BeamSteps) -> Iterator[Rule]:
    """Each rule takes away the rows of its own class only: those of others must stay to be avoided."""
    names = rows.schema.classes
    label = (rows.target == goal).astype(np.int64)
    critical = critical_value(learner.alpha, 1)
    left, number = np.arange(len(rows)), 1
    while label[left].any():
        quality = RuleQuality(
            learner.measure, weights_of(rows, label, left, 2), 1, learner.min_rows, critical
        )
        search = RuleSearch(learner, rows, label, (f"not {names[goal]}", names[goal]), quality)
        best = _best_rule(search, left, number, steps)
        if best is None:
            break
        counts = weights_of(rows, rows.target, covered_by(rows, best.when), len(names))
        yield Rule(best.when, names[goal], tuple(counts))
        left = np.setdiff1d(left, best.rows[label[best.rows] == 1])
        number += 1


def _best_rule(search: RuleSearch, rows: Longs, number: int, steps: BeamSteps) -> Complex | None:
    best: Complex | None = None
    for level, (kept, best) in enumerate(beam_search(search, rows), 1):
        beam = tuple(_considered(search, each) for each in kept)
        leader = None if best is None else _considered(search, best)
        steps.append(BeamStep(number, level, beam, leader, tuple(search.quality.before)))
    return best


def _considered(search: RuleSearch, one: Complex) -> Considered:
    then, counts = search.names[search.quality.answer(one.counts)], tuple(one.counts)
    return Considered(one.when, then, one.score.right, sum(counts), one.score.quality, counts)


# Rule quality: how good is a complex, by the classes of the rows it covers and of all rows searched?


RuleMeasure: TypeAlias = Literal["laplace", "entropy", "wracc"]

ClassWeights: TypeAlias = list[float]  # [class]


class QualityScore(NamedTuple):
    """The measure's figure and, among equals, the weight of the class that is answered."""

    quality: float
    right: float

    def beats(self, other: QualityScore) -> bool:
        """Is it better by more than rounding?"""
        if better(self.quality, other.quality, 1.0):
            return True
        return not better(other.quality, self.quality, 1.0) and better(self.right, other.right, other.right)


@dataclass(frozen=True, slots=True, eq=False)
class RuleQuality:
    """Complexes evaluated by one measure among the rows that have classes `before`.

    `goal` is the class to be predicted; without one a complex answers the majority of what it covers.
    """

    measure: RuleMeasure
    before: ClassWeights
    goal: int | None = None
    min_rows: float = 1.0
    critical: float = -math.inf  # what a likelihood ratio must reach

    def answer(self, counts: ClassWeights) -> int:
        """The class that is answered: the goal, or the majority, the first of equals."""
        if self.goal is not None:
            return self.goal
        best = 0
        for each in range(1, len(counts)):
            if better(counts[each], counts[best], counts[best]):
                best = each
        return best

    def score(self, counts: ClassWeights) -> QualityScore:
        """The larger, the better; an entropy is negated, and where a goal is not half of the rows, mirrored.

        >>> RuleQuality("laplace", [9.0, 5.0]).score([4.0, 0.0])
        QualityScore(quality=0.8333333333333334, right=4.0)
        """
        answer = self.answer(counts)
        right, covered = counts[answer], sum(counts)
        match self.measure:
            case "laplace":
                return QualityScore((right + 1) / (covered + len(counts)), right)
            case "entropy":
                negated = sum(n / covered * math.log2(n / covered) for n in counts if n > 0)
                if self.goal is not None and better(covered, 2 * right, covered):
                    negated = -2 - negated  # the purer of others the worse
                return QualityScore(negated, right)
            case "wracc":
                return QualityScore((right - self._expected(answer, covered)) / sum(self.before), right)

    def potential(self, counts: ClassWeights) -> QualityScore:
        """The best score that any further condition could reach: all of a class kept, the others gone."""
        total = sum(self.before)
        answers = range(len(counts)) if self.goal is None else [self.goal]
        right = max(counts[each] for each in answers)
        match self.measure:
            case "laplace":
                return QualityScore((right + 1) / (right + len(counts)), right)
            case "entropy":
                return QualityScore(0.0, right)
            case "wracc":
                gains = [counts[each] * (1 - self.before[each] / total) / total for each in answers]
                return QualityScore(max(gains), right)

    def covers_enough(self, counts: ClassWeights) -> bool:
        return enough(sum(counts), self.min_rows)

    def is_significant(self, counts: ClassWeights) -> bool:
        return self.critical == -math.inf or self.likelihood_ratio(counts) >= self.critical * (1 - TIE)

    def is_likelier(self, counts: ClassWeights) -> bool:
        """Is the class that is answered likelier here than among all rows searched?"""
        answer, covered = self.answer(counts), sum(counts)
        return better(counts[answer], self._expected(answer, covered), covered)

    def is_pure(self, counts: ClassWeights) -> bool:
        covered = sum(counts)
        return not better(covered, max(counts), covered)

    def likelihood_ratio(self, counts: ClassWeights) -> float:
        """2 · Σ n · ln (n ÷ expected), the expected with the shares of all rows searched."""
        covered = sum(counts)
        return 2 * sum(
            n * math.log(n / self._expected(each, covered)) for each, n in enumerate(counts) if n > 0
        )

    def _expected(self, answer: int, covered: float) -> float:
        return covered * self.before[answer] / sum(self.before)


def critical_value(alpha: float, df: int) -> float:
    """The likelihood ratio whose chi-square p-value is just `alpha`; −inf where it is 1 or more.

    >>> round(critical_value(0.05, 1), 6)
    3.841459
    """
    if alpha >= 1 or df < 1:
        return -math.inf
    low, high = 0.0, 1.0
    while float(chi2_sf(high, df)) > alpha:
        low, high = high, 2 * high
    while low < (middle := (low + high) / 2) < high:
        low, high = (middle, high) if float(chi2_sf(middle, df)) > alpha else (low, middle)
    return high
