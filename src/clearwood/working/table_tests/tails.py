"""Tails: the p of a statistic, which no schoolbook computes by hand."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Literal

from clearwood.formulas.expressions import Applied, Symbol
from clearwood.working.figures import Figure
from clearwood.working.shorthand import named

_DF: Final = Symbol("df", means="the degrees of freedom")
DEGREES: Final = (
    Symbol("df", "1", "the degrees of freedom between the groups"),
    Symbol("df", "2", "the degrees of freedom within them"),
)


def p_figure(
    of: str, family: Literal["χ²", "F"], statistic: Figure, degrees: Sequence[Figure], p: float
) -> Figure:
    """How often chance alone gives a statistic as large as this, or larger."""
    function = f"upper tail of {family}"
    symbols = (Symbol(family, means=f"the {family} statistic"), *(DEGREES if len(degrees) > 1 else (_DF,)))
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
