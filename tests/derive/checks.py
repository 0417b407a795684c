"""What every derivation must be: each figure's value is what its numbers, put in, come to."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator

from clearwood.derive.derivation import Step
from clearwood.derive.expressions import value_of
from clearwood.derive.figures import Figure


def check_figures(steps: Iterable[Step]) -> int:
    """Refuse a figure whose work does not give its value; how many were looked at."""
    seen = 0
    for step in steps:
        assert step.title
        assert step.decision.endswith(".")
        for figure in step.figures:
            for each in _all(figure):
                seen += 1
                if each.put_in is None:
                    continue
                assert isinstance(each.value, int | float), each
                found, value = value_of(each.put_in), float(each.value)
                assert math.isclose(found, value, rel_tol=1e-9, abs_tol=1e-9), each
    return seen


def _all(figure: Figure) -> Iterator[Figure]:
    """The figure, those under it, and those its grids' rows stand for."""
    for each in figure.walk():
        yield each
        for grid in each.grids:
            if grid.figure_of is not None:
                for row in range(len(grid.rows)):
                    yield from _all(grid.figure_of(row))
