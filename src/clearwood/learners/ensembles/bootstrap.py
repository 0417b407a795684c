"""Bootstrap samples: as many rows as there are, drawn with replacement, as the number of times each was."""

from __future__ import annotations

from typing import Final

import numpy as np

from clearwood.counting.chance import below_all, key_of, parts
from clearwood.errors import LearningError
from clearwood.models.nodes import Longs
from clearwood.table.table import Table

_PURPOSE: Final = 0xB0075  # tells these draws from others of the same seed and member
_MOST: Final = 2**32 - 1


def times_drawn(table: Table, seed: int, member: int) -> Longs:
    """[row] how often the member draws it (Efron 1979; Breiman 1996).

    Weights that are whole numbers stand for so many rows: their sum is drawn. Otherwise as many rows as
    there are, each with a chance that is its part of the weight.

    >>> import clearwood as cw
    >>> times_drawn(cw.read_table(cw.datasets.path("tennis"), target="PlayTennis"), 0, 0).tolist()
    [1, 2, 1, 0, 1, 1, 0, 1, 1, 0, 2, 1, 0, 3]
    """
    key, rows, weights = key_of(seed, member, _PURPOSE), len(table), table.weights
    if weights is None:
        drawn = below_all(key, rows, rows)
    elif (weights == np.floor(weights)).all():
        upto = np.cumsum(weights)
        if upto[-1] > _MOST:
            raise LearningError(
                f"The weights sum to {upto[-1]:g} rows, more than can be drawn. Divide all by one number."
            )
        drawn = np.searchsorted(upto, below_all(key, int(upto[-1]), int(upto[-1])), side="right")
    else:
        upto = np.cumsum(weights)
        places = np.searchsorted(upto, parts(key, rows) * upto[-1], side="right")
        drawn = np.minimum(places, rows - 1)
    return np.bincount(drawn, minlength=rows)
