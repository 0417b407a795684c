"""Terms that follow from others: a sum of terms before it can have any weight, and so gets none."""

from __future__ import annotations

from typing import Final

import numpy as np

from clearwood import _native
from clearwood.arrays import Floats
from clearwood.learners.linear.terms import DesignMatrix
from clearwood.models.linear_model import Term

_FOLLOWS: Final = 1e-10  # of a term's own square, left after the terms before it: it is their sum
_PART: Final = 1e-6  # of a standardised term: less is no part of a sum
_NAMED: Final = 5


def following(design: DesignMatrix, gram: Floats) -> dict[Term, str]:
    """The terms that are sums of terms before them, each with these."""
    follows, how = _native.dependence(np.ascontiguousarray(gram), _FOLLOWS)
    reasons: dict[Term, str] = {}
    for j, term in enumerate(design.terms):
        if follows[j + 1]:
            parts = [str(t) for i, t in enumerate(design.terms) if abs(how[j + 1, i + 1]) > _PART]
            shown = parts if len(parts) <= _NAMED else [*parts[:_NAMED], f"{len(parts) - _NAMED} more"]
            reasons[term] = f"it follows from {', '.join(shown) or 'the intercept'}"
    return reasons
