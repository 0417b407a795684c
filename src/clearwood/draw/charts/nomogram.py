"""A nomogram to read by eye: points of each value above its scale, and below what their total means."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from clearwood.draw.charts.builders import axis_of_numbers, layer, layered
from clearwood.draw.charts.sheet import (
    SIZE,
    Records,
    Spec,
    check_drawable,
    drawn,
    few_of,
    fitted_lines,
    in_sentence,
    names_width,
)
from clearwood.draw.lettering import text_width
from clearwood.draw.palette import LIGHT, ThemeName
from clearwood.draw.picture import Picture
from clearwood.errors import SettingError
from clearwood.explaining.nomogram import Nomogram, Scale
from clearwood.words.numbers import many, percent_to

_WIDTH: Final = 460.0
_NAMES: Final = 150.0  # room for a column's name
_LABEL: Final = 120.0  # room for a value's name in one line
_HOW: Final = (
    "Read the points of each value off the top line, add them up, and find the probability under the total."
)
# From those that must be seen to those that fill what room there is.
_SHARES: Final = (
    0.5, 0.1, 0.9, 0.01, 0.99, 0.3, 0.7, 0.001, 0.999, 0.2, 0.8, 0.05, 0.95, 0.4, 0.6,
)  # fmt: skip


def nomogram(diagram: Nomogram, *, theme: ThemeName = "auto") -> Picture:
    """A line for each column with its values at their points; under them the total and the share it gives.

    Where a numeric column's points fall and rise again, what comes after the turn stands above its line.

    >>> import clearwood as cw
    >>> table = cw.read_table(cw.datasets.path("buys_computer"), target="buys_computer")
    >>> nomogram(cw.nomogram(cw.NaiveBayes().learn(table), "yes")).alt
    'Nomogram of yes against no: age matters most (100 points), then student 78, credit_rating 45, income 37.'
    """
    check_drawable("nomogram", diagram, Nomogram)
    if not diagram.scales:
        raise SettingError("The model uses no column, so that a nomogram has no scales to draw.")
    marks = _Marks()
    marks.axis("points", [Label(_WIDTH * x / 100, (str(x),)) for x in range(0, 101, 10)], above=True)
    for scale in diagram.scales:
        marks.scale(scale)
    total = math.fsum(scale.length for scale in diagram.scales) or 1.0
    power = 10.0 ** math.floor(math.log10(total / 8))
    step = next(power * m for m in (1, 2, 5, 10) if power * m >= total / 8)
    sums = [Label(_WIDTH * i * step / total, (f"{i * step:g}",)) for i in range(int(total / step) + 1)]
    marks.axis("total", sums)
    marks.axis(f"probability of {in_sentence(diagram.called)}", _shares(diagram, total))
    ranked = sorted(diagram.scales, key=lambda scale: -scale.length)
    lengths = [f"{in_sentence(scale.name)} {scale.length:.0f}" for scale in ranked[1:]]
    then = f", then {few_of(lengths)}" if lengths else ""
    title = f"{in_sentence(diagram.called)} against {in_sentence(diagram.against)}"
    below = [_HOW]
    if diagram.left_out:
        pairs = many(len(diagram.left_out), "pair that changes", "pairs that change")
        left_out = few_of(diagram.left_out)
        below.append(f"Without {pairs} the total of the training rows by less than 5 points: {left_out}.")
    most = f"{in_sentence(ranked[0].name)} matters most ({ranked[0].length:.0f} points)"
    width = _WIDTH + names_width([scale.name for scale in diagram.scales], _NAMES)
    return drawn(marks.spec(), title, below, f"Nomogram of {title}: {most}{then}.", theme, width)


class _Marks:
    """Lines, ticks and texts with their places, from the top down."""

    def __init__(self) -> None:
        self.y = 10.0
        self.lines: Records = []
        self.texts: Records = []
        self.names: Records = []
        self.spare = 0.0

    def axis(self, name: str, labels: list[Label], *, above: bool = False) -> None:
        """A line over the whole width with numbers of ours."""
        self.y += 6 if above else 24
        self._begin(name, _WIDTH)
        for label in labels:
            self._line(label.x, 0.0, label.x, -4.0 if above else 4.0)
            self._text(label.x, -11.0 if above else 12.0, label, muted=True)
        self.y += max(4 if above else 14, self.spare)

    def scale(self, scale: Scale) -> None:
        """A column's line from its fewest points to its most, with its values."""
        labels = []
        for tick in scale.ticks:
            beyond = _WIDTH + EDGE if tick.log_odds > 0 else -EDGE  # where infinite points stand
            x = beyond if tick.points is None else _WIDTH * tick.points / 100
            labels.append(Label(x, tuple(fitted_lines(tick.label, _LABEL))))
        above, below = on_both_sides(labels)
        self.y += 20 + (LANE if above else 0)
        self._begin(scale.name, _WIDTH * scale.length / 100)
        for label in (*above, *below):
            self._line(label.x, 0.0, label.x, -4.0 if label in above else 4.0)
        for label in thinned(above):
            self._text(label.x, -11.0, label)
        lanes = in_lanes(thinned(below) if along_a_scale(labels) else below, _WIDTH)
        moved = any(abs(x - label.x) > 1 for lane in lanes for label, x in lane)
        drop = 12.0 if moved else 0.0  # room for lines that lead to labels beside their ticks
        for lane in lanes:
            for label, x in lane:
                self._line(label.x, 4.0, x, 4.0 + drop)
                self._text(x, 12.0 + drop, label)
            drop += LANE * max(len(label.lines) for label, _ in lane)
        self.y += max(drop, self.spare)

    def _begin(self, name: str, end: float) -> None:
        lines = fitted_lines(name, _NAMES, bold=True)
        self.spare = LANE * (len(lines) - 1) / 2  # of a long name, above and below its line
        self.y += max(0.0, self.spare - LANE)
        self.names.append({"y": self.y - self.spare, "text": lines})
        self._line(0.0, 0.0, end, 0.0)

    def _line(self, x: float, y: float, x2: float, y2: float) -> None:
        self.lines.append({"x": x, "x2": x2, "y": self.y + y, "y2": self.y + y2})

    def _text(self, x: float, y: float, label: Label, *, muted: bool = False) -> None:
        self.texts.append({"x": x, "y": self.y + y, "text": [*label.lines], "muted": muted})

    def spec(self) -> Spec:
        height = self.y + 8
        x = axis_of_numbers("x", axis=None, domain=(0, _WIDTH), reverse=False, nice=False)
        y = axis_of_numbers("y", axis=None, domain=(0, height), reverse=True, nice=False)
        ink = {"condition": {"test": "datum.muted", "value": LIGHT.muted}, "value": LIGHT.ink}
        text: Spec = {"baseline": "middle", "lineHeight": LANE}
        # A text's halo keeps the lines that pass behind it from striking it through.
        halo: Spec = {"stroke": LIGHT.paper, "strokeWidth": 4, "strokeJoin": "round", **text}
        words = {"x": x, "y": y, "text": "text"}
        ends = {"x": x, "x2": "x2", "y": y, "y2": "y2"}
        layers = [
            layer("rule", ends, self.lines, color=LIGHT.muted, strokeWidth=1),
            layer("text", words, self.texts, **halo),
            layer("text", {**words, "color": ink}, self.texts, **text),
            layer("text", {**words, "x": -EDGE - 16}, self.names, align="right", fontWeight="bold", **text),
        ]
        return layered(layers, _WIDTH, height)


def _shares(scale: Nomogram, total: float) -> list[Label]:
    """Round shares under the totals that give them, as far as there is room."""
    labels: list[Label] = []
    for share in _SHARES:
        points = (math.log(share / (1 - share)) - scale.base) * scale.points_per_log_odds
        label = Label(_WIDTH * points / total, (percent_to(share, 0 if 0.01 <= share <= 0.99 else 1),))
        free = all(abs(label.x - other.x) > label.half + other.half + 6 for other in labels)
        if 0 <= points <= total and free:
            labels.append(label)
    return labels


# The labels of a nomogram's scale, so placed that none covers another.


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
    needed = [2 * label.half + _GAP for label in ordered]
    lanes = 1
    while any(sum(needed[lane::lanes]) > room and len(needed[lane::lanes]) > 1 for lane in range(lanes)):
        lanes += 1
    return [_apart(ordered[lane::lanes], -EDGE, width + EDGE) for lane in range(lanes)]


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
