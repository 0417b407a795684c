"""Builders: what charts are made of, lines with their bands and the names at their ends."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Final

from clearwood.draw.charts.sheet import Records, Spec, fitted_lines
from clearwood.draw.palette import LIGHT, class_colours

_POINTS: Final = 40  # a line of more has none marked
_ROOM: Final = 160.0  # for a name at the end of a line


@dataclass(frozen=True, slots=True)
class ScoreLine:
    """Scores at rising places; where one is not finite, the line has a gap. `spread` is half of the band."""

    name: str
    places: Sequence[float]
    scores: Sequence[float]
    colour: str
    spread: Sequence[float] = ()
    dashed: bool = False
    named: bool = True  # at its end
    points: bool = True


def learner_lines(
    name: str,
    places: Sequence[float],
    training: Sequence[float],
    held_out: Sequence[float],
    spread: Sequence[float],
    colour: str | None,
    spread_on_training: Sequence[float] = (),
) -> list[ScoreLine]:
    """The two lines of a learner: with a colour of its own, named by itself; of a single one (None) each is
    named by the rows that it is of, and both have bands."""
    if colour is None:
        return [
            ScoreLine("training", places, training, LIGHT.muted, spread_on_training, dashed=True),
            ScoreLine("held out", places, held_out, LIGHT.accent, spread),
        ]
    return [
        ScoreLine(name, places, training, colour, dashed=True, named=False, points=False),
        ScoreLine(name, places, held_out, colour, spread),
    ]


def colours_of(names: Sequence[str]) -> list[str | None]:
    """A colour for each of several; none of a single one."""
    return [None] if len(names) == 1 else list(class_colours(names).values())


def lines_panel(
    lines: Sequence[ScoreLine], x: Spec, *, score: str, width: int, height: int, under: Sequence[Spec] = ()
) -> Spec:
    """The panel of these lines; `x` is the axis, whose field is `place`, `under` what stands behind them."""
    shown = [each for line in lines for each in _reach(line)]
    domain = around(shown) if shown else (0.0, 1.0)
    y = {
        "type": "quantitative", "title": score, "scale": {"domain": [*domain], "nice": False},
        "axis": {"tickCount": 6},
    }  # fmt: skip
    across = {**x, "field": "place", "type": "quantitative"}
    layers = [*under]
    layers += [_band(line, across, y) for line in lines if any(map(isfinite, line.spread))]
    layers += [_line(line, across, y) for line in lines]
    ends = [
        End(" ".join(fitted_lines(line.name, _ROOM)), last[-1], line.colour)
        for line in lines
        if line.named and (last := [each for each in line.scores if isfinite(each)])
    ]
    layers += names_at_ends(ends, domain, width, height)
    return {"width": width, "height": height, "layer": layers}


def _reach(line: ScoreLine) -> list[float]:
    spread = line.spread or [0.0] * len(line.scores)
    ends = [
        end
        for score, half in zip(line.scores, spread, strict=True)
        for end in ((score - half, score + half) if isfinite(half) else (score,))
    ]
    return [each for each in ends if isfinite(each)]


def _line(line: ScoreLine, x: Spec, y: Spec) -> Spec:
    records: Records = [
        {"place": place, "score": score}
        for place, score in zip(line.places, line.scores, strict=True)
        if isfinite(score)
    ]
    dash = [5, 3] if line.dashed else [1, 0]
    width = 1.6 if line.dashed else 2.2
    mark: Spec = {"type": "line", "color": line.colour, "strokeWidth": width, "strokeDash": dash}
    if line.points and len(records) <= _POINTS:
        mark["point"] = {"color": line.colour, "size": 34, "filled": True}
    return {"data": {"values": records}, "mark": mark, "encoding": {"x": x, "y": {**y, "field": "score"}}}


def _band(line: ScoreLine, x: Spec, y: Spec) -> Spec:
    records: Records = [
        {"place": place, "low": score - half, "high": score + half}
        for place, score, half in zip(line.places, line.scores, line.spread, strict=True)
        if isfinite(score) and isfinite(half)
    ]
    return {
        "data": {"values": records},
        "mark": {"type": "area", "color": line.colour, "opacity": 0.18},
        "encoding": {"x": x, "y": {**y, "field": "low"}, "y2": {"field": "high"}},
    }


# Names at the ends of lines, moved apart where they would meet.


_APART: Final = 17.0  # units between two names


@dataclass(frozen=True, slots=True)
class End:
    """A line's last value, its name and its colour."""

    name: str
    value: float
    colour: str


def names_at_ends(
    ends: Sequence[End], domain: tuple[float, float], width: float, height: float
) -> list[Spec]:
    """A layer for each name, at the right of a panel whose y axis has this domain."""
    low, high = domain
    places = sorted(
        ((height * (high - end.value) / (high - low), end) for end in ends), key=lambda each: each[0]
    )
    spread: list[float] = []
    for place, _ in places:
        spread.append(max(place, spread[-1] + _APART) if spread else place)
    # Half of what the later ones were moved down, all move up: the names stay about their lines.
    shift = max((moved - place for moved, (place, _) in zip(spread, places, strict=True)), default=0.0) / 2
    return [
        {
            "data": {"values": [{"name": end.name}]},
            "mark": {"type": "text", "align": "left", "fontWeight": "bold", "color": end.colour, "dx": 8},
            "encoding": {
                "x": {"value": width},
                "y": {"value": place - shift},
                "text": {"field": "name"},
            },
        }
        for place, (_, end) in zip(spread, places, strict=True)
    ]


def around(values: Sequence[float]) -> tuple[float, float]:
    """The ends of an axis that shows all these values with a little room.

    >>> around([0.5, 1.0])
    (0.475, 1.025)
    """
    low, high = min(values), max(values)
    room = 0.05 * (high - low) or 0.05 * (abs(high) or 1.0)
    return low - room, high + room
