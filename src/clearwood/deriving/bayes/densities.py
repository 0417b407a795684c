"""Densities of a numeric column by class: a normal curve or a kernel at each number."""

from __future__ import annotations

import math
import sys
from fractions import Fraction
from typing import Final

from clearwood.arrays import Floats
from clearwood.deriving.bayes.counted import chance_name, rows_of
from clearwood.formulas.conditions import written
from clearwood.formulas.expressions import (
    Exp,
    Expression,
    Extreme,
    Log,
    Number,
    Over,
    Root,
    Sum,
    Symbol,
    value_of,
)
from clearwood.models.kinds.bayes.bayes_tables import BayesTables
from clearwood.models.kinds.bayes.bayes_terms import GAPS, gap_of
from clearwood.models.kinds.bayes.distributions import Exact, Gaussian, Kernel, total
from clearwood.working.figures import Figure, Grid, Rows, in_decimals, named, plain

_N: Final = Symbol("n", means="the number of known values")
_X: Final = Symbol("x", means="the value of a row")

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
    average = Figure(f"mean({of_class})", mean, _SUM / _N, plain(once) / plain(weight), rows, because=because)
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
    name = chance_name(f"{written(gaussian.name)} = {plain(x).value}", model, c)
    scale, away = _parts(named(mean), named(variance), plain(x))
    if in_logs:
        formula, put_in = _log_height(*_LETTERS), _log_height(scale, away)
        return Figure(f"ln {name}", log, formula, put_in, mean.rows, under=(mean, variance))
    because = "A density: the height of the curve, which may exceed 1."
    formula, put_in = _height(*_LETTERS), _height(scale, away)
    return Figure(name, math.exp(log), formula, put_in, mean.rows, because=because, under=(mean, variance))


def _height(scale: Expression, away: Expression) -> Expression:
    return 1 / Root(scale) * Exp(-away)


def _log_height(scale: Expression, away: Expression) -> Expression:
    return -(Number(1) / 2 * Log(scale, "e")) - away


def _parts(mean: Expression, variance: Expression, x: Expression) -> tuple[Expression, Expression]:
    """2π · variance, and (x − mean)² ÷ (2 · variance)."""
    pi: Expression = Symbol("π") if isinstance(mean, Symbol) else PI
    return 2 * pi * variance, (x - mean) ** 2 / (2 * variance)


_LETTERS: Final = _parts(Symbol("mean"), Symbol("variance"), _X)


def _spread(name: str, weight: Exact, once: Exact, twice: Exact, rows: Rows, because: str) -> Figure:
    """(Σx² − (Σx)² ÷ n) ÷ n, in numbers where a double can subtract them."""
    mean = Fraction(once) / Fraction(weight)
    value = float(Fraction(twice) / Fraction(weight) - mean * mean)
    put_in = (plain(twice) - plain(once) ** 2 / plain(weight)) / plain(weight)
    formula = (Over("Σ", "row", _X**2) - _SUM**2 / _N) / _N
    if math.isclose(value_of(put_in), value, rel_tol=1e-10):
        return Figure(name, value, formula, put_in, rows, because=because)
    reason = f"{because} Σx² and (Σx)²/n agree in too many digits to be subtracted here.".strip()
    return Figure(name, value, formula, rows=rows, because=reason)


def _widened(name: str, own: Figure, variance: float, gaussian: Gaussian, rows: Rows) -> Figure:
    """The variance of a class whose numbers are all equal, or which lies below the floor."""
    known = [c for c, weight in enumerate(gaussian.weights) if weight]
    sums = [(gaussian.weights[c], gaussian.sums[c], gaussian.squares[c]) for c in known]
    everyone = total(gaussian.weights)
    all_of_them = everyone, total(gaussian.sums), total(gaussian.squares), Rows(float(everyone))
    whole = _spread(f"variance({written(gaussian.name)})", *all_of_them, "")
    least = max(gaussian.floor * whole.number, _TINY)
    formula = Symbol("floor") * Symbol("variance of the column")
    put_in: Expression = Extreme("max", (Number(gaussian.floor) * named(whole), Number(_TINY)))
    floor = Figure(f"floor({written(gaussian.name)})", least, formula, put_in, under=(whole,))
    start = own
    because = "No variance is below this floor."
    if not own.number > 0:
        each = [_spread(f"variance {c + 1}", *of, rows, "") for c, of in zip(known, sums, strict=True)]
        weighed = [(w, v.number) for (w, *_), v in zip(sums, each, strict=True)]
        name_within = f"variance of {written(gaussian.name)} within the classes"
        value = math.fsum(float(w) * v for w, v in weighed) / float(everyone)
        put_in = Sum(tuple(plain(w) * Number(v) for w, v in weighed)) / plain(everyone)
        within = Symbol("Σ n·variance") / _N
        start = Figure(name_within, value, within, put_in, Rows(float(everyone)))
        because = "All its numbers are equal, and show no spread: the variance within the classes is taken."
    put_in = Extreme("max", (in_decimals(start), in_decimals(floor)))
    return Figure(name, variance, put_in=put_in, rows=rows, because=because, under=(start, floor))


