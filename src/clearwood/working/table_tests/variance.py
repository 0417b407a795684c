"""Analysis of variance: how far groups' means lie apart, beside the scatter inside the groups."""

from __future__ import annotations

from collections.abc import Sequence

from clearwood.formulas.expressions import (
    Expression,
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
from clearwood.working.figures import Figure, Grid
from clearwood.working.shorthand import less, named
from clearwood.working.table_tests.tails import DEGREES, p_figure


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
    groups = Figure(f"df₁({of})", max(len(held) - 1.0, 0.0), less(Symbol("groups"), Number(1)),
                    less(Number(max(len(held), 1)), Number(1)))  # fmt: skip
    rest = Figure(
        f"df₂({of})",
        total - len(held),
        less(Symbol("n", means="the number of rows"), Symbol("groups")),
        less(count(total), Number(len(held))),
    )
    if f == 0 or not groups.value or not isinstance(rest.value, float) or rest.value <= 0:
        why = "The means are equal." if groups.value and rest.value else "There is nothing to compare."
        return p_figure(of, "F", Figure(f"F({of})", f, because=why, grids=(table,)), (groups, rest), p)
    grand = Figure(
        f"mean({of})",
        sum(weight[i] * mean[i] for i in held) / total,
        put_in=Quotient(Sum(tuple(Product((count(weight[i]), Number(mean[i]))) for i in held)), count(total)),
    )
    apart = tuple(
        Product((count(weight[i]), Power(less(Number(mean[i]), named(grand)), Number(2)))) for i in held
    )
    between = _sum_of_squares(
        f"between({of})",
        Over(
            "Σ",
            "g",
            Product(
                (
                    Symbol("n", "g", "the number of rows of group g"),
                    Power(
                        less(
                            Symbol("m", "g", "the mean of group g"), Symbol("m", means="the mean of all rows")
                        ),
                        Number(2),
                    ),
                )
            ),
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
    return Quotient(Quotient(between, df), Quotient(within, rest))
