"""Gains at a node, with the tables they rest on: impurity of classes, spread of numbers, counts of rows."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from typing import Final

import numpy as np

from clearwood.arrays import Floats
from clearwood.catalogue import IMPURITIES
from clearwood.counting.cuts import two_sides
from clearwood.counting.question import Takes, condition
from clearwood.deriving.trees.growth import Parted, TreePlace
from clearwood.errors import SettingError
from clearwood.formulas.expressions import (
    Applied,
    Expression,
    Extreme,
    Number,
    Over,
    Sum,
    Symbol,
    ValueOf,
    count,
    part,
)
from clearwood.learners.trees.counted import BySums, WeightByValue
from clearwood.learners.trees.offers import Ways
from clearwood.measures.scatter import absolute_error
from clearwood.working.figures import Figure, Grid, GridCell, OnSheet, Rows, prepared

# The gain of one way to part a node's rows, with the table it rests on and the impurity of every branch.


_S: Final = Symbol("S", means="the set of rows here")
_GAIN_N: Final = Symbol("n", means="the number of rows here")


def gain_figure(
    place: TreePlace,
    impurity: WrittenMeasure,
    name: str,
    names: Sequence[str],
    attribute: int,
    parted: Parted,
    value: float,
    because: str = "",
    grids: tuple[Grid, ...] = (),
) -> Figure:
    """How much purer the branches, of these `names`, are than the node; empty cells of none gain nothing."""
    known, missing = sum(parted.weights), parted.missing
    held = [branch for branch, weight in enumerate(parted.weights) if weight > 0]
    after = [
        -(part(parted.weights[i], known) * impurity.named(names[i], parted.counts[i], parted.mixed[i]))
        for i in held
    ]
    whole: list[float] = []
    before = 0.0
    if missing > 0:
        whole = [sum(level) for level in zip(*parted.counts, strict=True)]
        before = float(place.task.impurity(np.array(whole)))
        fall = Sum((impurity.named("known", whole, before), *after))
        put_in: Expression = part(known, known + missing) * fall
    else:
        put_in = Sum((impurity.named("S", place.counts.tolist(), place.mixed), *after))

    def under() -> Callable[[int], Figure]:
        of_known = [impurity.figure("known", whole, before)] if missing > 0 else []
        of_branches = [impurity.figure(names[i], parted.counts[i], parted.mixed[i]) for i in held]
        if grids:  # of the best way, which a worksheet leaves open
            of_branches = [replace(each, on_sheet="in key") for each in of_branches]
        return [*of_known, *of_branches].__getitem__

    formula = _gain_formula(impurity.sign, impurity.means, missing > 0)
    table = _contingency(place, impurity, attribute, names, parted, best_of_several=bool(grids))
    parts = prepared(len(held) + (missing > 0), under)
    return Figure(
        name, value, formula, put_in, place.rows, because=because, grids=(table, *grids), under=parts
    )


def branch_names(
    place: TreePlace, attribute: int, ways: Ways, way: int, most: int | None = None
) -> list[str]:
    """The conditions of a way's branches, or of the first `most`; of a cut, at the midpoint."""
    declared = place.task.schema.attributes[attribute]
    branches: tuple[Takes, ...]
    if ways.cuts is not None and ways.counts.shape[1] == 2 and way < len(ways.cuts.below) == len(ways.counts):
        branches = two_sides(declared, float(ways.cuts.below[way]), float(ways.cuts.above[way]))
    else:
        branches = ways.branches(way)
    return [str(condition(declared, each)) for each in branches[:most]]


def _contingency(
    place: TreePlace,
    impurity: WrittenMeasure,
    attribute: int,
    names: Sequence[str],
    parted: Parted,
    *,
    best_of_several: bool,
) -> Grid:
    """Branches against classes (or the numbers' centre), with the weight and impurity of each.

    `best_of_several`: they are the best of several ways, which a worksheet leaves to be worked out.
    """
    task = place.task
    heading = task.schema.attributes[attribute].name
    of_branch = task.schema.classes if task.numbers is None else ("predicted",)

    def rows() -> Callable[[int], tuple[GridCell, ...]]:
        cells = parted.counts
        if task.numbers is not None:
            cells = task.numbers.centre_and_error(np.array(parted.counts))[0][:, None].tolist()
        return lambda branch: (names[branch], *cells[branch], parted.weights[branch], parted.mixed[branch])

    columns = (heading, *of_branch, "rows", impurity.sign)
    side: OnSheet = "asked" if best_of_several else "given"
    on_sheet: tuple[OnSheet, ...] = (*(side,) * (len(columns) - 1), "asked")
    title = f"{heading} × {task.schema.predicted.name}"
    return Grid(title, columns, prepared(len(names), rows), on_sheet=on_sheet)


