"""Impurity in figures: how mixed a set of rows is, by the learner's own measure, with its formula put in."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from clearwood.catalogue import IMPURITIES
from clearwood.errors import SettingError
from clearwood.formulas.expressions import Expression, ValueOf
from clearwood.working.figures import Figure, Rows


@dataclass(frozen=True, slots=True)
class WrittenMeasure:
    """A measure as it is written: its sign, its formula, and the numbers put in for counts [level]."""

    sign: str  # H(S)
    formula: Expression
    put_in: Callable[[Sequence[float], float], Expression]  # and the value where it is not written out

    exact: Callable[[tuple[float, ...]], Fraction | None] | None = None  # where it is a fraction
    means: str = ""  # of the sign: the entropy

    def named(self, of: str, counts: Sequence[float], value: float) -> ValueOf:
        """The measure of a set of rows inside another's expression, as a fraction where it is one."""
        if self.exact is not None:
            exact = self.exact(tuple(counts))
            if exact is not None:
                return ValueOf(f"{self.sign}({of})", exact)
        return ValueOf(f"{self.sign}({of})", value)

    def figure(self, of: str, counts: Sequence[float], value: float, rows: Rows | None = None) -> Figure:
        """The measure of one set of rows."""
        return Figure(f"{self.sign}({of})", value, self.formula, self.put_in(counts, value), rows)


def impurity_of(measure: str) -> WrittenMeasure:
    """How a measure of classes is written; one without a formula is refused."""
    impurity = IMPURITIES[measure]
    written = impurity.formula
    if written is None:
        raise SettingError(
            f"The measure '{measure}' has no formula, so that its numbers cannot be derived. "
            f"Derive a tree by another measure, or give it one: Impurity(…, formula=Formula(…))."
        )
    means = f"the {impurity.name_in_text(measure)}"
    return WrittenMeasure(written.sign, written.formula, written.put_in, written.exact, means)
