"""Every way to part an attribute at a node, side by side, and each with its figure on request."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias, overload

import numpy as np

from clearwood.derive.figures import Cell, Figure, Grid
from clearwood.derive.trees.gains import branch_names, gain_figure
from clearwood.derive.trees.impurity import Impurity
from clearwood.derive.trees.place import Place
from clearwood.learners.by_counts.offers import Offer, Ways
from clearwood.measures import gain
from clearwood.measures.counts import Floats


@dataclass(frozen=True, slots=True, eq=False)
class Lazily(Sequence[tuple[Cell, ...]]):
    """Rows of a grid, made all at once when the first is looked at."""

    size: int
    make: Callable[[], list[tuple[Cell, ...]]]
    _made: list[list[tuple[Cell, ...]]]

    def __len__(self) -> int:
        return self.size

    @overload
    def __getitem__(self, place: int) -> tuple[Cell, ...]: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[tuple[Cell, ...]]: ...
    def __getitem__(self, place: int | slice) -> tuple[Cell, ...] | Sequence[tuple[Cell, ...]]:
        return self._all()[place]

    def __iter__(self) -> Iterator[tuple[Cell, ...]]:
        return iter(self._all())

    def _all(self) -> list[tuple[Cell, ...]]:
        if not self._made:
            self._made.append(self.make())
        return self._made[0]


def lazily(size: int, make: Callable[[], list[tuple[Cell, ...]]]) -> Lazily:
    return Lazily(size, make, [])


# More columns of a grid of ways: from their gains, a heading and a number for each way.
More: TypeAlias = Callable[[Ways, Floats], list[tuple[str, Floats]]]


def way_grid(
    place: Place, impurity: Impurity, offer: Offer, word: str, more: More | None = None
) -> tuple[Grid, ...]:
    """Where each cut is, or what each group holds, what is on either side, and what it gains.

    A way whose sides are too small is `out`, whatever it gains. One branch per value needs no grid.
    """
    ways, task = offer.ways, place.task
    if ways is None or not len(ways.counts) or (ways.cuts is None and len(ways.counts) == 1):
        return ()
    name = task.schema.attributes[offer.attribute].name
    of_side = task.schema.classes if task.values is None else ("rows", "answer")
    none = Ways(ways.counts[:0], ways.missing, ways.branches)
    extra = [heading for heading, _ in more(none, none.scores)] if more else []

    def rows() -> list[tuple[Cell, ...]]:
        gains = _gains(place, ways)
        numbers = [*_sides(place, ways), gains, *(each for _, each in (more(ways, gains) if more else ()))]
        lines = np.column_stack(numbers).tolist()
        out = np.isnan(ways.scores).tolist()
        at = [branch_names(place, offer.attribute, ways, way)[0] for way in range(len(lines))]
        return [(where, *line, "out" if no else "") for where, line, no in zip(at, lines, out, strict=True)]

    def figure_of(row: int) -> Figure:
        where = branch_names(place, offer.attribute, ways, row)[0]
        value = float(_gains(place, ways)[row])
        return gain_figure(
            place, impurity, f"{word.capitalize()}({where})", offer.attribute, ways, row, value
        )

    low, high = ("≤, {}", ">, {}") if ways.cuts is not None else ("in, {}", "not in, {}")
    columns = (
        name,
        *(low.format(each) for each in of_side),
        *(high.format(each) for each in of_side),
        word,
        *extra,
        "",
    )
    title = f"Cuts of {name}" if ways.cuts is not None else f"Two groups of {name}"
    chosen = offer.best if offer.best >= 0 else None
    return (Grid(title, columns, lazily(len(ways.counts), rows), chosen, figure_of),)


def _gains(place: Place, ways: Ways) -> Floats:
    """[way] what each gains, also those whose sides are too small."""
    taken = ways.counts.sum(axis=(1, 2))
    part: Floats = taken / (taken + ways.missing.sum())
    return part * gain(ways.counts, place.task.impurity)


def _sides(place: Place, ways: Ways) -> list[Floats]:
    """The columns that say what is on the low side and on the high side of every cut."""
    task = place.task
    if task.values is None or task.error_of is None:
        return [*ways.counts[:, 0].T, *ways.counts[:, 1].T]
    weights = ways.counts.sum(axis=2)
    centres, _ = task.error_of(task.values, ways.counts)
    return [weights[:, 0], centres[:, 0], weights[:, 1], centres[:, 1]]