@lru_cache
def _gain_formula(sign: str, means: str, missing: bool) -> Expression:
    """I(S) − Σ n_v/n · I(S_v), on the known cells and for their part of the rows where some are empty."""

    def mixed(rows: Expression) -> Applied:
        return Applied(sign, (rows,), means=means)

    rows = Symbol("n", "known", "the number of rows whose value is known") if missing else _GAIN_N
    share = Symbol("n", "v", "the number of rows that follow branch v") / rows
    after = Over("Σ", "v", share * mixed(Symbol("S", "v", "the rows that follow branch v")))
    whole = Symbol("known", means="the rows whose value is known") if missing else _S
    fall = mixed(whole) - after
    return rows / _GAIN_N * fall if missing else fall


# Impurity in figures: how mixed a set of rows is, by the learner's own measure, with its formula put in.


@dataclass(frozen=True, slots=True)
class WrittenMeasure:
    """A measure as it is written: its sign, its formula, and the numbers put in for counts [level]."""

    sign: str  # H(S)
    formula: Expression
    put_in: Callable[[Sequence[float], float], Expression]  # and the value where it is not written out

    exact: Callable[[tuple[float, ...]], Fraction | None] | None = None  # where it is a fraction
    means: str = ""  # of the sign: the entropy

    def named(self, of: str, counts: Sequence[float], value: float) -> ValueOf:
        """The measure of a set of rows inside another's expression, as a fraction where it is one."""
        if self.exact is not None:
            exact = self.exact(tuple(counts))
            if exact is not None:
                return ValueOf(f"{self.sign}({of})", exact)
        return ValueOf(f"{self.sign}({of})", value)

    def figure(self, of: str, counts: Sequence[float], value: float, rows: Rows | None = None) -> Figure:
        """The measure of one set of rows."""
        return Figure(f"{self.sign}({of})", value, self.formula, self.put_in(counts, value), rows)


def impurity_of(measure: str) -> WrittenMeasure:
    """How a measure of classes is written; one without a formula is refused."""
    impurity = IMPURITIES[measure]
    written = impurity.formula
    if written is None:
        raise SettingError(
            f"The measure '{measure}' has no formula, so that its numbers cannot be derived. "
            f"Derive a tree by another measure, or give it one: Impurity(…, formula=Formula(…))."
        )
    means = f"the {impurity.name_in_text(measure)}"
    return WrittenMeasure(written.sign, written.formula, written.put_in, written.exact, means)


# Figures of a node's own rows: how many of each class, with their factors, and how mixed they are.


_N_C: Final = Symbol("n", "c", "the number of rows of class c")

_ALL: Final = Over("Σ", "c", _N_C)
_WEIGHED: Final = Over(
    "Σ", "c", Symbol("factor", "c", "the factor by which the priors weight class c") * _N_C
)


def node_figures(place: TreePlace, impurity: WrittenMeasure) -> tuple[Figure, ...]:
    """The rows here, and their impurity."""
    mixed = impurity.figure("S", place.counts.tolist(), place.mixed, place.rows)
    return counts_figure(place), mixed


def _added(terms: Iterable[Expression]) -> Expression:
    held = tuple(terms)
    return Sum(held) if held else Number(0)


