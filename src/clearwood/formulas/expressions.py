"""Expressions: how a figure is computed, as data that can be evaluated, exactly where possible, and written.

Glossary. A *formula* is an expression in symbols, true of every table: −Σ p_c · log₂ p_c. What is *put in* is
an expression in numbers, true of one: −(9/14) · log₂(9/14) − (5/14) · log₂(5/14). A `ValueOf` number is the
value of another figure, which stands under this one; a `Symbol` has no value, nor has what it is part of.
A *program* is expressions over the cells of a row, step by step: `models/program/` evaluates it, adding and
multiplying from the first to the last, as other languages do, where figures are rounded once. A test is never
unknown: a condition on an empty cell holds or does not. A `CellNumber` is evaluated only where the cell is
known. `NOTHING` is the number that is none.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import field
from fractions import Fraction
from functools import lru_cache
from operator import eq, ge, gt, le, lt, ne
from typing import Any, Final, Literal, TypeAlias, TypeVar, assert_never, cast, get_args

from clearwood.formulas.conditions import Condition
from clearwood.records import dataclass
from clearwood.table.text import TextReading

Base: TypeAlias = Literal["2", "e", "10"]
Sign: TypeAlias = Literal["<", "≤", "=", "≠", "≥", ">"]


class Calculating:
    """Adds, multiplies and divides as numbers do, which become `Number`; `a + b + c` is one sum of three.

    >>> a, b = Symbol("a"), Symbol("b")
    >>> 1 - a / b == Sum((Number(1), Negative(Quotient(a, b))))
    True
    """

    __slots__ = ()

    def __add__(self, other: OrNumber) -> Sum:
        before = self.terms if isinstance(self, Sum) else (_operand(self),)
        return Sum((*before, _operand(other)))

    def __radd__(self, other: PlainNumber) -> Sum:
        return Sum((Number(other), _operand(self)))

    def __sub__(self, other: OrNumber) -> Sum:
        return self + Negative(_operand(other))

    def __rsub__(self, other: PlainNumber) -> Sum:
        return Sum((Number(other), Negative(_operand(self))))

    def __mul__(self, other: OrNumber) -> Product:
        before = self.factors if isinstance(self, Product) else (_operand(self),)
        return Product((*before, _operand(other)))

    def __rmul__(self, other: PlainNumber) -> Product:
        return Product((Number(other), _operand(self)))

    def __truediv__(self, other: OrNumber) -> Quotient:
        return Quotient(_operand(self), _operand(other))

    def __rtruediv__(self, other: PlainNumber) -> Quotient:
        return Quotient(Number(other), _operand(self))

    def __pow__(self, exponent: OrNumber) -> Power:
        return Power(_operand(self), _operand(exponent))

    def __neg__(self) -> Negative:
        return Negative(_operand(self))


@dataclass(frozen=True, slots=True)
class Number(Calculating):
    """A number put in: a count, a setting; a fraction is written as one."""

    value: int | float | Fraction


@dataclass(frozen=True, slots=True)
class ValueOf(Calculating):
    """The value of another figure, by the figure's name."""

    name: str
    value: int | float | Fraction


@dataclass(frozen=True, slots=True)
class Symbol(Calculating):
    """A letter or word of a formula; `below` is its index: p with c below.

    What a letter `means` belongs to its formula: p is the proportion of a class in one, a p-value in another.
    A word that says itself what it means needs no meaning.
    """

    name: str
    below: str = ""
    means: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True)
class Sum(Calculating):
    """The terms added; a `Negative` one is taken away."""

    terms: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Negative(Calculating):
    of: Expression


@dataclass(frozen=True, slots=True)
class Product(Calculating):
    """The factors multiplied; one that is 0 makes it 0, whatever the others: 0 · log 0 = 0."""

    factors: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Quotient(Calculating):
    top: Expression
    bottom: Expression


@dataclass(frozen=True, slots=True)
class Power(Calculating):
    base: Expression
    exponent: Expression


@dataclass(frozen=True, slots=True)
class Exp(Calculating):
    """e to the power of it."""

    of: Expression


@dataclass(frozen=True, slots=True)
class Log(Calculating):
    of: Expression
    base: Base = "2"


@dataclass(frozen=True, slots=True)
class Root(Calculating):
    of: Expression


