"""The chart of a choice: how good each contender is against how much there is to read."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final, Literal, TypeAlias

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
from clearwood.draw.charts.sheet import SIZE, Records, Spec, check_drawable, drawn, in_sentence
from clearwood.draw.lettering import text_width
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
    unread = [
        f"{in_sentence(each.name)} {score_words(entry, each.score)}"
        for each in chosen.judged
        if each.size is None and not each.refused
    ]
    alt = "Score against reading size."
    if described:
        alt += f" Readable, from small to large: {'; '.join(described)}."
    if unread:
        alt += f" Not readable: {', '.join(unread)}."
    below = [f"{chosen.how_judged}, ± 1 standard error; {_way(chosen)} is better"]
    if readable:
        name = chosen.recommendation.name
        alt += f" Recommended: {in_sentence(name)}."
        below.append(f"recommended: {name}, {with_error(entry, chosen[name])}")
    if not chosen.baseline.refused and not _shows_baseline(chosen):
        below.append(f"the baseline, {score_words(entry, chosen.baseline.score)}, lies beyond the picture")
    title = f"What a better {entry.label} costs in reading"
    return drawn(_spec(chosen, sized), title, below, alt, theme, _WIDTH + _ROOM)


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


def _spec(chosen: ModelChoice, sized: Sequence[JudgedContender]) -> Spec:
    recommended = chosen.recommendation.name if any(each.readable for each in sized) else ""
    frontier = [each.name for each in chosen.frontier]
    records: Records = [
        {
            "name": each.name,
            "size": _shown_size(each),
            "score": each.score,
            "low": each.score - _error(each),
            "high": each.score + _error(each),
            "kind": "recommended"
            if each.name == recommended
            else "frontier"
            if each.name in frontier
            else "readable"
            if each.readable
            else "ensemble",
        }
        for each in sized
    ]
    axes = _axes(chosen, records)
    low, high = axes.sizes
    x = axis_of_numbers(
        "size", _ACROSS, type="log", domain=(low, high), nice=False, ticks=_ticks(low, high),
        axis={"grid": False, "format": ",d"},
    )  # fmt: skip
    y = fitting_axis(chosen.entry.label, axes.scores, grid=False)
    lines = _lines_across(chosen)
    layers: list[Spec] = [*_drawn_across(lines, axes, y)]
    on_it = sorted((each for each in records if each["name"] in frontier), key=lambda each: each["size"])
    at = {"x": x, "y": (y, "score")}
    layers.append(layer("line", at, on_it, color=LIGHT.accent, strokeWidth=2, opacity=0.75))
    layers += _points(records, x, y)
    along = [(axes.x(each["size"]), axes.y(each["score"])) for each in on_it]
    layers += _names(records, axes, along, [axes.y(score) for _, score, _ in lines])
    return layered(layers, _WIDTH, _HEIGHT)


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
    places = label_places(spots, _WIDTH, _HEIGHT, along, across)
    layers = []
    for each, spot, place in zip(records, spots, places, strict=True):
        colour = LIGHT.ink if each["kind"] in ("recommended", "frontier") else LIGHT.muted
        mark: Spec = {
            "align": place.align, "baseline": "middle", "fontSize": SIZE,
            "fontWeight": "bold" if spot.bold else "normal",
        }  # fmt: skip
        at, name = {"x": place.x, "y": place.y, "text": "name"}, [{"name": spot.name}]
        # Paper around the letters keeps lines apart from them.
        halo: Spec = {"color": LIGHT.paper, "stroke": LIGHT.paper, "strokeWidth": 4, "opacity": 0.85}
        layers += [layer("text", at, name, **mark, **halo), layer("text", at, name, color=colour, **mark)]
    return layers


def _lines_across(chosen: ModelChoice) -> list[tuple[str, float, list[int]]]:
    """What has a score and no size: reference models, and the baseline where it is near; with its dashes."""
    unread = [each for each in chosen.judged if each.size is None and not each.refused]
    lines = [(each.name, each.score, [6, 4]) for each in unread]
    return [*lines, ("baseline", chosen.baseline.score, [1, 3])] if _shows_baseline(chosen) else lines


def _drawn_across(lines: Sequence[tuple[str, float, list[int]]], axes: _Axes, y: Spec) -> list[Spec]:
    layers = [rule_at("y", y, score, "score", strokeDash=dash, opacity=0.8) for _, score, dash in lines]
    ends = [End(name, score, LIGHT.muted) for name, score, _ in lines]
    return layers + (names_at_ends(ends, axes.scores, _WIDTH, _HEIGHT) if ends else [])


def _ticks(low: float, high: float) -> list[int]:
    """Of many powers of ten these alone."""
    many = high / low > 3_000
    made = [10**power for power in range(12)] if many else ticks(int(high), log=True)
    return [each for each in made if low <= each <= high]


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


def _shown_size(judged: JudgedContender) -> float:
    assert judged.size is not None
    return max(float(judged.size), _LEAST)


def _error(judged: JudgedContender) -> float:
    return 0.0 if math.isnan(judged.standard_error) else judged.standard_error


def _way(chosen: ModelChoice) -> str:
    return "more" if chosen.entry.better == "more" else "less"


# Names beside points: each where it meets no other name, no point and no error bar.


_AWAY: Final = 11.0  # from the point
_HIGH: Final = SIZE + 2.0
_Box: TypeAlias = tuple[float, float, float, float]  # left, top, right, bottom


@dataclass(frozen=True, slots=True)
class Spot:
    """A point with its name, and how far up and down its bar reaches."""

    name: str
    x: float
    y: float
    bar: tuple[float, float]
    bold: bool = False


@dataclass(frozen=True, slots=True)
class LabelPlace:
    """Where a name stands: its middle line, and which of its ends is at x."""

    x: float
    y: float
    align: Literal["left", "right", "center"]


def label_places(
    spots: Sequence[Spot],
    width: float,
    height: float,
    along: Sequence[tuple[float, float]] = (),
    across: Sequence[float] = (),
) -> list[LabelPlace]:
    """A place for each, in the order given: right or left of its point, above or below its bar. The lines
    `along` these points, and `across` the picture at these heights, are met only where it must be.

    >>> near = [Spot("one", 10, 50, (45, 55)), Spot("two", 14, 52, (47, 57))]
    >>> [place.align for place in label_places(near, 200, 100)]
    ['left', 'center']
    """
    lines = [*_dots(along), *((0.0, at - 1, width, at + 1) for at in across)]
    marks = [(spot.x - 6, spot.bar[0] - 1, spot.x + 6, spot.bar[1] + 1) for spot in spots]
    taken: list[_Box] = []
    places = []
    for spot, own in zip(spots, marks, strict=True):
        others = [mark for mark in marks if mark is not own]
        candidates = _candidates(spot)
        costs = [
            _met(_box(spot, each), [*taken, *others], lines, width, height) + 0.1 * rank
            for rank, each in enumerate(candidates)
        ]
        chosen = candidates[costs.index(min(costs))]
        taken.append(_box(spot, chosen))
        places.append(chosen)
    return places


def _candidates(spot: Spot) -> list[LabelPlace]:
    top, bottom = spot.bar
    made = [
        LabelPlace(spot.x + _AWAY, spot.y, "left"),
        LabelPlace(spot.x - _AWAY, spot.y, "right"),
        LabelPlace(spot.x, min(top, spot.y - 7) - _HIGH / 2 - 2, "center"),
        LabelPlace(spot.x, max(bottom, spot.y + 7) + _HIGH / 2 + 2, "center"),
    ]
    for away in (9.0, 16.0):
        for up in (-away, away):
            made.append(LabelPlace(spot.x + _AWAY, spot.y + up, "left"))
        for up in (-away, away):
            made.append(LabelPlace(spot.x - _AWAY, spot.y + up, "right"))
    return made


def _box(spot: Spot, place: LabelPlace) -> _Box:
    wide = text_width(spot.name, SIZE, spot.bold)
    left = place.x - {"left": 0.0, "right": wide, "center": wide / 2}[place.align]
    return left, place.y - _HIGH / 2, left + wide, place.y + _HIGH / 2


def _met(
    box: _Box,
    others: Sequence[_Box],
    lines: Sequence[_Box],
    width: float,
    height: float,
) -> float:
    """How much of the name lies on others, or outside the picture; on lines, which show through, counts
    less."""
    left, top, right, bottom = box
    outside = max(0.0, -left) + max(0.0, right - width) + max(0.0, -top) + max(0.0, bottom - height)
    return _covered(box, others) + 0.3 * _covered(box, lines) + 20 * outside


def _covered(box: _Box, others: Sequence[_Box]) -> float:
    left, top, right, bottom = box
    return sum(
        max(0.0, min(right, other[2]) - max(left, other[0]))
        * max(0.0, min(bottom, other[3]) - max(top, other[1]))
        for other in others
    )


def _dots(along: Sequence[tuple[float, float]]) -> list[_Box]:
    """A line as small boxes on the way."""
    made = []
    for (x, y), (to_x, to_y) in pairwise(along):
        steps = max(1, int(max(abs(to_x - x), abs(to_y - y)) / 4))
        for step in range(steps + 1):
            at_x, at_y = x + (to_x - x) * step / steps, y + (to_y - y) * step / steps
            made.append((at_x - 2, at_y - 2, at_x + 2, at_y + 2))
    return made
