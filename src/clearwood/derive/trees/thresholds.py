"""The threshold that a cut is reported and used with: midway, or the largest value not above that."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from clearwood.counting.cuts import midpoint
from clearwood.counting.question import Question
from clearwood.derive.trees.place import TreePlace
from clearwood.formulas.expressions import Number, Quotient, Sum, Symbol, count
from clearwood.learners.trees.offers import Offer
from clearwood.table.attributes import Numeric
from clearwood.words.numbers import number
from clearwood.working.figures import Figure

_MIDWAY: Final = Quotient(Sum((Symbol("below"), Symbol("above"))), Number(2))


def threshold_figure(
    place: TreePlace, offer: Offer, question: Question, from_data: bool
) -> tuple[Figure, ...]:
    """Where a number was cut; nothing for values, and for thresholds that the schema gives."""
    attribute = place.task.schema.attributes[offer.attribute]
    if offer.ways is None or offer.ways.cuts is None or not isinstance(attribute, Numeric) or attribute.cuts:
        return ()
    cuts = offer.ways.cuts
    if offer.best >= 2 * len(cuts.below):  # what is known against what is missing: no number parts them
        return ()
    way = offer.best % len(cuts.below)
    below, above = float(cuts.below[way]), float(cuts.above[way])
    middle = Figure(
        "Midpoint",
        midpoint(below, above),
        _MIDWAY,
        Quotient(Sum((count(below), count(above))), Number(2)),
    )
    if not from_data:
        return (replace(middle, on_sheet="in key"),)
    limit = question.branches[0].high
    reason = (
        f"The largest {attribute.name} in the whole table that is not above {number(midpoint(below, above))}."
    )
    name = f"Threshold({attribute.name})"
    return (Figure(name, limit, because=reason, under=(middle,), on_sheet="in key"),)
