"""Where a long calculation is broken: before the signs of its outermost sum or product."""

from __future__ import annotations

from clearwood.draw.derivations import boxes
from clearwood.words.columns import display_width


def broken(box: boxes.Box, width: int) -> list[boxes.Box]:
    """The box in parts of about this width in letters; each but the first begins with a sign."""
    if not isinstance(box, boxes.Line):
        return [box]
    parts: list[list[boxes.Box]] = [[]]
    used = 0
    for before, group in _groups(box):
        wide = sum(map(width_of, group))
        if used and used + wide > width and before:
            parts.append([])
            used = 0
        parts[-1] += group
        used += wide
    return [boxes.Line(tuple(part)) for part in parts]


def width_of(box: boxes.Box) -> int:
    """About how many letters wide it stands."""
    match box:
        case boxes.Atom(text, kind):
            return display_width(text) + (2 if kind == "sign" else 0)
        case boxes.Line(of):
            return sum(map(width_of, of))
        case boxes.Fenced(of) | boxes.Rooted(of):
            return width_of(of) + 2
        case boxes.Stacked(top, bottom) | boxes.BinomialBox(top, bottom):
            return max(width_of(top), width_of(bottom)) + 1
        case boxes.Superscript(base, small) | boxes.Subscript(base, small):
            return width_of(base) + (width_of(small) + 1) // 2
        case boxes.Ranging(sign, _, of):
            return len(sign) + 1 + width_of(of)


def _groups(line: boxes.Line) -> list[tuple[bool, list[boxes.Box]]]:
    """What must stay together, and whether a line may begin with it."""
    groups: list[tuple[bool, list[boxes.Box]]] = [(False, [])]
    for box in line.of:
        # The factors of a product within a sum stand in a line of their own, and stay together.
        if isinstance(box, boxes.Atom) and (box.kind == "sign" or box.text == "·"):
            groups.append((True, []))
        groups[-1][1].append(box)
    return groups
