"""A decision: what stands between a model's counts and its answer."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Decision:
    """How counts become an answer: a factor per class (from priors), the cost of calling class i class j."""

    factors: tuple[float, ...] = ()
    costs: tuple[tuple[float, ...], ...] = ()
