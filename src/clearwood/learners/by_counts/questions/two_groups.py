"""Two groups of a nominal attribute's values: which ways of dividing them are worth a look?"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np

from clearwood.measures.counts import Floats, shares
from clearwood.measures.squared_error import squared_error

MOST_TRIED: Final = 10  # values; above that there are more than 511 ways


def divisions(counts: Floats, present: list[int], values: Floats | None) -> Iterator[tuple[int, ...]]:
    """The codes that go to the first branch, for each way tried; the first branch has the lowest code present.

    Two classes: cuts along the share of the second. Numbers (`values` of the levels): cuts along the
    mean. Both are exact for concave measures (Breiman et al. 1984, 4.5). More classes: every way up to
    ten values, above that cuts along the first principal component of the class shares.
    """
    rows = counts[present]
    met = np.flatnonzero(rows.sum(axis=0) > 0)
    if values is not None:
        yield from _along(present, squared_error(values, rows)[0])
    elif len(met) <= 2:
        yield from _along(present, shares(rows[:, met])[:, -1])
    elif len(present) <= MOST_TRIED:
        yield from _every_way(present)
    else:
        yield from _along(present, first_component(rows))


def _along(present: list[int], places: Floats) -> Iterator[tuple[int, ...]]:
    """Cuts along an order, ascending; values at one place stay in the order of the schema."""
    order = np.argsort(places, kind="stable")
    codes = [present[i] for i in order]
    for cut in range(1, len(codes)):
        low = tuple(sorted(codes[:cut]))
        yield low if present[0] in low else tuple(sorted(codes[cut:]))


def _every_way(present: list[int]) -> Iterator[tuple[int, ...]]:
    """Every way to join others to the lowest code: way w takes the (i+1)-th other value if bit i of w is set."""
    others = present[1:]
    for way in range(2 ** len(others) - 1):
        yield (present[0], *(code for i, code in enumerate(others) if way >> i & 1))


def first_component(counts: Floats) -> Floats:
    """[value, level] → [value]: each value's place along the first principal component of the level shares.

    The covariance of the shares, weighted by the values' weights, is raised by 100 power iterations from
    the unit vector of its largest diagonal entry. Places are rounded to 9 decimals: those that are equal
    but for rounding stay in the order of the schema.
    """
    share = shares(counts)
    part = shares(counts.sum(axis=1))
    centred = share - part @ share
    covariance = centred.T @ (part[:, None] * centred)
    axis = np.zeros(len(covariance))
    axis[int(np.argmax(np.diag(covariance)))] = 1.0
    for _ in range(100):
        longer = covariance @ axis
        length = float(np.sqrt((longer * longer).sum()))
        if length <= 1e-300:
            break
        axis = longer / length
    return np.round(centred @ axis, 9)
