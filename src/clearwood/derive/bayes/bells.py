"""Bell curves: mean and variance of a numeric column by class, and the density they give a number."""

from __future__ import annotations

import math
import sys
from fractions import Fraction
from typing import Final

from clearwood.arrays import Floats
from clearwood.derive.bayes.wording import chance_name, rows_of
from clearwood.formulas.expressions import (
    Exp,
    Expression,
    Extreme,
    Log,
    Negative,
    Number,
    Over,
    Power,
    Product,
    Quotient,
    Root,
    Sum,
    Symbol,
    ValueOf,
    value_of,
)
from clearwood.models.bayes_tables import BayesTables
from clearwood.models.distributions import Gaussian
from clearwood.models.exact import Exact, total
from clearwood.models.words import written
from clearwood.working.figures import Figure, Rows, less, named, plain

_N: Final = Symbol("n", means="the number of known values")
_X: Final = Symbol("x", means="the value of a row")

TWO: Final = Number(2)
PI: Final = Number(math.pi)
_SUM: Final = Over("Σ", "row", _X)

_TINY: Final = sys.float_info.min


def bell_figures(
    model: BayesTables, gaussian: Gaussian, bells: tuple[Floats, Floats], c: int
) -> tuple[Figure, Figure]:
    """The mean and the variance of one class."""
    name, weight = gaussian.name, gaussian.weights[c]
    mean, variance = float(bells[0][c]), float(bells[1][c])
    of_class = f"{written(name)} | {written(model.schema.classes[c])}"
    if not weight:
        because = "The class has no known number here, and takes the curve of the whole column."
        rows = Rows(float(total(gaussian.weights)))
        once, twice, weight = total(gaussian.sums), total(gaussian.squares), total(gaussian.weights)
    else:
        because, rows = "", rows_of(model, c, weight, name)
        once, twice = gaussian.sums[c], gaussian.squares[c]
    average = Figure(
        f"mean({of_class})",
        mean,
        Quotient(_SUM, _N),
        Quotient(plain(once), plain(weight)),
        rows,
        because=because,
    )
    own = _spread(f"variance({of_class})", weight, once, twice, rows, because)
    if own.value == variance:
        return average, own
    return average, _widened(f"variance({of_class})", own, variance, gaussian, rows)


def density_figure(
    model: BayesTables,
    gaussian: Gaussian,
    bells: tuple[Floats, Floats],
    x: float,
    c: int,
    log: float,
    *,
    in_logs: bool,
) -> Figure:
    """The height of the class's curve at x, of which `log` is the logarithm; or that logarithm."""
    mean, variance = bell_figures(model, gaussian, bells, c)
    at = f"{written(gaussian.name)} = {plain(x).value}"
    m, v, given = named(mean), named(variance), plain(x)
    constant, away = _parts(m, v, given)
    words = _parts(Symbol("mean"), Symbol("variance"), _X)
    if in_logs:
        return Figure(
            f"ln {chance_name(at, model, c)}",
            log,
            less(Negative(Product((Quotient(Number(1), TWO), Log(words[0], "e")))), words[1]),
            less(Negative(Product((Quotient(Number(1), TWO), Log(constant, "e")))), away),
            mean.rows,
            under=(mean, variance),
        )
    return Figure(
        chance_name(at, model, c),
        math.exp(log),
        Product((Quotient(Number(1), Root(words[0])), Exp(Negative(words[1])))),
        Product((Quotient(Number(1), Root(constant)), Exp(Negative(away)))),
        mean.rows,
        because="A density: the height of the curve, which may exceed 1.",
        under=(mean, variance),
    )


def _parts(mean: Expression, variance: Expression, x: Expression) -> tuple[Expression, Expression]:
    """2π · variance, and (x − mean)² ÷ (2 · variance)."""
    pi: Expression = Symbol("π") if isinstance(mean, Symbol) else PI
    return Product((TWO, pi, variance)), Quotient(Power(less(x, mean), TWO), Product((TWO, variance)))


def _spread(name: str, weight: Exact, once: Exact, twice: Exact, rows: Rows, because: str) -> Figure:
    """(Σx² − (Σx)² ÷ n) ÷ n, in numbers where a double can subtract them."""
    mean = Fraction(once) / Fraction(weight)
    value = float(Fraction(twice) / Fraction(weight) - mean * mean)
    n, squares = _N, Over("Σ", "row", Power(_X, TWO))
    put_in = Quotient(less(plain(twice), Quotient(Power(plain(once), TWO), plain(weight))), plain(weight))
    formula = Quotient(less(squares, Quotient(Power(_SUM, TWO), n)), n)
    if math.isclose(value_of(put_in), value, rel_tol=1e-10):
        return Figure(name, value, formula, put_in, rows, because=because)
    reason = f"{because} Σx² and (Σx)²/n agree in too many digits to be subtracted here.".strip()
    return Figure(name, value, formula, rows=rows, because=reason)


def _widened(name: str, own: Figure, variance: float, gaussian: Gaussian, rows: Rows) -> Figure:
    """The variance of a class whose numbers are all equal, or which lies below the floor."""
    known = [c for c, weight in enumerate(gaussian.weights) if weight]
    sums = [(gaussian.weights[c], gaussian.sums[c], gaussian.squares[c]) for c in known]
    everyone = total(gaussian.weights)
    whole = _spread(
        f"variance({written(gaussian.name)})",
        everyone,
        total(gaussian.sums),
        total(gaussian.squares),
        Rows(float(everyone)),
        "",
    )
    least = max(gaussian.floor * _value(whole), _TINY)
    floor = Figure(
        f"floor({written(gaussian.name)})",
        least,
        Product((Symbol("floor"), Symbol("variance of the column"))),
        Extreme("max", (Product((Number(gaussian.floor), named(whole))), Number(_TINY))),
        under=(whole,),
    )
    start = own
    because = "No variance is below this floor."
    if not _value(own) > 0:
        each = [_spread(f"variance {c + 1}", *of, rows, "") for c, of in zip(known, sums, strict=True)]
        start = Figure(
            f"variance of {written(gaussian.name)} within the classes",
            math.fsum(float(w) * _value(v) for (w, *_), v in zip(sums, each, strict=True)) / float(everyone),
            Quotient(Symbol("Σ n·variance"), _N),
            Quotient(
                Sum(
                    tuple(
                        Product((plain(w), Number(_value(v)))) for (w, *_), v in zip(sums, each, strict=True)
                    )
                ),
                plain(everyone),
            ),
            Rows(float(everyone)),
        )
        because = "All its numbers are equal, and show no spread: the variance within the classes is taken."
    put_in = Extreme("max", (_named_float(start), _named_float(floor)))
    return Figure(name, variance, put_in=put_in, rows=rows, because=because, under=(start, floor))


def _value(figure: Figure) -> float:
    assert isinstance(figure.value, float)
    return figure.value


def _named_float(figure: Figure) -> ValueOf:
    return ValueOf(figure.name, _value(figure))
