"""Every way to part an attribute at a node, side by side, and each with its figure on request."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import TypeAlias

import numpy as np

from clearwood.arrays import Floats, Longs
from clearwood.derive.trees.gains import branch_names, gain_figure
from clearwood.derive.trees.impurity import WrittenMeasure
from clearwood.derive.trees.parted import parted
from clearwood.derive.trees.place import TreePlace
from clearwood.learners.trees.offers import Offer, Ways
from clearwood.measures.gain import gain
from clearwood.working.figures import ASKED, GIVEN, Figure, Grid, GridCell, OnSheet, prepared

# More columns of a grid of ways: from their gains, numbers for each way.
More: TypeAlias = Callable[[Ways, Floats], list[Floats]]


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
        numbers = np.column_stack([*_sides(place, ways), gains, *(more(ways, gains) if more else ())])
        out = np.where(np.isnan(ways.scores), "out", "").astype(object)
        if ways.barred.any():
            out[ways.barred] = "against a limit"

        def row(way: int) -> tuple[GridCell, ...]:
            where = branch_names(place, offer.attribute, ways, way, 1)[0]
            return (where, *numbers[way].tolist(), str(out[way]))

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
    scores = 1 + len(more_names)
    sides = len(columns) - scores - 1
    on_sheet: tuple[OnSheet, ...] = (*(GIVEN,) * sides, *(ASKED,) * scores, "in key")
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


def _sides(place: TreePlace, ways: Ways) -> list[Floats]:
    """The columns with the counts on the low side and on the high side of every cut."""
    task = place.task
    if task.numbers is None:
        return [*ways.counts[:, 0].T, *ways.counts[:, 1].T]
    centres, _ = task.numbers.centre_and_error(ways.counts)
    return [ways.weights[:, 0], centres[:, 0], ways.weights[:, 1], centres[:, 1]]
