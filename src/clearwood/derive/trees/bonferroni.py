"""The Bonferroni factor as a figure: in how many ways could the categories have become so many groups?"""

from __future__ import annotations

import math
from typing import Final

from clearwood.formulas.expressions import (
    Applied,
    Binomial,
    Exp,
    Expression,
    Extreme,
    Log,
    Number,
    Power,
    Product,
    Quotient,
    Sum,
    Symbol,
)
from clearwood.learners.trees.chaid import CHAID
from clearwood.learners.trees.chaid_definition import ChaidCandidate
from clearwood.learners.trees.merging import FAINT, ways_nominal
from clearwood.working.figures import GIVEN, Figure, Grid, GridCell, less, named

_P: Final = Symbol("p", means="the p-value of the test before the correction")
_B: Final = Symbol("B", means="the Bonferroni factor")

_I: Final = Symbol("I", means="the number of categories before merging")
_R: Final = Symbol("r", means="the number of groups after merging")
_TOO_LARGE: Final = 10**300  # for a float
_SHOWN: Final = 30  # categories whose whole triangle of numbers is shown


def adjusted_p_figure(of: str, learner: CHAID, candidate: ChaidCandidate, p: Figure) -> Figure:
    """p × B, at most 1; by logarithms where p or B is beyond what a number can hold."""
    assert candidate.verdict is not None
    name, value, factor = f"adjusted p({of})", candidate.adjusted_p, factor_figure(of, learner, candidate)
    if candidate.verdict.p >= FAINT and candidate.ways < _TOO_LARGE:
        one = Number(1)
        return Figure(
            name,
            value,
            Extreme("min", (one, Product((_P, _B)))),
            Extreme("min", (one, Product((named(p), named(factor))))),
            under=(p, factor),
        )
    log_p, log_ways = float(candidate.verdict.log_p), math.log(candidate.ways)
    small = Figure(f"ln p({of})", log_p, put_in=Applied("ln of the tail", (), log_p))
    many = Figure(f"ln B({of})", log_ways, put_in=Applied("ln B", (), log_ways))
    return Figure(
        name,
        value,
        Exp(Extreme("min", (Number(0), Sum((Log(_P, "e"), Log(_B, "e")))))),
        Exp(Extreme("min", (Number(0), Sum((named(small), named(many)))))),
        because="By logarithms: as plain numbers p and B are out of reach.",
        under=(p, small, factor, many),
    )


def factor_figure(of: str, learner: CHAID, candidate: ChaidCandidate) -> Figure:
    """B, by the formula for this kind of attribute; I categories, r groups."""
    assert candidate.merging is not None
    name, ways = f"B({of})", candidate.ways
    size, groups = len(candidate.categories.counts), len(candidate.merging.groups)
    if not learner.bonferroni:
        return Figure(name, 1.0, put_in=Number(1), because="bonferroni is off.")
    if ways >= _TOO_LARGE:
        return Figure(
            name, f"about 10^{len(str(ways)) - 1}", because="The ways to divide so many categories."
        )
    i, r = Number(size), Number(groups)
    if learner.exhaustive:
        nominal = not candidate.categories.ordered
        formula, put_in = (_stages(each, nominal=nominal) for each in (_I, i))
        because = "The tables met on the way down to two groups."
    elif candidate.categories.floats:
        formula, put_in = _floating(_I, _R), _floating(i, r)
        because = "Neighbours join; the missing cells may join any group, or none."
    elif candidate.categories.ordered:
        formula, put_in = _neighbours(_I, _R), _neighbours(i, r)
        because = "Only neighbours join."
    else:
        return _stirling(name, size, groups)
    return Figure(name, float(ways), formula, put_in, because=f"{because} I = {size}, r = {groups}.")


def _neighbours(i: Expression, r: Expression) -> Expression:
    return Binomial(less(i, Number(1)), less(r, Number(1)))


def _floating(i: Expression, r: Expression) -> Expression:
    rest = less(i, Number(2))
    return Sum((Binomial(rest, less(r, Number(2))), Product((r, Binomial(rest, less(r, Number(1)))))))


def _stages(i: Expression, *, nominal: bool) -> Expression:
    other = less(Power(i, Number(2)), Number(1)) if nominal else less(i, Number(1))
    return Quotient(Product((i, other)), Number(2))


def _stirling(name: str, size: int, groups: int) -> Figure:
    """S(I, r): the last category alone, or in one of r groups of the others."""
    before = [_parted(size - 1, k) for k in (groups - 1, groups)]
    alone, within = (
        Figure(f"S({size - 1}, {k})", float(ways), put_in=Number(ways))
        for k, ways in zip((groups - 1, groups), before, strict=True)
    )
    fewer = less(_I, Number(1))
    formula = Sum(
        (_ways(fewer, less(_R, Number(1))), Product((_R, _ways(fewer, _R)))),
    )
    first = max(1, size - _SHOWN + 1)
    rows: list[tuple[GridCell, ...]] = [
        (n, *(_parted(n, k) for k in range(1, groups + 1))) for n in range(first, size + 1)
    ]
    columns = ("I", *(f"r = {k}" for k in range(1, groups + 1)))
    return Figure(
        name,
        float(_parted(size, groups)),
        formula,
        Sum((named(alone), Product((Number(groups), named(within))))),
        because=f"Any may join any: the Stirling number S({size}, {groups}), by its recurrence.",
        grids=(
            Grid("Stirling numbers S(I, r)", columns, rows, len(rows) - 1, on_sheet=(GIVEN,) * len(columns)),
        ),
        under=(alone, within),
    )


def _ways(things: Expression, groups: Expression) -> Applied:
    return Applied("S", (things, groups), means="the number of ways to divide categories into groups")


def _parted(size: int, groups: int) -> int:
    """S(size, groups); none where there are more groups than things, or no group for them."""
    return ways_nominal(size, groups) if 0 <= groups <= size else 0
