"""Entropy, and what a split gains of it: gain, split information, gain ratio."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

import numpy as np

from clearwood.arrays import Floats
from clearwood.formulas.expressions import Expression, Log, Number, Over, Sum, Symbol, part
from clearwood.measures.impurity import Counts, Formula, Impurity, ImpurityOf, proportions, xlog2x


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
    return Sum(tuple(-(p * Log(p)) for p in parts)) if parts else Number(0)


_SHARE: Final = Symbol("p", "c", "the proportion of class c")

MEASURE: Final = Impurity(
    entropy,
    "The bits it takes to say which class a row has.",
    Formula("H", -Over("Σ", "c", _SHARE * Log(_SHARE)), _put_in),
    gain="gain in bits",
)


def gain(counts: Counts, impurity: ImpurityOf = entropy, weights: Floats | None = None) -> Floats:
    """[candidate, branch, class] → [candidate]: impurity of the node − Σ share · impurity of the branch.

    `weights` [candidate, branch] are the sums over the classes, given if they are there already.

    Outlook on the fourteen days of tennis, (yes, no) when sunny, overcast and rainy:

    >>> float(gain(np.array([[2, 3], [4, 0], [3, 2]])).round(3))
    0.247
    """
    counts = np.asarray(counts, dtype=np.float64)
    share = proportions(counts.sum(axis=-1) if weights is None else weights)
    whole = counts.sum(axis=-2)
    # The cuts of one column part the same rows: two are asked, not one, so that sums run in the same order.
    if whole.ndim == 2 and len(whole) > 2 and (whole == whole[0]).all():
        before = impurity(whole[:2])[:1]
    else:
        before = impurity(whole)
    fall: Floats = before - (share * impurity(counts)).sum(axis=-1)
    return fall


def gains(tables: Sequence[Counts], impurity: ImpurityOf = entropy) -> Floats:
    """The gains of tables [branch, class] that differ in their branches, one for each; 0 without a branch.

    >>> gains([np.array([[2, 3], [4, 0], [3, 2]]), np.array([[6, 2], [3, 3]]), np.empty((0, 2))]).round(3)
    array([0.247, 0.048, 0.   ])
    """
    sizes = np.array([len(table) for table in tables], dtype=np.int64)
    gained = np.zeros(len(sizes))
    held = sizes > 0
    if not held.any():
        return gained
    starts = np.cumsum(sizes[held]) - sizes[held]
    counts = np.concatenate(tables).astype(np.float64)
    whole = np.add.reduceat(counts, starts, axis=0)
    total = np.repeat(whole.sum(axis=-1), sizes[held])
    share = counts.sum(axis=-1) / np.where(total > 0, total, 1.0)
    gained[held] = impurity(whole) - np.add.reduceat(share * impurity(counts), starts)
    return gained


def gain_ratio(counts: Counts) -> Floats:
    """[candidate, branch, class] → [candidate]: gain ÷ split information; 0 where all rows follow one branch.

    >>> float(gain_ratio(np.array([[2, 3], [4, 0], [3, 2]])).round(4))
    0.1564
    """
    return ratio(gain(counts, entropy), split_information(np.asarray(counts, dtype=np.float64).sum(axis=-1)))


def ratio(gained: Floats, bits: Floats) -> Floats:
    """gain ÷ bits of split information, 0 where there are none."""
    bits = np.asarray(bits)
    return np.where(bits > 0, gained / np.where(bits > 0, bits, 1.0), 0.0)


def split_information(weights: Counts) -> Floats:
    """[candidate, branch] → [candidate]: the entropy of the branches' weights (Quinlan 1993).

    Where cells are missing, their weight is one more branch. Outlook sends 5, 4 and 5 days down:

    >>> float(split_information([5, 4, 5]).round(3))
    1.577
    """
    return entropy(weights)
