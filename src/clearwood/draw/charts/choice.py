"""The chart of a choice: how good each contender is against how much there is to read."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from clearwood.draw.charts.builders import (
    End,
    around,
    axis_of_numbers,
    coloured,
    fitting_axis,
    layer,
    layered,
    names_at_ends,
    rule_at,
)
from clearwood.draw.charts.learning_curves import ticks
from clearwood.draw.charts.name_places import Spot, named_spots
from clearwood.draw.charts.sheet import SIZE, Records, Spec, check_drawable, drawn, in_sentence
from clearwood.draw.palette import LIGHT, ThemeName
from clearwood.draw.picture import Picture
from clearwood.study.contest.choice import ModelChoice
from clearwood.study.contest.recommending import score_words, with_error
from clearwood.study.contest.running import JudgedContender

_WIDTH: Final = 470
_HEIGHT: Final = 300
_ROOM: Final = 150  # for the names of reference models
_ACROSS: Final = "reading size: conditions, cells, weights, steps (log scale)"
_LEAST: Final = 0.5  # where a model of nothing to read stands


def choice(chosen: ModelChoice, *, theme: ThemeName = "auto") -> Picture:
    """Reading size across, the score up, each with ± 1 standard error; the frontier of readable models is a
    line, and what nobody can read a dashed line across.

    >>> import clearwood as cw
    >>> days = cw.read_table(cw.datasets.path("tennis"), target="PlayTennis")
    >>> choice(cw.choose(days, [cw.ID3(), cw.ID3(max_depth=1)], design=cw.Folds(7, seed=1))).alt
    'Score against reading size. Readable, from small to large: id3:max_depth=1 accuracy 0.500, size 3; id3 \
accuracy 0.786, size 9. Recommended: id3.'
    """
    check_drawable("choice", chosen, ModelChoice)
    sized = [each for each in chosen.judged if each.size is not None and not each.refused]
    readable = sorted((each for each in sized if each.readable), key=lambda each: each.size or 0)
    entry = chosen.entry
    described = [
        f"{in_sentence(each.name)} {entry.label} {score_words(entry, each.score)}, size {each.size:,}"
        for each in readable
    ]
    unread = [each for each in chosen.judged if each.size is None and not each.refused]
    alt = "Score against reading size."
    if described:
        alt += f" Readable, from small to large: {'; '.join(described)}."
    if unread:
        scores = [f"{in_sentence(each.name)} {score_words(entry, each.score)}" for each in unread]
        alt += f" Not readable: {', '.join(scores)}."
    below = [f"{chosen.how_judged}, ± 1 standard error; {entry.better} is better"]
    if readable:
        name = chosen.recommendation.name
        alt += f" Recommended: {in_sentence(name)}."
        below.append(f"recommended: {name}, {with_error(entry, chosen[name])}")
    if not chosen.baseline.refused and not _shows_baseline(chosen):
        below.append(f"the baseline, {score_words(entry, chosen.baseline.score)}, lies beyond the picture")
    title = f"What a better {entry.label} costs in reading"
    return drawn(_spec(chosen, sized, unread), title, below, alt, theme, _WIDTH + _ROOM)


@dataclass(frozen=True, slots=True)
class _Axes:
    """From sizes and scores to places in the picture."""

    sizes: tuple[float, float]
    scores: tuple[float, float]

    def x(self, size: float) -> float:
        low, high = map(math.log, self.sizes)
        return _WIDTH * (math.log(size) - low) / (high - low)

    def y(self, score: float) -> float:
        low, high = self.scores
        return _HEIGHT * (high - score) / (high - low)


def _spec(chosen: ModelChoice, sized: Sequence[JudgedContender], unread: Sequence[JudgedContender]) -> Spec:
    recommended = chosen.recommendation.name if any(each.readable for each in sized) else ""
    frontier = [each.name for each in chosen.frontier]
    records: Records = []
    for each in sized:
        size, score = max(float(each.size or 0), _LEAST), each.score
        error = 0.0 if math.isnan(each.standard_error) else each.standard_error
        kind = "frontier" if each.name in frontier else "readable" if each.readable else "ensemble"
        records.append(
            {"name": each.name, "size": size, "score": score, "low": score - error, "high": score + error,
             "kind": "recommended" if each.name == recommended else kind}
        )  # fmt: skip
    axes = _axes(chosen, records)
    low, high = axes.sizes
    # Of many powers of ten these alone.
    marks = [10**power for power in range(12)] if high / low > 3_000 else ticks(int(high), log=True)
    marks = [each for each in marks if low <= each <= high]
    axis = {"grid": False, "format": ",d"}
    x = axis_of_numbers("size", _ACROSS, type="log", domain=axes.sizes, nice=False, ticks=marks, axis=axis)
    y = fitting_axis(chosen.entry.label, axes.scores, grid=False)
    # What has a score and no size, with its dashes: reference models, and the baseline where it is near.
    across = [(each.name, each.score, [6, 4]) for each in unread]
    if _shows_baseline(chosen):
        across.append(("baseline", chosen.baseline.score, [1, 3]))
    layers = [rule_at("y", y, score, "score", strokeDash=dash, opacity=0.8) for _, score, dash in across]
    ends = [End(name, score, LIGHT.muted) for name, score, _ in across]
    layers += names_at_ends(ends, axes.scores, _WIDTH, _HEIGHT)
    on_it = sorted((each for each in records if each["name"] in frontier), key=lambda each: each["size"])
    at = {"x": x, "y": (y, "score")}
    layers.append(layer("line", at, on_it, color=LIGHT.accent, strokeWidth=2, opacity=0.75))
    along = [(axes.x(each["size"]), axes.y(each["score"])) for each in on_it]
    names = _names(records, axes, along, [axes.y(score) for _, score, _ in across])
    return layered([*layers, *_points(records, x, y), *names], _WIDTH, _HEIGHT)


def _points(records: Records, x: Spec, y: Spec) -> list[Spec]:
    kinds = ("recommended", "frontier", "readable", "ensemble")
    own = (LIGHT.accent, LIGHT.accent)
    colour = coloured("kind", kinds, (*own, LIGHT.muted, LIGHT.muted), None)
    fill = coloured("kind", kinds, (*own, LIGHT.paper, LIGHT.paper), None)
    at = {"x": x, "y": (y, "score")}
    span = {"x": x, "y": (y, "low"), "y2": "high", "color": colour}
    best = [each for each in records if each["kind"] == "recommended"]
    ring: Spec = {"size": 260, "color": LIGHT.accent, "filled": False, "strokeWidth": 1.6}
    dot: Spec = {"size": 70, "filled": True, "strokeWidth": 1.8, "opacity": 1}
    return [
        layer("rule", span, records, strokeWidth=1.6),
        layer("point", at, best, **ring),
        layer("point", {**at, "stroke": colour, "fill": fill}, records, **dot),
    ]


def _names(
    records: Records, axes: _Axes, along: Sequence[tuple[float, float]], across: Sequence[float]
) -> list[Spec]:
    """A name beside each point, where it meets no other, and no line if that can be."""
    spots = [
        Spot(
            each["name"],
            axes.x(each["size"]),
            axes.y(each["score"]),
            (axes.y(each["high"]), axes.y(each["low"])),
            bold=each["kind"] == "recommended",
        )
        for each in records
    ]
    places = named_spots(spots, _WIDTH, _HEIGHT, along, across)
    layers = []
    for each, spot, place in zip(records, spots, places, strict=True):
        colour = LIGHT.ink if each["kind"] in ("recommended", "frontier") else LIGHT.muted
        weight = "bold" if spot.bold else "normal"
        mark: Spec = {"align": place.align, "baseline": "middle", "fontSize": SIZE, "fontWeight": weight}
        at, name = {"x": place.x, "y": place.y, "text": "name"}, [{"name": spot.name}]
        # Paper around the letters keeps lines apart from them.
        halo: Spec = {"color": LIGHT.paper, "stroke": LIGHT.paper, "strokeWidth": 4, "opacity": 0.85}
        layers += [layer("text", at, name, **mark, **halo), layer("text", at, name, color=colour, **mark)]
    return layers


def _axes(chosen: ModelChoice, records: Records) -> _Axes:
    scores = [each[end] for each in records for end in ("low", "high")]
    scores += [each.score for each in chosen.judged if not each.refused]
    if _shows_baseline(chosen):
        scores.append(chosen.baseline.score)
    sizes = [each["size"] for each in records] or [1.0, 10.0]
    # Room for names below the lowest bar and left of the smallest.
    low, high = around(scores)
    low, high = low - 0.05 * (high - low), high + 0.02 * (high - low)
    return _Axes((min(sizes) / 2.5, max(max(sizes) * 1.8, min(sizes) * 6)), (low, high))


def _shows_baseline(chosen: ModelChoice) -> bool:
    """Only where the others would not be squeezed into a corner."""
    if chosen.baseline.refused:
        return False
    known = [each.score for each in chosen.judged if not each.refused]
    low, high = min(known), max(known)
    both = max(high, chosen.baseline.score) - min(low, chosen.baseline.score)
    return both <= 1.6 * (high - low) or low == high
