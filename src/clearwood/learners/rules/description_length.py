"""Description length: how many bits encode a class's rules, and then the rows they get wrong?

The coding is that of Cohen (1995), after Quinlan (1995, "MDL and categorical theories (continued)").
"""

from __future__ import annotations

import math

from clearwood.counting.ties import TIE, better


def ripper_rule_bits(conditions: int, possible: float) -> float:
    """Bits for one rule: which conditions out of those possible; half of that, as order has no meaning.

    >>> round(ripper_rule_bits(2, 10), 4)
    4.1096
    """
    if not conditions:
        return 0.0
    k, n = float(conditions), max(float(possible), float(conditions))
    return 0.5 * (number_bits(k) + subset_bits(n, k, k / n))


def number_bits(number: float) -> float:
    """Bits for a whole number that could be any (Rissanen 1983): log2 k + log2 log2 k + …, while above 0.

    >>> number_bits(1), number_bits(2), number_bits(16)
    (0.0, 1.0, 7.0)
    """
    bits = 0.0
    while number > 1:
        number = math.log2(number)
        bits += number
    return bits


def ripper_exception_bits(
    covered: float, uncovered: float, false: float, missed: float, share: float
) -> float:
    """Bits for the rows answered wrongly: `false` among the covered ones, `missed` among the others.

    The larger side is encoded with the rate it has if this share of the errors is false, the other with
    its own.

    >>> round(ripper_exception_bits(40, 60, 2, 4, 0.5), 4)
    39.5458
    """
    errors = false + missed
    total = covered + uncovered
    more_covered = better(covered, uncovered, total)
    bits = math.log2(total + 1)
    if covered > 0:
        bits += subset_bits(covered, false, (share * errors if more_covered else false) / covered)
    if uncovered > 0:
        bits += subset_bits(uncovered, missed, (missed if more_covered else (1 - share) * errors) / uncovered)
    return bits


def subset_bits(size: float, marked: float, rate: float) -> float:
    """Bits to encode which of `size` things are marked, for a receiver who expects this rate.

    >>> subset_bits(4, 1, 0.5)
    4.0
    """
    bits = 0.0
    if marked > TIE * size:
        bits += -marked * math.log2(rate) if rate > 0 else math.inf
    if size - marked > TIE * size:
        bits += -(size - marked) * math.log2(1 - rate) if rate < 1 else math.inf
    return bits
