"""Rates by group: how often, and how rightly, the rows of each group are answered."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from clearwood.draw.charts.sheet import (
    Records,
    Spec,
    drawn,
    few_of,
    in_sentence,
    name_axis,
    names_width,
    row_height,
)
from clearwood.draw.charts.taking import check_drawable
from clearwood.draw.palette import LIGHT, ThemeName
from clearwood.draw.picture import Picture
from clearwood.scoring.by_group import ByGroup

_WIDTH: Final = 150  # of a panel
_ROW: Final = 30
_MOST: Final = 15  # groups
_PANELS: Final = ("selected", "recall", "false_alarms", "precision")


def groups(table: ByGroup, *, theme: ThemeName = "auto") -> Picture:
    """A panel for each rate, a line for each group: a point with its 95 % interval. The dashed line is the
    reference group's rate. A rate of fewer than ten rows is not drawn.

    >>> import clearwood as cw
    >>> rows = {"x": [0, 1, 1] * 20, "sex": list("ffm") * 20, "y": list("abb") * 20}
    >>> people = cw.read_table(rows, target="y")
    >>> groups(cw.by_group(cw.CART().learn(people), people, "sex", positive="b")).alt
    'Rates by sex. Predicted b: f 0.500, m 1.000.'
    """
    check_drawable("groups", table, ByGroup)
    below = [
        f"about {in_sentence(table.positive)}; dashed: {in_sentence(table.reference)}, the largest group"
    ]
    more = len(table.groups) - _MOST
    if more > 0:
        largest = sorted(table.groups, key=lambda each: -each.rows)[:_MOST]
        table = replace(table, groups=tuple(each for each in table.groups if each in largest))
        below.append(f"the {_MOST} largest groups of {_MOST + more}")
    names = [in_sentence(each.group) for each in table.groups]
    first = [
        f"{in_sentence(each.group)} {each.rates['selected'].value:.3f}"
        for each in table.groups
        if each.rates["selected"].is_given
    ]
    label = in_sentence(table.label("selected"))
    described = f"Rates by {in_sentence(table.column)}. {label[0].upper()}{label[1:]}: {few_of(first)}."
    panels = [_panel(table, rate, names, place) for place, rate in enumerate(_PANELS)]
    return drawn(
        {"concat": panels, "columns": 2, "spacing": 22},
        title=f"Predictions by {in_sentence(table.column)}",
        subtitle=below,
        alt=described,
        width=2 * _WIDTH + 2 * names_width(names) + 40,
        theme=theme,
    )


def _panel(table: ByGroup, rate: str, names: list[str], place: int) -> Spec:
    records: Records = []
    for name, each in zip(names, table.groups, strict=True):
        if each.rates[rate].is_given:
            low, high = each.rates[rate].interval
            records.append({"group": name, "rate": each.rates[rate].value, "low": low, "high": high})
    base = next(each for each in table.groups if each.group == table.reference).rates[rate]
    height = row_height(names, _ROW) * len(names)
    axis = name_axis(names) if place % 2 == 0 else {"labels": False, "ticks": False}
    x: Spec = {
        "field": "rate", "type": "quantitative", "title": None, "scale": {"domain": [0, 1]},
        "axis": {"tickCount": 3, "format": ".1f"},
    }  # fmt: skip
    y: Spec = {
        "field": "group", "type": "nominal", "title": None, "sort": None, "scale": {"domain": names},
        "axis": {**axis, "grid": False},
    }  # fmt: skip
    reference = [{"rate": base.value}] if base.is_given else []
    return {
        "title": {"text": in_sentence(table.label(rate)), "fontSize": 12, "offset": 6},
        "data": {"values": records},
        "width": _WIDTH,
        "height": height,
        "layer": [
            {
                "data": {"values": reference},
                "mark": {"type": "rule", "color": LIGHT.muted, "strokeDash": [4, 3]},
                "encoding": {"x": x},
            },
            {
                "mark": {"type": "rule", "color": LIGHT.accent, "strokeWidth": 2},
                "encoding": {"x": {**x, "field": "low"}, "x2": {"field": "high"}, "y": y},
            },
            {
                "mark": {"type": "circle", "color": LIGHT.accent, "size": 70, "opacity": 1},
                "encoding": {"x": x, "y": y},
            },
        ],
    }
