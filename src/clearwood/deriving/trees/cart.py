"""CART at a node: the largest decrease of impurity in two branches, and what stands in for empty cells."""

from __future__ import annotations

from dataclasses import replace

from clearwood.deriving.trees.gains import (
    WrittenMeasure,
    branch_names,
    centre_figures,
    gain_figure,
    impurity_of,
    node_figures,
    spread_of,
)
from clearwood.deriving.trees.growing import too_few, won
from clearwood.deriving.trees.growth import Parted, TreePlace, Worked, WorkOut, parted_by_offers
from clearwood.deriving.trees.way_grids import (
    bound_figures,
    handed_down,
    surrogate_figures,
    threshold_figure,
    way_grid,
    why_barred,
)
from clearwood.formulas.expressions import Compared, Number, ValueOf, part
from clearwood.learners.trees import cart_definition as cart
from clearwood.learners.trees.cart import CART
from clearwood.learners.trees.counted import TreeTask
from clearwood.learners.trees.offers import Offer, has_least_rows, least_rows
from clearwood.words.numbers import short, with_noun
from clearwood.working.figures import Figure


def worker(learner: CART, task: TreeTask) -> WorkOut:
    """How CART works out a place."""
    of_classes = impurity_of(learner.measure_of(numeric=False)) if task.numbers is None else None

    def work(place: TreePlace) -> Worked:
        task = place.task
        impurity = of_classes if task.numbers is None else spread_of(task.numbers)
        assert impurity is not None
        figures = node_figures(place, impurity) + bound_figures(place)
        if task.numbers is not None:
            figures += centre_figures(place)
        if not has_least_rows(learner, place.region):
            return Worked(figures, too_few(place, least_rows(learner)))
        (settled,) = cart.settle(learner, place.frontier, [place.region])
        offers, question = settled.offers, settled.question
        ways = zip(offers, parted_by_offers(place, offers), strict=True)
        decreases = (_decrease(learner, place, impurity, each, best) for each, best in ways)
        figures += tuple(replace(each, each_has="decrease") for each in decreases)
        chosen = cart.choose(place.region, offers)
        if chosen is None:
            barred = any(each.out == "not admitted" for each in offers)
            within = " within the limits" if barred else ""
            return Worked(figures, f"No attribute separates the rows{within}: a leaf.")
        enough = cart.lowers_enough(learner, place.region, chosen)
        figures += _guard(learner, place, chosen, enough)
        if question is None:
            largest = f"{task.schema.attributes[chosen.attribute].name} has the largest decrease"
            least = f"too little for min_decrease = {learner.min_decrease:g}"
            return Worked(figures, f"{largest}, {short(chosen.scores[0])}, {least}: a leaf.")
        figures += threshold_figure(place, chosen, question, from_data=False)
        figures += surrogate_figures(place, chosen, question) + handed_down(place, question)
        return Worked(figures, won(task, offers, chosen, "decrease", 0), question)

    return work


def _decrease(
    learner: CART, place: TreePlace, impurity: WrittenMeasure, offer: Offer, best: Parted | None
) -> Figure:
    attribute, ways = place.task.schema.attributes[offer.attribute].name, offer.ways
    assert ways is not None
    name = f"Decrease({attribute})"
    grid = way_grid(place, impurity, offer, "decrease")
    barred = why_barred(place, offer) if offer.out == "not admitted" else ""
    if best is None and barred:
        return Figure(name, None, because=barred, grids=grid)
    if best is None:
        rows = "1 row" if learner.min_leaf == 1 else f"{learner.min_leaf:g} rows"
        return Figure(name, None, because=f"Out: nothing parts it with {rows} on both sides.", grids=grid)
    names = branch_names(place, offer.attribute, ways, offer.best)
    value = offer.scores[0]
    least = with_noun(f"{learner.min_value:g}", "row")
    rare = f"Values of fewer than {least} here count as unknown." if ways.aside > 0 else ""
    because = " ".join(filter(None, (rare, barred)))
    return gain_figure(place, impurity, name, names, offer.attribute, best, value, because, grids=grid)


def _guard(learner: CART, place: TreePlace, chosen: Offer, enough: bool) -> tuple[Figure, ...]:
    """The decrease as a part of the whole table's, beside `min_decrease`; nothing where that is 0."""
    if learner.min_decrease <= 0:
        return ()
    name = place.task.schema.attributes[chosen.attribute].name
    here, everywhere = float(place.task.weight(place.counts)), place.task.total
    fall = part(here, everywhere) * ValueOf(f"Decrease({name})", chosen.scores[0])
    value = here / everywhere * chosen.scores[0]
    of_all = Figure("Decrease for the table", value, put_in=fall)
    compared = Compared(ValueOf(of_all.name, value), "≥", Number(learner.min_decrease))
    return (of_all, Figure("Decrease is enough", enough, put_in=compared))
