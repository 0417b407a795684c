"""A bell curve that another program gives by mean and variance, as the sums that a Bayes model holds."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from clearwood.models.distributions import Gaussian
from clearwood.models.exact import Exact


def bell_curve(
    name: str,
    weights: Sequence[Exact],
    means: Sequence[float],
    variances: Sequence[float],
    slope: float = 1.0,
    offset: float = 0.0,
) -> Gaussian:
    """The curves [class] of slope · x + offset, as those of the column x itself.

    >>> bell_curve("x", (2, 4), (1.0, 3.0), (0.5, 0.25)).sums
    (2, 12)
    """
    scale, moved = Fraction(slope), Fraction(offset)
    sums, squares = [], []
    for weight, mean, variance in zip(weights, means, variances, strict=True):
        own = (Fraction(mean) - moved) / scale
        sums.append(_exact(weight * own))
        squares.append(_exact(weight * (Fraction(variance) / scale**2 + own * own)))
    return Gaussian(name, tuple(weights), tuple(sums), tuple(squares), 0.0)


def _exact(value: Fraction) -> Exact:
    return value.numerator if value.denominator == 1 else value
