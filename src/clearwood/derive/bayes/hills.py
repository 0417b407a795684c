"""Kernel densities: a small bell curve at each number met, added up."""

from __future__ import annotations

import math
from typing import Final

from clearwood.derive.bayes.wording import chance_name, rows_of
from clearwood.formulas.expressions import (
    Exp,
    Expression,
    Extreme,
    Negative,
    Number,
    Over,
    Power,
    Product,
    Quotient,
    Root,
    Sum,
    Symbol,
    value_of,
)
from clearwood.models.bayes_tables import BayesTables
from clearwood.models.distributions import Kernel
from clearwood.models.exact import Exact, total
from clearwood.models.words import written
from clearwood.predict.bayes_terms import GAPS, gap_of
from clearwood.working.figures import Figure, Grid, Rows, less, named, plain

_N: Final = Symbol("n", means="the number of known values of the class")
_H: Final = Symbol("h", means="the bandwidth")

_MOST_WRITTEN_OUT: Final = 12  # bells

_TWO: Final = Number(2)


def width_figure(model: BayesTables, kernel: Kernel, widths: tuple[float, ...], c: int) -> Figure:
    """The width of a class's bells, by the rule that the model names."""
    points, because = _points(kernel, c)
    n = float(total(weight for _, weight in points))
    name = f"width({written(kernel.name)} | {written(model.schema.classes[c])})"
    if kernel.bandwidth == "range":
        ends = [value for value, _ in points]
        own = Quotient(less(Symbol("largest"), Symbol("smallest")), Root(_N))
        formula: Expression = Extreme("max", (own, Quotient(Symbol("mean gap"), Number(GAPS))))
        by_range = Quotient(less(plain(max(ends)), plain(min(ends))), Root(plain(n)))
        least = Quotient(plain(gap_of(kernel)), Number(GAPS))
        put_in: Expression = Extreme("max", (by_range, least))
        under: tuple[Figure, ...] = ()
    else:
        spread = _deviation(f"s({written(kernel.name)} | {written(model.schema.classes[c])})", points)
        factor: Expression = plain(n)
        symbol: Expression = _N
        if kernel.bandwidth == "silverman":
            factor = Product((Number(0.75), factor))
            symbol = Product((Number(0.75), symbol))
        fifth = Negative(Quotient(Number(1), Number(5)))
        formula = Product((Symbol("s", means="their standard deviation"), Power(symbol, fifth)))
        put_in = Product((named(spread), Power(factor, fifth)))
        under = (spread,)
    if math.isclose(value_of(put_in), widths[c], rel_tol=1e-9):
        return Figure(name, widths[c], formula, put_in, _rows(model, kernel, c), because=because, under=under)
    reason = (
        f"{because} Its numbers do not vary enough: the spread within the classes, or the floor, is taken."
    )
    return Figure(name, widths[c], formula, rows=_rows(model, kernel, c), because=reason.strip())


def hill_figure(
    model: BayesTables,
    kernel: Kernel,
    widths: tuple[float, ...],
    x: float,
    c: int,
    log: float,
    *,
    in_logs: bool,
) -> Figure:
    """The height of the class's hills at x, of which `log` is the logarithm; or that logarithm."""
    points, _ = _points(kernel, c)
    width = width_figure(model, kernel, widths, c)
    h = widths[c]
    n = total(weight for _, weight in points)
    name = chance_name(f"{written(kernel.name)} = {plain(x).value}", model, c)
    if in_logs:
        because = "Worked out in logarithms: the density is too small for a decimal number."
        return Figure(f"ln {name}", log, rows=_rows(model, kernel, c), because=because, under=(width,))

    def height(value: float, weight: Exact) -> Expression:
        away = Quotient(Power(less(plain(x), plain(value)), _TWO), Product((_TWO, Power(named(width), _TWO))))
        bell = Exp(Negative(away))
        return bell if weight == 1 else Product((plain(weight), bell))

    def heights(place: int) -> Figure:
        value, weight = points[place]
        reached = float(weight) * math.exp(-0.5 * ((x - value) / h) ** 2)
        return Figure(f"bell at {plain(value).value}", reached, put_in=height(value, weight), under=(width,))

    grid = Grid(
        "The bells",
        (kernel.name, "rows", "height"),
        [(v, float(w), _reached(x, v, w, h)) for v, w in points],
        figure_of=heights,
    )
    summed = math.fsum(_reached(x, v, w, h) for v, w in points)
    bells = Figure(
        f"bells({name[2:]}",
        summed,
        Over("Σ", "i", Product((Symbol("w", "i", "the weight of row i"), Exp(Negative(_away()))))),
        Sum(tuple(height(v, w) for v, w in points)) if len(points) <= _MOST_WRITTEN_OUT else None,
        grids=(grid,),
        under=(width,),
    )
    area = Product((plain(n), named(width), Root(Product((_TWO, Number(math.pi))))))
    words = Product((_N, _H, Root(Product((_TWO, Symbol("π"))))))
    return Figure(
        name,
        math.exp(log),
        Quotient(Symbol("bells"), words),
        Quotient(named(bells), area),
        _rows(model, kernel, c),
        because="A density: the height of the hills, which may exceed 1.",
        under=(bells,),
    )


def _reached(x: float, value: float, weight: Exact, h: float) -> float:
    return float(weight) * math.exp(-0.5 * ((x - value) / h) ** 2)


def _away() -> Expression:
    return Quotient(
        Power(
            less(
                Symbol("x", means="the value of the row to predict"), Symbol("x", "i", "the value of row i")
            ),
            _TWO,
        ),
        Product((_TWO, Power(_H, _TWO))),
    )


def _points(kernel: Kernel, c: int) -> tuple[list[tuple[float, Exact]], str]:
    """A class's points; of one without any, everybody's."""
    if kernel.points[c]:
        return list(kernel.points[c]), ""
    everyone = sorted(point for each in kernel.points for point in each)
    return everyone, "The class has no known number here, and takes those of the whole column."


def _rows(model: BayesTables, kernel: Kernel, c: int) -> Rows:
    points, because = _points(kernel, c)
    weight = total(each for _, each in points)
    return Rows(float(weight)) if because else rows_of(model, c, weight, kernel.name)


def _deviation(name: str, points: list[tuple[float, Exact]]) -> Figure:
    """The standard deviation, divided by n − 1."""
    n = float(total(weight for _, weight in points))
    mean = math.fsum(float(w) * v for v, w in points) / n
    squares = math.fsum(float(w) * (v - mean) ** 2 for v, w in points)
    bottom = n - 1 if n > 1 else n
    return Figure(
        name,
        math.sqrt(squares / bottom),
        Root(Quotient(Symbol("Σ(x − mean)²"), less(_N, Number(1)) if n > 1 else _N)),
        Root(Quotient(Number(squares), less(plain(n), Number(1)) if n > 1 else plain(n))),
    )
