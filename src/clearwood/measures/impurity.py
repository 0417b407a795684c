"""An impurity as the list has it: its function, a line about it, and how a derivation writes it."""

from collections.abc import Callable, Sequence
from fractions import Fraction

from clearwood.arrays import Floats
from clearwood.formulas.expressions import Expression
from clearwood.measures.counts import Counts, ImpurityOf
from clearwood.records import dataclass


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

    Without a formula trees grow by it, and their derivations refuse. `name` and `gain` are how sentences and
    charts call it and what a split gains by it, "Gini impurity" and "decrease of Gini"; not given, they are
    made of its name in the list.
    """

    of: ImpurityOf
    about: str
    formula: Formula | None = None
    name: str = ""
    gain: str = ""

    def __call__(self, counts: Counts) -> Floats:
        return self.of(counts)

    def name_in_text(self, listed_as: str) -> str:
        """How a sentence calls it."""
        return self.name or listed_as

    def gain_in_text(self, listed_as: str) -> str:
        """How a sentence or an axis calls what a split gains.

        >>> Impurity(lambda counts: counts, "…").gain_in_text("root")
        'decrease of root'
        """
        return self.gain or f"decrease of {self.name_in_text(listed_as)}"