@dataclass(frozen=True, slots=True)
class Binomial(Calculating):
    """How many ways there are to take `taken` out of `of`."""

    of: Expression
    taken: Expression


@dataclass(frozen=True, slots=True)
class Extreme(Calculating):
    """The least or the greatest of several."""

    which: Literal["min", "max"]
    of: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Applied(Calculating):
    """A function by name: H(S) in a formula; with a `value`, one that no schoolbook computes by hand,
    as the tail of a chi-square distribution. `means` is what a function named by a letter gives."""

    function: str
    to: tuple[Expression, ...]
    value: float | None = None
    means: str = field(default="", compare=False, kw_only=True)


@dataclass(frozen=True, slots=True)
class Over(Calculating):
    """Σ, Π, the largest or its place, over an index: in formulas only."""

    sign: Literal["Σ", "Π", "max", "min", "argmax", "argmin"]
    index: str
    of: Expression


@dataclass(frozen=True, slots=True)
class Compared(Calculating):
    """One side beside the other: it holds or it does not."""

    left: Expression
    sign: Sign
    right: Expression


class OfRows(Calculating):
    """What programs alone have: it depends on the row."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class CellNumber(OfRows):
    """The number in a row's cell."""

    name: str


@dataclass(frozen=True, slots=True)
class Earlier(OfRows):
    """What an earlier step came to."""

    step: str


@dataclass(frozen=True, slots=True)
class Absolute(OfRows):
    """A number without its sign."""

    of: Expression


@dataclass(frozen=True, slots=True)
class Floor(OfRows):
    """The largest whole number that is not above a number."""

    of: Expression


@dataclass(frozen=True, slots=True)
class ChoiceCase:
    """What a choice comes to where a test holds, and no test before it."""

    when: StepTest
    then: Expression


@dataclass(frozen=True, slots=True)
class Choose(OfRows):
    """The first case whose test holds; else `otherwise`."""

    cases: tuple[ChoiceCase, ...]
    otherwise: Expression


@dataclass(frozen=True, slots=True)
class Lookup(OfRows):
    """The number at a place, counted from 0, that a whole step gives."""

    values: tuple[float, ...]
    at: str


@dataclass(frozen=True, slots=True)
class PlaceOfValue(OfRows):
    """Where a cell's value stands among `values`, counted from 0; the places of a missing cell and of a value
    that is not listed are given."""

    name: str
    values: tuple[str, ...]
    missing: int
    unseen: int


@dataclass(frozen=True, slots=True)
class PlaceOfNumber(OfRows):
    """In which interval a cell lies: how many of the ascending `cuts` are below it (low < x ≤ high)."""

    name: str
    cuts: tuple[float, ...]
    missing: int


@dataclass(frozen=True, slots=True)
class LogOfBells(OfRows):
    """log Σ exp(log share − ((x − point) ÷ width)² ÷ 2) − log(width · √2π), the largest taken out first."""

    name: str
    points: tuple[float, ...]
    log_shares: tuple[float, ...]
    width: float


@dataclass(frozen=True, slots=True)
class LogOfWords(OfRows):
    """`base` and the log of each word that a text holds, every time or `once`."""

    name: str
    words: tuple[str, ...]
    logs: tuple[float, ...]
    base: float
    once: bool
    reading: TextReading


@dataclass(frozen=True, slots=True)
class Holds:
    """A cell satisfies a condition."""

    condition: Condition


@dataclass(frozen=True, slots=True)
class AllOf:
    """Every test holds; of none it does."""

    tests: tuple[StepTest, ...]


@dataclass(frozen=True, slots=True)
class AnyOf:
    """A test holds; of none none does."""

    tests: tuple[StepTest, ...]


# What stands in both, in figures alone, and in programs alone.
Arithmetic: TypeAlias = Number | Sum | Negative | Product | Quotient | Exp | Log | Extreme
InFigures: TypeAlias = ValueOf | Symbol | Power | Root | Binomial | Applied | Over | Compared
OverRows: TypeAlias = (
    CellNumber | Earlier | Absolute | Floor | Choose | Lookup | PlaceOfValue | PlaceOfNumber
    | LogOfBells | LogOfWords
)  # fmt: skip
Expression: TypeAlias = Arithmetic | InFigures | OverRows
StepTest: TypeAlias = Holds | Compared | AllOf | AnyOf
PlainNumber: TypeAlias = int | float | Fraction
OrNumber: TypeAlias = Expression | PlainNumber


