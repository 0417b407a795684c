"""Figures of a leaf: the answer of its rows, their share of it, and the interval that share stands in."""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np

from clearwood.derive.expressions import (
    Expression,
    Negative,
    Number,
    Power,
    Product,
    Quotient,
    Root,
    Sum,
    Symbol,
)
from clearwood.derive.figures import Figure, Rows
from clearwood.derive.numbers import count, part
from clearwood.measures.p_values import normal_quantile
from clearwood.measures.wilson import wilson
from clearwood.models.decision import Decision
from clearwood.models.tree import Tree
from clearwood.predict.answers import cheapest, cost_matrix, holds_medians


def leaf_figures(tree: Tree, counts: tuple[float, ...], rows: Rows) -> tuple[Figure, ...]:
    """What a leaf with these counts answers, and how sure it is; nothing where no row is here."""
    if tree.is_numeric:
        weight, value, error = counts
        if not weight > 0:
            return ()
        sure = () if holds_medians(tree) else mean_interval_figures(value, error / weight, weight)
        return (Figure("answer", value, rows=rows), *sure)
    if not sum(counts) > 0:
        return ()
    classes = tree.schema.classes
    factors = tree.decision.factors or (1.0,) * len(classes)
    weighed = [c * f for c, f in zip(counts, factors, strict=True)]
    total = sum(weighed)
    shares = np.array(weighed) / total
    code = int(cheapest(shares[None], cost_matrix(tree.decision))[0])
    said = classes[code]
    share = Figure(
        f"P({said})",
        float(shares[code]),
        Quotient(Symbol("n", "c"), Symbol("n")),
        part(weighed[code], total),
        rows,
    )
    costs = _costs(tree.decision, classes, shares.tolist()) if tree.decision.costs else ()
    return (*costs, Figure("answer", said, rows=rows), share, *interval_figures(counts[code], sum(counts)))


def interval_figures(hits: float, total: float, confidence: float = 0.95) -> tuple[Figure, Figure]:
    """Both ends of Wilson's interval for a share."""
    z = _deviate(confidence)
    low, high = (float(end) for end in wilson(hits, total, confidence))
    lower, upper = _ends()
    return (
        Figure(
            "interval from", low, lower,
            _end(part(hits, total), count(total), Number(z), -1) if hits > 0 else Number(0),
            because=f"Wilson's interval at {confidence:.0%}, z = {z:.4f}.",
        ),
        Figure(
            "interval to", high, upper,
            _end(part(hits, total), count(total), Number(z), 1) if hits < total else Number(1),
        ),
    )  # fmt: skip


def mean_interval_figures(
    mean: float, spread: float, weight: float, confidence: float = 0.95
) -> tuple[Figure, Figure]:
    """Both ends of the interval of a mean: mean ± z · √(mean squared error ÷ weight)."""
    z = _deviate(confidence)
    reach = z * math.sqrt(spread / weight)
    formula = Product((Symbol("z"), Root(Quotient(Symbol("MSE"), Symbol("n")))))
    put_in = Product((Number(z), Root(Quotient(Number(spread), count(weight)))))
    return (
        Figure(
            "interval from",
            mean - reach,
            Sum((Symbol("mean"), Negative(formula))),
            Sum((Number(mean), Negative(put_in))),
            because=f"At {confidence:.0%}, z = {z:.4f}.",
        ),
        Figure("interval to", mean + reach, Sum((Symbol("mean"), formula)), Sum((Number(mean), put_in))),
    )


@lru_cache
def _deviate(confidence: float) -> float:
    return float(normal_quantile(0.5 + confidence / 2))


@lru_cache
def _ends() -> tuple[Expression, Expression]:
    p, n, z = Symbol("p"), Symbol("n"), Symbol("z")
    return _end(p, n, z, -1), _end(p, n, z, 1)


def _end(p: Expression, n: Expression, z: Expression, side: int) -> Expression:
    """(p + z²/2n ± z·√(p(1 − p)/n + z²/4n²)) ÷ (1 + z²/n)"""
    squared = Power(z, Number(2))
    spread = Sum(
        (
            Quotient(Product((p, Sum((Number(1), Negative(p))))), n),
            Quotient(squared, Product((Number(4), Power(n, Number(2))))),
        )
    )
    reach: Expression = Product((z, Root(spread)))
    top = Sum((p, Quotient(squared, Product((Number(2), n))), reach if side > 0 else Negative(reach)))
    return Quotient(top, Sum((Number(1), Quotient(squared, n))))


def _costs(decision: Decision, classes: tuple[str, ...], shares: list[float]) -> tuple[Figure, ...]:
    """What calling the rows each class would cost."""
    figures = []
    for j, called in enumerate(classes):
        terms = tuple(Product((Number(share), count(decision.costs[i][j]))) for i, share in enumerate(shares))
        paid = sum(share * decision.costs[i][j] for i, share in enumerate(shares))
        figures.append(Figure(f"cost of saying {called}", paid, put_in=Sum(terms)))
    return tuple(figures)
