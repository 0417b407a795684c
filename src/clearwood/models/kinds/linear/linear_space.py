"""The input space of a linear model: every number counts differently, and answers turn anywhere."""

from __future__ import annotations

import math

from clearwood.models.kinds.linear.linear_model import LinearModel, NumberTerm
from clearwood.records import dataclass


@dataclass(frozen=True, slots=True)
class LinearSpace:
    """A weight for each number."""

    model: LinearModel

    def limits(self) -> tuple[()]:
        return ()

    def spans(self) -> dict[str, tuple[float, float]]:
        numbers = (term.name for term in self.model.terms if isinstance(term, NumberTerm))
        return dict.fromkeys(numbers, (-math.inf, math.inf))

    def columns(self) -> set[str]:
        return set(self.model.columns())

    def pairs(self) -> tuple[()]:
        return ()
