"""Figures of a leaf: the answer of its rows, their share of it, and the interval that share stands in."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

import numpy as np

from clearwood.formulas.expressions import (
    Expression,
    Number,
    Over,
    Root,
    Sum,
    Symbol,
    count,
    part,
    value_of,
)
from clearwood.measures.inference import normal_quantile, wilson
from clearwood.models.decision import Decision, cheapest, cost_matrix
from clearwood.models.kinds.tree.tree import Tree
from clearwood.models.model import holds_medians
from clearwood.working.figures import Figure, Rows, in_decimals

_N_C: Final = Symbol("n", "c", "the number of rows of class c")
_N: Final = Symbol("n", means="the number of rows here")
_W: Final = Symbol("w", means="the weight of a row")
_Y: Final = Symbol("y", means="the value of a row")
_Z: Final = Symbol("z", means="the normal deviate of the interval")


def leaf_figures(tree: Tree, counts: tuple[float, ...], rows: Rows) -> tuple[Figure, ...]:
    """What a leaf with these counts answers, and how sure it is; nothing where no row is here."""
    if tree.is_numeric:
        return _of_numbers(tree, counts, rows) if counts[0] > 0 else ()
    total = sum(counts)
    if not total > 0:
        return ()
    classes = tree.schema.classes
    factors = tree.decision.factors
    weighed = [c * f for c, f in zip(counts, factors, strict=True)] if factors else list(counts)
    shares = np.array(weighed) / sum(weighed)
    code = int(cheapest(shares[None], cost_matrix(tree.decision))[0])
    answer = classes[code]
    share = Figure(
        f"P({answer})", float(shares[code]), *share_of(counts, factors, code), rows,
        because=by_factors(factors), alias="P(predicted)",
    )  # fmt: skip
    costs = _costs(tree.decision, classes, shares.tolist()) if tree.decision.costs else ()
    if factors:
        sure = interval_figures(share.number * total, total, p=in_decimals(share))
    else:
        sure = interval_figures(counts[code], total)
    return (*costs, Figure("prediction", answer, rows=rows), share, *sure)


def share_of(counts: Sequence[float], factors: Sequence[float], code: int) -> tuple[Expression, Expression]:
    """A class's share of the rows here: in symbols and in numbers, each class by its factor if it has one."""
    if not factors:
        return _SHARE, part(counts[code], math.fsum(counts))
    terms = [count(f) * count(c) for c, f in zip(counts, factors, strict=True)]
    return _WEIGHED_SHARE, terms[code] / Sum(tuple(terms))


def by_factors(factors: Sequence[float]) -> str:
    return "By the factors that the priors give the classes." if factors else ""


def _of_numbers(tree: Tree, counts: tuple[float, ...], rows: Rows) -> tuple[Figure, ...]:
    """The mean, how far the rows lie from it, and the interval it stands in; or the median alone."""
    weight, value, error = counts
    if holds_medians(tree):
        return (Figure("prediction", value, rows=rows, because="The median of the rows here."),)
    mean = Figure("prediction", value, _MEAN, count(_sum(value, weight)) / count(weight), rows)
    spread = squared_error_figure(error, weight)
    return mean, spread, *mean_interval_figures(mean, spread, count(weight))


def _sum(mean: float, weight: float) -> float:
    """What the rows add up to, without the digits that dividing and multiplying again left behind."""
    total = mean * weight
    near = float(f"{total:.12g}")
    return near if near / weight == mean else total


def squared_error_figure(error: float, weight: float) -> Figure:
    """How far the rows lie from their mean, squared, on average."""
    return Figure("MSE", error / weight, _MSE, Number(error) / count(weight))


@lru_cache(maxsize=1 << 12)
def interval_figures(
    hits: float,
    total: float,
    confidence: float = 0.95,
    p: Expression | None = None,
    n: Expression | None = None,
) -> tuple[Figure, Figure]:
    """Both ends of Wilson's interval for a share; `p` and `n` are written as given, else as hits ÷ total."""
    z = _deviate(confidence)
    low, high = (float(end) for end in wilson(hits, total, confidence))
    share, rows = p or part(hits, total), n or count(total)
    put_in = _end(share, rows, Number(z), -1), _end(share, rows, Number(z), 1)
    return _both_ends((low, high), _ends(), put_in, f"Wilson's interval at {confidence:.0%}, z = {z:.4f}")


def _both_ends(
    values: tuple[float, float],
    formulas: tuple[Expression, Expression],
    put_in: tuple[Expression, Expression],
    how: str,
) -> tuple[Figure, Figure]:
    because = f"{how}, of n rows."
    return (
        Figure("interval from", values[0], formulas[0], put_in[0], because=because, is_interval=True),
        Figure("interval to", values[1], formulas[1], put_in[1], is_interval=True),
    )


def mean_interval_figures(
    mean: Figure, spread: Figure, n: Expression, confidence: float = 0.95
) -> tuple[Figure, Figure]:
    """Both ends of the interval of a mean: mean ± z · √(mean squared error ÷ weight)."""
    z = _deviate(confidence)
    formula = _Z * Root(Symbol("MSE", means="the mean squared error") / _N)
    reach = Number(z) * Root(in_decimals(spread) / n)
    far, middle = value_of(reach), in_decimals(mean)
    formulas, put_in = (Symbol("mean") - formula, Symbol("mean") + formula), (middle - reach, middle + reach)
    return _both_ends(
        (mean.number - far, mean.number + far), formulas, put_in, f"At {confidence:.0%}, z = {z:.4f}"
    )


_SHARE: Final = _N_C / _N
_WEIGHING: Final = Symbol("factor", "c", "the factor by which the priors weight class c") * _N_C
_WEIGHED_SHARE: Final = _WEIGHING / Over("Σ", "c", _WEIGHING)
_MEAN: Final = Over("Σ", "i", _W * _Y) / _N
_AWAY: Final = (_Y - Symbol("mean")) ** 2
_MSE: Final = Over("Σ", "i", _W * _AWAY) / _N


@lru_cache
def _deviate(confidence: float) -> float:
    return float(normal_quantile(0.5 + confidence / 2))


@lru_cache
def _ends() -> tuple[Expression, Expression]:
    p, n, z = Symbol("p", means="the proportion of the predicted class"), _N, _Z
    return _end(p, n, z, -1), _end(p, n, z, 1)


def _end(p: Expression, n: Expression, z: Expression, side: int) -> Expression:
    """(p + z²/2n ± z·√(p(1 − p)/n + z²/4n²)) ÷ (1 + z²/n)"""
    squared = z**2
    spread = p * (1 - p) / n + squared / (4 * n**2)
    reach: Expression = z * Root(spread)
    top = p + squared / (2 * n) + (reach if side > 0 else -reach)
    return top / (1 + squared / n)


def _costs(decision: Decision, classes: tuple[str, ...], shares: list[float]) -> tuple[Figure, ...]:
    """What each prediction would cost."""
    figures = []
    for j, name in enumerate(classes):
        terms = tuple(Number(share) * count(decision.costs[i][j]) for i, share in enumerate(shares))
        paid = sum(share * decision.costs[i][j] for i, share in enumerate(shares))
        figures.append(Figure(f"cost of predicting {name}", paid, put_in=Sum(terms)))
    return tuple(figures)
