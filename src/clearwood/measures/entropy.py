"""Entropy: how many bits does it take to say which class a row of this branch has?"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from clearwood.arrays import Floats
from clearwood.formulas.expressions import Expression, Log, Negative, Number, Over, Product, Sum, Symbol, part
from clearwood.measures.counts import Counts, proportions, xlog2x
from clearwood.measures.impurity import Formula, Impurity


def entropy(counts: Counts) -> Floats:
    """−Σ p · log2 p over the classes: 0 when all rows agree, log2 c when c classes are even.

    Nine days of tennis played and five not (Quinlan 1986):

    >>> [round(float(entropy(days)), 3) for days in ([9, 5], [7, 7], [4, 0])]
    [0.94, 1.0, 0.0]
    """
    bits: Floats = 0.0 - xlog2x(proportions(counts)).sum(axis=-1)
    return bits


def _put_in(counts: Sequence[float], _: float) -> Expression:
    return bits(tuple(w for w in counts if w > 0))


@lru_cache(maxsize=1 << 14)
def bits(weights: tuple[float, ...]) -> Expression:
    """−Σ p · log₂ p of the classes that are there; those that are not add nothing."""
    total = sum(weights)
    parts = [part(w, total) for w in weights]
    return Sum(tuple(Negative(Product((p, Log(p)))) for p in parts)) if parts else Number(0)


_SHARE: Final = Symbol("p", "c", "the proportion of class c")

MEASURE: Final = Impurity(
    entropy,
    "The bits it takes to say which class a row has.",
    Formula("H", Negative(Over("Σ", "c", Product((_SHARE, Log(_SHARE))))), _put_in),
    gain="gain in bits",
)
