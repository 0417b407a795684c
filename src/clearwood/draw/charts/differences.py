"""Differences with their intervals: which pairs differ, by how much, and beside what nobody minds."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

from clearwood.draw.charts.sheet import (
    SIZE,
    Records,
    Spec,
    drawn,
    few_of,
    in_sentence,
    name_axis,
    row_height,
)
from clearwood.draw.lettering import text_width
from clearwood.draw.palette import LIGHT, ThemeName
from clearwood.draw.picture import Picture
from clearwood.errors import SettingError
from clearwood.study.comparing.learner_comparison import LearnerComparison
from clearwood.study.comparing.models import ModelComparison
from clearwood.study.comparing.score_difference import ScoreDifference, score_text
from clearwood.words.numbers import many, p_value, with_and

_WIDTH: Final = 400
_ROW: Final = 30.0


def differences(
    comparison: LearnerComparison | ModelComparison, score: str | None = None, *, theme: ThemeName = "auto"
) -> Picture:
    """A line for each pair: the first one's score less the second one's with its interval at 95 %, over the
    region of practical equivalence. What was shown, after the adjustment for all pairs, is drawn in colour.

    Of models a panel for each score, or for the one of this name.

    >>> import clearwood as cw
    >>> days = cw.read_table(cw.datasets.path("tennis"), target="PlayTennis")
    >>> compared = cw.compare_learners([cw.ID3(), cw.ID3(max_depth=1)], days, cw.Folds(7))
    >>> differences(compared).alt.split(":")[0]
    'Differences in accuracy at 95 %'
    """
    chosen = [each for each in comparison.differences if score in (None, each.score) and _is_drawn(each)]
    if not chosen:
        known = ", ".join(dict.fromkeys(each.score for each in comparison.differences if _is_drawn(each)))
        raise SettingError(f"No difference of this score was tested. Scores with tests: {known or 'none'}.")
    panels = {
        name: [each for each in chosen if each.score == name]
        for name in dict.fromkeys(each.score for each in chosen)
    }
    on = (
        f"{many(comparison.rows, 'row')} that all models predicted"
        if isinstance(comparison, ModelComparison)
        else f"{comparison.design}, the same rows for all"
    )
    labels = with_and(dict.fromkeys(each.label for each in chosen))
    found = few_of([_in_words(each, several=len(panels) > 1) for each in chosen], most=6)
    return drawn(
        {"vconcat": [_panel(each) for each in panels.values()], "spacing": 26},
        title=f"Differences in {labels}" if len(panels) < 3 else "Differences by each score",
        subtitle=[
            f"{on}. Bars are intervals at 95 %; the band is the "
            "region of practical equivalence; filled and in colour: shown at 5 %, adjusted for all pairs."
        ],
        alt=f"Differences in {labels} at 95 %: {found}.",
        width=_WIDTH + 180,
        theme=theme,
    )


def _is_drawn(each: ScoreDifference) -> bool:
    return each.is_known and not each.has_no_spread


def _panel(pairs: Sequence[ScoreDifference]) -> Spec:
    names = [f"{each.first} − {each.second}" for each in pairs]
    records: Records = []
    for name, each in zip(names, pairs, strict=True):
        low, high = each.interval
        adjusted = "adjusted " if each.comparisons > 1 else ""
        records.append(
            {"pair": name, "difference": each.difference, "low": low, "high": high, "shown": each.is_shown,
             "text": f"{adjusted}p {p_value(each.adjusted_p)}"}
        )  # fmt: skip
    rope = max(each.rope for each in pairs)
    ends = [value for record in records for value in (record["low"], record["high"])] + [-rope, rope]
    low, high = min(ends), max(ends)
    margin = 0.04 * (high - low) or 1.0
    height = row_height(names, _ROW)
    side = "right" if pairs[0].better == "more" else "left"
    title = f"{pairs[0].label}, first − second: to the {side} the first is better"
    x = {
        "field": "difference", "type": "quantitative", "title": title,
        "scale": {"domain": [low - margin, high + margin], "nice": False, "zero": False},
        "axis": {"tickCount": 6},
    }  # fmt: skip
    y = {"field": "pair", "type": "nominal", "sort": None, "title": None,
         "axis": {"domain": False, "ticks": False, "grid": False, **name_axis(names)}}  # fmt: skip
    colour = {"condition": {"test": "datum.shown", "value": LIGHT.accent}, "value": LIGHT.muted}
    fill = {"condition": {"test": "datum.shown", "value": LIGHT.accent}, "value": LIGHT.paper}
    room = 8 + max(text_width(record["text"], SIZE) for record in records)
    return {
        "width": _WIDTH, "height": {"step": height},
        "layer": [
            {"data": {"values": [{"low": -rope, "high": rope}]},
             "mark": {"type": "rect", "color": LIGHT.line, "opacity": 0.35},
             "encoding": {"x": {**x, "field": "low"}, "x2": {"field": "high"}}},
            {"data": {"values": [{"difference": 0}]}, "mark": {"type": "rule", "strokeDash": [2, 3]},
             "encoding": {"x": x}},
            {"data": {"values": records}, "mark": {"type": "rule", "strokeWidth": 2.4, "strokeCap": "round"},
             "encoding": {"x": {**x, "field": "low"}, "x2": {"field": "high"}, "y": y, "color": colour}},
            {"data": {"values": records},
             "mark": {"type": "point", "size": 75, "opacity": 1, "strokeWidth": 2, "filled": False},
             "encoding": {"x": x, "y": y, "stroke": colour, "fill": fill}},
            {"data": {"values": records},
             "mark": {"type": "text", "align": "right", "dx": room, "color": LIGHT.muted},
             "encoding": {"x": {"value": _WIDTH}, "y": y, "text": {"field": "text"}}},
        ],
    }  # fmt: skip


def _in_words(each: ScoreDifference, *, several: bool) -> str:
    low, high = (score_text(each, end) for end in each.interval)
    said = "shown" if each.is_shown else "not shown"
    difference = 0.0 if math.isnan(each.difference) else each.difference
    return (
        f"{f'{each.label} of ' if several else ''}{in_sentence(each.first)} minus "
        f"{in_sentence(each.second)} {score_text(each, difference)} "
        f"({low} to {high}, {said})"
    )
