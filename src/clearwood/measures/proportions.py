"""Two proportions side by side: the interval of their difference, and of their ratio."""

from __future__ import annotations

import math

from clearwood.measures.p_values import normal_quantile
from clearwood.measures.wilson import wilson


def difference_interval(
    count: float, total: float, other_count: float, other_total: float, confidence: float = 0.95
) -> tuple[float, float]:
    """Newcombe's interval (1998, his method 10) for count ÷ total − other_count ÷ other_total: that of two
    independent samples by Wilson's intervals of each.

    His own example, 56 of 70 against 48 of 80:

    >>> low, high = difference_interval(56, 70, 48, 80)
    >>> round(low, 4), round(high, 4)
    (0.0524, 0.3339)
    """
    p, q = count / total, other_count / other_total
    low, high = (float(end) for end in wilson(count, total, confidence))
    other_low, other_high = (float(end) for end in wilson(other_count, other_total, confidence))
    gap = p - q
    return (
        gap - math.sqrt((p - low) ** 2 + (other_high - q) ** 2),
        gap + math.sqrt((high - p) ** 2 + (q - other_low) ** 2),
    )


def ratio_interval(
    count: float, total: float, other_count: float, other_total: float, confidence: float = 0.95
) -> tuple[float, float] | None:
    """Katz's interval (1978) for (count ÷ total) ÷ (other_count ÷ other_total), by the logarithm of the
    ratio; None where a count is 0, and has none.

    >>> low, high = ratio_interval(20, 100, 40, 100)
    >>> round(low, 3), round(high, 3)
    (0.316, 0.792)
    """
    if not (count > 0 and other_count > 0):
        return None
    log = math.log(count / total) - math.log(other_count / other_total)
    variance = max(1 / count - 1 / total + 1 / other_count - 1 / other_total, 0.0)
    reach = float(normal_quantile(0.5 + confidence / 2)) * math.sqrt(variance)
    return math.exp(log - reach), math.exp(log + reach)
