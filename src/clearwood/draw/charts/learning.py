"""The learning curve of an ensemble: how good its first members are together, by how many they are."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from clearwood.draw.charts.sheet import Records, Spec, drawn
from clearwood.draw.palette import LIGHT, ThemeName, class_colours
from clearwood.draw.picture import Picture
from clearwood.errors import SettingError
from clearwood.models.ensemble import Ensemble, LearningCurve
from clearwood.models.kept import check_kind
from clearwood.words.numbers import brief, many

_WIDTH: Final = 430
_HEIGHT: Final = 220
_MOST: Final = 400  # points of a line; more are as fine as the pixels


def learning(model: Ensemble, *, theme: ThemeName = "auto") -> Picture:
    """The number of members across, the error or loss up, a line for each curve: on the rows held out, out of
    bag, or learned from, or by another score. The least is marked, and where learning stopped, how many
    members it kept.

    >>> import clearwood as cw
    >>> table = cw.read_table(cw.datasets.path("tennis"), target="PlayTennis")
    >>> learning(cw.Forest(trees=9).learn(table)).alt.split(":")[0]
    'Error on out-of-bag rows by the number of members'
    """
    check_kind("charts.learning", model, Ensemble)
    if not model.curves:
        raise SettingError(
            "This ensemble has no learning curve: it was not evaluated on other rows while it was "
            "learned. A forest has one "
            "by its out-of-bag rows, boosting by those that early_stopping keeps back."
        )
    scores = list(dict.fromkeys(curve.score for curve in model.curves))
    what = scores[0] if len(scores) == 1 else "score"
    on = list(dict.fromkeys(curve.on for curve in model.curves))
    kept = [
        f"{many(curve.best, 'member')} kept, by the {curve.on}"
        for curve in model.curves
        if curve.best is not None
    ]
    ends = "; ".join(
        f"{brief(curve.values[0])} with 1, {brief(curve.values[-1])} with {len(curve.values):,}, "
        f"lowest {brief(curve.values[_least(curve) - 1])} with {_least(curve):,}"
        for curve in model.curves
    )
    title = f"{' and '.join(scores).capitalize()} on {' and '.join(on)} by the number of members"
    return drawn(
        _spec(model, what), title=title, subtitle=kept, alt=f"{title}: {ends}.", width=_WIDTH, theme=theme
    )


def _least(curve: LearningCurve) -> int:
    return curve.least or len(curve.values)


def _names(curves: Sequence[LearningCurve]) -> list[str]:
    """By what the curves differ in: their rows, their scores, or both."""
    rows, scores = {curve.on for curve in curves}, {curve.score for curve in curves}
    if len(scores) == 1:
        return [curve.on for curve in curves]
    return [curve.score if len(rows) == 1 else f"{curve.score}, {curve.on}" for curve in curves]


def _spec(model: Ensemble, what: str) -> Spec:
    names = _names(model.curves)
    colours = list(class_colours(tuple(names)).values())
    lines: Records = []
    marks: Records = []
    for name, curve in zip(names, model.curves, strict=True):
        step = max(1, len(curve.values) // _MOST)
        shown = sorted({*range(0, len(curve.values), step), len(curve.values) - 1})
        lines += [{"members": place + 1, "value": curve.values[place], "curve": name} for place in shown]
        marks.append(
            {"members": _least(curve), "value": curve.values[_least(curve) - 1], "curve": name,
             "text": f"lowest: {brief(curve.values[_least(curve) - 1])}"}
        )  # fmt: skip
    colour = {
        "field": "curve", "type": "nominal", "scale": {"domain": names, "range": colours},
        "legend": None if len(names) == 1 else {"title": None, "orient": "top"},
    }  # fmt: skip
    x = {"field": "members", "type": "quantitative", "title": "members",
         "axis": {"grid": False, "format": ",d"}, "scale": {"nice": False, "zero": False}}  # fmt: skip
    y = {"field": "value", "type": "quantitative", "title": what, "scale": {"zero": False, "padding": 12}}
    return {
        "width": _WIDTH, "height": _HEIGHT,
        "layer": [
            {"data": {"values": lines}, "mark": {"type": "line", "strokeWidth": 2},
             "encoding": {"x": x, "y": y, "color": colour}},
            {"data": {"values": marks}, "mark": {"type": "point", "filled": True, "size": 60, "opacity": 1},
             "encoding": {"x": x, "y": y, "color": colour}},
            {"data": {"values": marks},
             "mark": {"type": "text", "dy": 14, "color": LIGHT.muted},
             "encoding": {"x": x, "y": y, "text": {"field": "text"}}},
        ],
    }  # fmt: skip
