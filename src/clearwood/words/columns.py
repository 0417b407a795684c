"""Text in columns: how wide a text stands in a terminal, and how it is padded and broken."""

import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import wraps
from itertools import zip_longest
from typing import Final, Literal, TypeAlias, TypeVar

_T = TypeVar("_T")

Alignment: TypeAlias = Literal["left", "figures"]

NARROWEST: Final = 40  # characters; a narrower page has no room for a calculation


def display_width(text: str) -> int:
    """Cells in a terminal: wide East Asian characters take two, combining marks none.

    >>> display_width("Höhe"), display_width("高さ"), display_width("e\\u0301")
    (4, 4, 1)
    """
    if text.isascii():
        return len(text)
    return sum(
        0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text
    )


def padded(text: str, width: int, side: Literal["left", "right"] = "left") -> str:
    """The text at one side of a field."""
    space = " " * (width - display_width(text))
    return text + space if side == "left" else space + text


def column_widths(rows: Iterable[Sequence[str]]) -> list[int]:
    """How wide each column must be; a row may lack the last ones."""
    columns = zip_longest(*rows, fillvalue="")
    return [max(map(display_width, column)) for column in columns]


def in_columns(rows: Sequence[Sequence[str]], sides: Alignment = "left", *, gap: int = 2) -> list[str]:
    """Rows of cells as lines, the columns as wide as their widest cell: all to the left or, where they hold
    figures, all but the first to the right.

    >>> print(*in_columns([["", "rows"], ["高さ", "14"], ["Höhe", "7"]], "figures"), sep="\\n")
          rows
    高さ    14
    Höhe     7
    """
    widths = column_widths(rows)
    lines = []
    for row in rows:
        cells = (
            padded(cell, width, "right" if place and sides == "figures" else "left")
            for place, (cell, width) in enumerate(zip(row, widths, strict=False))
        )
        lines.append((" " * gap).join(cells).rstrip())
    return lines


def named_columns(columns: Mapping[str, Iterable[str]]) -> list[str]:
    """Columns under their names as lines: the first to the left, the others, of figures, to the right.

    >>> print(*named_columns({"": ("one", "two"), "rows": ("14", "7")}), sep="\\n")
         rows
    one    14
    two     7
    """
    return in_columns([list(columns), *zip(*columns.values(), strict=True)], "figures")


def printed(lines: Callable[[_T], Iterator[str]]) -> Callable[[_T], str]:
    """A function that gives lines as one that gives them in one text."""

    @wraps(lines)
    def text(thing: _T) -> str:
        return "\n".join(lines(thing))

    return text


def printable(text: str) -> str:
    """The text with line breaks and other control characters made visible.

    >>> print(printable("two\\nlines"))
    two\\nlines
    """
    return text if text.isprintable() else "".join(c if c.isprintable() else repr(c)[1:-1] for c in text)


def wrapped(text: str, width: int) -> list[str]:
    """Lines of at most this width, broken at spaces where there are some; the later ones stand in by two.

    >>> wrapped("Outlook in {Sunny, Overcast, Rainy}", 20)
    ['Outlook in {Sunny,', '  Overcast, Rainy}']
    """
    width = max(width, 8)
    lines: list[str] = []
    line = ""
    for k, word in enumerate(text.split(" ")):
        joined = f"{line} {word}" if k else word
        if k and display_width(joined) > width:
            lines.append(line)
            joined = "  " + word
        while display_width(joined) > width:
            cut = width
            while display_width(joined[:cut]) > width:
                cut -= 1
            lines.append(joined[:cut])
            joined = "  " + joined[cut:]
        line = joined
    return [*lines, line]
