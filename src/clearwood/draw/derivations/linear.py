"""Boxes in one line of letters: −(9/14)·log₂(9/14), with the places where the line may be broken."""

from __future__ import annotations

import re
from typing import Final

from clearwood.draw.derivations import boxes
from clearwood.draw.derivations.arranging import Style, arranged
from clearwood.formulas.expressions import Expression
from clearwood.words.columns import display_width, printable

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
        case boxes.Line((over, boxes.Atom("/", "mark"), below)) if _is_fenced(over) or _is_fenced(below):
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


def _is_fenced(box: boxes.Box) -> bool:
    return isinstance(box, boxes.Fenced)
