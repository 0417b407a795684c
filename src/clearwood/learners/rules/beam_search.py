"""Beam search: the best complex of conditions among those kept at each level; and CN2, defined by it."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias, assert_never

import numpy as np
import numpy.typing as npt

from clearwood.arrays import Longs
from clearwood.counting.coding import numbers_of
from clearwood.counting.cuts import midpoint
from clearwood.counting.ties import TIE, better, enough
from clearwood.formulas.conditions import Above, AtMost, Condition, Equals, OneOf, holds
from clearwood.learners.rules.rule_steps import BeamStep, Considered
from clearwood.measures.p_values import chi2_sf
from clearwood.models.kinds.rules.rule_list import Rule
from clearwood.models.kinds.tree.paths import merged_conditions
from clearwood.table.attributes import Ignored, Nominal, Numeric, Ordinal, Text
from clearwood.table.table import Column, Table

if TYPE_CHECKING:
    from clearwood.learners.rules.cn2 import CN2


@dataclass(frozen=True, slots=True, eq=False)
class Labelled:
    """Rows with a label each, which need not be the target's: one class against the rest is two."""

    table: Table
    label: npt.NDArray[np.int64]  # [row]
    names: tuple[str, ...]  # [label]

    def count(self, rows: Longs) -> ClassWeights:
        """[label] the weight of these rows."""
        weights = None if self.table.weights is None else self.table.weights[rows]
        counts: ClassWeights = (
            np.bincount(self.label[rows], weights, len(self.names)).astype(np.float64).tolist()
        )
        return counts


@dataclass(frozen=True, slots=True, eq=False)
class Complex:
    """Conditions, the rows that satisfy them all, and their classes."""

    when: tuple[Condition, ...]
    rows: Longs
    counts: ClassWeights


def beam_search(
    data: Labelled,
    rows: Longs,
    quality: RuleQuality,
    beam: int,
    max_conditions: int | None,
    negations: bool,
) -> Iterator[tuple[list[Complex], Complex | None]]:
    """Step by step, the beam and the best complex so far; the last step has what was looked for, or None."""
    kept = [Complex((), rows, data.count(rows))]
    best: Complex | None = None
    steps = 0
    while kept and (max_conditions is None or steps < max_conditions):
        candidates = [each for one in kept for each in _specialised(data, one, quality, negations)]
        for each in candidates:
            if _may_be_a_rule(each, quality) and (best is None or _beats(each, best, quality)):
                best = each
        kept = _best_few(candidates, best, quality, beam)
        steps += 1
        yield kept, best


def _may_be_a_rule(one: Complex, quality: RuleQuality) -> bool:
    return quality.is_likelier(one.counts) and quality.is_significant(one.counts)


def _beats(one: Complex, other: Complex, quality: RuleQuality) -> bool:
    return quality.score(one.counts).beats(quality.score(other.counts))


def _best_few(
    candidates: list[Complex], best: Complex | None, quality: RuleQuality, beam: int
) -> list[Complex]:
    """Those worth going on with, best first: not pure, of enough promise, each set of conditions once."""
    bar = None if best is None else quality.score(best.counts)
    left = [(quality.score(each.counts), each) for each in candidates if _has_promise(each, bar, quality)]
    kept: list[Complex] = []
    while left and len(kept) < beam:
        first = 0
        for i, (score, _) in enumerate(left):
            if score.beats(left[first][0]):
                first = i
        _, chosen = left.pop(first)
        if all(set(chosen.when) != set(each.when) for each in kept):
            kept.append(chosen)
    return kept


def _has_promise(one: Complex, bar: QualityScore | None, quality: RuleQuality) -> bool:
    return not quality.is_pure(one.counts) and (bar is None or quality.potential(one.counts).beats(bar))


def _specialised(data: Labelled, one: Complex, quality: RuleQuality, negations: bool) -> Iterator[Complex]:
    """The complex with one condition more, which must leave out some of its rows and cover enough."""
    for attribute in data.table.schema.inputs:
        match attribute:
            case Nominal() | Ordinal():
                for more in _by_value(data, one, attribute, negations):
                    if 0 < len(more.rows) < len(one.rows) and quality.covers_enough(more.counts):
                        yield more
            case Numeric():
                yield from _cut(data, one, attribute, quality)
            case Text() | Ignored():
                continue
            case _:
                assert_never(attribute)


def _by_value(
    data: Labelled, one: Complex, attribute: Nominal | Ordinal, negations: bool
) -> Iterator[Complex]:
    """`=` for every value that occurs, then `≠`, which of two values is the `=` of the other."""
    name, values = attribute.name, attribute.values
    tested = [condition for condition in one.when if condition.name == name]
    if any(isinstance(condition, Equals) for condition in tested):
        return
    cells = data.table.columns[name][one.rows]
    codes = np.unique(cells[cells >= 0]).tolist()
    if not tested:
        for code in codes:
            yield _with(data, one, Equals(name, values[code]), one.rows[cells == code])
    if negations and len(codes) > 2:
        for code in codes:
            others = one.rows[(cells >= 0) & (cells != code)]
            yield _with(data, one, all_but(name, values, code), others)


def all_but(name: str, values: tuple[str, ...], code: int) -> OneOf:
    """`≠`, written as the values that are left: a value that was never declared satisfies nothing."""
    return OneOf(name, values[:code] + values[code + 1 :])


def _cut(data: Labelled, one: Complex, attribute: Numeric, quality: RuleQuality) -> Iterator[Complex]:
    """The best `≤` and the best `>`, of those that may be a rule where any may: all would flood the beam."""
    steps = numbers_of(attribute, data.table.columns[attribute.name][one.rows])
    values = np.unique(steps[~np.isnan(steps)]).tolist()
    for side in (AtMost, Above):
        best: Complex | None = None
        for below, above in pairwise(values):
            rows = one.rows[_satisfy(side, steps, below)]
            limit = midpoint(below, above)
            limit = attribute.cuts[int(limit)] if attribute.cuts else limit
            more = _with(data, one, side(attribute.name, limit), rows)
            if quality.covers_enough(more.counts) and (best is None or _better_cut(more, best, quality)):
                best = more
        if best is not None:
            yield best


def _satisfy(side: type[AtMost | Above], steps: Column, below: float) -> npt.NDArray[np.bool_]:
    with np.errstate(invalid="ignore"):
        taken: npt.NDArray[np.bool_] = steps <= below if side is AtMost else steps > below
    return taken


def _better_cut(one: Complex, other: Complex, quality: RuleQuality) -> bool:
    may_be = _may_be_a_rule(one, quality)
    if may_be != _may_be_a_rule(other, quality):
        return may_be
    return _beats(one, other, quality)


def _with(data: Labelled, one: Complex, condition: Condition, rows: Longs) -> Complex:
    return Complex(merged_conditions([*one.when, condition]), rows, data.count(rows))


def covered_by(table: Table, when: tuple[Condition, ...]) -> Longs:
    """All rows of the table that satisfy these conditions; an empty cell satisfies none."""
    taken = np.ones(len(table), dtype=np.bool_)
    for condition in when:
        cells = table.columns[condition.name]
        attribute = table.schema[condition.name]
        if isinstance(attribute, Nominal | Ordinal):
            known = [*attribute.values, None, None]  # the codes −1 and −2 count from the end
            taken &= np.array([holds(condition, value) for value in known])[cells]
        else:
            taken &= np.array(
                [holds(condition, cell) for cell in cells.astype(np.float64).tolist()], np.bool_
            )
    return np.flatnonzero(taken)


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
