"""A Figure: one number, how it was computed, the rows it rests on, and the figures under it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

from clearwood.derive.expressions import Expression, exact_of
from clearwood.models.conditions import Condition, all_of

Cell: TypeAlias = "str | int | float | Fraction | bool | None"


@dataclass(frozen=True, slots=True)
class Rows:
    """The rows a figure rests on: how many (by weight), and what holds of them; no condition: all rows."""

    weight: float
    when: tuple[Condition, ...] = ()

    def __str__(self) -> str:
        return all_of(self.when) if self.when else "all rows"


@dataclass(frozen=True, slots=True)
class Grid:
    """Figures side by side: a contingency table, every candidate cut, the iterations of a fit.

    The first column names the row. `rows` may be made as they are asked for, since a column may have
    thousands of cuts. `chosen` is the row that was taken.
    """

    title: str
    columns: tuple[str, ...]
    rows: Sequence[tuple[Cell, ...]]
    chosen: int | None = None


@dataclass(frozen=True, slots=True)
class Figure:
    """A number that shows its work; `value` may be a word (a class, an attribute) where that was decided.

    >>> from clearwood.derive.expressions import Number, Quotient
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
    under: tuple[Figure, ...] = ()

    @property
    def exact(self) -> Fraction | None:
        """The value as a fraction, where it is one."""
        return None if self.put_in is None else exact_of(self.put_in)

    def walk(self) -> Iterator[Figure]:
        """This figure and all under it, each before those under it."""
        yield self
        for each in self.under:
            yield from each.walk()
