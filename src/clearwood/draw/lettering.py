"""How wide a text stands in a picture, and how it is broken into lines; measured without a font at hand.

Texts are measured in Arial's widths. Each is written with its measured length (`textLength`), so that it
takes no more room where another font is used.
"""

from __future__ import annotations

import html
import re
import unicodedata
from collections.abc import Iterable
from functools import cache, lru_cache
from typing import Final

# Arial's letters by their width, in thousandths of the size.
_WIDTHS: Final = {
    191: "'", 222: "ijl‘’", 260: "|", 278: " \u00a0!,./:;I[\\]ft·", 334: "()-`r{}²³“”", 355: '"', 389: "*",
    400: "°", 469: "^",
    500: "Jcksvxyz", 549: "±≤≥≈≠", 556: "0123456789#$?L_abdeghnopqu–€£§«»", 584: "+<=>~−×", 611: "FTZßø",
    667: "&ABEKPSVXY", 722: "CDHNRUw", 778: "GOQØ", 833: "Mm", 889: "%æ", 944: "W", 1000: "…→—Æ", 1015: "@",
}  # fmt: skip
_OTHER: Final = 0.72  # a letter of another alphabet, rather too wide than too narrow
_SEMITIC: Final = 0.6
_BOLD: Final = 1.09
_TEXT: Final = re.compile(r"<text\b([^>]*)>(.*?)</text>", re.DOTALL)
_LINE: Final = re.compile(r"<tspan\b([^>]*)>([^<]*)</tspan>")
_SIZE: Final = re.compile(r'font-size="([\d.]+)(?:px)?"')
_BREAKS: Final = re.compile(r"(?<=[ ,;/_|-])(?=[^ ])")
_RIGHT_TO_LEFT: Final = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\U00010800-\U00010fff]")


@lru_cache(maxsize=20_000)
def text_width(text: str, size: float, bold: bool = False) -> float:
    """The width of a line of text in a picture.

    >>> [round(text_width("Outlook", 13, bold)) for bold in (False, True)], text_width("高さ", 13)
    ([45, 49], 26.0)
    """
    return sum(map(_letter_width, text)) * size * (_BOLD if bold else 1.0)


@lru_cache(maxsize=20_000)
def wrapped_text(text: str, room: float, size: float, bold: bool = False) -> tuple[str, ...]:
    """The text in lines no wider than `room`: broken at blanks and marks, inside a word where it must be.

    >>> wrapped_text("Sunny, Overcast, Rainy", 100, 12)
    ('Sunny, Overcast,', 'Rainy')
    """
    lines: list[str] = []
    line = ""
    for piece in _BREAKS.split(text):
        if line and text_width((line + piece).rstrip(), size, bold) > room:
            lines.append(line.rstrip())
            line = ""
        line += piece
        while text_width(line.rstrip(), size, bold) > room and len(line) > 1:
            cut = _fitting(line, room, size, bold)
            lines.append(line[:cut])
            line = line[cut:]
    return (*lines, line.rstrip())


def packed(pieces: Iterable[str], room: float, size: float) -> tuple[str, ...]:
    """Pieces joined by blanks into lines no wider than `room`; only a piece too wide for a line is broken.

    >>> packed(("IF Outlook = Sunny AND", "Humidity = High AND", "Wind = Weak"), 150, 12)
    ('IF Outlook = Sunny AND', 'Humidity = High AND', 'Wind = Weak')
    """
    lines: list[str] = []
    for piece in pieces:
        if lines and text_width(f"{lines[-1]} {piece}", size) <= room:
            lines[-1] += f" {piece}"
        else:
            lines += wrapped_text(piece, room, size)
    return tuple(lines)


def widest(lines: Iterable[str], size: float, bold: bool = False) -> float:
    """The width of the widest line; 0 of none."""
    return max((text_width(line, size, bold) for line in lines), default=0.0)


def with_lengths(svg: str, size: float) -> str:
    """Every text of an SVG with the length that it was measured at, in whatever font it is drawn.

    `size` is that of texts that name none. A text of letters whose width is only guessed is left as it is:
    there is room for it.

    >>> with_lengths('<text x="1" font-weight="bold">a &lt; b</text>', 10)
    '<text x="1" font-weight="bold" textLength="24.5" lengthAdjust="spacingAndGlyphs">a &lt; b</text>'
    """

    def measured(text: re.Match[str]) -> str:
        own = _SIZE.search(text[1])
        letters = float(own[1]) if own else size
        bold = 'font-weight="bold"' in text[1]
        if "<" not in text[2]:
            return f"<text{text[1]}{_length(text[2], letters, bold)}>{text[2]}</text>"
        lines = _LINE.sub(
            lambda line: f"<tspan{line[1]}{_length(line[2], letters, bold)}>{line[2]}</tspan>", text[2]
        )
        return f"<text{text[1]}>{lines}</text>"

    return _TEXT.sub(measured, svg)


def _length(escaped: str, size: float, bold: bool) -> str:
    """The attributes that give a text its length; none where it has no letters, or some that are guessed."""
    text = html.unescape(escaped)
    if not text.strip() or not all(map(_is_known, text)):
        return ""
    length = f"{text_width(text, size, bold):.1f}".removesuffix(".0")
    return f' textLength="{length}" lengthAdjust="spacingAndGlyphs"'


def isolated_line(text: str) -> str:
    """Text that may run from right to left, kept from turning about what stands beside it in a line.

    Marks of direction are put around it, once; unlike Unicode's isolates every font and renderer has them.

    >>> isolated_line("Outlook"), isolated_line("\u05d7\u05dd (1)") == "\u200f\u05d7\u05dd (1)\u200f\u200e"
    ('Outlook', True)
    """
    if text.isascii() or not _RIGHT_TO_LEFT.search(text) or "\u200e" in text:
        return text
    directions = (unicodedata.bidirectional(letter) for letter in text)
    first = next((each for each in directions if each in ("L", "R", "AL")), None)
    if first is None:  # a byte-order mark or the like, which has no direction
        return text
    return f"{text}\u200e" if first == "L" else f"\u200f{text}\u200f\u200e"


def _fitting(line: str, room: float, size: float, bold: bool) -> int:
    """How many letters fit, at least one; a mark stays with its letter."""
    cut = 1
    while cut < len(line) and text_width(line[: cut + 1], size, bold) <= room:
        cut += 1
    while cut < len(line) and unicodedata.combining(line[cut]):
        cut += 1
    return cut


@cache
def _width_of() -> dict[str, float]:
    return {letter: width / 1000 for width, letters in _WIDTHS.items() for letter in letters}


def _letter_width(letter: str) -> float:
    width = _width_of().get(letter)
    if width is not None:
        return width
    if unicodedata.combining(letter) or unicodedata.category(letter) == "Cf":
        return 0.0
    if unicodedata.east_asian_width(letter) in "WF":
        return 1.0
    if _RIGHT_TO_LEFT.match(letter):
        return _SEMITIC
    return _width_of().get(unicodedata.normalize("NFD", letter)[0], _OTHER)


def _is_known(letter: str) -> bool:
    """Is the letter's width known, not guessed?"""
    base = unicodedata.normalize("NFD", letter)[0]
    if letter in _width_of() or base in _width_of() or unicodedata.east_asian_width(letter) in "WF":
        return True
    return letter in "\u200e\u200f\u2068\u2069"
