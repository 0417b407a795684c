"""A sheet: what will be written of each step, before any format is chosen."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, TypeAlias

from clearwood.formulas.expressions import Expression, Symbol


@dataclass(frozen=True, slots=True)
class Blank:
    """A place to be filled in by hand; the key to a worksheet gives what it hides, by its number."""

    number: int
    hides: tuple[Equation, ...]
    broad: bool = False  # room for a calculation, or for a number


Value: TypeAlias = "Expression | str | Blank"


@dataclass(frozen=True, slots=True)
class Equation:
    """What a figure is equal to: by a formula, in numbers, as a fraction, in decimals, in a word."""

    sign: Literal["=", "≈", ":"]
    value: Value
    unit: str = ""


@dataclass(frozen=True, slots=True)
class WrittenGrid:
    """The rows of a grid that are shown, as text; `before` and `after` count those not shown."""

    title: str
    columns: tuple[str, ...]
    numeric: tuple[bool, ...]  # [column]: set to the right
    rows: tuple[tuple[str | Blank, ...], ...]
    chosen: int | None  # among those shown
    before: int = 0
    after: int = 0


@dataclass(frozen=True, slots=True)
class WrittenFigure:
    """A figure: its equations, the rows it rests on, and the figures under it.

    `again`: all this is shown above.
    """

    name: str
    equations: tuple[Equation, ...] = ()
    remarks: tuple[str, ...] = ()
    letters: tuple[Symbol, ...] = ()  # of its formula, which are defined here
    grids: tuple[WrittenGrid, ...] = ()
    under: tuple[WrittenFigure, ...] = ()
    again: bool = False

    def blanks(self) -> Iterator[Blank]:
        """In the order of their numbers."""
        yield from (each.value for each in self.equations if isinstance(each.value, Blank))
        for grid in self.grids:
            yield from (cell for row in grid.rows for cell in row if isinstance(cell, Blank))
        for figure in self.under:
            yield from figure.blanks()


@dataclass(frozen=True, slots=True)
class WrittenStep:
    """A step; its chapter if it opens one. What gives away a worksheet's answers is in the key."""

    chapter: str
    number: int
    title: str
    figures: tuple[WrittenFigure, ...]
    decision: str | Blank
    title_in_key: str = ""  # where it is not the title
    in_key: tuple[WrittenFigure, ...] = ()
    depth: int = 0  # how many conditions its rows are under

    def blanks(self) -> Iterator[Blank]:
        """Every place of the step to be filled in, in the order of their numbers."""
        for figure in self.figures:
            yield from figure.blanks()
        if isinstance(self.decision, Blank):
            yield self.decision


def circled(number: int) -> str:
    """The number of a blank: in a circle up to 10.

    >>> circled(1), circled(10), circled(11)
    ('①', '⑩', '(11)')
    """
    # Many fonts have no more than ten of them.
    return chr(0x2460 + number - 1) if number <= 10 else f"({number})"
