"""Overfitting with and without noise: the more noise is learned from, the sooner a larger tree is worse."""

from __future__ import annotations

from typing import Final

from clearwood.draw.charts.overfitting import ticks
from clearwood.draw.charts.score_lines import ScoreLine, lines_panel
from clearwood.draw.charts.sheet import Records, Spec, drawn, few_of
from clearwood.draw.charts.taking import check_drawable
from clearwood.draw.palette import LIGHT, ThemeName
from clearwood.draw.picture import Picture
from clearwood.study.behaviour.overfitting import OverfittingByNoise
from clearwood.words.numbers import many, percent_to

_WIDTH: Final = 430
_HEIGHT: Final = 270
_LINEAR_UP_TO: Final = 60  # leaves
_NONE: Final = "#0072b2"
# From little noise to much; beyond, the last again: names tell them apart.
_SOME: Final = ("#e69f00", LIGHT.bad, "#cc79a7", LIGHT.accent, LIGHT.muted)


def overfitting_by_noise(by_noise: OverfittingByNoise, *, theme: ThemeName = "auto") -> Picture:
    """Leaves across, accuracy up: on held-out rows for each share of noise, the best marked, and dashed on
    the rows learned from, noise and all.

    >>> import clearwood as cw
    >>> days = cw.read_table(cw.datasets.path("tennis"), target="PlayTennis")
    >>> overfitting_by_noise(cw.overfitting_by_noise(cw.ID3(), days, noise=[0, 0.3])).alt.split(":")[0]
    'Accuracy on held-out rows by size of tree and noise in the rows learned from'
    """
    check_drawable("overfitting_by_noise", by_noise, OverfittingByNoise)
    lines: list[ScoreLine] = []
    bests: Records = []
    noisy = iter([*_SOME, *_SOME[-1:] * len(by_noise.curves)])
    for curve in by_noise.curves:
        colour = next(noisy) if curve.noise else _NONE
        leaves = [float(each) for each in curve.leaves.tolist()]
        spread = [] if curve.deviations is None else curve.deviations.tolist()
        name = f"{percent_to(curve.noise, 0)} noise" if curve.noise else "no noise"
        seen, apart = curve.training.tolist(), curve.validation.tolist()
        lines.append(ScoreLine(name, leaves, seen, colour, dashed=True, named=False, points=False))
        lines.append(ScoreLine(name, leaves, apart, colour, spread, points=False))
        bests.append(
            {"place": leaves[curve.best], "score": float(curve.validation[curve.best]), "colour": colour}
        )
    most = max(int(curve.leaves[-1]) for curve in by_noise.curves)
    log = most > _LINEAR_UP_TO
    x = {
        "title": "leaves" + (" (log scale)" if log else ""),
        "scale": {"type": "log" if log else "linear", "domain": [1, max(most, 2)], "nice": False},
        "axis": {"grid": False, "format": ",d", "values": ticks(most, log=log)},
    }  # fmt: skip
    measure = by_noise.curves[0].measure
    panel = lines_panel(lines, x, score=measure, width=_WIDTH, height=_HEIGHT)
    panel["layer"].append(_marks(bests, x, panel))
    subtitle = ["line: on held-out rows, without added noise, the best size ringed"]
    subtitle.append("dashed: on the rows learned from, noise and all")
    if by_noise.curves[0].deviations is not None:
        subtitle.append("band: ± 1 standard error over the folds")
    title = f"{measure[0].upper()}{measure[1:]} on held-out rows by size of tree and noise"
    told = [
        f"with {percent_to(curve.noise, 0)} noise best {curve.validation[curve.best]:.3f} at "
        f"{many(int(curve.leaves[curve.best]), 'leaf', 'leaves')} and {curve.validation[-1]:.3f} at "
        f"{int(curve.leaves[-1]):,}"
        for curve in by_noise.curves
    ]
    return drawn(
        panel,
        title="Size of the tree with and without noise",
        subtitle=subtitle,
        alt=f"{title} in the rows learned from: {few_of(told)}.",
        width=_WIDTH + 90,
        theme=theme,
    )


def _marks(bests: Records, x: Spec, panel: Spec) -> Spec:
    """A ring around the best size of each curve."""
    y = next(each["encoding"]["y"] for each in panel["layer"] if "encoding" in each)
    return {
        "data": {"values": bests},
        "mark": {"type": "point", "filled": False, "size": 130, "strokeWidth": 2.2, "opacity": 1,
                 "fill": LIGHT.paper, "fillOpacity": 0},
        "encoding": {
            "x": {**x, "field": "place", "type": "quantitative"},
            "y": {**y, "field": "score"},
            "stroke": {"field": "colour", "type": "nominal", "scale": None},
        },
    }  # fmt: skip
