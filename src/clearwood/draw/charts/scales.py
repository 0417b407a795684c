"""The labels of a nomogram's scale, so placed that none covers another."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from clearwood.draw.charts.sheet import SIZE
from clearwood.draw.lettering import text_width

EDGE: Final = 26.0  # how far labels may stand beyond the ends of the scales
LANE: Final = 15.0  # height of a line of labels
_GAP: Final = 9.0
_NUMBERS: Final = 8  # a column of at least so many numbers as labels is numeric


@dataclass(frozen=True, slots=True)
class Label:
    """A text in lines, and the place it belongs to."""

    x: float
    lines: tuple[str, ...]

    @property
    def half(self) -> float:
        """Half of its width."""
        return max(text_width(line, SIZE) for line in self.lines) / 2


def on_both_sides(labels: Sequence[Label]) -> tuple[list[Label], list[Label]]:
    """Labels above and below a line: of numbers whose points turn back, those after the turn stand above.

    >>> up_and_down = [Label(float(x), (str(n),)) for n, x in enumerate([9, 5, 2, 0, 1, 3, 6, 8])]
    >>> [*(label.lines[0] for label in on_both_sides(up_and_down)[0])]
    ['4', '5', '6', '7']
    """
    if not along_a_scale(labels):
        return [], list(labels)
    rises = [after.x - before.x for before, after in pairwise(labels)]
    turns = [i for i in range(1, len(rises)) if rises[i] * rises[i - 1] < 0]
    turn = turns[0] + 1 if turns else len(labels)
    return list(labels[turn:]), list(labels[:turn])


def thinned(labels: Sequence[Label]) -> list[Label]:
    """Those that have room beside each other: the outermost first, then from there."""
    kept: list[Label] = []
    for label in sorted(labels, key=lambda each: -each.x):
        if all(abs(label.x - other.x) > label.half + other.half + _GAP for other in kept):
            kept.append(label)
    return kept


def in_lanes(labels: Sequence[Label], width: float) -> list[list[tuple[Label, float]]]:
    """Labels with the places they can take in one line or, where that has no room for all, in several."""
    ordered = sorted(labels, key=lambda label: label.x)
    room = width + 2 * EDGE
    lanes = 1
    while any(
        _needed(ordered[lane::lanes]) > room and len(ordered[lane::lanes]) > 1 for lane in range(lanes)
    ):
        lanes += 1
    return [_apart(ordered[lane::lanes], -EDGE, width + EDGE) for lane in range(lanes)]


def _needed(labels: Sequence[Label]) -> float:
    return sum(2 * label.half + _GAP for label in labels)


def _apart(labels: Sequence[Label], low: float, high: float) -> list[tuple[Label, float]]:
    """From left to right no nearer than they are wide; then back from the right end where they passed it."""
    places = [label.x for label in labels]
    for i, label in enumerate(labels):
        least = places[i - 1] + labels[i - 1].half + _GAP + label.half if i else low + label.half
        places[i] = max(places[i], least)
    for i in range(len(labels) - 1, -1, -1):
        most = high - labels[i].half + EDGE
        if i < len(labels) - 1:
            most = places[i + 1] - labels[i + 1].half - _GAP - labels[i].half
        places[i] = min(places[i], most)
    return list(zip(labels, places, strict=True))


def along_a_scale(labels: Sequence[Label]) -> bool:
    """Are these numbers along a scale, of which some may go without a label?"""

    def reads(text: str) -> bool:
        try:
            float(text.replace("−", "-"))
        except ValueError:
            return False
        return True

    return len(labels) >= _NUMBERS and all(reads(" ".join(label.lines)) for label in labels)
