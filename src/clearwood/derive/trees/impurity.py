"""Impurity in figures: how mixed a set of rows is, by the learner's own measure, with its formula put in."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Final

import numpy as np

from clearwood.derive.expressions import (
    Applied,
    Expression,
    Extreme,
    Log,
    Named,
    Negative,
    Number,
    Over,
    Power,
    Product,
    Quotient,
    Sum,
    Symbol,
)
from clearwood.derive.figures import Figure, Rows
from clearwood.derive.numbers import count, part
from clearwood.learners.by_counts.task import Task
from clearwood.measures.absolute_error import absolute_error
from clearwood.measures.counts import Floats
from clearwood.measures.squared_error import squared_error

_MOST_TERMS: Final = 40  # a sum of more is said, not written out


@dataclass(frozen=True, slots=True)
class Impurity:
    """A measure as it is written: its sign, its formula, and the numbers put in for counts [level]."""

    sign: str  # H(S)
    formula: Expression
    put_in: Callable[[Sequence[float], float], Expression]  # and the value where it is not written out

    exact: Callable[[tuple[float, ...]], Fraction | None] | None = None  # where it is a fraction

    def named(self, of: str, counts: Sequence[float], value: float) -> Named:
        """The measure of a set of rows inside another's expression, as a fraction where it is one."""
        if self.exact is not None:
            exact = self.exact(tuple(counts))
            if exact is not None:
                return Named(f"{self.sign}({of})", exact)
        return Named(f"{self.sign}({of})", value)

    def figure(self, of: str, counts: Sequence[float], value: float, rows: Rows | None = None) -> Figure:
        """The measure of one set of rows."""
        return Figure(f"{self.sign}({of})", value, self.formula, self.put_in(counts, value), rows)


def impurity_of(task: Task, measure: str) -> Impurity:
    """How a task's measure is written; one that has no formula here is said by its name."""
    if task.values is not None:
        return _ERRORS[measure](task.values)
    if measure in _IMPURITIES:
        return _IMPURITIES[measure]
    return Impurity(
        measure,
        Applied(measure, (Symbol("S"),)),
        lambda counts, value: Applied(measure, tuple(map(count, counts)), value),
    )


_SHARE: Final = Symbol("p", "c")
_ONE: Final = Number(1)
_TWO: Final = Number(2)


def _entropy(counts: Sequence[float], _: float) -> Expression:
    return bits(tuple(w for w in counts if w > 0))


@lru_cache(maxsize=1 << 14)
def bits(weights: tuple[float, ...]) -> Expression:
    """−Σ p · log₂ p of the classes that are there; those that are not add nothing."""
    total = sum(weights)
    shares = [part(w, total) for w in weights]
    return Sum(tuple(Negative(Product((p, Log(p)))) for p in shares)) if shares else Number(0)


def _gini(counts: Sequence[float], _: float) -> Expression:
    return _differ(tuple(w for w in counts if w > 0))


@lru_cache(maxsize=1 << 14)
def _differ(weights: tuple[float, ...]) -> Expression:
    total = sum(weights)
    squares = [Negative(Power(part(w, total), _TWO)) for w in weights]
    return Sum((_ONE, *squares)) if squares else Number(0)


@lru_cache(maxsize=1 << 14)
def _exact_gini(weights: tuple[float, ...]) -> Fraction | None:
    if not all(map(float.is_integer, weights)):
        return None
    total = int(sum(weights))
    return 1 - Fraction(sum(int(w) ** 2 for w in weights), total**2) if total else Fraction(0)


@lru_cache(maxsize=1 << 14)
def _exact_error(weights: tuple[float, ...]) -> Fraction | None:
    if not all(map(float.is_integer, weights)):
        return None
    total = int(sum(weights))
    return 1 - Fraction(int(max(weights)), total) if total else Fraction(0)


def _error(counts: Sequence[float], _: float) -> Expression:
    weights = [w for w in counts if w > 0]
    total = sum(weights)
    largest = Extreme("max", tuple(part(w, total) for w in weights))
    return Sum((Number(1), Negative(largest))) if weights else Number(0)


def _squared(values: Floats) -> Impurity:
    def put_in(counts: Sequence[float], value: float) -> Expression:
        return _deviations(values, np.asarray(counts), value, "mean", lambda gap: Power(gap, Number(2)))

    gap = Sum((Symbol("y"), Negative(Symbol("mean"))))
    terms = Over("Σ", "i", Product((Symbol("w"), Power(gap, Number(2)))))
    return Impurity("MSE", Quotient(terms, Symbol("n")), put_in)


def _absolute(values: Floats) -> Impurity:
    def put_in(counts: Sequence[float], value: float) -> Expression:
        return _deviations(
            values, np.asarray(counts), value, "median", lambda gap: Extreme("max", (gap, Negative(gap)))
        )

    gap = Sum((Symbol("y"), Negative(Symbol("median"))))
    terms = Over("Σ", "i", Product((Symbol("w"), Applied("abs", (gap,)))))
    return Impurity("MAE", Quotient(terms, Symbol("n")), put_in)


def _deviations(
    values: Floats, counts: Floats, value: float, centre: str, of: Callable[[Expression], Expression]
) -> Expression:
    """The mean deviation of numbers from their centre, written out where there are few of them."""
    held = np.flatnonzero(counts > 0)
    total = float(counts.sum())
    if not len(held):
        return Number(0)
    if len(held) > _MOST_TERMS:
        kind = "squared" if centre == "mean" else "absolute"
        return Applied(f"mean {kind} deviation", (count(total),), value)
    y, w = values[held], counts[held]
    middle = _centre(y, w, centre)
    terms = [
        Product((count(each), of(Sum((Number(at), Negative(Number(middle)))))))
        for at, each in zip(y.tolist(), w.tolist(), strict=True)
    ]
    return Quotient(Sum(tuple(terms)), count(total))


def centre_figure(task: Task, measure: str, counts: Floats, rows: Rows) -> Figure:
    """The number from which those of the rows are measured: their mean, or their median."""
    assert task.values is not None
    held = np.flatnonzero(counts > 0)
    y, w = task.values[held], counts[held]
    if measure == "absolute":
        return Figure("median", _centre(y, w, "median"), rows=rows)
    middle, total = _centre(y, w, "mean"), count(float(w.sum()))
    written_out: Expression = Applied("mean", (total,), middle)
    if len(held) <= _MOST_TERMS:
        pairs = zip(w.tolist(), y.tolist(), strict=True)
        written_out = Quotient(Sum(tuple(Product((count(n), Number(at))) for n, at in pairs)), total)
    return Figure("mean", middle, _MEAN, written_out, rows)


def _centre(values: Floats, weights: Floats, which: str) -> float:
    return float((squared_error if which == "mean" else absolute_error)(values, weights)[0])


_MEAN: Final = Quotient(Over("Σ", "i", Product((Symbol("w"), Symbol("y")))), Symbol("n"))
_IMPURITIES: Final[Mapping[str, Impurity]] = {
    "entropy": Impurity("H", Negative(Over("Σ", "c", Product((_SHARE, Log(_SHARE))))), _entropy),
    "gini": Impurity(
        "Gini", Sum((Number(1), Negative(Over("Σ", "c", Power(_SHARE, Number(2)))))), _gini, _exact_gini
    ),
    "error": Impurity("error", Sum((Number(1), Negative(Over("max", "c", _SHARE)))), _error, _exact_error),
}
_ERRORS: Final[Mapping[str, Callable[[Floats], Impurity]]] = {"squared": _squared, "absolute": _absolute}
