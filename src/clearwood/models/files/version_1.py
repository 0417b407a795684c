"""Version 1 of the file: what a model means was read from how it was learned."""

from __future__ import annotations

from clearwood.models.answers import Answers
from clearwood.models.origin import Origin


def answers_of(origin: Origin) -> Answers:
    """What the numbers of a leaf meant; means and shares are told apart by the target."""
    return "median" if origin.settings.get("measure") == "absolute" else "shares"


def measure_of(origin: Origin, *, numeric: bool) -> str:
    """The impurity that a tree's splits lowered."""
    named = origin.settings.get("measure")
    if isinstance(named, str) and named != "auto":
        return named
    if origin.learner in ("C45", "CHAID"):
        return "squared" if numeric else "entropy"
    return ("squared" if numeric else "gini") if origin.learner == "CART" else ""


def penalised(origin: Origin) -> bool:
    """Were the weights held down by a penalty?"""
    return origin.settings.get("penalty") is not None
