"""Formulas and tests: what a step of a program is made of, in terms that every language has.

A test is never unknown: a condition on an empty cell holds or does not, as `models/conditions.py` says. A
`Cell` is only asked for where it is known. `NOTHING` is the number that is none: NULL, None, NaN.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from clearwood.models.conditions import Condition
from clearwood.table.text import TextReading

CompareSign: TypeAlias = Literal["<", "<=", "=", ">=", ">"]


@dataclass(frozen=True, slots=True)
class Constant:
    """A number; NaN is `NOTHING`."""

    value: float


@dataclass(frozen=True, slots=True)
class CellNumber:
    """The number in a row's cell."""

    name: str


@dataclass(frozen=True, slots=True)
class Earlier:
    """What an earlier step came to."""

    step: str


@dataclass(frozen=True, slots=True)
class Total:
    """Added from the first to the last."""

    terms: tuple[StepFormula, ...]


@dataclass(frozen=True, slots=True)
class Minus:
    """`left` − `right`"""

    left: StepFormula
    right: StepFormula


@dataclass(frozen=True, slots=True)
class Multiplied:
    """Multiplied from the first to the last."""

    factors: tuple[StepFormula, ...]


@dataclass(frozen=True, slots=True)
class Divided:
    """`over` ÷ `under`, which is not 0."""

    over: StepFormula
    under: StepFormula


@dataclass(frozen=True, slots=True)
class ExpOf:
    """e to the power of a number; what is too small for a float is 0."""

    of: StepFormula


@dataclass(frozen=True, slots=True)
class LogOf:
    """The natural logarithm of a number above 0."""

    of: StepFormula


@dataclass(frozen=True, slots=True)
class Absolute:
    """A number without its sign."""

    of: StepFormula


@dataclass(frozen=True, slots=True)
class FloorOf:
    """The largest whole number that is not above a number."""

    of: StepFormula


@dataclass(frozen=True, slots=True)
class Largest:
    """The largest of numbers."""

    of: tuple[StepFormula, ...]


@dataclass(frozen=True, slots=True)
class ChoiceCase:
    """What a choice comes to where a test holds, and no test before it."""

    when: StepTest
    then: StepFormula


@dataclass(frozen=True, slots=True)
class Choose:
    """The first case whose test holds; else `otherwise`."""

    cases: tuple[ChoiceCase, ...]
    otherwise: StepFormula


@dataclass(frozen=True, slots=True)
class Lookup:
    """The number at a place, counted from 0, that a whole step gives."""

    values: tuple[float, ...]
    at: str


@dataclass(frozen=True, slots=True)
class PlaceOfValue:
    """Where a cell's value stands among `values`, counted from 0; the places of a missing cell and of a value
    that is not listed are given."""

    name: str
    values: tuple[str, ...]
    missing: int
    unseen: int


@dataclass(frozen=True, slots=True)
class PlaceOfNumber:
    """In which interval a cell lies: how many of the ascending `cuts` are below it (low < x ≤ high)."""

    name: str
    cuts: tuple[float, ...]
    missing: int


@dataclass(frozen=True, slots=True)
class LogOfBells:
    """log Σ exp(log share − ((x − point) ÷ width)² ÷ 2) − log(width · √2π), the largest taken out first."""

    name: str
    points: tuple[float, ...]
    log_shares: tuple[float, ...]
    width: float


@dataclass(frozen=True, slots=True)
class LogOfWords:
    """`base` and the log of each word that a text holds, every time or `once`."""

    name: str
    words: tuple[str, ...]
    logs: tuple[float, ...]
    base: float
    once: bool
    reading: TextReading


StepFormula: TypeAlias = (
    Constant
    | CellNumber
    | Earlier
    | Total
    | Minus
    | Multiplied
    | Divided
    | ExpOf
    | LogOf
    | Absolute
    | FloorOf
    | Largest
    | Choose
    | Lookup
    | PlaceOfValue
    | PlaceOfNumber
    | LogOfBells
    | LogOfWords
)


@dataclass(frozen=True, slots=True)
class Holds:
    """A cell satisfies a condition."""

    condition: Condition


@dataclass(frozen=True, slots=True)
class Compare:
    """Two numbers compared."""

    left: StepFormula
    sign: CompareSign
    right: StepFormula


@dataclass(frozen=True, slots=True)
class AllOf:
    """Every test holds; of none it does."""

    tests: tuple[StepTest, ...]


@dataclass(frozen=True, slots=True)
class AnyOf:
    """A test holds; of none none does."""

    tests: tuple[StepTest, ...]


StepTest: TypeAlias = Holds | Compare | AllOf | AnyOf

NOTHING: Final = Constant(math.nan)
ZERO: Final = Constant(0.0)
ONE: Final = Constant(1.0)
