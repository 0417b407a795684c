"""What a worksheet asks, and of which steps, so that no step answers a question; and the cells of grids."""

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Final, Literal, TypeAlias

from clearwood.draw.derivations.sheet import Real, fraction_of, written_number
from clearwood.errors import SettingError, no_such
from clearwood.working.derivation import Derivation, Step
from clearwood.working.figures import ASKED, GIVEN, Figure, Grid, GridCell, OnSheet


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