_KERNEL_N: Final = Symbol("n", means="the number of known values of the class")
_H: Final = Symbol("h", means="the bandwidth")

_MEAN_HEIGHT: Final = Symbol("kernels") / (_KERNEL_N * _H * Root(2 * Symbol("π")))
_GIVEN: Final = Symbol("x", means="the value of the row to predict")
_AWAY: Final = (_GIVEN - Symbol("x", "i", "the value of row i")) ** 2 / (2 * _H**2)
_KERNELS: Final = Over("Σ", "i", Symbol("w", "i", "the weight of row i") * Exp(-_AWAY))
_MOST_WRITTEN_OUT: Final = 12  # bells


def width_figure(model: BayesTables, kernel: Kernel, widths: tuple[float, ...], c: int) -> Figure:
    """The bandwidth of a class's kernels, by the rule that the model names."""
    points, because = _points(kernel, c)
    n = float(total(weight for _, weight in points))
    name = f"width({written(kernel.name)} | {written(model.schema.classes[c])})"
    if kernel.bandwidth == "range":
        ends = [value for value, _ in points]
        own = (Symbol("largest") - Symbol("smallest")) / Root(_KERNEL_N)
        formula: Expression = Extreme("max", (own, Symbol("mean gap") / Number(GAPS)))
        by_range = (plain(max(ends)) - plain(min(ends))) / Root(plain(n))
        least = plain(gap_of(kernel)) / Number(GAPS)
        put_in: Expression = Extreme("max", (by_range, least))
        under: tuple[Figure, ...] = ()
    else:
        spread = _deviation(f"s({written(kernel.name)} | {written(model.schema.classes[c])})", points)
        factor: Expression = plain(n)
        symbol: Expression = _KERNEL_N
        if kernel.bandwidth == "silverman":
            factor = 0.75 * factor
            symbol = 0.75 * symbol
        fifth = -(Number(1) / 5)
        formula = Symbol("s", means="their standard deviation") * symbol**fifth
        put_in = named(spread) * factor**fifth
        under = (spread,)
    if math.isclose(value_of(put_in), widths[c], rel_tol=1e-9):
        return Figure(name, widths[c], formula, put_in, _rows(model, kernel, c), because=because, under=under)
    taken = "the spread within the classes, or the floor, is taken"
    reason = f"{because} Its numbers do not vary enough: {taken}.".strip()
    return Figure(name, widths[c], formula, rows=_rows(model, kernel, c), because=reason)


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
    """The density of the class's kernels at x, of which `log` is the logarithm; or that logarithm."""
    points, _ = _points(kernel, c)
    width = width_figure(model, kernel, widths, c)
    h = widths[c]
    n = total(weight for _, weight in points)
    name = chance_name(f"{written(kernel.name)} = {plain(x).value}", model, c)
    if in_logs:
        because = "Worked out in logarithms: the density is too small for a decimal number."
        return Figure(f"ln {name}", log, rows=_rows(model, kernel, c), because=because, under=(width,))

    def height(value: float, weight: Exact) -> Expression:
        away = (plain(x) - plain(value)) ** 2 / (2 * named(width) ** 2)
        bell = Exp(-away)
        return bell if weight == 1 else plain(weight) * bell

    def heights(place: int) -> Figure:
        value, weight = points[place]
        name, reached = f"kernel at {plain(value).value}", _reached(x, value, weight, h)
        return Figure(name, reached, put_in=height(value, weight), under=(width,))

    grid = Grid(
        "The kernels",
        (kernel.name, "rows", "height"),
        [(v, float(w), _reached(x, v, w, h)) for v, w in points],
        figure_of=heights,
    )
    summed = math.fsum(_reached(x, v, w, h) for v, w in points)
    put_in = Sum(tuple(height(v, w) for v, w in points)) if len(points) <= _MOST_WRITTEN_OUT else None
    bells = Figure(f"kernels({name[2:]}", summed, _KERNELS, put_in, grids=(grid,), under=(width,))
    because = "A density: the mean height of the kernels, which may exceed 1."
    mean = named(bells) / (plain(n) * named(width) * Root(2 * Number(math.pi)))
    rows = _rows(model, kernel, c)
    return Figure(name, math.exp(log), _MEAN_HEIGHT, mean, rows, because=because, under=(bells,))


def _reached(x: float, value: float, weight: Exact, h: float) -> float:
    return float(weight) * math.exp(-0.5 * ((x - value) / h) ** 2)


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
    formula = Root(Symbol("Σ(x − mean)²") / (_KERNEL_N - 1 if n > 1 else _KERNEL_N))
    put_in = Root(Number(squares) / (plain(n) - 1 if n > 1 else plain(n)))
    return Figure(name, math.sqrt(squares / bottom), formula, put_in)
