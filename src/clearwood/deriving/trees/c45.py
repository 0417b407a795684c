"""C4.5 at a node: gains, their average, and the largest gain ratio of those that reach it."""

from __future__ import annotations

from dataclasses import replace
from typing import Final, assert_never

import numpy as np

from clearwood.arrays import Floats
from clearwood.deriving.trees.gains import (
    WrittenMeasure,
    branch_names,
    gain_figure,
    impurity_of,
    node_figures,
)
from clearwood.deriving.trees.growing import almost_pure, too_few, won
from clearwood.deriving.trees.growth import Parted, TreePlace, Worked, WorkOut, parted_by_offers
from clearwood.deriving.trees.way_grids import (
    bound_figures,
    handed_down,
    share_figures,
    threshold_figure,
    way_grid,
    why_barred,
)
from clearwood.formulas.expressions import Compared, Extreme, Log, Number, Over, Sum, Symbol, ValueOf, count
from clearwood.learners.trees import c45_definition as c45
from clearwood.learners.trees.c45 import C45
from clearwood.learners.trees.counted import TreeTask
from clearwood.learners.trees.offers import Offer, Ways
from clearwood.measures.information import bits, ratio, split_information
from clearwood.words.numbers import exact_row_count, with_noun
from clearwood.working.figures import Figure

_N: Final = Symbol("n", means="the number of rows here")

_CUTS: Final = Log(Symbol("cuts", means="the number of candidate cuts")) / _N
_PAID: Final = Symbol("gain of the best cut") - _CUTS
_MEAN: Final = Over("Σ", "a", Symbol("gain", "a", "the gain of attribute a")) / Symbol("attributes")
_SHARE: Final = Symbol("n", "v", "the number of rows that follow branch v") / _N
_INFORMATION: Final = -Over("Σ", "v", _SHARE * Log(_SHARE))
_RATIO: Final = Symbol("gain") / Symbol("split information")
_TENTH: Final = 0.1 * Symbol("n", "known", "the number of rows whose value is known") / Symbol("classes")
_MIN_ROWS: Final = Symbol("min_rows", means="the minimum weight of rows in a branch, a setting")
_LEAST: Final = Extreme("min", (Extreme("max", (_TENTH, _MIN_ROWS)), Number(25)))


def worker(learner: C45, task: TreeTask) -> WorkOut:
    """How C4.5 works out a place."""
    impurity = impurity_of("entropy")

    def work(place: TreePlace) -> Worked:
        figures = node_figures(place, impurity) + bound_figures(place)
        if not c45.large_enough(learner, place.counts):
            return Worked(figures, too_few(place, 2 * learner.min_rows))
        if c45.nearly_pure(place.counts):
            return Worked(figures, almost_pure(place))
        (settled,) = c45.settle(learner, place.frontier, [place.region])
        offers, question = settled.offers, settled.question
        chosen = c45.choose(learner, task, offers)
        average = c45.average_gain(learner, task, offers)
        ways = parted_by_offers(place, offers)
        best = dict(zip(offers, ways, strict=True))
        gains = (_gain(learner, place, impurity, each, best[each]) for each in offers)
        figures += tuple(replace(each, each_has="gain") for each in gains)
        if average is None:
            return Worked(figures, _nothing(offers))
        figures += (_average(learner, task, offers, average),)
        split_bits = {each: c45.bits_of_question(each) for each in offers}
        figures += tuple(
            _ratio(place, each, best[each], split_bits[each], average) for each in offers if not each.out
        )
        if chosen is None or question is None:
            return Worked(figures, "No gain ratio is above 0: a leaf.")
        figures += threshold_figure(place, chosen, question, learner.threshold == "data")
        figures += share_figures(place, chosen, question) + handed_down(place, question)
        reached = [each for each in offers if not each.out and c45.at_least_average(each, average)]
        return Worked(figures, won(task, reached, chosen, "gain ratio", 1), question)

    return work


def _gain(
    learner: C45, place: TreePlace, impurity: WrittenMeasure, offer: Offer, best: Parted | None
) -> Figure:
    """An attribute's gain; of a number, that of its best cut less the charge for having chosen it."""
    attribute, ways = place.task.schema.attributes[offer.attribute].name, offer.ways
    assert ways is not None
    name = f"Gain({attribute})"
    if ways.cuts is None:
        barred = why_barred(place, offer) if offer.out == "not admitted" else ""
        if best is None:
            reason = f"Out: fewer than two branches hold {with_noun(f'{learner.min_rows:g}', 'row')} or more."
            return Figure(name, None, because=barred or reason)
        names = branch_names(place, offer.attribute, ways, 0)
        return gain_figure(place, impurity, name, names, offer.attribute, best, offer.scores[0], barred)
    grid = way_grid(place, impurity, offer, "gain", _per_cut, ("split information", "gain ratio"))
    least = _least(learner, place, attribute, ways)
    if best is None:
        return Figure(name, None, because=_why_no_cut(place, offer, least), grids=grid, under=(least,))
    names = branch_names(place, offer.attribute, ways, offer.best)
    value = float(ways.scores[offer.best])
    of_cut = gain_figure(place, impurity, f"Gain({names[0]})", names, offer.attribute, best, value)
    of_cut = replace(of_cut, on_sheet="in key")  # that this is the best cut
    charge = Log(Number(len(ways.allowed))) / count(sum(best.weights) + best.missing)
    return Figure(
        name, offer.scores[0], _PAID, ValueOf(of_cut.name, value) - charge, place.rows,
        because=_why_out(place, offer), grids=grid, under=(least, of_cut),
    )  # fmt: skip


