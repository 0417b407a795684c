"""ID3 at a node: the gain of every attribute, and the largest."""

from __future__ import annotations

from dataclasses import replace

from clearwood.deriving.trees.gains import (
    WrittenMeasure,
    branch_names,
    gain_figure,
    impurity_of,
    node_figures,
)
from clearwood.deriving.trees.growing import too_few, won
from clearwood.deriving.trees.growth import Parted, TreePlace, Worked, WorkOut, parted_by_offers
from clearwood.deriving.trees.way_grids import way_grid
from clearwood.learners.trees import id3
from clearwood.learners.trees.counted import TreeTask
from clearwood.learners.trees.id3 import ID3
from clearwood.learners.trees.offers import Offer, has_least_rows, least_rows
from clearwood.working.figures import Figure


def worker(learner: ID3, task: TreeTask) -> WorkOut:
    """How ID3 works out a place."""
    impurity = impurity_of(learner.measure)

    def work(place: TreePlace) -> Worked:
        figures = node_figures(place, impurity)
        if not has_least_rows(learner, place.region):
            return Worked(figures, too_few(place, least_rows(learner)))
        offers = id3.consider(learner, place.region)
        ways = zip(offers, parted_by_offers(place, offers), strict=True)
        gains = (_figure(learner, place, impurity, each, best) for each, best in ways)
        figures += tuple(replace(each, each_has="gain") for each in gains)
        chosen = id3.choose(learner, place.region, offers)
        if chosen is not None:
            return Worked(figures, won(task, offers, chosen, "gain", 0), chosen.question())
        return Worked(figures, _none(learner, offers))

    return work


def _figure(
    learner: ID3, place: TreePlace, impurity: WrittenMeasure, offer: Offer, best: Parted | None
) -> Figure:
    attribute = place.task.schema.attributes[offer.attribute]
    name = f"Gain({attribute.name})"
    if offer.ways is None:
        return Figure(name, None, because="Already used; all rows here have the same value.")
    cuts = way_grid(place, impurity, offer, "gain")
    if best is None:
        reason = (
            f"Out: fewer than two branches would hold {learner.min_leaf:g} "
            f"{'row' if learner.min_leaf == 1 else 'rows'} or more."
        )
        return Figure(name, None, because=reason, grids=cuts)
    names = branch_names(place, offer.attribute, offer.ways, offer.best)
    return gain_figure(place, impurity, name, names, offer.attribute, best, offer.scores[0], grids=cuts)


def _none(learner: ID3, offers: list[Offer]) -> str:
    if learner.min_gain is None or all(each.out for each in offers):
        return "No attribute is left that separates the rows: a leaf."
    return f"No gain exceeds {learner.min_gain:g}: a leaf."
