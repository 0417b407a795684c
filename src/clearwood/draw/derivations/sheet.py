"""A sheet: what will be written of each step, before any format is chosen; and what a worksheet asks."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Final, Literal, TypeAlias

from clearwood.errors import SettingError, no_such
from clearwood.formulas.expressions import Expression, Symbol
from clearwood.words.numbers import superscript
from clearwood.working.derivation import Derivation, Step
from clearwood.working.figures import ASKED, GIVEN, Figure, Grid, GridCell, OnSheet

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


# What a worksheet asks, and of which steps, so that no step answers a question; and the cells of grids.


@dataclass(frozen=True, slots=True)
class Sheet:
    """The steps on a worksheet, with their numbers in the derivation, and the chapters that are not on it."""

    steps: tuple[tuple[int, Step], ...]
    left_out: tuple[str, ...]


def sheet_of(derivation: Derivation, chapter: str | None) -> Sheet:
    """The steps of one chapter, or of all where none gives away what another asks."""
    steps = tuple(enumerate(derivation, 1))
    chapters = tuple(dict.fromkeys(step.chapter for _, step in steps))
    if chapter is not None and chapter not in chapters:
        raise SettingError(no_such("chapter", chapter, chapters))
    # The last chapter that needs a sheet is the first one; the lecturer asks for the others by name.
    alone = chapter or next((step.chapter for _, step in reversed(steps) if step.alone), None)
    if alone is None:
        return Sheet(steps, ())
    chosen = tuple((number, step) for number, step in steps if step.chapter == alone)
    return Sheet(chosen, tuple(each for each in chapters if each != alone))


def later_search(figures: Sequence[Figure], of_first: Sequence[Figure]) -> tuple[list[Figure], list[Figure]]:
    """What a later search asks, and what is kept for the key.

    Of figures that each candidate has, such as its gain, all that the first search asked for, or none.
    """
    remaining, kept = [], []
    first, here = _by_kind(of_first), _by_kind(figures)
    for each in figures:
        kind = each.each_has
        if each.on_sheet == "in key" or (kind and first.get(kind) != here[kind]):
            kept.append(replace(each, on_sheet=ASKED))
        elif each.under or each.value is None or any(map(_lists_candidates, each.grids)):
            # One that is out must look like the others.
            formula = next((first.formula for first in of_first if first.name == each.name), each.formula)
            remaining.append(replace(each, formula=formula, grids=(), under=()))
            kept += [each] if each.value is not None else []
        else:
            remaining.append(replace(each, grids=tuple(map(_to_be_counted, each.grids))))
    return remaining, kept


def _lists_candidates(grid: Grid) -> bool:
    return grid.ranked or grid.chosen is not None or grid.figure_of is not None


def _to_be_counted(grid: Grid) -> Grid:
    return replace(grid, on_sheet=(GIVEN, *(ASKED,) * (len(grid.columns) - 1)))


def _by_kind(figures: Iterable[Figure]) -> dict[str, set[str]]:
    """The names of the figures that each candidate has, by what it has."""
    by_kind: dict[str, set[str]] = {}
    for each in figures:
        by_kind.setdefault(each.each_has, set()).add(each.name)
    return by_kind


# The cells of a grid: how they are written, and which of them a worksheet gives.


Left: TypeAlias = Literal["given", "blank", "nothing"]

_LEFT: Final[dict[OnSheet, Left]] = {"given": "given", "asked": "blank", "in key": "nothing"}


def written_cell(cell: GridCell, digits: int) -> str:
    """The cell as text.

    >>> [written_cell(cell, 4) for cell in ("Sunny", 14.0, 0.94028, Fraction(9, 14), True, None)]
    ['Sunny', '14', '0.9403', '9/14', 'yes', '–']
    """
    match cell:
        case None:
            return "–"
        case bool(holds):
            return "yes" if holds else "no"
        case str(text):
            return text
        case Fraction() as value if fraction_of(value) is not None:
            return str(value).replace("-", "−")
        case value:
            return str(written_number(value, digits))


def transposed(grid: Grid, rows: list[tuple[GridCell, ...]]) -> list[list[GridCell]]:
    """[column][row]"""
    return [[row[column] for row in rows] for column in range(len(grid.columns))]


def is_numeric(cells: list[GridCell]) -> bool:
    """Are there numbers in this column, and nothing else?"""
    kinds = {type(cell) for cell in cells} - {type(None)}
    return bool(kinds) and kinds <= {int, float, Fraction}


def what_is_left(grid: Grid, of: Figure, shown: range, rows: list[tuple[GridCell, ...]]) -> tuple[Left, ...]:
    """[column] What a worksheet keeps of it, as the grid declares.

    By default, what names the rows and what was counted is given, what is computed from that is blank, and
    a column without a heading, which has remarks, is left out.
    """
    if grid.on_sheet:
        return tuple(_LEFT[each] for each in grid.on_sheet)
    values = _values_of_rows(grid, of, shown)
    return tuple(
        "given" if place == 0 or _is_counted(cells, values) else "blank" if grid.columns[place] else "nothing"
        for place, cells in enumerate(transposed(grid, rows))
    )


def _values_of_rows(grid: Grid, of: Figure, shown: range) -> list[GridCell]:
    """The value of the figure that each row stands for, where there is one for each."""
    if grid.figure_of is not None:
        return [grid.figure_of(place).value for place in shown]
    return [each.value for each in of.under] if len(of.under) == len(shown) else []


def _is_counted(cells: list[GridCell], values: list[GridCell]) -> bool:
    if not is_numeric(cells) or cells == values:
        return False
    return all(
        isinstance(cell, int | float | Fraction) and _is_whole(cell) for cell in cells if cell is not None
    )


def _is_whole(value: Real) -> bool:
    return math.isfinite(value) and value == int(value)


def beside_each_other(widths: list[int], room: int) -> Iterator[list[int]]:
    """Which columns stand in the same lines; the first, which names the rows, stands in all of them."""
    columns = [0]
    used = widths[0] + 2
    for column, wide in enumerate(widths[1:], 1):
        if used + wide + 2 > room and len(columns) > 1:
            yield columns
            columns, used = [0], widths[0] + 2
        columns.append(column)
        used += wide + 2
    yield columns
