"""A condition against the class: the table, its expected counts, and the test that decides."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Final

from clearwood.formulas.expressions import (
    Applied,
    Binomial,
    Expression,
    Extreme,
    Number,
    Over,
    Product,
    Root,
    Sum,
    Symbol,
)
from clearwood.learners.rules.beam_search import critical_value
from clearwood.learners.rules.simplifying.condition_tests import TITLES, HowTested
from clearwood.learners.rules.simplifying.ledger import ConditionTest, small_count
from clearwood.working.figures import Figure, Grid, GridCell, Rows, named, plain

_DF: Final = Symbol("df", means="the degrees of freedom")
_E: Final = Symbol("E", means="the count expected under independence")
_A: Final = Symbol("a", means="the count where the condition holds, of the class")
_B: Final = Symbol("b", means="the count where it holds, of other classes")
_C: Final = Symbol("c", means="the count where it does not hold, of the class")
_D: Final = Symbol("d", means="the count where it does not hold, of other classes")

_ALL: Final = Symbol("all", means="the total of the table")
_EXPECTED: Final = (
    Symbol("row", means="the total of the cell's row")
    * Symbol("column", means="the total of the cell's column")
    / _ALL
)
SIDES: Final = ("holds", "does not")
_HALF: Final = Number(1) / 2


def tested(test: ConditionTest, how: HowTested) -> tuple[Figure, ...]:
    """Observed and expected counts, the count that decides on the test, the test and its p."""
    expected = _expected(test)
    deciding = () if how.test or len(test.columns) > 2 else (_deciding(test, how, expected),)
    counts = (_observed(test), _expectation(test, expected), *deciding)
    because = f"{TITLES[test.test]}: {test.because}."
    if test.test == "fisher":
        return (*counts, fisher_figure(test, because), *_adjusted(test, how), *_sizes(test))
    statistic = _statistic(test, expected, because)
    df = int(test.df)
    formula = Applied("χ² tail", (Symbol("χ²", means="the χ² statistic"), _DF))
    put_in = Applied("χ² tail", (named(statistic), Number(df)), test.p)
    p = Figure(f"p({test.condition})", test.p, formula, put_in)
    exact = _exact_beside(test)
    return (*counts, statistic, *_critical(how, df), p, *exact, *_adjusted(test, how), *_sizes(test))


def _exact_beside(test: ConditionTest) -> tuple[Figure, ...]:
    """Fisher's p, where the chosen test is an approximation and a cell is small."""
    if test.fisher_p is None:
        return ()
    because = f"{small_count(test)}. The test above decides nevertheless, by the rule of the books."
    exact = fisher_figure(replace(test, p=test.fisher_p), because)
    return (replace(exact, name=f"Fisher's p({test.condition})"),)


def _observed(test: ConditionTest) -> Figure:
    columns = [math.fsum(each) for each in zip(*test.observed, strict=True)]
    rows: list[tuple[GridCell, ...]] = [
        (side, *cells, math.fsum(cells)) for side, cells in zip(SIDES, test.observed, strict=True)
    ]
    rows.append(("all", *columns, math.fsum(columns)))
    grid = Grid(f"{test.condition}, observed", ("", *test.columns, "all"), rows)
    return Figure(f"observed({test.condition})", None, rows=Rows(math.fsum(columns)), grids=(grid,))


def _expected(test: ConditionTest) -> list[list[Figure]]:
    """[side][column] row total · column total ÷ all."""
    columns = [math.fsum(each) for each in zip(*test.observed, strict=True)]
    total = plain(math.fsum(columns) or 1.0)
    figures = []
    for side, cells, values in zip(SIDES, test.observed, test.expected, strict=True):
        across = plain(math.fsum(cells))
        figures.append(
            [
                Figure(f"E({side}, {name})", value, _EXPECTED, across * plain(down) / total)
                for name, down, value in zip(test.columns, columns, values, strict=True)
            ]
        )
    return figures


def _expectation(test: ConditionTest, expected: list[list[Figure]]) -> Figure:
    sides = zip(SIDES, test.expected, strict=True)
    lines: list[tuple[GridCell, ...]] = [(side, *cells) for side, cells in sides]
    grid = Grid(f"{test.condition}, expected if it did not matter", ("", *test.columns), lines)
    under = tuple(each for row in expected for each in row)
    return Figure(f"expected({test.condition})", None, grids=(grid,), under=under)


def _deciding(test: ConditionTest, how: HowTested, expected: list[list[Figure]]) -> Figure:
    cells = [each for row in expected for each in row]
    values = [cell for row in test.expected for cell in row]
    least = how.choose_by != "largest"
    put_in = Extreme("min" if least else "max", tuple(map(named, cells)))
    name = f"{how.choose_by} expected count({test.condition})"
    return Figure(name, min(values) if least else max(values), put_in=put_in)


