"""Gini: how often would two random rows of this branch differ in class?"""

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from typing import Final

import numpy as np

from clearwood.arrays import Floats
from clearwood.formulas.expressions import Expression, Number, Over, Sum, Symbol, part
from clearwood.measures.impurity import Counts, Formula, Impurity, proportions


def gini(counts: Counts) -> Floats:
    """1 − Σ p² over the classes (Breiman et al. 1984); 0 for a branch without rows.

    >>> float(gini(np.array([9, 5])).round(4)), float(gini(np.array([3, 3]))), float(gini(np.array([0, 0])))
    (0.4592, 0.5, 0.0)
    """
    counts = np.asarray(counts, dtype=np.float64)
    return np.where(counts.sum(axis=-1) > 0, 1.0 - (proportions(counts) ** 2).sum(axis=-1), 0.0)


def _put_in(counts: Sequence[float], _: float) -> Expression:
    return _differ(tuple(w for w in counts if w > 0))


@lru_cache(maxsize=1 << 14)
def _differ(weights: tuple[float, ...]) -> Expression:
    total = sum(weights)
    squares = [-(part(w, total) ** 2) for w in weights]
    return Sum((Number(1), *squares)) if squares else Number(0)


@lru_cache(maxsize=1 << 14)
def _exact(weights: tuple[float, ...]) -> Fraction | None:
    if not all(map(float.is_integer, weights)):
        return None
    total = int(sum(weights))
    return 1 - Fraction(sum(int(w) ** 2 for w in weights), total**2) if total else Fraction(0)


MEASURE: Final = Impurity(
    gini,
    "How often two random rows differ in class.",
    Formula("Gini", 1 - Over("Σ", "c", Symbol("p", "c", "the proportion of class c") ** 2), _put_in, _exact),
    name="Gini impurity",
    gain="decrease of Gini",
)
