"""A sheet: what every chart's Vega-Lite specification has in common; drawn, it is a Picture.

Specifications are plain dictionaries in the LIGHT theme's colours: `altair.Chart.from_dict(picture.spec)`
opens one. Names from data are never names of fields, nor parts of expressions but as quoted texts.
"""

from __future__ import annotations

import json
import re
import zlib
from collections.abc import Mapping, Sequence
from typing import Any, Final, TypeAlias

from clearwood.draw.columns import display_width, printable
from clearwood.draw.palette import LIGHT
from clearwood.draw.picture import FONT, Picture, framed
from clearwood.draw.raster import chart_svg
from clearwood.draw.theming import ThemeName

Spec: TypeAlias = dict[str, Any]
Records: TypeAlias = list[dict[str, Any]]

LETTER: Final = 6.4  # units that a letter of an axis takes, on the average

_SCHEMA: Final = "https://vega.github.io/schema/vega-lite/v5.json"
_AXIS: Final = {
    "labelColor": LIGHT.ink, "titleColor": LIGHT.muted, "domainColor": LIGHT.line, "tickColor": LIGHT.line,
    "gridColor": LIGHT.line, "gridOpacity": 0.55, "labelFontSize": 12, "titleFontSize": 12,
    "titleFontWeight": "normal", "labelLimit": 0, "titleLimit": 0, "titlePadding": 8, "labelPadding": 5, "labelFlush": False,
}  # fmt: skip
_LEGEND: Final = {
    "labelColor": LIGHT.ink, "titleColor": LIGHT.muted, "labelFontSize": 12, "titleFontSize": 12,
    "titleFontWeight": "normal", "labelLimit": 0, "titleLimit": 0, "symbolType": "square", "symbolSize": 110,
    "rowPadding": 4, "offset": 20,
}  # fmt: skip
_CONFIG: Final = {
    "aria": False,  # the picture as a whole has its sentence; a label for each mark would drown it
    "font": FONT,
    "background": LIGHT.paper,
    "padding": 14,
    "view": {"stroke": None},
    "axis": _AXIS,
    "legend": _LEGEND,
    "title": {
        "anchor": "start", "frame": "bounds", "fontSize": 15, "fontWeight": "bold", "color": LIGHT.ink,
        "subtitleColor": LIGHT.muted, "subtitleFontSize": 12, "subtitlePadding": 5, "offset": 14, "limit": 0,
    },
    "header": {"labelColor": LIGHT.ink, "labelFontSize": 12, "labelFontWeight": "bold", "labelLimit": 0,
               "labelAnchor": "start", "titleColor": LIGHT.muted},
    "text": {"color": LIGHT.ink, "fontSize": 12},
    "rule": {"color": LIGHT.muted},
}  # fmt: skip


def drawn(
    content: Mapping[str, Any],
    *,
    title: str,
    alt: str,
    subtitle: Sequence[str] = (),
    width: float = 420,
    theme: ThemeName = "auto",
) -> Picture:
    """The picture of a chart: its marks under a title, whose lines are broken to fit the `width`."""
    letters = max(30, int(width / LETTER))
    lines = [line for text in subtitle for line in broken(text, letters)]
    spec = {
        "$schema": _SCHEMA,
        "description": printable(alt),
        "title": {"text": broken(title, int(letters * 0.75)), **({"subtitle": lines} if lines else {})},
        **content,
        "config": _CONFIG,
    }
    svg = chart_svg(json.dumps(spec, allow_nan=False))
    size = re.search(r'width="([\d.]+)" height="([\d.]+)"', svg)
    assert size is not None
    body = svg[svg.index(">") + 1 : svg.rindex("</svg>")]
    # The frame says the font once. Two charts in one page must not share the names of their clips.
    body = re.sub(r' font-family="[^"]*"', "", body)
    name = f"c{zlib.crc32(body.encode()):08x}"
    body = re.sub(r'(id="|url\(#)', rf"\g<1>{name}-", body)
    return framed(body, float(size[1]), float(size[2]), title=title, alt=alt, theme=theme, spec=spec)


def named(names: Sequence[str], letters: int = 30) -> Spec:
    """What an axis or a legend needs so that these names stand in full, long ones in several lines.

    >>> named(["low", "very high"], 5)
    {'labelExpr': '{"low": ["low"], "very high": ["very", "high"]}[datum.value]'}
    """
    lines = {name: broken(name, letters) for name in names}
    if all(each == [name] for name, each in lines.items()):
        return {}
    return {"labelExpr": f"{json.dumps(lines)}[datum.value]"}


def broken(text: str, letters: int) -> list[str]:
    """The text in lines of at most so many letters: broken at spaces, else after hyphens and the like.

    >>> broken("a rather long-winded name", 8)
    ['a rather', 'long-', 'winded', 'name']
    """
    lines, line = [], ""
    for word in printable(text).split(" "):
        joined = f"{line} {word}" if line else word
        if line and display_width(joined) > letters:
            lines.append(line)
            joined = word
        while display_width(joined) > letters:
            fits = next((i for i in range(len(joined), 1, -1) if display_width(joined[:i]) <= letters), 1)
            cut = max((joined.rfind(mark, 0, fits) + 1 for mark in "-_/.,;:&"), default=0) or fits
            lines.append(joined[:cut])
            joined = joined[cut:]
        line = joined
    return [*lines, line]


def longest(names: Sequence[str], letters: int = 30) -> float:
    """Units that the widest line of these names takes."""
    return LETTER * max((display_width(line) for each in names for line in broken(each, letters)), default=0)


def percent(share: float, digits: int = 1) -> str:
    """A share as people say it.

    >>> percent(0.76777), percent(1.0), percent(0.0004)
    ('76.8 %', '100 %', '0.0 %')
    """
    return f"{100 * share:.{digits}f} %" if share < 1 else "100 %"


def with_room(bars: float, weights: Sequence[float], labels: Sequence[str]) -> tuple[float, Spec]:
    """A width, and the scale of bars from 0 in it, that leaves room for a label behind the longest bar.

    >>> with_room(100, [5.0, 10.0], ["5", "10"])
    (122.8, {'domain': [0, 12.28], 'nice': False})
    """
    room = 10 + LETTER * max(map(display_width, labels), default=0)
    return bars + room, {"domain": [0, max(weights) * (bars + room) / bars], "nice": False}


def few_of(told: Sequence[str], most: int = 5) -> str:
    """The first of these in a row, and how many more there are.

    >>> few_of(["a 3", "b 2", "c 1"], most=2)
    'a 3, b 2 and 1 more'
    """
    more = len(told) - most
    return ", ".join(told[:most]) + (f" and {more} more" if more > 0 else "")


def row_count(weight: float) -> str:
    """How many rows, in words.

    >>> row_count(1.0), row_count(48842.0), row_count(2.5)
    ('1 row', '48,842 rows', '2.5 rows')
    """
    return f"{weight:,.10g} {'row' if weight == 1 else 'rows'}"
