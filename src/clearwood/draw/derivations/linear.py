"""Boxes in one line of letters: −(9/14)·log₂(9/14), with the places where the line may be broken."""

from __future__ import annotations

from typing import Final

from clearwood.derive.expressions import Expression
from clearwood.draw.columns import display_width, printable
from clearwood.draw.derivations.arranging import Style, arranged
from clearwood.draw.derivations.boxes import (
    Box,
    Choice,
    Fenced,
    Line,
    Lowered,
    Piece,
    Raised,
    Ranging,
    Rooted,
    Stacked,
)

# A line may be broken before what these stand before, and nowhere else.
_BREAK: Final = "\ue000"
_SPACED_BREAK: Final = "\ue001"

_UP: Final = dict(
    zip("0123456789−+abcdefghijklmnoprstuvwxyz", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺ᵃᵇᶜᵈᵉᶠᵍʰⁱʲᵏˡᵐⁿᵒᵖʳˢᵗᵘᵛʷˣʸᶻ", strict=True)
)
_DOWN: Final = dict(zip("0123456789", "₀₁₂₃₄₅₆₇₈₉", strict=True))


def in_line(expression: Expression, style: Style) -> str:
    """The expression in one line.

    >>> from clearwood.derive.expressions import Log, Negative, Number, Product, Quotient, Sum
    >>> shares = Quotient(Number(9), Number(14)), Quotient(Number(5), Number(14))
    >>> in_line(Sum(tuple(Negative(Product((p, Log(p)))) for p in shares)), Style())
    '−(9/14)·log₂(9/14) − (5/14)·log₂(5/14)'
    """
    return _plain(_text(arranged(expression, style)))


def in_lines(expression: Expression, style: Style, width: int) -> list[str]:
    """The expression in lines of at most this width where its signs allow it; each begins with a sign."""
    marked = _text(arranged(expression, style))
    lines, line = [], ""
    for part in marked.replace(_SPACED_BREAK, _BREAK + _SPACED_BREAK).split(_BREAK):
        longer = line + part
        if line and display_width(_plain(longer)) > width:
            lines.append(_plain(line))
            longer = part.removeprefix(_SPACED_BREAK)
        line = longer
    return [*lines, _plain(line)]


def _plain(marked: str) -> str:
    return marked.replace(_BREAK, "").replace(_SPACED_BREAK, " ")


def _text(box: Box) -> str:
    match box:
        case Piece(text, "sign"):
            return f"{_SPACED_BREAK}{text} "
        case Piece("·" | "×" as text, "mark"):
            return f"{_BREAK}{text}"
        case Piece(text, _):
            return printable(text)
        case Line(of):
            return "".join(map(_text, of))
        case Fenced(of):
            return f"({_text(of)})"
        case Raised(base, up):
            return _text(base) + _small(_text(up), _UP, "^")
        case Lowered(base, down):
            return _text(base) + _small(_text(down), _DOWN, "_")
        case Ranging(sign, index, of):
            return f"{sign}{_small(printable(index), _DOWN, '_')} {_text(of)}"
        case Stacked(top, bottom):
            return f"({_text(top)})/({_text(bottom)})"
        case Rooted(of):
            return f"√({_text(of)})"
        case Choice(of, taken):
            return f"C({_text(of)}, {_text(taken)})"


def _small(text: str, small: dict[str, str], mark: str) -> str:
    """In small letters where all of them have one, else behind a mark."""
    if all(letter in small for letter in text):
        return "".join(small[letter] for letter in text)
    return f"{mark}{text}" if text.isalnum() else f"{mark}({_plain(text)})"
