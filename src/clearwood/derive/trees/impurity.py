"""Impurity in figures: how mixed a set of rows is, by the learner's own measure, with its formula put in."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Final

from clearwood.formulas.expressions import (
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
    Sum,
    Symbol,
)
from clearwood.formulas.numbers import count, part
from clearwood.working.figures import Figure, Rows


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


def impurity_of(measure: str) -> Impurity:
    """How a measure of classes is written; one that has no formula here is said by its name."""
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


_IMPURITIES: Final[Mapping[str, Impurity]] = {
    "entropy": Impurity("H", Negative(Over("Σ", "c", Product((_SHARE, Log(_SHARE))))), _entropy),
    "gini": Impurity(
        "Gini", Sum((Number(1), Negative(Over("Σ", "c", Power(_SHARE, Number(2)))))), _gini, _exact_gini
    ),
    "error": Impurity("error", Sum((Number(1), Negative(Over("max", "c", _SHARE)))), _error, _exact_error),
}
