"""Tests of tables, as figures: do the rows of a table differ by more than chance would make them?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Literal, TypeAlias

from clearwood.arrays import Floats
from clearwood.formulas.expressions import (
    Applied,
    Expression,
    Log,
    Number,
    Over,
    Sum,
    Symbol,
    count,
    part,
    value_of,
)
from clearwood.measures.contingency import Verdict, expected
from clearwood.working.figures import Figure, Grid, GridCell, named

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
            Symbol("n", "row", "the number of rows in the cell's row")
            * Symbol("n", "class", "the number of rows of the cell's class")
            / Symbol("n", means="the number of all rows"),
            count(rows[i]) * count(columns[j]) / count(total),
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
        put_in, formula = 2 * put_in, 2 * formula
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
    formula = (Symbol("rows") - 1) * (Symbol("classes") - 1)
    put_in = (Number(r) - 1) * (Number(c) - 1) if r and c else Number(0)
    return Figure(f"df({of})", value, formula, put_in)


def _pearson(o: Expression, e: Expression) -> Expression:
    return (o - e) ** 2 / e


def _likelihood(o: Expression, e: Expression) -> Expression:
    return o * Log(o / e, "e")


_TERMS: Final = {"χ²": _pearson, "G": _likelihood}


def row_effects_figure(
    of: str, names: Sequence[str], classes: Sequence[str], counts: Floats, verdict: Verdict
) -> Figure:
    """The p of the likelihood ratio of the row-effects model against independence."""
    columns, total = counts.sum(axis=0).tolist(), float(counts.sum())
    rows = int((counts.sum(axis=1) > 0).sum())
    table: list[tuple[GridCell, ...]] = [
        (name, *line) for name, line in zip(names, counts.tolist(), strict=True)
    ]
    grids = (Grid("Counts", ("row", *classes), table),)
    value = float(verdict.statistic)
    df = Figure(
        f"df({of})", float(verdict.df), Symbol("rows") - 1,
        Number(rows) - 1 if verdict.df > 0 else Number(0),
    )  # fmt: skip
    if value == 0:
        alike = Figure(f"G({of})", 0.0, because="All rows lie alike on the scale.", grids=grids)
        return p_figure(of, "χ²", alike, (df,), float(verdict.p))
    put_in = Sum(tuple(count(c) * Log(part(c, total), "e") for c in columns if c > 0))
    independent = Figure(
        f"L₀({of})",
        value_of(put_in),
        put_in=put_in,
        because="Log-likelihood if all rows have the same probabilities.",
    )
    fitted = value / 2 + value_of(put_in)
    model = Figure(
        f"L₁({of})",
        fitted,
        put_in=Applied("largest log-likelihood", (Symbol("row effects"),), fitted),
        because="Row i has probabilities ∝ b_j · exp(g_i · j): one tilt per row, by Newton's method.",
    )
    statistic = Figure(
        f"G({of})",
        value,
        2
        * (
            Symbol("L", "1", "the log-likelihood with row effects")
            - Symbol("L", "0", "the log-likelihood under independence")
        ),
        2 * (named(model) - named(independent)),
        grids=grids,
        under=(model, independent),
    )
    return p_figure(of, "χ²", statistic, (df,), float(verdict.p))


def f_figure(
    of: str, names: Sequence[str], weight: Sequence[float], mean: Sequence[float], error: Sequence[float],
    f: float, p: float,
) -> Figure:  # fmt: skip
    """The p of the F test over groups of this weight, mean and squared error."""
    held = [i for i, w in enumerate(weight) if w > 0]
    total = sum(weight[i] for i in held)
    table = Grid(
        "Groups",
        ("group", "rows", "mean", "squared error"),
        list(zip(names, weight, mean, error, strict=True)),
    )
    groups = Figure(f"df₁({of})", max(len(held) - 1.0, 0.0), Symbol("groups") - 1,
                    Number(max(len(held), 1)) - 1)  # fmt: skip
    rest = Figure(
        f"df₂({of})",
        total - len(held),
        Symbol("n", means="the number of rows") - Symbol("groups"),
        count(total) - Number(len(held)),
    )
    if f == 0 or not groups.value or not isinstance(rest.value, float) or rest.value <= 0:
        why = "The means are equal." if groups.value and rest.value else "There is nothing to compare."
        return p_figure(of, "F", Figure(f"F({of})", f, because=why, grids=(table,)), (groups, rest), p)
    grand = Figure(
        f"mean({of})",
        sum(weight[i] * mean[i] for i in held) / total,
        put_in=Sum(tuple(count(weight[i]) * Number(mean[i]) for i in held)) / count(total),
    )
    apart = tuple(count(weight[i]) * (Number(mean[i]) - named(grand)) ** 2 for i in held)
    between = _sum_of_squares(
        f"between({of})",
        Over(
            "Σ",
            "g",
            Symbol("n", "g", "the number of rows of group g")
            * (Symbol("m", "g", "the mean of group g") - Symbol("m", means="the mean of all rows")) ** 2,
        ),
        Sum(apart),
        (grand,),
    )
    if f == float("inf"):
        within = Figure(f"within({of})", 0.0, put_in=Number(0), because="All rows of a group have one value.")
    else:
        inside = Over("Σ", "g", Symbol("squared error", "g", "the sum of squared errors of group g"))
        within = _sum_of_squares(f"within({of})", inside, Sum(tuple(Number(error[i]) for i in held)))
    statistic = Figure(
        f"F({of})",
        f,
        _ratio(Symbol("between"), DEGREES[0], Symbol("within"), DEGREES[1]),
        _ratio(named(between), named(groups), named(within), named(rest)),
        grids=(table,),
        under=(between, within),
    )
    return p_figure(of, "F", statistic, (groups, rest), p)


def _sum_of_squares(
    name: str, formula: Expression, put_in: Expression, under: tuple[Figure, ...] = ()
) -> Figure:
    return Figure(name, value_of(put_in), formula, put_in, under=under)


def _ratio(between: Expression, df: Expression, within: Expression, rest: Expression) -> Expression:
    return between / df / (within / rest)


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
