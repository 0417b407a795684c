"""Misclassification error: what part of this branch is not of its most common class?"""

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from typing import Final

import numpy as np

from clearwood.arrays import Floats
from clearwood.formulas.expressions import Expression, Extreme, Number, Over, Symbol, part
from clearwood.measures.impurity import Counts, Formula, Impurity, proportions


def misclassification(counts: Counts) -> Floats:
    """1 − the largest share; 0 for a branch without rows.

    >>> float(misclassification(np.array([9, 5])).round(4)), float(misclassification(np.array([0, 0])))
    (0.3571, 0.0)
    """
    counts = np.asarray(counts, dtype=np.float64)
    return np.where(counts.sum(axis=-1) > 0, 1.0 - proportions(counts).max(axis=-1), 0.0)


def _put_in(counts: Sequence[float], _: float) -> Expression:
    weights = [w for w in counts if w > 0]
    total = sum(weights)
    largest = Extreme("max", tuple(part(w, total) for w in weights))
    return 1 - largest if weights else Number(0)


@lru_cache(maxsize=1 << 14)
def _exact(weights: tuple[float, ...]) -> Fraction | None:
    if not all(map(float.is_integer, weights)):
        return None
    total = int(sum(weights))
    return 1 - Fraction(int(max(weights)), total) if total else Fraction(0)


MEASURE: Final = Impurity(
    misclassification,
    "The part of the rows that is not of the most common class.",
    Formula("error", 1 - Over("max", "c", Symbol("p", "c", "the proportion of class c")), _put_in, _exact),
)