def _statistic(test: ConditionTest, expected: list[list[Figure]], because: str) -> Figure:
    terms = [
        _term(seen, figure, corrected=test.test == "yates")
        for cells, figures in zip(test.observed, expected, strict=True)
        for seen, figure in zip(cells, figures, strict=True)
        if figure.number > 0
    ]
    gap: Expression = Symbol("O", means="an observed count") - _E
    if test.test == "yates":
        gap = _above_half(Applied("abs", (gap,)))
    assert test.statistic is not None
    formula, put_in = Over("Σ", "cell", gap**2 / _E), Sum(tuple(terms)) if terms else Number(0)
    return Figure(f"χ²({test.condition})", test.statistic, formula, put_in, because=because)


def _term(seen: float, expected_count: Figure, *, corrected: bool) -> Expression:
    """(O − E)² ÷ E; corrected, the larger less the smaller less ½, or 0 if that is below 0."""
    observed, expected = plain(seen), named(expected_count)
    if not corrected:
        return (observed - expected) ** 2 / expected
    apart = observed - expected if seen > expected_count.number else expected - observed
    return _above_half(*apart.terms) ** 2 / expected


def _above_half(*apart: Expression) -> Expression:
    """What is left of it without Yates' half, nothing if it is less."""
    return Extreme("max", (Number(0), Sum((*apart, -_HALF))))


def _critical(how: HowTested, df: int) -> tuple[Figure, ...]:
    """What χ² must reach, as tables of critical values have it."""
    value = critical_value(how.alpha, df)
    if not math.isfinite(value):
        return ()
    formula = Applied("χ² quantile", (1 - Symbol("α", means="the significance level"), _DF))
    put_in = Applied("χ² quantile", (1 - plain(how.alpha), Number(df)), value)
    return (Figure("critical χ²", value, formula, put_in),)


def _adjusted(test: ConditionTest, how: HowTested) -> tuple[Figure, ...]:
    if test.adjusted_p is None or how.adjust is None:
        return ()
    name = {"holm": "Holm", "benjamini_hochberg": "Benjamini and Hochberg"}[how.adjust]
    because = f"Adjusted by {name}, for all conditions tested side by side."
    return (Figure(f"adjusted p({test.condition})", test.adjusted_p, because=because),)


def _sizes(test: ConditionTest) -> tuple[Figure, ...]:
    """φ and the odds ratio, of a table of two columns."""
    if len(test.columns) > 2:
        return ()
    (a, b), (c, d) = ((plain(x) for x in row) for row in test.observed)
    margins = [math.fsum(row) for row in test.observed] + [
        math.fsum(column) for column in zip(*test.observed, strict=True)
    ]
    figures = []
    if all(margins):
        apart, spread = a * d - b * c, Root(Product(tuple(plain(each) for each in margins)))
        formula = (_A * _D - _B * _C) / Root(Symbol("product of the margins"))
        figures.append(Figure(f"φ({test.condition})", test.phi, formula, apart / spread))
    if math.isfinite(test.odds_ratio):
        formula, put_in = _A * _D / (_B * _C), a * d / (b * c)
        figures.append(Figure(f"odds ratio({test.condition})", test.odds_ratio, formula, put_in))
    return tuple(figures)


# Fisher's exact test as a sum: the tables of these margins at most as likely as the one observed.


_MOST_TABLES: Final = 60  # written out in one sum
_LARGEST_TOTAL: Final = 1000  # rows whose ways to be chosen a float can hold


_X: Final = Symbol("x", means="the count where the condition holds, in the first column")
_FIRST: Final = Symbol("column", "1", "the total of the first column")
_SECOND: Final = Symbol("column", "2", "the total of the second column")
_ROW: Final = Symbol("row", means="the total of the first row")
_WAYS_OF_X: Final = Binomial(_FIRST, _X) * Binomial(_SECOND, _ROW - _X)
_FISHER: Final = Over("Σ", "x", _WAYS_OF_X / Binomial(_ALL, _ROW))


def fisher_figure(test: ConditionTest, because: str) -> Figure:
    """Σ C(column, x) · C(other column, row − x) ÷ C(all, row) over the tables at most as likely."""
    name = f"p({test.condition})"
    cells = [cell for row in test.observed for cell in row]
    reason = f"{because} Over the tables with these margins that are at most as likely as the one observed."
    if any(cell != int(cell) for cell in cells):
        reason = f"{reason} (Its cells are not whole: no numbers put in.)"
        return Figure(name, test.p, _FISHER, because=reason)
    a, b, c, d = map(int, cells)
    if not (a + b and c + d and a + c and b + d):
        reason = f"{because} A margin is 0: there is one such table only."
        return Figure(name, test.p, put_in=Number(1), because=reason)
    across, one, other, total = a + b, a + c, b + d, a + b + c + d
    ways = {
        k: math.comb(one, k) * math.comb(other, across - k)
        for k in range(max(0, across - other), min(across, one) + 1)
    }
    rare = [k for k, count in ways.items() if count <= ways[a] * (1 + 1e-7)]
    if len(rare) > _MOST_TABLES or total > _LARGEST_TOTAL:
        return Figure(name, test.p, _FISHER, because=reason)
    terms = [Binomial(Number(one), Number(k)) * Binomial(Number(other), Number(across - k)) for k in rare]
    put_in = Sum(tuple(terms)) / Binomial(Number(total), Number(across))
    return Figure(name, test.p, _FISHER, put_in, because=reason)
