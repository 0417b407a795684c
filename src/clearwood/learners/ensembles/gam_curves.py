"""The curves of the losses as whole numbers, the same on every machine: share, power of e, ln(1 + e^s).

A point each 1/128 of a score; between two points both engines go by a straight line. The library's `exp`
differs between machines in its last digit, so powers of e are made by multiplying whole numbers.
"""

from __future__ import annotations

from functools import cache
from typing import Final, TypeAlias

import numpy as np

from clearwood.arrays import Floats, Ints, Longs

Curves: TypeAlias = tuple[Ints, Ints, Floats]

BITS: Final = 20  # scores, shares and gradients are whole numbers of units of 2⁻²⁰
UNIT: Final = 1 << BITS
REACH: Final = 16  # beyond ±16 a share is 0 or 1, to a ten-millionth
POWER_BITS: Final = 24  # powers of e are whole numbers of units of 2⁻²⁴
_WIDE: Final = 128  # bits behind the point while powers are multiplied
_HALVES: Final = 256  # half-points to a score
_STEP_BITS: Final = BITS - 7  # of a score between two points


@cache
def curves() -> Curves:
    """The share at scores −16 … 16 in units, e^x for x from −16 to 0 in units of 2⁻²⁴, and ln(1 + e^s).

    >>> share, power, softplus = curves()
    >>> (float(share[2048] / UNIT), float(power[-1] / 2**24), round(float(softplus[2048]), 6))
    (0.5, 1.0, 0.693147)
    """
    powers = _powers(REACH * _HALVES)  # [k] e^(−k/256)
    one = 1 << _WIDE
    below = [(p << _WIDE) // (one + p) for p in reversed(powers)]  # the share at −16 … 0, each half-point
    shares = below + [one - share for share in reversed(below[:-1])]
    points = shares[::2]
    logistic = np.array([_rounded(share, BITS) for share in points], dtype=np.int32)
    exponential = np.array([_rounded(p, POWER_BITS) for p in reversed(powers[::2])], dtype=np.int32)
    # ln(1 + e^s) is what the share adds up to: by Simpson's rule from point to point.
    size = [share / one for share in shares]
    softplus = [powers[-1] / one]
    for k in range(0, len(size) - 1, 2):
        softplus.append(softplus[-1] + (size[k] + 4.0 * size[k + 1] + size[k + 2]) / (6.0 * _HALVES / 2))
    return logistic, exponential, np.array(softplus)


def _powers(count: int) -> list[int]:
    """[k] e^(−k/256) for k from 0 to count, behind `_WIDE` bits."""
    one = 1 << _WIDE
    step, term, k = one, one, 0
    while term:
        k += 1
        term //= _HALVES * k
        step += term if k % 2 == 0 else -term
    powers = [one]
    for _ in range(count):
        powers.append((powers[-1] * step) >> _WIDE)
    return powers


def _rounded(number: int, bits: int) -> int:
    return (number + (1 << (_WIDE - bits - 1))) >> (_WIDE - bits)


def logistic_shares(scores: Longs) -> Longs:
    """The share of the second of two classes, in units, at scores in units.

    >>> logistic_shares(np.array([0, UNIT, -40 * UNIT])).tolist()
    [524288, 766570, 0]
    """
    share = curves()[0].astype(np.int64)
    at = np.clip(scores, -REACH * UNIT, REACH * UNIT - 1) + REACH * UNIT
    place, part = at >> _STEP_BITS, at & ((1 << _STEP_BITS) - 1)
    return np.asarray(share[place] + (((share[place + 1] - share[place]) * part) >> _STEP_BITS))


def powers_of_e(scores: Longs) -> Longs:
    """[row, score] e^(score − the row's highest), in units of 2⁻²⁴; 0 from 16 below it."""
    power = curves()[1].astype(np.int64)
    below = scores - scores.max(axis=1, keepdims=True)
    at = np.clip(below + REACH * UNIT, 0, REACH * UNIT - 1)
    place, part = at >> _STEP_BITS, at & ((1 << _STEP_BITS) - 1)
    found = power[place] + (((power[place + 1] - power[place]) * part) >> _STEP_BITS)
    return np.where(below < -REACH * UNIT, 0, found)


def softmax_shares(scores: Longs) -> Longs:
    """[row, score] each class's share, in units.

    >>> softmax_shares(np.array([[0, 0], [UNIT, 0]])).tolist()
    [[524287, 524287], [766570, 282005]]
    """
    power = powers_of_e(scores)
    each = (1 << 50) // power.sum(axis=1, keepdims=True)
    return np.asarray((power * each) >> 30)


def softplus_at(scores: Longs) -> Floats:
    """ln(1 + e^s) at scores in units."""
    curve = curves()[2]
    at = np.clip(scores, -REACH * UNIT, REACH * UNIT - 1) + REACH * UNIT
    place, part = at >> _STEP_BITS, (at & ((1 << _STEP_BITS) - 1)) / (1 << _STEP_BITS)
    between = curve[place] + (curve[place + 1] - curve[place]) * part
    return np.where(scores >= REACH * UNIT, scores / UNIT, between)


def natural_log(numbers: Floats) -> Floats:
    """ln of numbers from 1 up, by a series of our own.

    >>> round(float(natural_log(np.array([2.0]))[0]), 12)
    0.69314718056
    """
    part, twos = np.frexp(numbers)
    low = part < 0.70710678118654752
    part, twos = np.where(low, 2 * part, part), np.where(low, twos - 1, twos)
    z = (part - 1.0) / (part + 1.0)
    square = z * z
    total = np.zeros_like(z)
    for k in range(21, 0, -2):
        total = total * square + 1.0 / k
    return np.asarray(2.0 * z * total + twos * 0.69314718055994531)
