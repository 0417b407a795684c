"""Every way to part an attribute at a node, side by side, each with its figure on request; what bars some."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache
from typing import Final, TypeAlias

import numpy as np

from clearwood.arrays import Floats, Longs
from clearwood.counting.cuts import midpoint
from clearwood.counting.engine import Cells
from clearwood.counting.question import Question, SurrogateQuestion, codes_taken, condition
from clearwood.deriving.trees.gains import WrittenMeasure, branch_names, gain_figure
from clearwood.deriving.trees.growth import TreePlace, parted
from clearwood.formulas.expressions import Sum, Symbol, count, part
from clearwood.learners.directions import UNBOUNDED
from clearwood.learners.trees.counted import regions_at
from clearwood.learners.trees.offers import Offer, Ways, is_ordered, limited_values
from clearwood.measures.information import gain
from clearwood.table.attributes import Numeric
from clearwood.words.numbers import exact_row_count, number, short
from clearwood.working.figures import ASKED, GIVEN, Figure, Grid, GridCell, OnSheet, in_decimals, prepared

# More columns of a grid of ways: from the gains of some of them, numbers for each of these.
More: TypeAlias = Callable[[Ways, Floats, slice], list[Floats]]
_BLOCK: Final = 256  # ways whose numbers are worked out together


def way_grid(
    place: TreePlace,
    impurity: WrittenMeasure,
    offer: Offer,
    word: str,
    more: More | None = None,
    more_names: tuple[str, ...] = (),
) -> tuple[Grid, ...]:
    """Where each cut is, or what each group holds, what is on either side, and what it gains.

    A way whose sides are too small is `out`, whatever it gains, and one against a limit is not admitted. One
    branch per value needs no grid.
    """
    ways, task = offer.ways, place.task
    if ways is None or not len(ways.counts) or (ways.cuts is None and len(ways.counts) == 1):
        return ()
    name = task.schema.attributes[offer.attribute].name
    is_cut = ways.cuts is not None

    def rows() -> Callable[[int], tuple[GridCell, ...]]:
        gains = ways.scores.copy()
        left_out = np.flatnonzero(np.isnan(gains))
        gains[left_out] = _gains(place, ways, left_out)
        barred = ways.barred.any()

        @lru_cache
        def numbers(block: int) -> list[list[float]]:
            """Those of some neighbours: of thousands of ways few are looked at."""
            part = slice(block * _BLOCK, (block + 1) * _BLOCK)
            own = gains[part]
            added = more(ways, own, part) if more else ()
            beside: list[list[float]] = np.column_stack([*_sides(place, ways, part), own, *added]).tolist()
            return beside

        def row(way: int) -> tuple[GridCell, ...]:
            where = branch_names(place, offer.attribute, ways, way, 1)[0]
            out = "out" if np.isnan(ways.scores[way]) else ""
            if barred and ways.barred[way]:
                out = "against a limit"
            return (where, *numbers(way // _BLOCK)[way % _BLOCK], out)

        return row

    def figure_of(row: int) -> Figure:
        names = branch_names(place, offer.attribute, ways, row)
        value = float(_gains(place, ways, np.array([row]))[0])
        (one,) = parted(place, [(ways, row)])
        name = f"{word.capitalize()}({names[0]})"
        return gain_figure(place, impurity, name, names, offer.attribute, one, value)

    of_side = task.schema.classes if task.numbers is None else ("rows", "predicted")
    columns = _columns(name, of_side, is_cut, (word, *more_names))
    title = f"Cuts of {name}" if is_cut else f"Two groups of {name}"
    chosen = offer.best if offer.best >= 0 else None
    sides = len(columns) - len(more_names) - 2
    on_sheet: tuple[OnSheet, ...] = (*(GIVEN,) * sides, *(ASKED,) * (1 + len(more_names)), "in key")
    return (Grid(title, columns, prepared(len(ways.counts), rows), chosen, figure_of, on_sheet),)


@lru_cache
def _columns(name: str, of_side: tuple[str, ...], is_cut: bool, scores: tuple[str, ...]) -> tuple[str, ...]:
    low, high = ("≤, {}", ">, {}") if is_cut else ("in, {}", "not in, {}")
    return (
        name,
        *(low.format(each) for each in of_side),
        *(high.format(each) for each in of_side),
        *scores,
        "",
    )


def _gains(place: TreePlace, ways: Ways, which: Longs) -> Floats:
    """[which] what these ways gain, also where their sides are too small."""
    weights = ways.weights[which]
    taken = weights.sum(axis=1)
    part: Floats = taken / (taken + ways.missing)
    return part * gain(ways.counts[which], place.task.impurity, weights)


def _sides(place: TreePlace, ways: Ways, part: slice) -> list[Floats]:
    """The columns with the counts on the low side and on the high side of these cuts."""
    task, counts, weights = place.task, ways.counts[part], ways.weights[part]
    if task.numbers is None:
        return [*counts[:, 0].T, *counts[:, 1].T]
    centres, _ = task.numbers.centre_and_error(counts)
    return [weights[:, 0], centres[:, 0], weights[:, 1], centres[:, 1]]


# The threshold that a cut is reported and used with: midway, or the largest value not above that.


_MIDWAY: Final = (Symbol("below") + Symbol("above")) / 2


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
    middle = Figure("Midpoint", midpoint(below, above), _MIDWAY, (count(below) + count(above)) / 2)
    if not from_data:
        return (replace(middle, on_sheet="in key"),)
    name, limit = f"Threshold({attribute.name})", question.branches[0].high
    most = f"not above {number(midpoint(below, above))}"
    reason = f"The largest {attribute.name} in the whole table that is {most}."
    return (Figure(name, limit, because=reason, under=(middle,), on_sheet="in key"),)


# Where rows go whose cell a question cannot place: their shares, or the branch they follow.


_N_KNOWN: Final = Symbol("n", "known", "the number of rows whose value is known")

_SHARE: Final = Symbol("n", "v", "the number of rows that follow branch v") / _N_KNOWN
_AGREED: Final = Symbol("sent as the split does") / _N_KNOWN


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
    columns = [place.task.place(each.attribute) for each in question.surrogates]
    paired = place.task.engine.paired(place.frontier, {0: question}, columns)
    agreed = tuple(
        _agreement(place, each, cells) for each, cells in zip(question.surrogates, paired, strict=True)
    )
    last = condition(attribute, question.branches[question.otherwise])
    first = "by the surrogates in turn, then " if agreed else ""
    rare = ", or with a value that is too rare," if offer.ways and offer.ways.aside > 0 else ""
    reason = f"A row without {attribute.name}{rare} goes {first}to the larger side, {last}."
    missing = offer.ways.missing if offer.ways else 0.0
    name = f"Without {attribute.name}"
    return (Figure(name, missing, because=reason, under=agreed, on_sheet="in key"),)


def _agreement(place: TreePlace, surrogate: SurrogateQuestion, cells: Cells) -> Figure:
    attribute = place.task.schema.attributes[surrogate.attribute]
    column = place.task.coding.columns[place.task.place(surrogate.attribute)]
    weights = cells.floats()
    first = codes_taken(column, surrogate.when)[cells.code] & (cells.level == surrogate.then)
    second = codes_taken(column, surrogate.other)[cells.code] & (cells.level == 1 - surrogate.then)
    agreed, placed = float(weights[first | second].sum()), float(weights[cells.level < 2].sum())
    name = f"Agreement({condition(attribute, surrogate.when)})"
    because = f"To the {'first' if surrogate.then == 0 else 'second'} branch; otherwise to the other."
    return Figure(name, surrogate.agreement, _AGREED, part(agreed, placed), because=because)


# Limits at a node: what its probability must lie between, which splits that bars, what is handed down.


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
