"""Bootstrap: rows drawn with replacement, as the number of times each was (Efron 1979).

Bagging, forests and the bags of an additive model draw here, each by a key of its own; the native code has
the same draws (`native/core/numeric/bootstrap.hpp`).
"""

from __future__ import annotations

import numpy as np

from clearwood.arrays import Floats, Longs
from clearwood.counting.chance import below_all, parts


def drawn_with_replacement(key: int, rows: int, draws: int, ends: Floats | None = None) -> Longs:
    """[row] how often it comes up in so many draws; `ends` are running sums of the rows' weights, which are
    then their chances, and without them every row is as likely.

    >>> from clearwood.counting.chance import chance_key
    >>> drawn_with_replacement(chance_key(7), 5, 5).tolist()
    [1, 0, 2, 1, 1]
    """
    drawn = below_all(key, draws, rows) if ends is None else _rows_at(ends, parts(key, draws) * ends[-1])
    return np.bincount(drawn, minlength=rows)


def units_drawn_with_replacement(key: int, ends: Floats) -> Longs:
    """[row] the same of rows whose weights are whole numbers: each unit is a row, and as many are drawn.

    >>> import numpy as np
    >>> from clearwood.counting.chance import chance_key
    >>> int(units_drawn_with_replacement(chance_key(7), np.array([2.0, 3.0, 5.0])).sum())
    5
    """
    units = int(ends[-1])
    return np.bincount(_rows_at(ends, below_all(key, units, units)), minlength=len(ends))


def weights_are_units(weights: Floats) -> bool:
    """Are all weights whole numbers, so that each unit can be drawn as a row?"""
    return bool((weights == np.floor(weights)).all())


def _rows_at(ends: Floats, places: Floats | Longs) -> Longs:
    """The rows in whose part of the weight the places fall; rounding never leads beyond the last."""
    return np.minimum(np.searchsorted(ends, places, side="right"), len(ends) - 1)
