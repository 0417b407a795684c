"""The pessimistic error of C4.5: how many more errors than it made should a leaf be charged?"""

import math
from functools import lru_cache
from itertools import pairwise
from typing import Literal, TypeAlias

from clearwood.measures.p_values import normal_quantile

ConfidenceTable: TypeAlias = Literal["normal", "quinlan"]


def extra_errors(n: float, e: float, confidence: float = 0.25, table: ConfidenceTable = "normal") -> float:
    """Errors beyond the e made in n cases, up to the upper bound of the error rate at this confidence.

    "normal" takes z from the normal quantile, as J48 does; "quinlan" interpolates the book's table of
    deviates and, where nearly all cases are errors, charges 0.67 · (n − e) (Quinlan 1993, p. 41).

    >>> round(extra_errors(6, 0), 3), round(extra_errors(16, 1) + 1, 3), round(extra_errors(1, 0), 3)
    (1.238, 2.476, 0.75)
    """
    if n <= 0:
        return 0.0
    if e < 1:
        none: float = n * (1 - confidence ** (1 / n))
        if e == 0:
            return none
        # Between no error and one the charge is read off the straight line.
        return none + e * (extra_errors(n, 1.0, confidence, table) - none)
    if e + 0.5 >= n:
        return 0.67 * (n - e) if table == "quinlan" else max(n - e, 0.0)
    z = deviate(confidence, table)
    f = (e + 0.5) / n
    bound = (f + z * z / (2 * n) + z * math.sqrt(f / n - f * f / n + z * z / (4 * n * n))) / (1 + z * z / n)
    return bound * n - e


@lru_cache(maxsize=64)
def deviate(confidence: float, table: ConfidenceTable) -> float:
    """How many standard deviations up the bound lies: 0.6745 at 0.25, and 0.6925 by the book's table."""
    if table == "normal":
        return float(normal_quantile(1 - confidence))
    for (c0, z0), (c1, z1) in pairwise(_DEVIATES):
        if confidence <= c1:
            return z0 + (z1 - z0) * (confidence - c0) / (c1 - c0)
    return 0.0


# (confidence, deviate): normal deviates to two digits, read as straight lines in between.
_DEVIATES = (
    (0.0, 4.0), (0.001, 3.09), (0.005, 2.58), (0.01, 2.33), (0.05, 1.65),
    (0.10, 1.28), (0.20, 0.84), (0.40, 0.25), (1.0, 0.0),
)  # fmt: skip
