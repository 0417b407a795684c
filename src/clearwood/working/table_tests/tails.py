"""Tails: the p of a statistic, which no schoolbook computes by hand."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from clearwood.formulas.expressions import Applied, Symbol
from clearwood.working.figures import Figure
from clearwood.working.shorthand import named


def p_figure(
    of: str, family: Literal["χ²", "F"], statistic: Figure, degrees: Sequence[Figure], p: float
) -> Figure:
    """How often chance alone gives a statistic as large as this, or larger."""
    function = f"upper tail of {family}"
    symbols = (
        Symbol(family),
        *(Symbol("df", str(i) if len(degrees) > 1 else "") for i in (1, 2)[: len(degrees)]),
    )
    given = (named(statistic), *map(named, degrees))
    because = "With no degrees of freedom there is nothing to test: p is 1." if degrees[0].value == 0 else ""
    return Figure(
        f"p({of})",
        p,
        Applied(function, symbols),
        Applied(function, given, p),
        because=because,
        under=(statistic, *degrees),
    )
