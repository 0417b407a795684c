"""Every row near a row: the plainest way to the smallest change, which asks the model about all of them."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from clearwood.explaining.moves import Options
from clearwood.models.model import Model
from clearwood.predicting.row import row_predictor

Row = dict[str, str | float | None]
Key = tuple[int, float, tuple[int, ...], tuple[int, ...]]


def smallest_of_all(model: Model, row: Row, options: Options, expected: frozenset[str]) -> Key | None:
    """The lowest key of a row whose answer is wanted; None where no row's is."""
    predictor = row_predictor(model)
    actual = [key for key, changed in _every_row(row, options) if predictor(changed) in expected]
    return min(actual, default=None)


def _every_row(row: Row, options: Options) -> Iterator[tuple[Key, Row]]:
    for chosen in product(*(range(len(moves.cells)) for moves in options)):
        moved = [(column, option) for column, option in enumerate(chosen) if option]
        distance = 0.0
        for place, option in moved:
            distance += options[place].costs[option]
        key = (len(moved), distance, tuple(p for p, _ in moved), tuple(o for _, o in moved))
        yield key, {**row, **{options[place].name: options[place].cells[option] for place, option in moved}}
