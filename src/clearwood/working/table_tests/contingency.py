"""Contingency tests: what the cells of a table of counts add to chi-square, or to the likelihood ratio."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Literal, TypeAlias

from clearwood.arrays import Floats
from clearwood.formulas.expressions import (
    Expression,
    Log,
    Number,
    Over,
    Power,
    Product,
    Quotient,
    Sum,
    Symbol,
    value_of,
)
from clearwood.formulas.numbers import count
from clearwood.measures.contingency import Verdict, expected
from clearwood.working.figures import Figure, Grid, GridCell
from clearwood.working.shorthand import less, named
from clearwood.working.table_tests.tails import p_figure

Statistic: TypeAlias = Literal["χ²", "G"]

_O: Final = Symbol("O", means="an observed count")
_E: Final = Symbol("E", means="the count expected under independence")


def contingency_figure(
    of: str,
    statistic: Statistic,
    names: Sequence[str],
    classes: Sequence[str],
    counts: Floats,
    verdict: Verdict,
    *,
    cells_too: bool = True,
) -> Figure:
    """The p of counts [row, class]; under it the statistic, cell by cell, and the degrees of freedom."""
    rows, columns = counts.sum(axis=1).tolist(), counts.sum(axis=0).tolist()
    total, expected_counts = float(counts.sum()), expected(counts).tolist()
    cells = [
        (i, j) for i, row in enumerate(rows) for j, column in enumerate(columns) if row > 0 and column > 0
    ]
    observed = counts.tolist()
    term = _TERMS[statistic]

    def cell(place: int) -> Figure:
        i, j = cells[place]
        name = f"E({names[i]}, {classes[j]})"
        want = Figure(
            name,
            expected_counts[i][j],
            Quotient(
                Product(
                    (
                        Symbol("n", "row", "the number of rows in the cell's row"),
                        Symbol("n", "class", "the number of rows of the cell's class"),
                    )
                ),
                Symbol("n", means="the number of all rows"),
            ),
            Quotient(Product((count(rows[i]), count(columns[j]))), count(total)),
        )
        put_in = term(count(observed[i][j]), named(want))
        return Figure(f"({names[i]}, {classes[j]})", value_of(put_in), term(_O, _E), put_in, under=(want,))

    terms = tuple(term(count(observed[i][j]), count(expected_counts[i][j])) for i, j in cells)
    lines: list[tuple[GridCell, ...]] = [
        (names[i], classes[j], observed[i][j], expected_counts[i][j], value_of(part))
        for (i, j), part in zip(cells, terms, strict=True)
    ]
    value = float(verdict.statistic)
    put_in: Expression = Sum(terms) if terms else Number(0)
    formula: Expression = Over("Σ", "cells", term(_O, _E))
    if statistic == "G":
        put_in, formula = Product((Number(2), put_in)), Product((Number(2), formula))
    if value == 0:
        put_in = Number(0)
    figure = Figure(
        f"{statistic}({of})",
        value,
        formula,
        put_in,
        because="All counts are as expected." if value == 0 and terms else "",
        grids=(
            Grid(
                "Cells",
                ("row", "class", "O", "E", "part"),
                lines,
                figure_of=cell if cells_too else None,
                on_sheet=("given", "given", "given", "asked", "asked"),
            ),
        ),
    )
    return p_figure(of, "χ²", figure, (_degrees(of, rows, columns, float(verdict.df)),), float(verdict.p))


def _degrees(of: str, rows: list[float], columns: list[float], value: float) -> Figure:
    r, c = sum(each > 0 for each in rows), sum(each > 0 for each in columns)
    formula = Product((less(Symbol("rows"), Number(1)), less(Symbol("classes"), Number(1))))
    put_in = Product((less(Number(r), Number(1)), less(Number(c), Number(1)))) if r and c else Number(0)
    return Figure(f"df({of})", value, formula, put_in)


def _pearson(o: Expression, e: Expression) -> Expression:
    return Quotient(Power(less(o, e), Number(2)), e)


def _likelihood(o: Expression, e: Expression) -> Expression:
    return Product((o, Log(Quotient(o, e), "e")))


_TERMS: Final = {"χ²": _pearson, "G": _likelihood}
