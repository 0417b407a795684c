"""An impurity as the list has it: its function, a line about it, and how a derivation writes it."""

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from clearwood import _native
from clearwood.arrays import Floats
from clearwood.formulas.expressions import Expression
from clearwood.records import dataclass

Counts: TypeAlias = npt.NDArray[Any]  # [..., class] or [..., branch, class]
ImpurityOf: TypeAlias = Callable[[Counts], Floats]  # [..., class] → [...]

# Logarithms are native: NumPy's own may differ in the last digit from the C library's, which learners use.


def xlog2x(x: npt.ArrayLike) -> Floats:
    """x · log2 x, with 0 · log2 0 = 0.

    >>> xlog2x([0, 0.5, 8])
    array([ 0. , -0.5, 24. ])
    """
    x = np.asarray(x, dtype=np.float64)
    # Entry by entry as they lie in memory: counts mostly lie level by level.
    across = x.T if x.flags.f_contiguous else x
    scaled = _native.xlog2x(across.ravel()).reshape(across.shape)
    return scaled.T if across is not x else scaled


def xlogy(x: npt.ArrayLike, y: npt.ArrayLike) -> Floats:
    """x · ln y, with 0 · ln 0 = 0."""
    x, y = np.broadcast_arrays(np.asarray(x, dtype=np.float64), np.asarray(y, dtype=np.float64))
    return _native.xlogy(x.ravel(), y.ravel()).reshape(x.shape)


def proportions(counts: Counts) -> Floats:
    """Each class's part of the weight; all zero where there is no weight.

    >>> proportions(np.array([[9, 5], [0, 0]])).round(3)
    array([[0.643, 0.357],
           [0.   , 0.   ]])
    """
    counts = np.asarray(counts, dtype=np.float64)
    weight = counts.sum(axis=-1, keepdims=True)
    return counts / np.where(weight > 0, weight, 1.0)


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
