"""How often each column is kept when the rows are drawn anew: a bar for each, the steadiest first."""

from __future__ import annotations

from typing import Any, Final

from clearwood.draw.charts.sheet import Spec, drawn, few_of, in_sentence, labelled, names_width, row_height
from clearwood.draw.palette import LIGHT, ThemeName, class_colours
from clearwood.draw.picture import Picture
from clearwood.errors import SettingError
from clearwood.selecting.stability import ColumnKept, SelectionStability
from clearwood.words.numbers import percent_to

_WIDTH: Final = 320
_MOST: Final = 40  # columns that are all drawn
_SHOWN: Final = 30  # of more than that


def selection_stability(stability: SelectionStability, *, theme: ThemeName = "auto") -> Picture:
    """A bar for the part of the samples that kept each column; pale where it is kept in less than half.

    >>> import clearwood as cw
    >>> days = cw.read_table(cw.datasets.path("tennis_56"), target="Play")
    >>> steady = cw.selection_stability(days, cw.Selection("gain", keep=2), cw.Folds(4))
    >>> cw.charts.selection_stability(steady).alt.split(":")[0]
    'How often each column is kept in 4 samples'
    """
    if not isinstance(stability, SelectionStability):
        raise SettingError(
            "charts.selection_stability draws how often columns are kept: give what selection_stability "
            "returns."
        )
    shown = stability.columns if len(stability.columns) <= _MOST else stability.columns[:_SHOWN]
    phrases = [f"{in_sentence(each.name)} {percent_to(each.part, 0)}" for each in shown]
    title = f"How often each column is kept in {stability.samples} samples"
    left = (
        [f"the first {len(shown)} of {len(stability.columns):,} columns"]
        if len(shown) < len(stability.columns)
        else []
    )
    return drawn(
        _spec(shown),
        title=title,
        subtitle=[f"by {stability.by}; {stability.in_words}", *left],
        alt=f"{title}: {few_of(phrases)}.",
        width=_WIDTH + names_width([each.name for each in shown]),
        theme=theme,
    )


def _spec(shown: tuple[ColumnKept, ...]) -> Spec:
    records: list[dict[str, Any]] = [
        {"place": str(place), "part": each.part, "figure": percent_to(each.part, 0)}
        for place, each in enumerate(shown)
    ]
    names = {str(place): each.name for place, each in enumerate(shown)}
    y = {
        "field": "place", "type": "nominal", "sort": None, "title": None, "scale": {"domain": [*names]},
        "axis": {"ticks": False, "domain": False, "labelPadding": 8, **labelled(names)},
    }  # fmt: skip
    x = {
        "field": "part", "type": "quantitative", "title": "samples that kept it",
        "scale": {"domain": [0, 1.15], "nice": False},
        "axis": {"grid": False, "values": [0, 0.25, 0.5, 0.75, 1], "format": ".0%"},
    }  # fmt: skip
    colour = class_colours(("kept",))["kept"]
    return {
        "data": {"values": records},
        "width": _WIDTH,
        "height": {"step": row_height(names.values(), 24)},
        "layer": [
            {"data": {"values": [{"half": 0.5}]},
             "mark": {"type": "rule", "color": LIGHT.line, "strokeDash": [3, 3]},
             "encoding": {"x": {**x, "field": "half"}}},
            {"mark": {"type": "bar", "height": {"band": 0.62}, "color": colour},
             "encoding": {"y": y, "x": x,
                          "opacity": {"condition": {"test": "datum.part >= 0.5", "value": 1}, "value": 0.4}}},
            {"mark": {"type": "text", "align": "left", "baseline": "middle", "dx": 6},
             "encoding": {"y": y, "x": x, "text": {"field": "figure"}}},
        ],
    }  # fmt: skip