def _why_out(place: TreePlace, offer: Offer) -> str:
    if offer.out == "not admitted":
        return why_barred(place, offer)
    return "Out: the charge for choosing among so many cuts leaves no gain." if offer.out else ""


def _least(learner: C45, place: TreePlace, attribute: str, ways: Ways) -> Figure:
    """The least weight on either side of a cut."""
    assert ways.cuts is not None
    known = float(ways.cuts.known.sum())
    value = c45.min_side(known, place.task.levels, learner.min_rows)
    name = f"Minimum rows per side({attribute})"
    if learner.min_rows > 25:
        return Figure(name, float(value), because="As set by min_rows.")
    tenth = 0.1 * count(known) / Number(place.task.levels)
    put_in = Extreme("min", (Extreme("max", (tenth, count(learner.min_rows))), Number(25)))
    reason = "10 % of the average class, but at least min_rows and at most 25."
    return Figure(name, float(value), _LEAST, put_in, because=reason)


def _why_no_cut(place: TreePlace, offer: Offer, least: Figure) -> str:
    assert offer.ways is not None
    assert offer.ways.cuts is not None
    match offer.out:
        case "too few known":
            known = float(offer.ways.cuts.known.sum())
            return f"Out: {exact_row_count(known)} with a value cannot make two sides of {least.value:g}."
        case "too small":
            return f"Out: no cut leaves {least.value:g} or more on both sides."
        case "no gain":
            return "Out: no cut gains anything."
        case "not admitted":
            return why_barred(place, offer)
        case "" | "used above":
            raise AssertionError(f"a column that was cut is not out for '{offer.out}'")
        case _:
            assert_never(offer.out)


def _per_cut(ways: Ways, gains: Floats, part: slice) -> list[Floats]:
    """Split information and gain ratio of these cuts, before any charge."""
    weights = ways.weights[part]
    information = split_information(np.hstack([weights, np.full((len(weights), 1), ways.missing)]))
    return [information, ratio(gains, information)]


def _average(learner: C45, task: TreeTask, offers: list[Offer], average: float) -> Figure:
    averaged = c45.averaged(learner, task, offers)
    names = [attribute.name for attribute in task.schema.attributes]
    left_out = [names[each.attribute] for each in offers if not each.out and each not in averaged]
    gains = tuple(ValueOf(f"Gain({names[each.attribute]})", each.scores[0]) for each in averaged)
    reason = f"Left out for having nearly a value per row: {', '.join(left_out)}." if left_out else ""
    return Figure("Average gain", average, _MEAN, Sum(gains) / Number(len(gains)), because=reason)


def _ratio(place: TreePlace, offer: Offer, best: Parted | None, split_bits: float, average: float) -> Figure:
    """An attribute's gain for each bit that its question asks, and whether its gain is enough to count."""
    name = place.task.schema.attributes[offer.attribute].name
    assert best is not None
    weights = tuple(weight for weight in (*best.weights, best.missing) if weight > 0)
    because = "The rows without a value are a branch more." if best.missing > 0 else ""
    called = f"Split information({name})"
    information = Figure(called, split_bits, _INFORMATION, bits(weights), because=because)
    gained = ValueOf(f"Gain({name})", offer.scores[0])
    reaches = c45.at_least_average(offer, average)
    floor = ValueOf("Average gain", average) - Number(c45.SLACK)
    guard = Figure(f"Gain({name}) ≥ average", reaches, put_in=Compared(gained, "≥", floor))
    put_in = gained / ValueOf(information.name, split_bits) if split_bits > 0 else Number(0)
    because = "" if reaches else "Out: its gain is below the average."
    return Figure(
        f"Gain ratio({name})", offer.scores[1], _RATIO, put_in,
        because=because, under=(information, guard), each_has="gain ratio",
    )  # fmt: skip


def _nothing(offers: list[Offer]) -> str:
    if all(each.out for each in offers):
        barred = any(each.out == "not admitted" for each in offers)
        return f"No attribute gains anything{' within the limits' if barred else ''}: a leaf."
    return "Only attributes with nearly a value per row gain anything: a leaf."
