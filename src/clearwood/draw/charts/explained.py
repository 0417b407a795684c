"""How much each component tells: bars of the shares, and a line of all so far."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from clearwood.components.axes import Correspondence, PrincipalComponents
from clearwood.draw.charts.sheet import Spec, drawn, few_of
from clearwood.draw.palette import LIGHT, ThemeName, class_colours, ink_on
from clearwood.draw.picture import Picture
from clearwood.errors import SettingError
from clearwood.words.numbers import percent_to

_HEIGHT: Final = 220
_MOST: Final = 12  # components


def explained(components: PrincipalComponents | Correspondence, *, theme: ThemeName = "auto") -> Picture:
    """Each component's share of the variance (of axes: of the inertia, adjusted), and the sum so far.

    >>> import clearwood as cw
    >>> days = cw.read_table(cw.datasets.path("tennis"), target="PlayTennis")
    >>> cw.charts.explained(cw.mca(days)).alt
    'Adjusted share of inertia by axis: 1 56.3 %, 2 12.2 %, 3 0.6 %, 4 0 %, 5 0 % and 1 more.'
    """
    if isinstance(components, PrincipalComponents):
        what, of, shares = "Share of variance", "component", components.shares
    elif isinstance(components, Correspondence):
        what, of, shares = "Adjusted share of inertia", "axis", components.adjusted
    else:
        raise SettingError("charts.explained draws what pca or mca returns.")
    phrases = [f"{place} {percent_to(share, 1)}" for place, share in enumerate(shares, 1)]
    title = f"{what} by {of}"
    left = [f"the first {_MOST} of {len(shares)}"] if len(shares) > _MOST else []
    return drawn(
        _spec(shares[:_MOST], what.lower(), of),
        title=title,
        subtitle=[*left, "bars: each; line: all so far"],
        alt=f"{title}: {few_of(phrases)}.",
        theme=theme,
    )


def _spec(shares: tuple[float, ...], what: str, of: str) -> Spec:
    together = np.cumsum(shares).tolist()
    records: list[dict[str, Any]] = [
        {"number": place + 1, "share": share, "all": together[place], "figure": percent_to(share, 1)}
        for place, share in enumerate(shares)
    ]
    x = {"field": "number", "type": "ordinal", "title": of, "axis": {"labelAngle": 0, "ticks": False}}
    y = {
        "type": "quantitative", "title": what, "scale": {"domain": [0, 1]},
        "axis": {"format": ".0%", "tickCount": 5},
    }  # fmt: skip
    blue, orange = class_colours(("each", "all")).values()
    return {
        "data": {"values": records},
        "width": max(180, 52 * len(shares)),
        "height": _HEIGHT,
        "layer": [
            {"mark": {"type": "bar", "width": {"band": 0.8}, "color": blue},
             "encoding": {"x": x, "y": {**y, "field": "share"}}},
            {"mark": {"type": "line", "color": orange, "strokeWidth": 2,
                      "point": {"filled": True, "size": 45, "color": orange}},
             "encoding": {"x": x, "y": {**y, "field": "all"}}},
            {"transform": [{"filter": "datum.number > 1 && datum.all - datum.share > 0.07"}],
             "mark": {"type": "text", "dy": -8, "fontSize": 11, "color": LIGHT.ink},
             "encoding": {"x": x, "y": {**y, "field": "share"}, "text": {"field": "figure"}}},
            {"transform": [{"filter": "datum.number == 1 && datum.share >= 0.1"}],
             "mark": {"type": "text", "dy": 14, "fontSize": 11, "color": ink_on(blue)},
             "encoding": {"x": x, "y": {**y, "field": "share"}, "text": {"field": "figure"}}},
        ],
    }  # fmt: skip
