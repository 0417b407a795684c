"""Fisher: how probable is a 2×2 table at most as likely as this one, margins given?"""

from __future__ import annotations

import numpy as np

from clearwood.measures.contingency import Verdict
from clearwood.measures.counts import Counts
from clearwood.measures.p_values import fisher_p


def fisher(counts: Counts) -> Verdict:
    """The exact two-sided p over [..., 2, 2]; there is no statistic but p itself.

    >>> verdict = fisher(np.array([[8, 12], [28, 8]]))
    >>> float(verdict.p.round(6))
    0.008203
    """
    counts = np.asarray(counts, dtype=np.float64)
    p = fisher_p(counts[..., 0, 0], counts[..., 0, 1], counts[..., 1, 0], counts[..., 1, 1])
    with np.errstate(divide="ignore"):
        return Verdict(p, np.zeros_like(p), p, np.log(p))
