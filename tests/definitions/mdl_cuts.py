"""Entropy cuts by counts: the definition of Fayyad and Irani's cuts, one table of value × class at a time."""

from __future__ import annotations

import numpy as np

from clearwood.arrays import Floats
from clearwood.counting.ties import better, first_best
from clearwood.measures.information import entropy
from clearwood.table.table import Column, Weights


def mdl_cuts_by_counts(column: Column, target: Column, weights: Weights | None = None) -> tuple[float, ...]:
    """The same as `discretising.mdl_cuts`, plainly.

    >>> mdl_cuts_by_counts(np.array([1.0, 2, 3, 7, 8, 9]), np.array([0, 0, 0, 1, 1, 1]))
    (5.0,)
    """
    weight = np.ones(len(column)) if weights is None else weights
    known = ~np.isnan(column) & (target >= 0) & (weight > 0)
    if not known.any():
        return ()
    values, step = np.unique(column[known].astype(np.float64), return_inverse=True)
    counts = np.zeros((len(values), int(target.max()) + 1))
    np.add.at(counts, (step, target[known]), weight[known])
    return tuple(sorted(_cuts(values, counts)))


def _cuts(values: Floats, counts: Floats) -> list[float]:
    """The cuts of one region: the best if it pays for itself, and those of its two sides."""
    bits = float(entropy(counts.sum(axis=0)))
    at = [i for i in range(1, len(values)) if not _one_class(counts[i - 1 : i + 1])]
    cuts = [(counts[:i], counts[i:]) for i in at]
    total = counts.sum()
    gains = [bits - sum(float(entropy(s.sum(axis=0)) * s.sum() / total) for s in sides) for sides in cuts]
    chosen = first_best(gains, bits)
    if chosen < 0 or not better(gains[chosen], _charge(counts, *cuts[chosen]), bits):
        return []
    i = at[chosen]
    return [
        _between(values[i - 1], values[i]),
        *_cuts(values[:i], counts[:i]),
        *_cuts(values[i:], counts[i:]),
    ]


def _one_class(counts: Floats) -> bool:
    """Have these neighbours rows of one class only? No better cut lies between them."""
    return int((counts.sum(axis=0) > 0).sum()) == 1


def _charge(both: Floats, low: Floats, high: Floats) -> float:
    """The bits, a row, that tell where the cut is and which classes are on its sides."""
    weight = both.sum()
    (k, bits), *sides = (_classes_and_bits(region) for region in (both, low, high))
    text = k * np.log2(3.0) + np.log2(1.0 - 2.0 * 3.0**-k)
    delta = text - (k * bits - sum(classes * entropy for classes, entropy in sides))
    return float((np.log2(max(weight - 1.0, 1.0)) + delta) / weight)


def _classes_and_bits(counts: Floats) -> tuple[float, float]:
    by_class = counts.sum(axis=0)
    return float((by_class > 0).sum()), float(entropy(by_class))


def _between(low: float, high: float) -> float:
    """Halfway, but never so near the upper value that it would fall below the cut too."""
    middle = float(low) / 2 + float(high) / 2
    return middle if low <= middle < high else float(low)
