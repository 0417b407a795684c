"""Rule quality: how good is a complex, by the classes of the rows it covers and of all rows searched?"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal, NamedTuple, TypeAlias

from clearwood.counting.ties import TIE, better, enough
from clearwood.measures.p_values import chi2_sf

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
