"""Description length of rules: the bits to say them, and the bits to name the rows they get wrong."""

import math
from collections.abc import Sequence


def rule_bits(conditions: Sequence[float]) -> float:
    """The bits of a rule from those of its conditions, less log2 n!, since their order has no meaning.

    >>> round(rule_bits([3.0, 4.0, 5.0]), 3)
    9.415
    """
    return math.fsum(conditions) - factorial_bits(len(conditions))


def exception_bits(covered: float, false_positives: float, rest: float, false_negatives: float) -> float:
    """Which of the rows covered are of another class, and which of the rest are of this one (Quinlan 1993).

    Two wrong of five can lie in 10 ways, one of nine in 9:

    >>> round(exception_bits(5, 2, 9, 1), 3), round(math.log2(10 * 9), 3)
    (6.492, 6.492)
    """
    return choice_bits(covered, false_positives) + choice_bits(rest, false_negatives)


def choice_bits(n: float, k: float) -> float:
    """log2 of n over k; by the gamma function, so that weights need not be whole."""
    return factorial_bits(n) - factorial_bits(k) - factorial_bits(n - k)


def factorial_bits(n: float) -> float:
    """log2 n!"""
    return math.lgamma(max(n, 0.0) + 1.0) / math.log(2.0)
