"""Distributions: what a Bayes model keeps of a column, as exact sums by class that can be added.

Every table is [class][·], classes in the order of the schema. Smoothing, floors and bandwidths are kept
beside the sums, never mixed into them, so that adding two models is adding their sums.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import field
from fractions import Fraction
from typing import Final, Literal, TypeAlias

from clearwood.records import dataclass
from clearwood.table.text import TextReading

# Exact sums: whole numbers, or fractions where weights are none, so that adding has no order.


Exact: TypeAlias = int | Fraction

_BITS_KEPT: Final = 256


def exact(value: float | Exact) -> Exact:
    """A number without loss: every float is a fraction whose denominator is a power of two.

    >>> exact(2.0), exact(0.5), exact(0.1) * 10 == 1
    (2, Fraction(1, 2), False)
    """
    fraction = Fraction(value)
    return fraction.numerator if fraction.denominator == 1 else fraction


def scaled(number: int, exponent: int) -> Exact:
    """number × 2^exponent.

    >>> scaled(12, -2), scaled(3, -1)
    (3, Fraction(3, 2))
    """
    if exponent >= 0 or not number:
        return number << max(exponent, 0)
    twos = min((number & -number).bit_length() - 1, -exponent)
    number, exponent = number >> twos, exponent + twos
    return Fraction(number, 1 << -exponent) if exponent else number


def total(values: Iterable[Exact]) -> Exact:
    """The sum."""
    return exact(sum(values, start=Fraction(0)))


def faded(value: Exact, decay: float, *, up: bool = False) -> Exact:
    """value × decay, to 256 bits, toward zero or `up`: fading often must not make numbers of a thousand
    digits.

    >>> faded(8, 0.5), faded(3, 0.5)
    (4, Fraction(3, 2))
    """
    product = Fraction(value) * Fraction(decay)
    if product.denominator.bit_length() <= _BITS_KEPT:
        return exact(product)
    unit = Fraction(2) ** (product.numerator.bit_length() - product.denominator.bit_length() - _BITS_KEPT)
    return exact((math.ceil if up else math.trunc)(product / unit) * unit)


ExactRow: TypeAlias = tuple[Exact, ...]
Sums: TypeAlias = tuple[ExactRow, ...]  # [class][·]
Smoothing: TypeAlias = (
    Literal["laplace"] | float
)  # the m of (n + m·p) ÷ (N + m); Laplace: m = number of values
ValuePrior: TypeAlias = (
    Literal["equal", "overall"] | tuple[float, ...]
)  # its p: 1/k, the share in all rows, given
Bandwidth: TypeAlias = Literal["scott", "silverman", "range"]
Event: TypeAlias = Literal["multinomial", "bernoulli", "complement"]

BANDWIDTHS: Final[tuple[Bandwidth, ...]] = ("scott", "silverman", "range")
EVENTS: Final[tuple[Event, ...]] = ("multinomial", "bernoulli", "complement")


@dataclass(frozen=True, slots=True)
class Categorical:
    """A nominal or ordinal column: the weight of each value's rows. P(a|c) = (n + m·p) ÷ (N + m)."""

    name: str
    counts: Sums  # [class][value]
    smoothing: Smoothing = "laplace"
    prior: ValuePrior = "equal"


@dataclass(frozen=True, slots=True)
class Cuts:
    """A numeric column as intervals; x ≤ cut lies below it. The counts are as those of `Categorical`."""

    name: str
    cuts: tuple[float, ...]
    counts: Sums  # [class][interval], one more than cuts
    smoothing: Smoothing = "laplace"


@dataclass(frozen=True, slots=True)
class Gaussian:
    """A numeric column as a normal distribution: Σw, Σwx and Σwx² of its known cells.

    The variance is Σwx²/Σw − mean²; of a class whose cells are all equal it is the variance within the
    classes together. It is at least `floor` × the variance of the whole column.
    """

    name: str
    weights: ExactRow  # [class]
    sums: ExactRow
    squares: ExactRow
    floor: float = 1e-9


@dataclass(frozen=True, slots=True)
class Kernel:
    """A numeric column as a kernel density: a small normal distribution at each value met.

    Their width h by class, of weight n and standard deviation s (divisor n − 1): "scott" s·n^(−1/5),
    "silverman" s·(3n/4)^(−1/5), "range" (largest − smallest)/√n as John and Langley have it, but at
    least a sixth of the mean gap between neighbouring numbers of the column, as WEKA has it; h² is at least
    `floor` × the variance of the whole column.
    """

    name: str
    points: tuple[tuple[tuple[float, Exact], ...], ...]  # [class] (value, weight), values ascending
    bandwidth: Bandwidth = "scott"
    floor: float = 1e-9


@dataclass(frozen=True, slots=True)
class Bag:
    """Numeric columns that count things, as one bag of words whose vocabulary is the columns.

    multinomial: P(column|c) = (its sum + α) ÷ (all sums + α·columns), once for each thing counted.
    bernoulli: P(column > 0|c) = (rows with it + α) ÷ (rows + 2α), and 1 − P for a column that is 0.
    complement: 1 ÷ the multinomial P of all other classes together (Rennie et al. 2003).
    """

    names: tuple[str, ...]
    event: Event
    counts: Sums  # [class][column] Σwx; bernoulli: the weight of rows with x > 0
    known: Sums = ()  # [class][column] bernoulli: the weight of rows whose cell is known
    alpha: float = 1.0


@dataclass(frozen=True, slots=True)
class Words:
    """A text column as a bag of its words; event and α as in `Bag`, whose columns are the words.

    Every word met is kept with its counts, whatever the limits of the reading say, which only choose among
    them when a text is answered: so two models still add up exactly. The limits are about numbers of texts,
    which neither weights nor fading change.
    """

    name: str
    event: Event
    words: tuple[str, ...]  # ascending
    counts: Sums  # [class][word] how often it occurs
    documents: Sums  # [class][word] the weight of the texts that hold it
    known: ExactRow  # [class] the weight of the texts that are not missing
    texts: tuple[int, ...]  # [word] the number of texts that hold it, whatever they weigh
    read: int  # the number of texts that are not missing
    reading: TextReading = field(default_factory=TextReading)
    alpha: float = 1.0


Distribution: TypeAlias = Categorical | Cuts | Gaussian | Kernel | Bag | Words


def columns_of(distribution: Distribution) -> tuple[str, ...]:
    """The columns a distribution reads."""
    return distribution.names if isinstance(distribution, Bag) else (distribution.name,)
