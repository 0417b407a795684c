"""Limits at a node: what its probability must lie between, which splits that bars, what is handed down."""

from __future__ import annotations

import math
from typing import Final

from clearwood.counting.question import Question, condition
from clearwood.deriving.trees.growth import TreePlace
from clearwood.formulas.expressions import Sum, Symbol, part
from clearwood.learners.directions import UNBOUNDED
from clearwood.learners.trees.counted import regions_at
from clearwood.learners.trees.offers import Offer, is_ordered, limited_values
from clearwood.words.numbers import short
from clearwood.working.figures import Figure, in_decimals

_OF_CLASS: Final = Symbol("n", "c", "the weight of the rows of the class that is limited") / Symbol(
    "n", means="the weight of the rows here"
)
_MIDDLE: Final = (Symbol("first side") + Symbol("second side")) / 2


def bound_figures(place: TreePlace) -> tuple[Figure, ...]:
    """What the splits above keep the probability, or the mean, between."""
    if place.region.bounds == UNBOUNDED:
        return ()
    low, high = _bounds(place)
    made = []
    if low > -math.inf:
        made.append(Figure("Lower limit", low, because=f"A split above keeps {_what(place)} over it here."))
    if high < math.inf:
        made.append(Figure("Upper limit", high, because=f"A split above keeps {_what(place)} under it here."))
    return tuple(made)


def why_barred(place: TreePlace, offer: Offer) -> str:
    """Why nothing that an attribute offers is admitted."""
    name = place.task.schema.attributes[offer.attribute].name
    reasons = []
    if _sign(place, offer.attribute):
        reasons.append(f"{_what(place)} would not {_goes(place, offer.attribute)} with {name}")
    if place.region.bounds != UNBOUNDED:
        low, high = _bounds(place)
        over = f"over {short(low)}" if low > -math.inf else ""
        under = f"under {short(high)}" if high < math.inf else ""
        between = " and ".join(filter(None, (over, under)))
        reasons.append(f"{_what(place)} would not stay {between} on every side")
    if offer.best >= 0:
        return f"Not admitted: with the rows without {name}, {', or '.join(reasons)}."
    several = offer.ways is not None and len(offer.ways.counts) > 1
    ways = "whatever way it is parted" if several else "parted by it"
    return f"Not admitted: {ways}, {', or '.join(reasons)}."


def handed_down(place: TreePlace, question: Question) -> tuple[Figure, ...]:
    """The value of every side, and of a column with a direction the middle, which bounds all below."""
    task = place.task
    if task.limits is None or not task.limits.apply(question.attribute, place.region.bounds):
        return ()
    attribute = task.schema.attributes[question.attribute]
    branches = regions_at(task, task.engine.divide(place.frontier, {0: question}))
    values = limited_values(branches).tolist()
    sides = []
    for takes, branch, value in zip(question.branches, branches, values, strict=True):
        own, whole = branch.counts, branch.task.whole(branch.counts)
        if not whole > 0:
            continue
        where = condition(attribute, takes)
        if task.numbers is not None:
            sides.append(Figure(f"Mean({where})", value))
            continue
        of = task.limits.of
        put_in = part(float(own[task.schema.classes.index(of)]), whole)
        sides.append(Figure(f"P({of} | {where})", _said(place, value), _OF_CLASS, put_in))
    if not _sign(place, question.attribute) or not is_ordered(question):
        return tuple(sides)
    middle, both = sum(each.number for each in sides) / 2, Sum(tuple(map(in_decimals, sides)))
    reason = f"It bounds {_what(place)} in all that lies below either side."
    return (Figure("Middle", middle, _MIDDLE, both / 2, because=reason, under=tuple(sides)),)


def _what(place: TreePlace) -> str:
    limits = place.task.limits
    return f"the probability of {limits.of}" if limits and limits.of else "the mean"


def _sign(place: TreePlace, attribute: int) -> int:
    return place.task.limits.signs[attribute] if place.task.limits else 0


def _goes(place: TreePlace, attribute: int) -> str:
    """Which way what is spoken of goes: the signs are about the last class."""
    return "rise" if (_sign(place, attribute) > 0) != _turned(place) else "fall"


def _turned(place: TreePlace) -> bool:
    task = place.task
    return task.numbers is None and task.limits is not None and task.limits.of != task.schema.classes[-1]


def _said(place: TreePlace, value: float) -> float:
    """A value, or bound, of the last class as one of the class that is spoken of."""
    return 1 - value if _turned(place) else value


def _bounds(place: TreePlace) -> tuple[float, float]:
    low, high = sorted(_said(place, each) for each in place.region.bounds)
    return low, high
