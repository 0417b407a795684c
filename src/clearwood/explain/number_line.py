"""A number line: the written numbers around a cell, for a number that a model weighs without thresholds."""

from __future__ import annotations

import math
from typing import Final

import numpy as np

from clearwood.explain.moves import Changed, Wish
from clearwood.explain.one_row import Cell
from clearwood.explain.written_numbers import decimals_of
from clearwood.models.bayes_tables import BayesTables
from clearwood.models.linear_model import LinearModel

_GROWTH: Final = 1.02
_FARTHEST: Final = 2.0**20  # scales, where a span has no end
_PLACES: Final = 24  # of a number that changes together with others


class NumberLine:
    """Where the number may go, counted in steps of its last decimal from where it is."""

    def __init__(
        self,
        name: str,
        cell: Cell,
        span: tuple[float, float],
        model: BayesTables | LinearModel,
        wish: Wish,
    ) -> None:
        assert not isinstance(cell, str)
        self.name, self.cell, self._wish = name, cell, wish
        span = (wish.ranges or {}).get(name, span)
        usual = model.fills.get(name, 0.0) if isinstance(model, LinearModel) else _middle(span)
        self._scale = _scale(span, float(usual))
        fine = max(0, -math.floor(math.log10(self._scale / 10)))
        self.unit = 10.0 ** max(decimals_of(cell, ()), min(fine, 12))
        self._from = math.floor((float(usual) if cell is None else cell) * self.unit + 0.5)
        self._low, self._high = (
            (end if math.isfinite(end) else (self._from / self.unit + side * _FARTHEST * self._scale))
            for end, side in zip(span, (-1, 1), strict=True)
        )

    def at(self, step: int) -> float:
        return (self._from + step) / self.unit

    def changed(self, step: int) -> Changed:
        after = self.at(step)
        return Changed(self.name, self.cell, after, 1.0 if self.cell is None else self._away(after))

    def ways(self) -> tuple[list[int], list[int]]:
        """The steps to be tried downwards and upwards."""
        start = [0] if self.cell is None else []
        down, up = (
            self._growing(self._from / self.unit - self._low),
            self._growing(self._high - self._from / self.unit),
        )
        return [*start, *(-step for step in down if self._may(-step))], [
            step for step in up if self._may(step)
        ]

    def some(self) -> list[Changed]:
        """A few places of the line, its ends among them."""
        steps = self.ways()
        found = sorted({*steps[0], *steps[1]})
        spread = {found[round(k)] for k in np.linspace(0, len(found) - 1, _PLACES)} if found else set()
        return [self.changed(step) for step in sorted(spread)]

    def _growing(self, reach: float) -> list[int]:
        most = math.floor(reach * self.unit)
        steps, step = [], 1
        while step <= most:
            steps.append(step)
            step = max(step + 1, int(step * _GROWTH))
        return [*steps, most] if steps and steps[-1] != most else steps

    def _may(self, step: int) -> bool:
        after = self.at(step)
        return self._wish.allows(self.name, after if self.cell is None else self.cell, after)

    def _away(self, after: float) -> float:
        assert self.cell is not None
        return abs(after - self.cell) / self._scale


def _middle(span: tuple[float, float]) -> float:
    return (span[0] + span[1]) / 2 if all(map(math.isfinite, span)) else 0.0


def _scale(span: tuple[float, float], usual: float) -> float:
    """The span's width; where it has no end the usual number's size."""
    width = span[1] - span[0]
    return width if 0 < width < math.inf else abs(usual) or 1.0