def _operand(operand: OrNumber | Calculating) -> Expression:
    return Number(operand) if isinstance(operand, PlainNumber) else cast(Expression, operand)


NOTHING: Final = Number(math.nan)
ZERO: Final = Number(0.0)
ONE: Final = Number(1.0)

ASCII_SIGNS: Final[dict[Sign, str]] = {"<": "<", "≤": "<=", "=": "=", "≠": "!=", "≥": ">=", ">": ">"}


def difference(left: Expression, right: Expression) -> Sum:
    """`left` − `right`"""
    return Sum((left, Negative(right)))


def where(test: StepTest, then: Expression, otherwise: Expression) -> Choose:
    """The one where the test holds, else the other."""
    return Choose((ChoiceCase(test, then),), otherwise)


def earlier(steps: Iterable[str]) -> tuple[Earlier, ...]:
    """What each of these steps came to."""
    return tuple(map(Earlier, steps))


def of_program(expression: Expression) -> Arithmetic | OverRows:
    """The expression, which must be one that programs have."""
    if isinstance(expression, InFigures):
        raise AssertionError(f"a program has no {type(expression).__name__}")
    return expression


def of_figure(expression: Expression) -> Arithmetic | InFigures:
    """The expression, which must be one that figures have."""
    if isinstance(expression, OverRows):
        raise AssertionError(f"a figure has no {type(expression).__name__}")
    return expression


def value_of(expression: Expression) -> float:
    """What it comes to; a comparison to 1 or 0.

    NaN where there is no value: in a formula, for its symbols have none, or of the root of a negative number.

    >>> share = Quotient(Number(9), Number(14)), Quotient(Number(5), Number(14))
    >>> round(value_of(Negative(Sum(tuple(Product((p, Log(p))) for p in share)))), 3)
    0.94
    """
    match expression:
        case Number(value) | ValueOf(_, value):
            return float(value)
        case Symbol() | Over() | OfRows():  # these have a value in a program, for a row
            return math.nan
        case Sum(terms):
            return _sum([value_of(each) for each in terms])
        case Negative(of):
            return 0.0 - value_of(of)
        case Product(factors):
            values = [value_of(each) for each in factors]
            return 0.0 if 0.0 in values else math.prod(values)
        case Quotient(top, bottom):
            return _divided(value_of(top), value_of(bottom))
        case Power(base, exponent):
            return _power(value_of(base), value_of(exponent))
        case Exp(of):
            return _power(math.e, value_of(of))
        case Log(of, base):
            value = value_of(of)
            return -math.inf if value == 0 else _LOGS[base](value) if value > 0 else math.nan
        case Root(of):
            value = value_of(of)
            return math.sqrt(value) if value >= 0 else math.nan
        case Binomial(of, taken):
            all_of_them, some = value_of(of), value_of(taken)
            return (
                math.nan if math.isnan(all_of_them + some) else float(math.comb(int(all_of_them), int(some)))
            )
        case Extreme(which, of):
            values = [value_of(each) for each in of]
            return math.nan if any(map(math.isnan, values)) else (min if which == "min" else max)(values)
        case Applied(_, _, value):
            return math.nan if value is None else value
        case Compared(left, sign, right):
            # Exact sides are compared exactly: rounding must not decide whether 1/10 + 2/10 = 3/10.
            exact = _exact((left, right))
            if exact is not None:
                return float(compares(exact[0], exact[1], sign))
            one, two = value_of(left), value_of(right)
            return math.nan if math.isnan(one + two) else float(compares(one, two, sign))
        case _:
            assert_never(expression)


