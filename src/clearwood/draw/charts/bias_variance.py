"""Bias and variance as bars: which part of each learner's error comes of which."""

from __future__ import annotations

from typing import Final

from clearwood.draw.charts.sheet import (
    Records,
    Spec,
    drawn,
    few_of,
    in_sentence,
    labelled,
    names_width,
    row_height,
)
from clearwood.draw.charts.taking import check_drawable
from clearwood.draw.palette import LIGHT, ThemeName
from clearwood.draw.picture import Picture
from clearwood.study.behaviour.bias_variance import BiasVariance, LearnerParts
from clearwood.words.numbers import brief, many, percent_to

_WIDTH: Final = 360
_LABEL: Final = 62  # for the error behind a bar
_BAR: Final = 30
_COLOURS: Final = {
    "bias²": "#0072b2", "bias": "#0072b2", "variance": "#e69f00", "unbiased variance": "#e69f00",
    "biased variance, taken off": "#009e73", "noise": LIGHT.muted,
}  # fmt: skip


def bias_variance(parts: BiasVariance, *, theme: ThemeName = "auto") -> Picture:
    """A bar per learner, as long as its error, in the colours of its parts; of classes two panels: by Kohavi
    and Wolpert, whose parts add up, and by Domingos, whose biased variance is taken off, to the left of 0.

    >>> import clearwood as cw
    >>> days = cw.read_table(cw.datasets.path("tennis"), target="PlayTennis")
    >>> bias_variance(cw.bias_variance(cw.ID3(max_depth=1), days, samples=9)).alt.split(":")[0]
    'Bias and variance of 9 samples'
    """
    check_drawable("bias_variance", parts, BiasVariance)
    panels = [_panel(parts, "by Kohavi and Wolpert" if parts.of_classes else "", _squared(parts))]
    if parts.of_classes:
        panels.append(_panel(parts, "by Domingos", _domingos(parts)))
    known = "noise is known" if parts.noise_known else "noise is not known: it counts as bias"
    names = [each.name for each in parts.learners]
    of = many(parts.samples, "sample")
    described = few_of([_in_words(parts, each) for each in parts.learners])
    return drawn(
        {"vconcat": panels, "spacing": 18},
        title="The parts of the error" if parts.of_classes else "The parts of the squared error",
        subtitle=[f"{of} of {many(parts.rows, 'row')}, tested on {many(parts.held_out, 'row')}; {known}"],
        alt=f"Bias and variance of {of}: {described}.",
        width=_WIDTH + _LABEL + names_width(names) + 20,
        theme=theme,
    )


def _squared(parts: BiasVariance) -> list[dict[str, float]]:
    """By learner the parts that add up, in the order of their colours."""
    return [
        {"bias²": each.parts.bias, "variance": each.parts.variance}
        | ({"noise": each.parts.noise} if parts.noise_known else {})
        for each in parts.learners
    ]


def _domingos(parts: BiasVariance) -> list[dict[str, float]]:
    shown = []
    for each in parts.learners:
        assert each.domingos is not None
        own = each.domingos
        shown.append(
            {
                "bias": own.bias,
                "unbiased variance": own.unbiased_variance,
                "biased variance, taken off": -own.biased_variance,
            }
            | ({"noise": own.noise} if parts.noise_known else {})
        )
    return shown


def _panel(parts: BiasVariance, heading: str, by_learner: list[dict[str, float]]) -> Spec:
    records: Records = []
    ends: Records = []
    for place, (each, own) in enumerate(zip(parts.learners, by_learner, strict=True)):
        low = high = 0.0
        for part, size in own.items():
            start = high if size >= 0 else low
            records.append({"learner": str(place), "part": part, "start": start, "end": start + size})
            low, high = min(low, start + size), max(high, start + size)
        text = f"error {_figure(parts, each.error)}"
        ends.append({"learner": str(place), "error": each.error, "end": high, "text": text})
    names = {str(place): each.name for place, each in enumerate(parts.learners)}
    least = min(each["end"] for each in records)
    most = max(each["end"] for each in ends) or 1.0
    room = 22 + 6.2 * max(len(each["text"]) for each in ends)
    low = min(0.0, least)
    domain = [low, low + (most - low) * (_WIDTH + room) / _WIDTH]
    kinds = list(by_learner[0])
    x = {
        "type": "quantitative", "title": None, "scale": {"domain": domain, "nice": False},
        "axis": {"tickCount": 6, "format": ".0%" if parts.of_classes else "~g"},
    }  # fmt: skip
    y = {
        "field": "learner", "type": "nominal", "sort": None, "title": None, "scale": {"domain": [*names]},
        "axis": {"ticks": False, "domain": False, "labelPadding": 10, **labelled(names)},
    }  # fmt: skip
    colour = {
        "field": "part", "type": "nominal",
        "scale": {"domain": kinds, "range": [_COLOURS[kind] for kind in kinds]},
        "legend": {"title": heading or None, "orient": "top", "direction": "horizontal", "offset": 6},
    }  # fmt: skip
    zero = {"type": "rule", "color": LIGHT.ink, "strokeWidth": 1}
    return {
        "width": _WIDTH + room,
        "height": {"step": row_height(names.values(), _BAR)},
        "resolve": {"scale": {"color": "independent"}},
        "layer": [
            {"data": {"values": records},
             "mark": {"type": "bar", "stroke": LIGHT.ink, "strokeWidth": 0.6, "height": {"band": 0.62}},
             "encoding": {"y": y, "x": {**x, "field": "start"}, "x2": {"field": "end"}, "color": colour}},
            {"data": {"values": [{"zero": 0.0}]}, "mark": zero, "encoding": {"x": {**x, "field": "zero"}}},
            {"data": {"values": ends},
             "mark": {"type": "tick", "color": LIGHT.ink, "thickness": 2.5, "bandSize": 22},
             "encoding": {"y": y, "x": {**x, "field": "error"}}},
            {"data": {"values": ends}, "mark": {"type": "text", "align": "left", "dx": 10},
             "encoding": {"y": y, "x": {**x, "field": "end"}, "text": {"field": "text"}}},
        ],
    }  # fmt: skip


def _figure(parts: BiasVariance, value: float) -> str:
    return percent_to(value) if parts.of_classes else brief(value)


def _in_words(parts: BiasVariance, each: LearnerParts) -> str:
    bias, variance = (_figure(parts, value) for value in (each.parts.bias, each.parts.variance))
    noise = f", noise {_figure(parts, each.parts.noise)}" if parts.noise_known else ""
    return (
        f"{in_sentence(each.name)} has the error {_figure(parts, each.error)}, "
        f"bias² {bias}, variance {variance}{noise}"
    )
