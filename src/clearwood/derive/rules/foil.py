"""FOIL's gain, by which RIPPER grows a rule, and the worth by which it prunes one."""

from __future__ import annotations

from typing import Final

from clearwood.formulas.expressions import Expression, Log, Number, Product, Quotient, Sum, Symbol
from clearwood.learners.rules.rule_growing import foil_gain
from clearwood.working.figures import Figure, Rows, less, plain

_P: Final = Symbol("p", means="the number of rows of the class that are covered")
_N: Final = Symbol("n", means="the number of rows of other classes that are covered")
_P_NEW: Final = Symbol("p", "new", "the number of rows of the class covered with the new condition")

_ONE: Final = Number(1)


def foil_gain_figure(
    name: str, before: tuple[float, float], after: tuple[float, float], rows: Rows
) -> Figure:
    """The bits that a condition saves on the rows of the class that it takes.

    `before` and `after` are the weights of the class and of others.
    """
    (p, n), (p_new, n_new) = before, after
    later = Log(Quotient(Sum((plain(p_new), _ONE)), Sum((plain(p_new + n_new), _ONE))))
    earlier = Log(Quotient(Sum((plain(p), _ONE)), Sum((plain(p + n), _ONE))))
    return Figure(
        name,
        foil_gain(p, n, p_new, n_new),
        _FOIL,
        Product((plain(p_new), less(later, earlier))),
        rows,
        because=f"{p:g} of the class and {n:g} of others before, {p_new:g} and {n_new:g} after.",
    )


def worth_figure(name: str, p: float, n: float, *, in_list: bool) -> Figure:
    """(p + 1) ÷ (p + n + 2) of a rule by itself, p − n of one that serves within the list."""
    if in_list:
        return Figure(name, p - n, less(_P, _N), less(plain(p), plain(n)))
    two = Number(2)
    formula: Expression = Quotient(Sum((_P, _ONE)), Sum((_P, _N, two)))
    put_in = Quotient(Sum((plain(p), _ONE)), Sum((plain(p), plain(n), two)))
    return Figure(name, (p + 1) / (p + n + 2), formula, put_in)


_FOIL: Final = Product(
    (
        _P_NEW,
        less(
            Log(
                Quotient(
                    Sum((_P_NEW, _ONE)),
                    Sum((Symbol("t", "new", "the number of all rows covered with it"), _ONE)),
                )
            ),
            Log(
                Quotient(
                    Sum((_P, _ONE)), Sum((Symbol("t", means="the number of all rows that are covered"), _ONE))
                )
            ),
        ),
    )
)
