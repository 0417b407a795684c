"""Names at the ends of lines, moved apart where they would meet."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from clearwood.draw.charts.sheet import Spec

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
