"""Evidence as bars: what speaks for a class to the right, what speaks for the other to the left."""

from __future__ import annotations

import math
from typing import Final

from clearwood.draw.charts.sheet import (
    SIZE,
    Records,
    Spec,
    drawn,
    few_of,
    fitted_lines,
    in_sentence,
    labelled,
    names_width,
    row_height,
)
from clearwood.draw.charts.taking import check_drawable
from clearwood.draw.explanation import longest_bars, sum_of
from clearwood.draw.lettering import text_width
from clearwood.draw.palette import LIGHT, ThemeName, class_colours
from clearwood.draw.picture import Picture
from clearwood.errors import SettingError
from clearwood.explain.evidence import Bar, Evidence
from clearwood.words.numbers import number, percent_to

_WIDTH: Final = 340
_IN_ALL: Final = "in all"


def evidence(
    contributions: Evidence,
    called: str | None = None,
    against: str | None = None,
    *,
    most: int = 20,
    theme: ThemeName = "auto",
) -> Picture:
    """The log odds of a class against another, one bar per cell or word; they add up to the last bar.

    Without names it is the answer against the runner-up. Beyond `most` bars the shortest stand together.

    >>> import clearwood as cw
    >>> table = cw.read_table(cw.datasets.path("buys_computer"), target="buys_computer")
    >>> row = {"age": "<=30", "income": "medium", "student": "yes", "credit_rating": "fair"}
    >>> evidence(cw.evidence(cw.NaiveBayes().learn(table), row)).alt
    'Evidence for yes (76.8 %) against no (23.2 %), in log odds: student: yes +0.80, age: <=30 −0.69, \
prior +0.59, credit_rating: fair +0.40, income: medium +0.11; in all +1.20.'
    """
    check_drawable("evidence", contributions, Evidence)
    if len(contributions.classes) < 2:
        raise SettingError(f"There is no evidence to draw: {contributions.classes[0]} is the only class.")
    whole = contributions.bars(called, against)
    yes, no = _sides(contributions, called, against)
    bars = [*longest_bars(whole, most)]
    bars.append(Bar(_IN_ALL, None, sum_of(bars)))
    records = _records(bars)
    labels = [record["label"] for record in records]
    by_size = sorted(bars[:-1], key=lambda bar: -abs(bar.log_odds))
    share = dict(zip(contributions.classes, contributions.shares, strict=True))
    return drawn(
        _spec(records, labels, class_colours(contributions.classes), yes, no),
        title=f"{in_sentence(yes)}: {percent_to(share[yes])}",
        subtitle=[
            f"evidence for {in_sentence(yes)} against {in_sentence(no)} ({percent_to(share[no])})",
            *(
                [f"each cell compared with {in_sentence(contributions.compared)}"]
                if contributions.compared
                else []
            ),
        ],
        alt=f"Evidence for {in_sentence(yes)} ({percent_to(share[yes])}) "
        f"against {in_sentence(no)} ({percent_to(share[no])}), "
        f"in log odds: {few_of([f'{_label(bar)} {_figure(bar.log_odds)}' for bar in by_size])}; "
        f"in all {_figure(bars[-1].log_odds)}.",
        width=_WIDTH + names_width(labels),
        theme=theme,
    )


def _sides(evidence: Evidence, called: str | None, against: str | None) -> tuple[str, str]:
    ranked = sorted(evidence.classes, key=lambda name: -evidence.shares[evidence.classes.index(name)])
    yes = called or ranked[0]
    return yes, against or next(name for name in ranked if name != yes)


def _records(bars: list[Bar]) -> Records:
    """Bars with their ends; one that is infinite goes a little beyond the longest."""
    longest = max((abs(bar.log_odds) for bar in bars if math.isfinite(bar.log_odds)), default=0.0)
    end = 1.25 * longest or 1.0
    records: Records = []
    for place, bar in enumerate(bars):
        odds = 0.0 if math.isnan(bar.log_odds) else max(-end, min(end, bar.log_odds))
        records.append(
            {
                "place": str(place), "label": _label(bar), "odds": odds, "figure": _figure(bar.log_odds),
                "total": place == len(bars) - 1,
            }
        )  # fmt: skip
    return records


def _label(bar: Bar) -> str:
    if bar.value is None:
        return in_sentence(bar.name)
    value = bar.value if isinstance(bar.value, str) else number(bar.value)
    return f"{in_sentence(bar.name)}: {in_sentence(value)}"


def _figure(odds: float) -> str:
    if math.isinf(odds):
        return "+∞" if odds > 0 else "−∞"
    return "–" if math.isnan(odds) else f"{odds:+.2f}".replace("-", "−")


def _title(yes: str, no: str) -> list[str]:
    """What lies to which side, in one line if there is room."""
    sides = f"left for {in_sentence(no)}", f"right for {in_sentence(yes)}"
    line = f"log odds: {sides[0]}, {sides[1]}"
    if text_width(line, SIZE) <= _WIDTH:
        return [line]
    return ["log odds", *(part for side in sides for part in fitted_lines(side, _WIDTH))]


def _spec(records: Records, labels: list[str], colours: dict[str, str], yes: str, no: str) -> Spec:
    reach = max(abs(record["odds"]) for record in records) or 1.0
    low = min(0.0, *(record["odds"] for record in records))
    high = max(0.0, *(record["odds"] for record in records))
    room = 0.16 * (high - low or reach)  # for the figure behind a bar
    places = [record["place"] for record in records]
    lines = dict(zip(places, labels, strict=True))
    y = {
        "field": "place", "type": "nominal", "sort": None, "title": None, "scale": {"domain": places},
        "axis": {"ticks": False, "domain": False, "labelPadding": 10, **labelled(lines)},
    }  # fmt: skip
    x = {
        "field": "odds", "type": "quantitative",
        "title": _title(yes, no),
        "scale": {"domain": [low - room * (low < 0), high + room * (high > 0)], "nice": False},
        "axis": {"tickCount": 6, "format": "+.2~f"},
    }  # fmt: skip
    paint = {
        "condition": [
            {"test": "datum.total", "value": LIGHT.muted},
            {"test": "datum.odds >= 0", "value": colours[yes]},
        ],
        "value": colours[no],
    }
    text = {"type": "text", "baseline": "middle"}
    return {
        "data": {"values": records},
        "width": _WIDTH,
        "height": {"step": row_height(labels, 26 if len(records) <= 12 else 21)},
        "layer": [
            {"mark": {"type": "bar", "cornerRadiusEnd": 2, "height": {"band": 0.74}},
             "encoding": {"y": y, "x": x, "color": paint}},
            {"data": {"values": [{"zero": 0}]}, "mark": {"type": "rule", "color": LIGHT.ink},
             "encoding": {"x": {**x, "field": "zero"}}},
            {"transform": [{"filter": "datum.odds >= 0"}], "mark": {**text, "align": "left", "dx": 5},
             "encoding": {"y": y, "x": x, "text": {"field": "figure"}}},
            {"transform": [{"filter": "datum.odds < 0"}], "mark": {**text, "align": "right", "dx": -5},
             "encoding": {"y": y, "x": x, "text": {"field": "figure"}}},
        ],
    }  # fmt: skip
