"""Sheets as text for a terminal: calculations aligned at their signs, grids in columns."""

import re
from collections.abc import Iterable, Iterator
from typing import Final

from clearwood.draw.derivations import boxes
from clearwood.draw.derivations.boxes import Style, arranged
from clearwood.draw.derivations.sheet import (
    Blank,
    Equation,
    WrittenFigure,
    WrittenGrid,
    WrittenStep,
    beside_each_other,
    circled,
)
from clearwood.formulas.expressions import Expression
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
            yield printable(step.heading)
            yield "─" * min(display_width(printable(step.chapter)), width)
        yield ""
        yield from wrapped(f"{step.number}. {printable(step.title)}", width)
        for figure in step.figures:
            yield from _figure(figure, _STEP, style, width)
        if step.decision:
            decision = f"→ {_filled(step.decision)}"
            lines = [decision] if isinstance(step.decision, Blank) else wrapped(decision, width - _STEP)
            yield from _standing_in(_STEP, lines)


def _figure(figure: WrittenFigure, margin: int, style: Style, width: int) -> Iterator[str]:
    room = max(width - margin, _NARROWEST)
    yield from _standing_in(margin, _equations(figure, style, room))
    for remark in figure.said_of_it(printable, lambda letter: in_line(letter, style)):
        yield from _standing_in(margin + _STEP, wrapped(remark, room - _STEP))
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
    match equation.value:
        case str() as text:
            lines = wrapped(printable(text), width)
        case Blank() as blank:
            lines = [_filled(blank)]
        case expression:
            lines = in_lines(expression, style, width)
    return [*lines[:-1], lines[-1] + (f" {printable(equation.unit)}" if equation.unit else "")]


def _filled(place: str | Blank) -> str:
    """A text, or the place where it is to be filled in."""
    if isinstance(place, Blank):
        return f"{circled(place.number)} {'_' * (32 if place.broad else 8)}"
    return printable(place)


def _grid(grid: WrittenGrid, width: int) -> Iterator[str]:
    """An arrow at the chosen row; how many rows are not shown, where they would be.

    Columns that find no room stand below, after the first one again, which names the rows.
    """
    if grid.title:
        yield printable(grid.title)
    rows = [list(map(_filled, row)) for row in (grid.columns, *grid.rows)]
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


# Boxes in one line of letters: −(9/14)·log₂(9/14), with the places where the line may be broken.


# A line may be broken before what these stand before, and nowhere else.
_BREAK: Final = "\ue000"
_SPACED_BREAK: Final = "\ue001"
_LEAST: Final = 0.4  # of the width must be used

_UP: Final = dict(
    zip("0123456789−+abcdefghijklmnoprstuvwxyz", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺ᵃᵇᶜᵈᵉᶠᵍʰⁱʲᵏˡᵐⁿᵒᵖʳˢᵗᵘᵛʷˣʸᶻ", strict=True)
)
_DOWN: Final = dict(zip("0123456789", "₀₁₂₃₄₅₆₇₈₉", strict=True))


def in_line(expression: Expression, style: Style) -> str:
    """The expression in one line.

    >>> from clearwood.formulas.expressions import Log, Negative, Number, Product, Quotient, Sum
    >>> shares = Quotient(Number(9), Number(14)), Quotient(Number(5), Number(14))
    >>> in_line(Sum(tuple(Negative(Product((p, Log(p)))) for p in shares)), Style())
    '−(9/14)·log₂(9/14) − (5/14)·log₂(5/14)'
    """
    return _plain(_text(arranged(expression, style)))


def in_lines(expression: Expression, style: Style, width: int) -> list[str]:
    """The expression in lines of at most this width where its signs allow it; each begins with a sign.

    It is broken in as few brackets as may be, and rather at a sum than at a product.
    """
    pieces = _pieces(_text(arranged(expression, style)))
    lines, first = [], 0
    while first < len(pieces):
        last = _end_of_line(pieces, first, width)
        lines.append("".join(text for _, text in pieces[first:last]).strip(" "))
        first = last
    return lines


def _pieces(marked: str) -> list[tuple[int, str]]:
    """What must stay together, with how good a place before it is to break the line: 0 is best."""
    pieces, depth = [], 0
    for part in re.split(f"(?=[{_BREAK}{_SPACED_BREAK}])", marked):
        pieces.append((2 * depth + (part[:1] == _BREAK), _plain(part)))
        depth += part.count("(") - part.count(")")
    return pieces


def _end_of_line(pieces: list[tuple[int, str]], first: int, width: int) -> int:
    """Where the line that begins with this piece ends."""
    ends, used = [], 0
    for place in range(first, len(pieces)):
        text = pieces[place][1]
        used += display_width(text if used else text.lstrip(" "))
        if used > width and place > first:
            break
        ends.append((place + 1, used))
    else:
        return len(pieces)
    # A short line for a better break would leave more lines than it is worth.
    long = [end for end, used in ends if used >= _LEAST * width] or [ends[-1][0]]
    return min(long, key=lambda end: (pieces[end][0], -end))


def _plain(marked: str) -> str:
    return marked.replace(_BREAK, "").replace(_SPACED_BREAK, " ")


def _text(box: boxes.Box) -> str:
    match box:
        case boxes.Atom(text, "sign"):
            return f"{_SPACED_BREAK}{text} "
        case boxes.Atom("·" | "×" as text, "mark"):
            return f"{_BREAK}{text}"
        case boxes.Atom(text, _):
            return printable(text)
        case boxes.Line(
            (boxes.Fenced() as over, boxes.Atom("/", "mark"), below)
            | (over, boxes.Atom("/", "mark"), boxes.Fenced() as below)
        ):
            return f"{_text(over)}{_BREAK}/{_text(below)}"
        case boxes.Line(of):
            return "".join(map(_text, of))
        case boxes.Fenced(of):
            return f"({_text(of)})"
        case boxes.Superscript(base, up):
            return _text(base) + _small(_text(up), _UP, "^")
        case boxes.Subscript(base, down):
            return _text(base) + _small(_text(down), _DOWN, "_")
        case boxes.Ranging(sign, index, of):
            return f"{sign}{_small(printable(index), _DOWN, '_')} {_text(of)}"
        case boxes.Stacked(top, bottom):
            return f"({_text(top)})/({_text(bottom)})"
        case boxes.Rooted(of):
            return f"√({_text(of)})"
        case boxes.BinomialBox(of, taken):
            return f"C({_text(of)}, {_text(taken)})"


def _small(text: str, small: dict[str, str], mark: str) -> str:
    """In small letters where all of them have one, else behind a mark."""
    if all(letter in small for letter in text):
        return "".join(small[letter] for letter in text)
    return f"{mark}{text}" if text.isalnum() else f"{mark}({_plain(text)})"