def exact_of(expression: Expression) -> Fraction | None:
    """What it comes to as a fraction; None where it has none, or its numbers are not exact.

    >>> exact_of(Sum((Quotient(Number(9), Number(14)), Number(1.0)))), exact_of(Log(Number(3)))
    (Fraction(23, 14), None)
    """
    match expression:
        case Number(value) | ValueOf(_, value):
            return _fraction(value)
        case Sum(terms):
            parts = _exact(terms)
            return None if parts is None else sum(parts, Fraction(0))
        case Negative(of):
            exact = exact_of(of)
            return None if exact is None else -exact
        case Product(factors):
            known = [exact for each in factors if (exact := exact_of(each)) is not None]
            if not all(known):
                return Fraction(0)
            return math.prod(known, start=Fraction(1)) if len(known) == len(factors) else None
        case Quotient(Number(int(top)), Number(int(bottom))) if bottom:
            return Fraction(top, bottom)
        case Quotient(top, bottom):
            parts = _exact((top, bottom))
            return parts[0] / parts[1] if parts is not None and parts[1] else None
        case Power(base, Number(int(exponent))) if abs(exponent) <= _LARGEST_POWER:
            exact = exact_of(base)
            return None if exact is None or (not exact and exponent < 0) else exact**exponent
        case Log(of, base):
            return _exact_log(exact_of(of), base)
        case Binomial(of, taken):
            parts = _exact((of, taken))
            return None if parts is None else Fraction(math.comb(int(parts[0]), int(parts[1])))
        case Extreme(which, of):
            parts = _exact(of)
            return None if parts is None else (min if which == "min" else max)(parts)
        case Power() | Exp() | Root() | Applied() | Symbol() | Over() | Compared() | OfRows():
            return None
        case _:
            assert_never(expression)


_LARGEST_POWER: Final = 64
_LOGS: Final = {"2": math.log2, "e": math.log, "10": math.log10}


def _fraction(value: int | float | Fraction) -> Fraction | None:
    if isinstance(value, float):
        return Fraction(int(value)) if math.isfinite(value) and value == int(value) else None
    return Fraction(value)


def _exact(parts: Sequence[Expression]) -> list[Fraction] | None:
    exacts = []
    for part in parts:
        exact = exact_of(part)
        if exact is None:
            return None
        exacts.append(exact)
    return exacts


def _exact_log(of: Fraction | None, base: Base) -> Fraction | None:
    """0 of 1, and whole numbers of powers of two."""
    if of is None or of.numerator <= 0:
        return None
    up, down = of.numerator, of.denominator
    if up == down:
        return Fraction(0)
    if base != "2":
        return None
    if up & (up - 1) or down & (down - 1):
        return None
    return Fraction(up.bit_length() - down.bit_length())


def _sum(values: list[float]) -> float:
    try:
        return math.fsum(values)
    except ValueError:  # ∞ − ∞
        return math.nan
    except OverflowError:  # beyond the largest number on the way
        return sum(values)


def _divided(top: float, bottom: float) -> float:
    if bottom:
        return top / bottom
    return math.nan if top == 0 or math.isnan(top) else math.copysign(math.inf, top)


def _power(base: float, exponent: float) -> float:
    try:
        value = base**exponent
    except (OverflowError, ZeroDivisionError):
        return math.inf
    return value if isinstance(value, float) else math.nan


_Side = TypeVar("_Side", float, Fraction)


def compares(left: _Side, right: _Side, sign: Sign) -> bool:
    """Does the comparison hold?"""
    return _COMPARE[sign](left, right)


_COMPARE: Final[dict[Sign, Callable[[Any, Any], bool]]] = {
    "<": lt, "≤": le, "=": eq, "≠": ne, "≥": ge, ">": gt,
}  # fmt: skip


# The letters of a formula, each with the meaning that this formula gives it, so that it can be defined.


@dataclass(frozen=True, slots=True)
class FormulaLetter:
    """A symbol, or the name of a function; a word may have no meaning but its own."""

    symbol: Symbol
    is_function: bool = False

    @property
    def means(self) -> str:
        return self.symbol.means

    @property
    def name(self) -> str:
        """With its index behind an underscore."""
        return f"{self.symbol.name}_{self.symbol.below}" if self.symbol.below else self.symbol.name

    def __str__(self) -> str:
        return f"{self.name}(…)" if self.is_function else self.name


def letters_in(expression: Expression) -> Iterator[FormulaLetter]:
    """Every symbol and every function, as they are read.

    >>> share = Quotient(Symbol("n", "c", "the number of rows of class c"), Symbol("n"))
    >>> [str(each) for each in letters_in(Applied("H", (share,)))]
    ['H(…)', 'n_c', 'n']
    >>> [each.means for each in letters_in(share)]
    ['the number of rows of class c', '']
    """
    if isinstance(expression, Symbol):
        yield FormulaLetter(expression)
    elif isinstance(expression, Applied):
        yield FormulaLetter(Symbol(expression.function, means=expression.means), is_function=True)
    for part in parts_of(expression):
        yield from letters_in(part)


