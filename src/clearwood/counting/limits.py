"""Limits: what a region's probability, or mean, must lie between, so that a tree only rises with a column.

After a split on a column with a direction, the middle between its two sides bounds everything below either of
them: whatever is asked there, no row of the lower side is given more than a row of the upper one. Every node
keeps to its bounds, not the leaves alone, so that the tree goes one way wherever it is pruned.
"""

from __future__ import annotations

import math
from typing import Final, TypeAlias

from clearwood.records import dataclass

Bounds: TypeAlias = tuple[float, float]
UNBOUNDED: Final[Bounds] = (-math.inf, math.inf)


@dataclass(frozen=True, slots=True)
class MonotoneLimits:
    """`signs` by position in the schema: 1 where the probability of the last class, or the mean, may only
    rise with the column, −1 where it may only fall, 0 where it is free.

    What is nearer to a bound than `margin`, or to the other side of its split, is not admitted: rounding
    decides nothing. Nothing is lost by that, for below two equal sides of such a split all would be equal.
    `of` is the class that is spoken of; of a number there is none.
    """

    signs: tuple[int, ...]
    margin: float
    of: str = ""

    def apply(self, attribute: int, bounds: Bounds) -> bool:
        """Is there anything that a split on this attribute must keep to here?"""
        return bool(self.signs[attribute]) or bounds != UNBOUNDED
