"""Sheets as text for a terminal: calculations aligned at their signs, grids in columns."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from clearwood.draw.derivations.arranging import Style
from clearwood.draw.derivations.grids import beside_each_other
from clearwood.draw.derivations.linear import in_line, in_lines
from clearwood.draw.derivations.sheet import (
    Blank,
    Equation,
    Value,
    WrittenFigure,
    WrittenGrid,
    WrittenStep,
    circled,
)
from clearwood.words.columns import column_widths, display_width, padded, printable, wrapped

_STEP: Final = 2  # how far each level stands in
_LONGEST_NAME: Final = 32  # a calculation after a longer name begins on the next line
_NARROWEST: Final = 24


def text_lines(title: str, steps: Iterable[WrittenStep], style: Style, width: int) -> Iterator[str]:
    """The lines of the document."""
    yield from wrapped(printable(title), width)
    yield "═" * min(display_width(printable(title)), width)
    for step in steps:
        if step.chapter:
            yield ""
            yield printable(step.chapter[:1].upper() + step.chapter[1:])
            yield "─" * min(display_width(printable(step.chapter)), width)
        yield ""
        yield from wrapped(f"{step.number}. {printable(step.title)}", width)
        for figure in step.figures:
            yield from _figure(figure, _STEP, style, width)
        if step.decision:
            decision = step.decision
            yield from _standing_in(
                _STEP,
                [f"→ {_blank(decision)}"]
                if isinstance(decision, Blank)
                else wrapped(f"→ {printable(decision)}", width - _STEP),
            )


def _figure(figure: WrittenFigure, margin: int, style: Style, width: int) -> Iterator[str]:
    room = max(width - margin, _NARROWEST)
    yield from _standing_in(margin, _equations(figure, style, room))
    for remark in figure.remarks:
        yield from _standing_in(margin + _STEP, wrapped(printable(remark), room - _STEP))
    if figure.letters:
        meanings = ", ".join(f"{in_line(each, style)} is {each.means}" for each in figure.letters)
        yield from _standing_in(margin + _STEP, wrapped(printable(f"where {meanings}"), room - _STEP))
    for grid in figure.grids:
        yield from _standing_in(margin + _STEP, _grid(grid, room - _STEP))
    for each in figure.under:
        yield from _figure(each, margin + _STEP, style, width)


def _standing_in(margin: int, lines: Iterable[str]) -> Iterator[str]:
    return (f"{' ' * margin}{line}".rstrip() for line in lines)


def _equations(figure: WrittenFigure, style: Style, width: int) -> Iterator[str]:
    """The name, then its equations, their signs under each other."""
    name, again = printable(figure.name), "  (as above)" if figure.again else ""
    if not figure.equations:
        yield name + again
        return
    if display_width(name) > _LONGEST_NAME and len(figure.equations) > 1:
        yield f"{name}:" if figure.equations[0].sign == ":" else name
        name = ""
    lead = f"{name}:" if figure.equations[0].sign == ":" else f"{name} {figure.equations[0].sign}"
    if lead == ":":  # which stands behind the name already
        lead = " "
    indent = display_width(lead)
    for place, equation in enumerate(figure.equations):
        sign = "" if equation.sign == ":" else equation.sign
        for k, line in enumerate(_value_lines(equation, style, max(width - indent - 1, _NARROWEST))):
            before = padded("" if k else sign, indent, "right") if place or k else lead
            yield f"{before} {line}{again}"


def _value_lines(equation: Equation, style: Style, width: int) -> list[str]:
    unit = f" {printable(equation.unit)}" if equation.unit else ""
    lines = _lines(equation.value, style, width)
    return [*lines[:-1], lines[-1] + unit]


def _lines(value: Value, style: Style, width: int) -> list[str]:
    match value:
        case str():
            return wrapped(printable(value), width)
        case Blank():
            return [_blank(value)]
        case expression:
            return in_lines(expression, style, width)


def _blank(blank: Blank) -> str:
    return f"{circled(blank.number)} {'_' * (32 if blank.broad else 8)}"


def _grid(grid: WrittenGrid, width: int) -> Iterator[str]:
    """An arrow at the chosen row; how many rows are not shown, where they would be.

    Columns that find no room stand below, after the first one again, which names the rows.
    """
    if grid.title:
        yield printable(grid.title)
    rows = [[printable(each) for each in grid.columns]]
    rows += [
        [_blank(each) if isinstance(each, Blank) else printable(each) for each in row] for row in grid.rows
    ]
    widths = column_widths(rows)
    for columns in beside_each_other(widths, width):
        for place, row in enumerate(rows, -1):
            if place == 0 and grid.before:
                yield f"  … {grid.before:,} more"
            arrow = "→ " if place >= 0 and place == grid.chosen else "  "
            yield arrow + "  ".join(
                padded(row[each], widths[each], "right" if grid.numeric[each] else "left") for each in columns
            )
        if grid.after:
            yield f"  … {grid.after:,} more"
