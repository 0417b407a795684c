"""Where rows go whose cell a question cannot place: their shares, or the branch they follow."""

from __future__ import annotations

from typing import Final

import numpy as np

from clearwood.counting.question import Question, SurrogateQuestion, condition, takes
from clearwood.counting.routing import taken_by
from clearwood.derive.trees.place import TreePlace
from clearwood.formulas.expressions import Quotient, Symbol, part
from clearwood.learners.trees.offers import Offer
from clearwood.words.numbers import exact_row_count
from clearwood.working.figures import Figure

_N_KNOWN: Final = Symbol("n", "known", "the number of rows whose value is known")

_SHARE: Final = Quotient(Symbol("n", "v", "the number of rows that follow branch v"), _N_KNOWN)
_AGREED: Final = Quotient(Symbol("sent as the split does"), _N_KNOWN)


def share_figures(place: TreePlace, offer: Offer, question: Question) -> tuple[Figure, ...]:
    """The part of a row without a value that goes down each branch; nothing where every row has one."""
    assert offer.ways is not None
    missing = offer.ways.missing
    if missing <= 0:
        return ()
    attribute = place.task.schema.attributes[question.attribute]
    weights = offer.ways.weights[offer.best]
    known = float(weights.sum())
    shares = tuple(
        Figure(f"Share({condition(attribute, branch)})", share, _SHARE, part(weight, known))
        for branch, share, weight in zip(question.branches, question.shares, weights.tolist(), strict=True)
    )
    go = "goes" if missing == 1 else "go"
    reason = f"{exact_row_count(missing)} without {attribute.name} {go} down every branch, by its share."
    reason = reason[0].upper() + reason[1:]
    return (Figure(f"Without {attribute.name}", missing, because=reason, under=shares, on_sheet="in key"),)


def surrogate_figures(place: TreePlace, offer: Offer, question: Question) -> tuple[Figure, ...]:
    """How well each surrogate agrees with the split, and where a row goes that none of them places."""
    attribute = place.task.schema.attributes[question.attribute]
    if question.otherwise < 0 or not (question.surrogates or (offer.ways and offer.ways.missing > 0)):
        return ()
    branch = taken_by(place.task, question, place.region)
    placed = float(place.region.weights[branch >= 0].sum())
    agreed = tuple(_agreement(place, each, branch, placed) for each in question.surrogates)
    last = condition(attribute, question.branches[question.otherwise])
    first = "the surrogates in turn, then to " if agreed else ""
    rare = ", or with a value that is too rare," if offer.ways and offer.ways.aside > 0 else ""
    reason = f"A row without {attribute.name}{rare} goes by {first}the larger side, {last}."
    if not agreed:
        reason = f"A row without {attribute.name}{rare} goes to the larger side, {last}."
    missing = offer.ways.missing if offer.ways else 0.0
    name = f"Without {attribute.name}"
    return (Figure(name, missing, because=reason, under=agreed, on_sheet="in key"),)


def _agreement(
    place: TreePlace,
    surrogate: SurrogateQuestion,
    branch: np.ndarray[tuple[int], np.dtype[np.int64]],
    placed: float,
) -> Figure:
    attribute = place.task.schema.attributes[surrogate.attribute]
    cells = place.task.cells(surrogate.attribute, place.region)
    same = (takes(attribute, surrogate.when, cells) & (branch == surrogate.then)) | (
        takes(attribute, surrogate.other, cells) & (branch == 1 - surrogate.then)
    )
    agreed = float(place.region.weights[same].sum())
    where = "first" if surrogate.then == 0 else "second"
    return Figure(
        f"Agreement({condition(attribute, surrogate.when)})",
        surrogate.agreement,
        _AGREED,
        part(agreed, placed),
        because=f"To the {where} branch; otherwise to the other.",
    )
