"""The learning curve: how the error of an ensemble falls as it gets more members."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from clearwood.draw.charts.ends import End, around, names_at_ends
from clearwood.draw.charts.overfitting import ticks
from clearwood.draw.charts.sheet import Records, Spec, drawn
from clearwood.draw.palette import LIGHT
from clearwood.draw.picture import Picture
from clearwood.draw.theming import ThemeName
from clearwood.errors import SettingError
from clearwood.models.ensemble import Ensemble, LearningCurve
from clearwood.models.kinds import check_kind
from clearwood.words.numbers import brief, many

_WIDTH: Final = 430
_HEIGHT: Final = 220
_POINTS: Final = 120  # of a line
_LINEAR_UP_TO: Final = 60  # members
_COLOURS: Final = {
    "training rows": LIGHT.muted,
    "held-out rows": LIGHT.accent,
    "out-of-bag rows": LIGHT.accent,
}


def learning(model: Ensemble, *, theme: ThemeName = "auto") -> Picture:
    """Members across, the score up: a line for each kind of rows, and where the learning stopped.

    >>> import clearwood as cw
    >>> table = cw.read_table(cw.datasets.path("tennis"), target="PlayTennis")
    >>> learning(cw.AdaBoost(trees=3).learn(table)).alt
    'Error by number of members: on training rows 0.357 with 1, 0.143 with 3.'
    """
    check_kind("charts.learning", model, Ensemble)
    if not model.curves:
        raise SettingError("This ensemble has no learning curve: its learner keeps no score of its members.")
    score = model.curves[0].score
    curves = [each for each in model.curves if each.score == score]
    texts = [
        f"on {each.on} {brief3(each.values[0])} with 1, {brief3(each.values[-1])} with {len(each.values):,}"
        for each in curves
    ]
    kept = next((each.best for each in curves if each.best is not None), None)
    return drawn(
        _spec(curves, score, kept),
        title=f"{score.capitalize()} by number of members",
        subtitle=[] if kept is None else [f"{many(kept, 'member')} kept"],
        alt=f"{score.capitalize()} by number of members: {'; '.join(texts)}.",
        width=_WIDTH + 110,
        theme=theme,
    )


def brief3(value: float) -> str:
    """In three digits, as a caption reads them."""
    return f"{value:.3g}" if abs(value) < 1000 else brief(value)


def _spec(curves: Sequence[LearningCurve], score: str, kept: int | None) -> Spec:
    most = max(len(each.values) for each in curves)
    log = most > _LINEAR_UP_TO
    x = {
        "field": "members", "type": "quantitative", "title": "members" + (" (log scale)" if log else ""),
        "scale": {"type": "log" if log else "linear", "domain": [1, max(most, 2)], "nice": False},
        "axis": {"grid": False, "format": ",d", "values": ticks(most, log=log)},
    }  # fmt: skip
    domain = around([value for each in curves for value in each.values])
    y = {
        "field": "score", "type": "quantitative", "title": score,
        "scale": {"domain": [*domain], "nice": False, "zero": False}, "axis": {"tickCount": 6},
    }  # fmt: skip
    layers: list[Spec] = []
    if kept is not None and kept > 0:
        layers.append(
            {
                "data": {"values": [{"members": kept}]},
                "mark": {"type": "rule", "color": LIGHT.accent, "strokeDash": [5, 3]},
                "encoding": {"x": x},
            }
        )
    for each in curves:
        places = np.unique(np.geomspace(1, len(each.values), _POINTS).round().astype(int)).tolist()
        if len(each.values) <= _POINTS:
            places = list(range(1, len(each.values) + 1))
        records: Records = [{"members": place, "score": each.values[place - 1]} for place in places]
        line = {"type": "line", "color": _COLOURS[each.on], "strokeWidth": 2.2}
        layers.append({"data": {"values": records}, "mark": line, "encoding": {"x": x, "y": y}})
    ends = [End(each.on.removesuffix(" rows"), each.values[-1], _COLOURS[each.on]) for each in curves]
    layers += names_at_ends(ends, domain, _WIDTH, _HEIGHT)
    return {"width": _WIDTH, "height": _HEIGHT, "layer": layers}
