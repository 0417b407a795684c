"""The input space of a linear model: every number counts differently, and answers turn anywhere."""

from __future__ import annotations

from clearwood.models.kinds.linear.linear_model import LinearModel
from clearwood.records import dataclass


@dataclass(frozen=True, slots=True)
class LinearSpace:
    """A weight for each number."""

    model: LinearModel

    def limits(self) -> tuple[()]:
        return ()

    def pairs(self) -> tuple[()]:
        return ()