def parts_of(expression: Expression) -> Iterator[Expression]:
    """The expressions that it is made of, in the order of its fields."""
    for name in expression.__slots__:
        value = getattr(expression, name)
        for part in value if isinstance(value, tuple) else (value,):
            if isinstance(part, _KINDS):
                yield part


_KINDS: Final = get_args(Expression)


# Numbers in derivations: counts as they are put in, and numbers as a sentence writes them.


_UP: Final = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


@lru_cache(maxsize=1 << 14)
def count(weight: float) -> Number:
    """A weight as it is put in: 9, not 9.0.

    >>> count(9.0), count(2.5)
    (Number(value=9), Number(value=2.5))
    """
    return Number(int(weight)) if weight == int(weight) else Number(weight)


@lru_cache(maxsize=1 << 14)
def part(weight: float, total: float) -> Quotient:
    """9/14"""
    return Quotient(count(weight), count(total))


# Expressions and numbers as JSON: arrays that begin with what they are, short for there are thousands.


JSON_NAMES: Final = {
    "Sum": "+", "Negative": "neg", "Product": "*", "Quotient": "/", "Power": "^", "Exp": "exp",
    "Root": "root", "Binomial": "binomial", "Absolute": "abs", "Floor": "floor",
}  # fmt: skip
_LARGEST: Final = 2**53  # from here on, a reader of JSON may hold another number


def number_to_json(value: int | float | Fraction) -> Any:
    """A number; a fraction as [top, bottom], what JSON has no number for as [text].

    >>> [number_to_json(x) for x in (14.0, 0.25, Fraction(9, 14), math.inf, math.nan, 2**60)]
    [14, 0.25, [9, 14], ['inf'], ['nan'], ['1152921504606846976']]
    """
    if isinstance(value, float):
        if not value.is_integer():  # neither are infinities, nor what is no number
            return value if math.isfinite(value) else [str(value)]
        if -_LARGEST < value < _LARGEST:
            return int(value)
    elif type(value) is int and -_LARGEST < value < _LARGEST:
        return value
    if value == int(value):
        return int(value) if -_LARGEST < value < _LARGEST else [str(int(value))]
    if isinstance(value, Fraction):
        parts = value.numerator, value.denominator
        return list(parts) if max(map(abs, parts)) < _LARGEST else list(map(str, parts))
    return value


def expression_to_json(expression: Expression) -> Any:
    """The expression as an array; a plain number as itself.

    >>> part = Quotient(Number(9), Number(14))
    >>> expression_to_json(Product((part, Log(Symbol("p", "c")))))
    ['*', ['/', 9, 14], ['log', '2', ['symbol', 'p', 'c']]]
    """
    expression = of_figure(expression)
    match expression:  # what is most frequent stands first
        case Number(value):
            written = number_to_json(value)
            return ["number", written] if isinstance(written, list) else written
        case Quotient(top, bottom):
            return ["/", expression_to_json(top), expression_to_json(bottom)]
        case Product(factors):
            return ["*", *map(expression_to_json, factors)]
        case Sum() | Negative() | Power() | Exp() | Root() | Binomial():
            return [JSON_NAMES[type(expression).__name__], *map(expression_to_json, parts_of(expression))]
        case Log(of, base):
            return ["log", base, expression_to_json(of)]
        case ValueOf(name, value):
            return ["named", name, number_to_json(value)]
        case Symbol(name, below):
            return ["symbol", name, below] if below else ["symbol", name]
        case Extreme(which, of):
            return [which, *map(expression_to_json, of)]
        case Applied(function, to, value):
            value_json = [] if value is None else [number_to_json(value)]
            return ["call", function, [expression_to_json(each) for each in to], *value_json]
        case Over(sign, index, of):
            return ["over", sign, index, expression_to_json(of)]
        case Compared(left, sign, right):
            return ["compare", sign, expression_to_json(left), expression_to_json(right)]
        case _:
            assert_never(expression)