def counts_figure(place: TreePlace) -> Figure:
    """How many rows are here, by class; with a class's factor, where it has one, and what it then weighs."""
    task, weights = place.task, place.counts.tolist()
    total = float(task.weight(place.counts))
    if task.numbers is not None:
        return Figure("n", total, rows=place.rows)
    name, classes = task.schema.predicted.name, task.schema.classes
    if (task.factors == 1.0).all():
        grid = Grid("Classes", (name, "rows"), list(zip(classes, weights, strict=True)))
        return Figure("n", total, _ALL, _added(count(w) for w in weights if w > 0), place.rows, grids=(grid,))
    raw, factors = task.raw(place.counts).tolist(), task.factors.tolist()
    lines = list(zip(classes, raw, factors, weights, strict=True))
    grid = Grid("Classes", (name, "rows", "factor", "weight"), lines)
    put_in = _added(count(f) * count(r) for r, f in zip(raw, factors, strict=True) if r > 0)
    because = "So the rows weigh while the tree grows: priors and costs give each class a factor."
    return Figure("n, weighed", total, _WEIGHED, put_in, place.rows, because=because, grids=(grid,))


_MOST_TERMS: Final = 40  # a longer sum is named, not written out


def spread_of(numbers: BySums | WeightByValue) -> WrittenMeasure:
    """How the error of a tree of numbers is written."""
    match numbers:
        case BySums(_, origin):
            return _FROM_ZERO if origin == 0 else _FROM_NEAR
        case WeightByValue(values):
            return _from_the_median(values)


def centre_figures(place: TreePlace) -> tuple[Figure, ...]:
    """The number from which those of the rows are measured: their mean, or their median."""
    numbers = place.task.numbers
    assert numbers is not None
    _, centre, _ = place.task.summary(place.counts)
    if isinstance(numbers, WeightByValue):
        return (Figure("median", centre, rows=place.rows),)
    weight, distance, _ = place.counts.tolist()
    share = count(distance) / count(weight)
    if numbers.origin == 0:
        return (Figure("mean", centre, _mean(_Y), share, place.rows),)
    reason = "A round number near the mean: the squares of distances from it keep all their digits."
    mean = Figure("mean", centre, _C + _mean(_FROM_C), count(numbers.origin) + share, place.rows)
    return Figure("c", numbers.origin, because=reason), mean


_Y: Final = Symbol("y", means="the value of a row")
_C: Final = Symbol("c", means="a value near the mean, from which distances are taken")
_N: Final = Symbol("n", means="the sum of the rows' weights")
_W: Final = Symbol("w", means="the weight of a row")
_FROM_C: Final = _Y - _C


def _mean(of: Expression) -> Expression:
    return Over("Σ", "i", _W * of) / _N


def _about_the_mean(squares: Expression, distances: Expression, weight: Expression) -> Expression:
    """Σ(y − ȳ)² ÷ n, by the sums of the distances and of their squares."""
    return (squares - (distances**2 / weight)) / weight


def _formula(distance: Expression) -> Expression:
    squares = Over("Σ", "i", _W * distance**2)
    return _about_the_mean(squares, Over("Σ", "i", _W * distance), _N)


def _by_sums(counts: Sequence[float], value: float) -> Expression:
    weight, distances, squares = counts
    if not weight > 0 or value == 0:
        return Number(0)
    return _about_the_mean(count(squares), count(distances), count(weight))


_MSE: Final = "the mean squared error"
_FROM_ZERO: Final = WrittenMeasure("MSE", _formula(_Y), _by_sums, means=_MSE)
_FROM_NEAR: Final = WrittenMeasure("MSE", _formula(_FROM_C), _by_sums, means=_MSE)


def _from_the_median(values: Floats) -> WrittenMeasure:
    def put_in(counts: Sequence[float], value: float) -> Expression:
        held = [(y, w) for y, w in zip(values.tolist(), counts, strict=True) if w > 0]
        total = count(sum(w for _, w in held))
        if not held:
            return Number(0)
        if len(held) > _MOST_TERMS:
            return Applied("mean absolute deviation", (total,), value)
        median = Number(float(absolute_error(values, np.asarray(counts))[0]))
        away = [(w, Number(y) - median) for y, w in held]
        terms = [count(w) * Extreme("max", (gap, -gap)) for w, gap in away]
        return Sum(tuple(terms)) / total

    gap = _Y - Symbol("median")
    return WrittenMeasure("MAE", _mean(Applied("abs", (gap,))), put_in, means="the mean absolute error")
