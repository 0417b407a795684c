"""A Figure: one number, how it was computed, the rows it rests on, and the figures under it."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import field
from fractions import Fraction
from functools import partial
from typing import Final, Generic, Literal, TypeAlias, TypeVar, overload

from clearwood.formulas.conditions import Condition, all_of
from clearwood.formulas.expressions import (
    Compared,
    Expression,
    Number,
    Sign,
    Symbol,
    ValueOf,
    exact_of,
    value_of,
)
from clearwood.records import dataclass

GridCell: TypeAlias = "str | int | float | Fraction | bool | None"
# What a worksheet does with it: gives it, asks for it, or keeps it for the key, as it gives an answer away.
OnSheet: TypeAlias = Literal["given", "asked", "in key"]
GIVEN: Final[OnSheet] = "given"
ASKED: Final[OnSheet] = "asked"


@dataclass(frozen=True, slots=True)
class Rows:
    """The rows of a figure: how many (by weight), what holds for them, and what no condition can express.

    >>> from clearwood.formulas.conditions import Equals
    >>> str(Rows(5.0, (Equals("Outlook", "Sunny"),))), str(Rows(14.0)), str(Rows(3.0, (), "not yet covered"))
    ('Outlook = Sunny', 'all rows', 'rows not yet covered')
    """

    weight: float
    when: tuple[Condition, ...] = ()
    besides: str = ""

    def __str__(self) -> str:
        if not self.besides:
            return all_of(self.when) if self.when else "all rows"
        return f"{all_of(self.when)}, {self.besides}" if self.when else f"rows {self.besides}"


@dataclass(frozen=True, slots=True)
class Grid:
    """Figures side by side: a contingency table, every candidate cut, the iterations of a fit.

    The first column names the row. `rows` may be made as they are asked for, since a column may have
    thousands of cuts. `chosen` is the row that was taken. `figure_of` makes the figure that a row stands for.
    `on_sheet` says of each column what a worksheet does with it; where it says nothing, the first column and
    what was counted are given. A grid that is `ranked`, best first, is listed by name on a worksheet.
    """

    title: str
    columns: tuple[str, ...]
    rows: Sequence[tuple[GridCell, ...]]
    chosen: int | None = None
    figure_of: Callable[[int], Figure] | None = field(default=None, compare=False, repr=False)
    on_sheet: tuple[OnSheet, ...] = ()  # [column]
    ranked: bool = False


@dataclass(frozen=True, slots=True)
class Figure:
    """A number that shows its work; `value` may be a word (a class, an attribute) where that was decided.

    A `Named` number in `put_in` is the value of the figure of that name under this one, else beside it in the
    same step, else in the latest step before.

    >>> from clearwood.formulas.expressions import Number, Quotient
    >>> prior = Figure("P(yes)", 9 / 14, put_in=Quotient(Number(9), Number(14)), rows=Rows(14.0))
    >>> prior.exact
    Fraction(9, 14)
    """

    name: str
    value: float | str | bool | None
    formula: Expression | None = None
    put_in: Expression | None = None
    rows: Rows | None = None
    unit: str = ""
    because: str = ""  # a sentence: the rule that applies, the guard that keeps it out
    grids: tuple[Grid, ...] = ()
    under: Sequence[Figure] = ()  # may be made when asked for
    on_sheet: OnSheet = "asked"
    alias: str = ""  # its name on a worksheet, where its name gives an answer away
    share_of: str | None = None  # the class whose share for the row it is
    is_interval: bool = False  # an end of one, which a page may leave out
    each_has: str = ""  # what every candidate of a search has one of, such as a gain

    @property
    def number(self) -> float:
        """The value, which is a number."""
        assert isinstance(self.value, float)
        return self.value

    @property
    def exact(self) -> Fraction | None:
        """The value as a fraction, where it is one."""
        return None if self.put_in is None else exact_of(self.put_in)

    def walk(self) -> Iterator[Figure]:
        """This figure and all under it, each before those under it."""
        yield self
        for each in self.under:
            yield from each.walk()

    def in_grids(self) -> Iterator[Figure]:
        """The figures that the rows of its grids stand for, and all under them."""
        for grid in self.grids:
            if grid.figure_of is not None:
                for place in range(len(grid.rows)):
                    yield from grid.figure_of(place).walk()


# A lazy sequence: so many things, each made when it is looked at. A large tree has thousands of steps.


Item = TypeVar("Item")


class Lazy(Sequence[Item], Generic[Item]):
    """So many, each made from its place; a part of them is as lazy.

    >>> squares = Lazy(1000, lambda place: place * place)
    >>> len(squares), squares[7], list(squares[-2:])
    (1000, 49, [996004, 998001])
    """

    def __init__(self, size: int, make: Callable[[int], Item]) -> None:
        self._places = range(size)
        self._make = make

    def __len__(self) -> int:
        return len(self._places)

    @overload
    def __getitem__(self, place: int) -> Item: ...
    @overload
    def __getitem__(self, place: slice) -> Lazy[Item]: ...
    def __getitem__(self, place: int | slice) -> Item | Lazy[Item]:
        if isinstance(place, slice):
            part = self._places[place]
            return Lazy(len(part), lambda i: self._make(part[i]))
        return self._make(self._places[place])

    def __iter__(self) -> Iterator[Item]:
        return map(self._make, self._places)


def each_by(makers: Sequence[Callable[[], Item]]) -> Lazy[Item]:
    """What each of the makers makes, in their order.

    >>> made = each_by([lambda: "first", lambda: str(1 / 0)])
    >>> len(made), made[0]
    (2, 'first')
    """
    return Lazy(len(makers), lambda place: makers[place]())


def prepared(size: int, prepare: Callable[[], Callable[[int], Item]]) -> Lazy[Item]:
    """So many; what makes one from its place is itself made, once, when the first is looked at.

    >>> rows = prepared(1000, lambda: lambda place: (place, place * place))
    >>> rows[7], list(rows[-2:])
    ((7, 49), [(998, 996004), (999, 998001)])
    """
    made: list[Callable[[int], Item]] = []

    def make(place: int) -> Item:
        if not made:
            made.append(prepare())
        return made[0](place)

    return Lazy(size, make)


def chained(*parts: Sequence[Item]) -> Lazy[Item]:
    """Several sequences, one after the other."""
    return each_by([partial(part.__getitem__, place) for part in parts for place in range(len(part))])


# Shorthand: the few phrases of which most figures' expressions are put together.


_LARGEST_DENOMINATOR: Final = 1000
_LARGEST_TO_CARRY_ON: Final = 10**12


def named(figure: Figure) -> ValueOf:
    """A figure's value inside another's expression, as a fraction where it is one."""
    assert isinstance(figure.value, int | float)
    exact = figure.exact
    if exact is not None and exact.denominator <= _LARGEST_TO_CARRY_ON:
        return ValueOf(figure.name, exact)
    return ValueOf(figure.name, figure.value)


def in_decimals(figure: Figure) -> ValueOf:
    """A figure's value inside another's expression as a decimal number, where it goes into a logarithm."""
    return ValueOf(figure.name, figure.number)


def of_figures(name: str, value: float, rule: Callable[..., Expression], *parts: Figure) -> Figure:
    """What a rule makes of other figures: in the formula they stand by their names.

    >>> length, width = (Figure(name, value, put_in=plain(value)) for name, value in (("a", 2.0), ("b", 3.0)))
    >>> of_figures("area", 6.0, lambda a, b: a * b, length, width).exact
    Fraction(6, 1)
    """
    return Figure(name, value, rule(*(Symbol(each.name) for each in parts)), rule(*map(named, parts)))


def compared(
    name: str, holds: bool, left: Figure, sign: Sign, right: Expression, nearly: Expression, close: str
) -> Figure:
    """Whether a comparison holds, which was decided with a tolerance: where the figure itself says otherwise,
    it is compared with what is `nearly` the right side, and `close` says why."""
    put_in = Compared(named(left), sign, right)
    if holds == (value_of(put_in) > 0):
        return Figure(name, holds, put_in=put_in)
    return Figure(name, holds, put_in=Compared(named(left), sign, nearly), because=close)


def plain(value: int | float | Fraction) -> Number:
    """A number as a person has it: whole if it is, a fraction if its denominator is small.

    >>> plain(2.0), plain(Fraction(1, 2)), plain(Fraction(0.1))
    (Number(value=2), Number(value=Fraction(1, 2)), Number(value=0.1))
    """
    if isinstance(value, float) and not math.isfinite(value):
        return Number(value)
    if value == int(value):
        return Number(int(value))
    if isinstance(value, Fraction) and value.denominator <= _LARGEST_DENOMINATOR:
        return Number(value)
    return Number(float(value))
