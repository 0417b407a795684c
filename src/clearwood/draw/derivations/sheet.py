"""A sheet: what will be written of each step, before any format is chosen."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Final, Literal, TypeAlias

from clearwood.formulas.expressions import Expression, Symbol
from clearwood.words.numbers import superscript

Escape = Callable[[str], str]  # makes a text safe in the place it is written to


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

    def said_of_it(self, escape: Escape, letter: Callable[[Symbol], str]) -> list[str]:
        """Its remarks, and what the letters of its formula stand for; `letter` writes one of them."""
        meanings = [f"{letter(each)} is {escape(each.means)}" for each in self.letters]
        return [*map(escape, self.remarks), *([f"where {', '.join(meanings)}"] if meanings else [])]

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

    @property
    def heading(self) -> str:
        """Of its chapter."""
        return self.chapter[:1].upper() + self.chapter[1:]

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


# Numbers as a derivation writes them: so many significant digits, and whole ones whole.


Real = int | float | Fraction

DIGITS: Final = 4
_LONGEST: Final = 10**9  # a fraction of longer parts says less than its decimals
_WHOLE: Final = 10**15  # from here on, not every whole number is a float
_SMALL: Final = 1e-4


@dataclass(frozen=True, slots=True)
class WrittenNumber:
    """The digits, with a real minus; `tens` is the power of ten they are multiplied by, None without one."""

    digits: str
    tens: int | None = None

    def __str__(self) -> str:
        return self.digits if self.tens is None else f"{self.digits}×10{superscript(self.tens)}"


def written_number(value: Real, digits: int = DIGITS) -> WrittenNumber:
    """A number to so many significant digits; its whole part is always whole.

    >>> print(*(written_number(x) for x in (0.9402859, 14.0, 48842, -2.5, 12345.678, 0.99999, 0.0000123456)))
    0.9403 14 48,842 −2.5 12,345.7 1.0000 1.235×10⁻⁵
    """
    if isinstance(value, float) and not math.isfinite(value):
        return WrittenNumber("undefined" if math.isnan(value) else "∞" if value > 0 else "−∞")
    size = -value if value < 0 else value
    if size and not _SMALL <= size < _WHOLE:
        return _scientific(value, digits)
    if value == int(value):
        return WrittenNumber(_minus(f"{int(value):,}"))
    number = float(value)
    decimals = max(1, digits - 1 - math.floor(math.log10(abs(number))))
    text = f"{number:,.{decimals}f}"
    short = text.rstrip("0").rstrip(".")
    # What is not whole must not look whole.
    return WrittenNumber(_minus(short if "." in short else text))


def fraction_of(value: Real | None) -> Fraction | None:
    """The fraction to be written for a number, if it is one, neither whole nor long."""
    if not isinstance(value, Fraction) or value.denominator == 1:
        return None
    return value if max(abs(value.numerator), value.denominator) < _LONGEST else None


def _scientific(value: Real, digits: int) -> WrittenNumber:
    try:
        number = float(value)
    except OverflowError:
        return WrittenNumber("∞" if value > 0 else "−∞")
    mantissa, _, tens = f"{number:.{digits - 1}e}".partition("e")
    return WrittenNumber(_minus(mantissa.rstrip("0").rstrip(".") if "." in mantissa else mantissa), int(tens))


def _minus(text: str) -> str:
    return text.replace("-", "−")
