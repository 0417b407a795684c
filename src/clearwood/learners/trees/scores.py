"""Scores of a split from its counts, by plain sums in one order: native growers report the very same numbers.

While ways to split are compared, their gains are computed many at once, in an order that suits the processor;
what a tree keeps is computed here.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Final, TypeAlias

from clearwood.arrays import Floats

_OfParts: TypeAlias = Callable[[Sequence[float]], float]


def split_gain(measure: str, counts: Floats, weight: float) -> float:
    """The decrease of impurity by counts [branch, class], for the part of the weight that follows a branch.

    >>> import numpy as np
    >>> split_gain("entropy", np.array([[2.0, 3], [4, 0], [3, 2]]), 14.0)
    0.24674981977443933
    """
    branches: list[list[float]] = counts.tolist()
    whole: list[float] = [sum(each) for each in zip(*branches, strict=True)]
    known: float = sum(whole)
    gain = _impurity(measure, whole, known)
    for each in branches:
        here: float = sum(each)
        gain -= here / known * _impurity(measure, each, here)
    return known / weight * gain


def split_bits(weights: Floats, weight: float) -> float:
    """The bits of knowing which branch a row follows; the rows that follow none are one more.

    >>> import numpy as np
    >>> round(split_bits(np.array([5.0, 4, 5]), 14.0), 3)
    1.577
    """
    few: list[float] = weights.tolist()
    bits = -_xlog2x((weight - sum(few)) / weight)
    for each in few:
        bits -= _xlog2x(each / weight)
    return bits


def _impurity(measure: str, counts: Sequence[float], weight: float) -> float:
    return MEASURED[measure]([each / weight for each in counts]) if weight > 0 else 0.0


def _entropy(parts: Sequence[float]) -> float:
    bits = 0.0
    for each in parts:
        bits -= _xlog2x(each)
    return bits


def _gini(parts: Sequence[float]) -> float:
    same = 0.0
    for each in parts:
        same += each * each
    return 1.0 - same


def _xlog2x(x: float) -> float:
    return x * math.log2(x) if x > 0 else 0.0


# By the names of `clearwood.measures`; a split by another measure keeps the score by which it was chosen.
MEASURED: Final[Mapping[str, _OfParts]] = {
    "entropy": _entropy,
    "gini": _gini,
    "error": lambda parts: 1.0 - max(parts),
}
