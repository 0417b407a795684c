"""By points: what the cells of one row add to a number, from the average row on."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from typing import Any

from clearwood.models.additive_model import AdditiveModel
from clearwood.predict.of_additive import contributions_of_one, curves_in, name_of, sides_of
from clearwood.table.row import Row


@dataclass(frozen=True, slots=True)
class Added:
    """A column's or a pair's cell, and the points it adds."""

    name: str
    value: str | float | None
    points: float


@dataclass(frozen=True, slots=True)
class ByPoints:
    """The base, which is the average row's answer, and what each term adds to it."""

    base: float
    added: tuple[Added, ...]

    @property
    def total(self) -> float:
        """What they come to: the answer."""
        return math.fsum((self.base, *(each.points for each in self.added)))

    def to_json(self) -> dict[str, Any]:
        return {
            "by": "points",
            "base": self.base,
            "added": [asdict(each) for each in self.added],
            "total": self.total,
        }


def points_for(model: AdditiveModel, row: Row) -> ByPoints:
    """The points of one row, term by term."""
    added = []
    for term, points in zip(curves_in(model), contributions_of_one(model, row), strict=True):
        cells = [row.get(name) for name, _ in sides_of(term)]
        value = cells[0] if len(cells) == 1 else ", ".join("missing" if c is None else str(c) for c in cells)
        added.append(Added(name_of(term), value, points[0]))
    return ByPoints(model.base[0], tuple(added))
