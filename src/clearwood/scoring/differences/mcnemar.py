"""McNemar: of the rows that only one of two models has right, has one more than chance explains?"""

from __future__ import annotations

from dataclasses import dataclass
from math import exp, lgamma, log
from typing import Any

from clearwood import _native
from clearwood.arrays import Bools, Floats
from clearwood.table.weights import effective_rows


@dataclass(frozen=True, slots=True)
class McNemar:
    """How many rows only the first and only the second has right, and how often chance gives as uneven ones.

    `mid_p` counts half of the outcomes as likely as this one: it keeps to its 5 % nearly always, and misses
    less than the exact p, which is never too small (Fagerland, Lydersen and Laake 2013).
    """

    only_first: float
    only_second: float
    p: float
    mid_p: float

    def to_json(self) -> dict[str, Any]:
        """Plain values, ready for `json.dumps`."""
        return {
            "only_first": self.only_first,
            "only_second": self.only_second,
            "p": self.p,
            "mid_p": self.mid_p,
        }


def mcnemar(only_first: float, only_second: float) -> McNemar:
    """The exact two-sided test (McNemar 1947; binomial with ½) of these numbers of rows.

    Numbers that are not whole, of rows with weights, are taken between the whole ones, by the beta function
    that the binomial sum is. Airway hyper-responsiveness before and after a transplant (Bentur et al. 2009,
    in Fagerland et al. 2013):

    >>> tested = mcnemar(1, 7)
    >>> round(tested.p, 4), round(tested.mid_p, 4)
    (0.0703, 0.0391)
    """
    few, total = min(only_first, only_second), only_first + only_second
    if total <= 0:
        return McNemar(only_first, only_second, 1.0, 1.0)
    at_most = _at_most(few, total)
    exact = min(1.0, 2 * at_most)
    same = exp(lgamma(total + 1) - lgamma(few + 1) - lgamma(total - few + 1) - total * log(2))
    middle = 1 - same / 2 if only_first == only_second else 2 * at_most - same
    return McNemar(only_first, only_second, exact, min(1.0, max(0.0, middle)))


def mcnemar_of_rows(first_right: Bools, second_right: Bools, weights: Floats, *, counts: bool) -> McNemar:
    """[row] Which rows each has right. Weights that are `counts` of equal rows are added up; others stand for
    Kish's effective number of the rows on which the two differ, in the weights' proportion.

    >>> import numpy as np
    >>> right, wrong = np.array([True] * 4 + [False] * 2), np.array([False] * 4 + [True] * 2)
    >>> mcnemar_of_rows(right, wrong, np.full(6, 2.0), counts=True).only_first
    8.0
    >>> mcnemar_of_rows(right, wrong, np.full(6, 2.0), counts=False).only_first
    4.0
    """
    first, second = first_right & ~second_right, second_right & ~first_right
    one, other = float(weights[first].sum()), float(weights[second].sum())
    if not counts and one + other > 0:
        scale = effective_rows(weights[first | second]) / (one + other)
        one, other = one * scale, other * scale
    return mcnemar(one, other)


def _at_most(few: float, total: float) -> float:
    """P(X ≤ few) of X binomial with ½: the beta function as a tail of F."""
    # P(X ≤ k) = I_½(n − k, k + 1) = P(F > (n − k) ÷ (k + 1)) with 2(k + 1) and 2(n − k) degrees of freedom.
    if few >= total:
        return 1.0
    return float(_native.f_sf((total - few) / (few + 1), 2 * (few + 1), 2 * (total - few)))
