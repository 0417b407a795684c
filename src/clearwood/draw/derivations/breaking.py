"""Where a long calculation is broken: before the signs of its outermost sum or product."""

from __future__ import annotations

from clearwood.draw.derivations.boxes import (
    Atom,
    BinomialBox,
    Box,
    Fenced,
    Line,
    Ranging,
    Rooted,
    Stacked,
    Subscript,
    Superscript,
)
from clearwood.words.columns import display_width


def broken(box: Box, width: int) -> list[Box]:
    """The box in parts of about this width in letters; each but the first begins with a sign."""
    if not isinstance(box, Line):
        return [box]
    parts: list[list[Box]] = [[]]
    used = 0
    for before, group in _groups(box):
        wide = sum(map(width_of, group))
        if used and used + wide > width and before:
            parts.append([])
            used = 0
        parts[-1] += group
        used += wide
    return [Line(tuple(part)) for part in parts]


def width_of(box: Box) -> int:
    """About how many letters wide it stands."""
    match box:
        case Atom(text, kind):
            return display_width(text) + (2 if kind == "sign" else 0)
        case Line(of):
            return sum(map(width_of, of))
        case Fenced(of) | Rooted(of):
            return width_of(of) + 2
        case Stacked(top, bottom) | BinomialBox(top, bottom):
            return max(width_of(top), width_of(bottom)) + 1
        case Superscript(base, small) | Subscript(base, small):
            return width_of(base) + (width_of(small) + 1) // 2
        case Ranging(sign, _, of):
            return len(sign) + 1 + width_of(of)


def _groups(line: Line) -> list[tuple[bool, list[Box]]]:
    """What must stay together, and whether a line may begin with it."""
    groups: list[tuple[bool, list[Box]]] = [(False, [])]
    for box in line.of:
        # The factors of a product within a sum stand in a line of their own, and stay together.
        if isinstance(box, Atom) and (box.kind == "sign" or box.text == "·"):
            groups.append((True, []))
        groups[-1][1].append(box)
    return groups
