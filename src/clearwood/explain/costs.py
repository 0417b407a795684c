"""What a change of a number costs: how far it goes, in scales of its column."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Final

from clearwood.arrays import Floats
from clearwood.explain.constraints import Constraints

FARTHEST: Final = 1e300
_LARGEST: Final = sys.float_info.max


def scale_of(thresholds: Sequence[float] | Floats, name: str, constraints: Constraints) -> float:
    """How far is far: the range given for the column; else from the model's lowest threshold to
    its highest, which stand in order; of a single threshold its size."""
    low, high = (constraints.ranges or {}).get(name, (0.0, 0.0))
    if not low < high:
        low, high = (float(thresholds[0]), float(thresholds[-1])) if len(thresholds) else (0.0, 0.0)
    return min(high - low, _LARGEST) or abs(low) or 1.0


def way(cell: float, after: float, scale: float) -> float:
    """How far it is from one number to another, in scales; at most so far that several still have a sum.

    >>> way(-1.5, 0.0, 2.0), way(-1.5, 0.0, 5e-324)
    (0.75, 1e+300)
    """
    return min(abs(after - cell) / scale, FARTHEST)
