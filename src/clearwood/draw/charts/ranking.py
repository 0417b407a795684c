"""A ranking of columns: a bar for each score, the best first; those that are kept stand out."""

from __future__ import annotations

from typing import Any, Final

from clearwood.draw.charts.sheet import Spec, drawn, few_of, in_sentence, labelled, names_width, row_height
from clearwood.draw.palette import LIGHT, ThemeName, class_colours
from clearwood.draw.picture import Picture
from clearwood.errors import SettingError
from clearwood.selecting.ranking import RankedColumn, Ranking
from clearwood.words.numbers import in_digits, part_of

_WIDTH: Final = 320
_MOST: Final = 40  # columns that are all drawn
_SHOWN: Final = 30  # of more than that


def ranking(ranking: Ranking, *, theme: ThemeName = "auto") -> Picture:
    """A bar for each column's score, in the order of the ranking; kept ones are coloured.

    Of more than 40 columns the first 30 are drawn, and the picture says so.

    >>> import clearwood as cw
    >>> days = cw.read_table(cw.datasets.path("tennis"), target="PlayTennis")
    >>> cw.charts.ranking(cw.rank_columns(days, "gain", keep=2)).alt
    'Columns by gain in bits: Outlook 0.247 kept, Humidity 0.152 kept, Wind 0.0481, Temperature 0.0292.'
    """
    if not isinstance(ranking, Ranking):
        raise SettingError("charts.ranking draws a ranking: give what rank_columns returns.")
    shown = ranking.columns if len(ranking) <= _MOST else ranking.columns[:_SHOWN]
    phrases = [
        f"{in_sentence(each.name)} {in_digits(each.score, 3)}{' kept' if each.kept else ''}" for each in shown
    ]
    kept = f"{part_of(len(ranking.kept), len(ranking), 'column')} kept for {in_sentence(ranking.target)}"
    left = [f"the first {len(shown)} of {len(ranking):,}"] if len(shown) < len(ranking) else []
    return drawn(
        _spec(ranking, shown),
        title=f"Columns by {ranking.score}",
        subtitle=[f"{kept}, by {ranking.by}", *left],
        alt=f"Columns by {ranking.score}: {few_of(phrases)}.",
        width=_WIDTH + names_width([each.name for each in shown]),
        theme=theme,
    )


def _spec(ranking: Ranking, shown: tuple[RankedColumn, ...]) -> Spec:
    records: list[dict[str, Any]] = [
        {"place": str(place), "score": each.score, "figure": in_digits(each.score, 3), "kept": each.kept,
         "end": max(each.score, 0.0)}
        for place, each in enumerate(shown)
    ]  # fmt: skip
    names = {str(place): each.name for place, each in enumerate(shown)}
    low = min([0.0, *(each.score for each in shown)])
    high = max([0.0, *(each.score for each in shown)])
    reach = (high - low) or 1.0
    y = {
        "field": "place", "type": "nominal", "sort": None, "title": None, "scale": {"domain": [*names]},
        "axis": {"ticks": False, "domain": False, "labelPadding": 8, **labelled(names)},
    }  # fmt: skip
    x = {
        "type": "quantitative", "title": ranking.score,
        "scale": {"domain": [low - 0.02 * reach * (low < 0), high + 0.18 * reach], "nice": False},
        "axis": {"grid": False, "tickCount": 5, "format": "~g"},
    }  # fmt: skip
    kept = class_colours(("kept",))["kept"]
    colour = {"condition": {"test": "datum.kept", "value": kept}, "value": LIGHT.line}
    return {
        "data": {"values": records},
        "width": _WIDTH,
        "height": {"step": row_height(names.values(), 24)},
        "layer": [
            {"mark": {"type": "bar", "height": {"band": 0.62}},
             "encoding": {"y": y, "x": {**x, "field": "score"}, "color": colour}},
            {"data": {"values": [{"zero": 0}]}, "mark": {"type": "rule", "color": LIGHT.muted},
             "encoding": {"x": {**x, "field": "zero"}}},
            {"mark": {"type": "text", "align": "left", "baseline": "middle", "dx": 6},
             "encoding": {"y": y, "x": {**x, "field": "end"}, "text": {"field": "figure"}}},
        ],
    }  # fmt: skip
