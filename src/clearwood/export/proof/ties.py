"""Ties: rows whose answer hangs on the last digit of a share, which the order of adding decides."""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from clearwood.models.decision import Decision


def is_near_tie(shares: Sequence[float], decision: Decision, classes: Sequence[str], near: float) -> bool:
    """Would shares that differ from these by so little be decided otherwise?

    >>> is_near_tie((0.5, 0.5), Decision(), ("yes", "no"), 1e-12)
    True
    >>> is_near_tie((0.7, 0.3), Decision(refer=0.7), ("yes", "no"), 1e-12)
    True
    """
    if decision.refer is not None and abs(max(shares) - decision.refer) <= near:
        return True
    match decision.by:
        case "cutoff":
            assert decision.cutoff is not None
            positive = list(classes).index(decision.cutoff.positive)
            others = [share for place, share in enumerate(shares) if place != positive]
            return abs(shares[positive] - decision.cutoff.at) <= near or _are_level(others, near)
        case "costs":
            paid = [
                sum(share * costs[called] for share, costs in zip(shares, decision.costs, strict=True))
                for called in range(len(shares))
            ]
            return _are_level([-each for each in paid], near * max(1.0, *paid))
        case "share":
            return _are_level(shares, near)
        case _:
            assert_never(decision.by)


def _are_level(figures: Sequence[float], near: float) -> bool:
    """Are the two largest as good as equal?"""
    largest = sorted(figures, reverse=True)[:2]
    return len(largest) == 2 and largest[0] - largest[1] <= near
