"""exp and log of our own: libraries differ in the last digit between machines, and a model must not.

Sums and products alone, in one order; the native code has the same (`native/core/numeric/own_exp.hpp`).
"""

from __future__ import annotations

from math import factorial
from typing import Final

import numpy as np

from clearwood.arrays import Floats

_WHOLE: Final = 1.5 * 2.0**52  # added to a number below 2⁵¹, leaves it whole, rounded half to even
_LN2_HIGH: Final = 6.93147180369123816490e-01
_LN2_LOW: Final = 1.90821492927058770002e-10


def own_exp(x: Floats) -> Floats:
    """e to the x, of x between −700 and 700; beyond, of the nearer of these.

    >>> own_exp(np.array([0.0, 1.0, -2.5])).tolist()
    [1.0, 2.7182818284590455, 0.0820849986238988]
    """
    x = np.minimum(np.maximum(x, -700.0), 700.0)
    k = (x * 1.44269504088896338700 + _WHOLE) - _WHOLE
    r = (x - k * _LN2_HIGH) - k * _LN2_LOW
    p = np.full_like(r, 1.0 / factorial(12))
    for n in range(11, -1, -1):
        p = p * r + 1.0 / factorial(n)
    return np.ldexp(p, k.astype(np.int32))


def own_log(x: Floats) -> Floats:
    """The natural logarithm of numbers from 1e-300 up.

    >>> own_log(np.array([1.0, 2.0, 10.0])).tolist()
    [0.0, 0.6931471805599453, 2.302585092994046]
    """
    m, power = np.frexp(x)
    e = power.astype(np.float64)
    low = m < 0.70710678118654757
    m, e = np.where(low, m + m, m), np.where(low, e - 1.0, e)
    f = (m - 1.0) / (m + 1.0)
    s = f * f
    p = np.full_like(s, 1.0 / 21.0)
    for n in range(19, 0, -2):
        p = p * s + 1.0 / n
    logarithm: Floats = e * _LN2_HIGH + (e * _LN2_LOW + (f + f) * p)
    return logarithm
