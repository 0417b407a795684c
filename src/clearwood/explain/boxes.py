"""Boxes: sets of rows, each column held to some of its options, searched in the order of their cheapest row.

A box's *key* is (cells changed, sum of their costs in schema order, their places in the schema, the options
chosen), all of its cheapest row. Whatever narrows a box can only raise its key. So a search that always takes
the box of the lowest key has, when the cheapest row of that box is an answer, the smallest change of all.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from heapq import heappop, heappush
from typing import Any, Final, Generic, TypeAlias, TypeVar

from clearwood.explain.moves import Changed, CheapestChange, Moves
from clearwood.explain.search_time import SearchTime
from clearwood.table.row import Cell, Row

OptionBox: TypeAlias = dict[
    int, int
]  # a column's place in the schema → its options; one not named has them all
Options: TypeAlias = Mapping[int, Moves]  # by place: the columns that the model asks about
Key: TypeAlias = tuple[int, float, tuple[int, ...], tuple[int, ...]]
ChosenOptions: TypeAlias = dict[int, int]  # a column's place → the option it changes to

MOST_BOXES: Final = 200_000  # a search that has met so many gives up, and says so
_LOOKS: Final = 64  # boxes between two looks at the clock

_T = TypeVar("_T")


class Queue(Generic[_T]):
    """Boxes with what a search knows of each, lowest key first; of equal keys the one that came first."""

    def __init__(self, options: Options, time: SearchTime) -> None:
        self.options = options
        self.met = 0
        self._time = time
        self._stopped = False
        self._heap: list[tuple[Any, ...]] = []

    def put(self, box: OptionBox, known: _T) -> None:
        self.met += 1
        heappush(self._heap, (*cheapest_key(self.options, box), self.met, box, known))

    def __iter__(self) -> Iterator[tuple[OptionBox, _T]]:
        taken = 0
        while self._heap and self.met < MOST_BOXES:
            if taken % _LOOKS == 0 and self._time.is_over:
                self._stopped = True
                return
            taken += 1
            *_, box, known = heappop(self._heap)
            yield box, known

    def without_change(self) -> CheapestChange:
        """What is to be said where no box had a change: that is proven if none is left."""
        return CheapestChange(None, not self._heap, self._stopped)


def cheapest_key(options: Options, box: OptionBox) -> Key:
    """The key of the box's cheapest row."""
    chosen = cheapest_in(box)
    distance = 0.0
    for place, option in chosen.items():
        distance += options[place].costs[option]
    return len(chosen), distance, tuple(chosen), tuple(chosen.values())


def cheapest_in(box: OptionBox) -> ChosenOptions:
    """The cells that the box's cheapest row changes, in schema order."""
    changed = sorted(place for place, held in box.items() if not held & 1)
    return {place: (box[place] & -box[place]).bit_length() - 1 for place in changed}


def row_with(row: Row, options: Options, chosen: ChosenOptions) -> dict[str, Cell]:
    """The row with these cells changed."""
    return {**row, **{options[place].name: options[place].cells[option] for place, option in chosen.items()}}


def changed_by(options: Options, chosen: ChosenOptions) -> tuple[Changed, ...]:
    """The same as cells before and after."""
    return tuple(options[place].changed(option) for place, option in chosen.items())
