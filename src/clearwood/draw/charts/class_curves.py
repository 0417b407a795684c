"""Class curves: a square chart of one curve for each class, whose legend gives each curve's figure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from clearwood.draw.charts.sheet import Records, Spec, drawn, keyed, names_width
from clearwood.draw.palette import LIGHT, ThemeName, class_colours
from clearwood.draw.picture import Picture
from clearwood.scoring.roc import Roc

_SIDE: Final = 320
_LEGEND: Final = 260
_DASHES: Final = ([1, 0], [6, 3], [2, 2])  # beyond eight classes colours look alike, so lines are dashed
_UNIT: Final = {"domain": [0, 1]}

Line = tuple[tuple[float, float], tuple[float, float]]  # its ends, (x, y) each


def class_curves(
    roc: Roc,
    records: Records,
    labels: Mapping[str, str],
    *,
    figure: str,
    x: str,
    y: str,
    heights: Mapping[str, Any] = _UNIT,
    guessing: Line | None = None,
    interpolate: str = "linear",
    title: str,
    subtitle: list[str],
    alt: str,
    theme: ThemeName,
) -> Picture:
    """The curves in `records` (class by its label, x, y, step); `labels` are by class, `figure` is what they
    give, `guessing` the line of random answers."""
    dashed = [{"x": across, "y": up} for across, up in guessing or ()]
    line = {"type": "line", "strokeWidth": 2.2, "strokeCap": "butt", "strokeJoin": "round"}
    spec: Spec = {
        "data": {"values": records},
        "width": _SIDE,
        "height": _SIDE,
        "encoding": {"x": _axis("x", x, _UNIT), "y": _axis("y", y, heights)},
        "layer": [
            *([{"data": {"values": dashed},
                "mark": {"type": "line", "color": LIGHT.muted, "strokeWidth": 1, "strokeDash": [2, 4]}}]
              if dashed else []),
            {"mark": {**line, "interpolate": interpolate}, "encoding": _by_class(roc, labels, figure)},
        ],
    }  # fmt: skip
    width = _SIDE + names_width(labels.values(), _LEGEND)
    return drawn(spec, title=title, subtitle=subtitle, alt=alt, width=width, theme=theme)


def _axis(field: str, title: str, scale: Mapping[str, Any]) -> Spec:
    axis = {"tickCount": 5, "format": ".1f"}
    return {"field": field, "type": "quantitative", "title": title, "scale": scale, "axis": axis}


def _by_class(roc: Roc, labels: Mapping[str, str], figure: str) -> Spec:
    names = [curve.name for curve in roc.curves]
    domain = [labels[name] for name in names]
    legend = {
        "title": f"{figure}, class",
        "symbolType": "stroke",
        "symbolStrokeWidth": 3,
        **keyed(domain, _LEGEND),
    }
    label = {"field": "class", "type": "nominal", "sort": None, "legend": legend}
    colours = class_colours(roc.classes)
    dashes = [_DASHES[roc.classes.index(name) // 8 % 3] for name in names]
    return {
        "color": {**label, "scale": {"domain": domain, "range": [colours[name] for name in names]}},
        "strokeDash": {**label, "scale": {"domain": domain, "range": dashes}},
        "order": {"field": "step", "type": "quantitative"},
    }
