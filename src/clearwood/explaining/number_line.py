"""A number line: the written numbers around a cell, for a number that a model weighs without thresholds."""

from __future__ import annotations

import math
from typing import Final

import numpy as np

from clearwood.explaining.moves import Changed
from clearwood.explaining.one_row import Constraints, way
from clearwood.explaining.written_numbers import decimals_of
from clearwood.models.model import Model
from clearwood.models.space.space_of import space_of
from clearwood.table.raw import Cell

_EVERY: Final = 5_000  # numbers of a line that are all tried
_GROWTH: Final = 1.02
_FARTHEST: Final = 2.0**20  # scales, where a span has no end
_PLACES: Final = 24  # of a number that changes together with others


class NumberLine:
    """Where the number may go, counted in steps of its last decimal from where it is."""

    def __init__(
        self, name: str, cell: Cell, span: tuple[float, float], model: Model, constraints: Constraints
    ) -> None:
        assert not isinstance(cell, str)
        self.name, self.cell, self._constraints = name, cell, constraints
        self._is_free = constraints.leaves_free(name)
        span = (constraints.ranges or {}).get(name, span)
        taken_for = space_of(model).usual(name)
        usual = _middle(span) if taken_for is None else taken_for
        self._scale = _scale(span, usual)
        start = usual if cell is None else cell
        self._unit = 10.0 ** _decimals(cell, start, self._scale)
        self._from = math.floor(start * self._unit + 0.5)
        low, high = span
        self._down = self._steps(start - low)
        self._up = self._steps(high - start)

    @property
    def is_whole(self) -> bool:
        """Is every number of the line tried?"""
        return max(self._down, self._up) <= _EVERY

    def at(self, step: int) -> float:
        """The number so many steps up; below 0 down."""
        return (self._from + step) / self._unit

    def changed(self, step: int) -> Changed:
        """What it is to go there."""
        after = self.at(step)
        cost = 1.0 if self.cell is None else way(self.cell, after, self._scale)
        return Changed(self.name, self.cell, after, cost)

    def ways(self) -> tuple[list[int], list[int]]:
        """The steps to be tried downwards and upwards."""
        here = [0] if self.cell is None else []
        down = [-step for step in self._growing(self._down) if self._may(-step)]
        return [*here, *down], [step for step in self._growing(self._up) if self._may(step)]

    def some(self) -> list[Changed]:
        """A few places of the line, its ends among them."""
        steps = self.ways()
        all_steps = sorted({*steps[0], *steps[1]})
        spread = (
            {all_steps[round(k)] for k in np.linspace(0, len(all_steps) - 1, _PLACES)} if all_steps else set()
        )
        return [self.changed(step) for step in sorted(spread)]

    def _steps(self, reach: float) -> int:
        """How many steps lie within this reach."""
        return max(0, math.floor(min(reach, _FARTHEST * self._scale) * self._unit))

    def _growing(self, most: int) -> list[int]:
        if self.is_whole:
            return list(range(1, most + 1))
        steps, step = [], 1
        while step <= most:
            steps.append(step)
            step = max(step + 1, int(step * _GROWTH))
        return [*steps, most] if steps and steps[-1] != most else steps

    def _may(self, step: int) -> bool:
        if self._is_free:
            return True
        after = self.at(step)
        return self._constraints.allows(self.name, after if self.cell is None else self.cell, after)


def _decimals(cell: float | None, start: float, scale: float) -> int:
    """Those of the cell, and so many that a tenth of the scale can be written; fewer for a huge number."""
    fine = -math.floor(math.log10(max(scale, 1e-9) / 10))
    return max(0, min(max(decimals_of(cell, ()), fine), 15 - len(str(int(abs(start))))))


def _middle(span: tuple[float, float]) -> float:
    return (span[0] + span[1]) / 2 if all(map(math.isfinite, span)) else 0.0


def _scale(span: tuple[float, float], usual: float) -> float:
    """The span's width; where it has no end the usual number's size."""
    width = span[1] - span[0]
    return width if 0 < width < math.inf else abs(usual) or 1.0
