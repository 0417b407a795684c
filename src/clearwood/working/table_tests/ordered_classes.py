"""Row effects: do the rows of a table differ in where on an ordered scale they lie?"""

from __future__ import annotations

from collections.abc import Sequence

from clearwood.arrays import Floats
from clearwood.formulas.expressions import Applied, Log, Number, Product, Sum, Symbol, value_of
from clearwood.formulas.numbers import count, part
from clearwood.measures.contingency import Verdict
from clearwood.working.figures import Figure, Grid, GridCell
from clearwood.working.shorthand import less, named
from clearwood.working.table_tests.tails import p_figure


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
        f"df({of})", float(verdict.df), less(Symbol("rows"), Number(1)),
        less(Number(rows), Number(1)) if verdict.df > 0 else Number(0),
    )  # fmt: skip
    if value == 0:
        alike = Figure(f"G({of})", 0.0, because="All rows lie alike on the scale.", grids=grids)
        return p_figure(of, "χ²", alike, (df,), float(verdict.p))
    put_in = Sum(tuple(Product((count(c), Log(part(c, total), "e"))) for c in columns if c > 0))
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
        Product(
            (
                Number(2),
                less(
                    Symbol("L", "1", "the log-likelihood with row effects"),
                    Symbol("L", "0", "the log-likelihood under independence"),
                ),
            )
        ),
        Product((Number(2), less(named(model), named(independent)))),
        grids=grids,
        under=(model, independent),
    )
    return p_figure(of, "χ²", statistic, (df,), float(verdict.p))
