"""An impurity as the list has it: its function, a line about it, and how a derivation writes it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from clearwood.formulas.expressions import Expression
from clearwood.measures.counts import Counts, Floats, ImpurityOf


@dataclass(frozen=True, slots=True)
class Formula:
    """A measure as it is written: its sign, the formula, and the numbers put in for counts [class].

    `put_in` is also given the value, for a formula that cannot be written out; `exact` is the value as a
    fraction, where it is one: of counts that are whole numbers.
    """

    sign: str  # H
    formula: Expression  # −Σ p · log₂ p
    put_in: Callable[[Sequence[float], float], Expression]
    exact: Callable[[tuple[float, ...]], Fraction | None] | None = None


@dataclass(frozen=True, slots=True)
class Impurity:
    """How mixed the classes of a set of rows are, from their counts; `about` says it in a line.

    Without a formula trees grow by it, and their derivations refuse.
    """

    of: ImpurityOf
    about: str
    formula: Formula | None = None

    def __call__(self, counts: Counts) -> Floats:
        return self.of(counts)
