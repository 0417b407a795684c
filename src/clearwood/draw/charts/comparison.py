"""Comparisons of learners: their differences, their mean ranks over tables, the parts of their errors."""

import math
from collections.abc import Sequence
from typing import Final

from clearwood.draw.charts.builders import (
    axis_of_numbers,
    coloured,
    fitting_axis,
    layer,
    layered,
    records_of,
    row_steps,
    rows_by_place,
)
from clearwood.draw.charts.sheet import (
    ROOM,
    SIZE,
    Records,
    Spec,
    check_drawable,
    drawn,
    few_of,
    fitted_lines,
    in_sentence,
    labelled,
    names_width,
)
from clearwood.draw.lettering import text_width
from clearwood.draw.palette import LIGHT, ThemeName
from clearwood.draw.picture import Picture
from clearwood.errors import SettingError
from clearwood.study.behaviour.bias_variance import BiasVariance, LearnerParts
from clearwood.study.comparing.learners import LearnerComparison
from clearwood.study.comparing.models import ModelComparison
from clearwood.study.comparing.over_tables import RankComparison
from clearwood.study.comparing.score_difference import ScoreDifference, score_text
from clearwood.words.numbers import brief, many, p_value, percent_to, with_and

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
    tested = [each for each in comparison.differences if each.is_known and not each.has_no_spread]
    panels: dict[str, list[ScoreDifference]] = {}
    for each in tested:
        if score in (None, each.score):
            panels.setdefault(each.score, []).append(each)
    if not panels:
        known = ", ".join(dict.fromkeys(each.score for each in tested))
        raise SettingError(f"No difference of this score was tested. Scores with tests: {known or 'none'}.")
    chosen = [each for each in tested if each.score in panels]
    on = (
        f"{many(comparison.rows, 'row')} that all models predicted"
        if isinstance(comparison, ModelComparison)
        else f"{comparison.design}, the same rows for all"
    )
    labels = with_and(dict.fromkeys(each.label for each in chosen))
    found = few_of([_in_words(each, several=len(panels) > 1) for each in chosen], most=6)
    title = f"Differences in {labels}" if len(panels) < 3 else "Differences by each score"
    below = [
        f"{on}. Bars are intervals at 95 %; the band is the "
        "region of practical equivalence; filled and in colour: shown at 5 %, adjusted for all pairs."
    ]
    alt = f"Differences in {labels} at 95 %: {found}."
    spec = {"vconcat": [_panel(each) for each in panels.values()], "spacing": 26}
    return drawn(spec, title, below, alt, theme, _WIDTH + 180)


def _panel(pairs: Sequence[ScoreDifference]) -> Spec:
    names = [f"{each.first} − {each.second}" for each in pairs]
    lows, highs = zip(*(each.interval for each in pairs), strict=True)
    texts = [f"{'adjusted ' if each.comparisons > 1 else ''}p {p_value(each.adjusted_p)}" for each in pairs]
    records = records_of(
        pair=names,
        difference=[each.difference for each in pairs],
        low=lows,
        high=highs,
        shown=[each.is_shown for each in pairs],
        text=texts,
    )
    rope = max(each.rope for each in pairs)
    low, high = min(*lows, -rope), max(*highs, rope)
    margin = 0.04 * (high - low) or 1.0
    side = "right" if pairs[0].better == "more" else "left"
    title = f"{pairs[0].label}, first − second: to the {side} the first is better"
    ends = [low - margin, high + margin]
    x = axis_of_numbers("difference", title, domain=ends, nice=False, zero=False, ticks=6)
    labels = labelled({name: name for name in names})
    axis = {"domain": False, "ticks": False, "grid": False, **labels}
    y = {"field": "pair", "type": "nominal", "sort": None, "title": None, "axis": axis}
    colour = {"condition": {"test": "datum.shown", "value": LIGHT.accent}, "value": LIGHT.muted}
    fill = {"condition": {"test": "datum.shown", "value": LIGHT.accent}, "value": LIGHT.paper}
    room = 8 + max(text_width(text, SIZE) for text in texts)
    span = {"x": (x, "low"), "x2": "high"}
    ring: Spec = {"size": 75, "opacity": 1, "strokeWidth": 2, "filled": False}
    beside = {"x": _WIDTH, "y": y, "text": "text"}
    layers = [
        layer("rect", span, [{"low": -rope, "high": rope}], color=LIGHT.line, opacity=0.35),
        layer("rule", {"x": x}, [{"difference": 0}], strokeDash=[2, 3]),
        layer("rule", {**span, "y": y, "color": colour}, records, strokeWidth=2.4, strokeCap="round"),
        layer("point", {"x": x, "y": y, "stroke": colour, "fill": fill}, records, **ring),
        layer("text", beside, records, align="right", dx=room, color=LIGHT.muted),
    ]
    return layered(layers, _WIDTH, row_steps(names, _ROW))


def _in_words(each: ScoreDifference, *, several: bool) -> str:
    low, high = (score_text(each, end) for end in each.interval)
    verdict = "shown" if each.is_shown else "not shown"
    difference = 0.0 if math.isnan(each.difference) else each.difference
    return (
        f"{f'{each.label} of ' if several else ''}{in_sentence(each.first)} minus "
        f"{in_sentence(each.second)} {score_text(each, difference)} "
        f"({low} to {high}, {verdict})"
    )


# The critical-difference picture: mean ranks over many tables, joined where they are not told apart.


_RANKS_WIDTH: Final = 430
_AXIS: Final = 46.0  # from the top; above it stands the critical difference
_BAR: Final = 11.0  # from one bar of a group to the next
_STEP: Final = 24.0  # from one name to the next
_NAME: Final = 43.0  # from a line to the name, behind its rank
_BEYOND: Final = 5.0  # how far a bar goes past its outer ranks


def critical_difference(comparison: RankComparison, *, theme: ThemeName = "auto") -> Picture:
    """The mean ranks on a line, the best at the left; a bar joins learners whose mean ranks lie within the
    critical difference, which is drawn above (Demšar 2006).

    >>> from clearwood.study.comparing.over_tables import compare_over_tables
    >>> scores = {"a": [0.9, 0.8, 0.7, 0.9], "b": [0.8, 0.7, 0.8, 0.8], "c": [0.7, 0.6, 0.6, 0.7]}
    >>> critical_difference(compare_over_tables(scores)).alt
    'Mean ranks on 4 tables: a 1.25, b 1.75, c 3.00. Not told apart at 5 %: a and b; b and c.'
    """
    level = f"{100 * comparison.alpha:g} %"
    ranks = comparison.mean_ranks
    tested = comparison.friedman
    places = few_of([f"{in_sentence(name)} {rank:.2f}" for name, rank in ranks.items()], most=12)
    joined = [" and ".join(map(in_sentence, group)) for group in comparison.groups]
    apart = f"Not told apart at {level}: {'; '.join(joined)}." if joined else f"All differ at {level}."
    title = f"Mean ranks on {many(len(comparison.tables), 'table')}"
    verdict = "they differ" if tested.f_p <= comparison.alpha else "no difference was shown"
    below = [
        f"1 is best; joined: not told apart by Nemenyi's test at {level}. Friedman's test of all: "
        f"{verdict} (p {p_value(tested.f_p)})."
    ]
    alt = f"{title}: {places}. {apart}"
    return drawn(_spec(comparison), title, below, alt, theme, _RANKS_WIDTH + 160)


def _spec(comparison: RankComparison) -> Spec:
    ranks, groups = comparison.mean_ranks, comparison.groups
    names, count = list(ranks), len(ranks)
    high = max(float(count), 1 + comparison.critical_difference)

    def across(rank: float) -> float:
        return _RANKS_WIDTH * (rank - 1) / (high - 1)

    left, right = names[: (count + 1) // 2], names[(count + 1) // 2 :][::-1]
    below = _AXIS + 14 + _BAR * len(groups)
    lines: Records = []
    labels: list[Spec] = []
    for side, at in ((left, 0.0), (right, float(_RANKS_WIDTH))):
        for place, name in enumerate(side):
            level, corner = below + 10 + place * _STEP, across(ranks[name])
            of = names.index(name)
            lines += records_of(x=(corner, corner, at), y=(_AXIS, level, level), of=[of] * 3, k=range(3))
            labels += _label(name, ranks[name], at, level)
    height = below + 10 + (len(left) - 1) * _STEP + 8
    dots = [{"x": across(rank), "y": _AXIS} for rank in ranks.values()]
    bars = records_of(
        x=[across(ranks[group[0]]) - _BEYOND for group in groups],
        to=[across(ranks[group[-1]]) + _BEYOND for group in groups],
        y=[_AXIS + 14 + _BAR * place for place in range(len(groups))],
    )
    ticks = [
        {"x": across(rank), "y": _AXIS, "to": _AXIS - 7, "text": f"{rank}"} for rank in range(1, count + 1)
    ]
    reach = _RANKS_WIDTH * comparison.critical_difference / (high - 1)
    ends = [{"x": at, "y": 4.0, "to": 14.0} for at in (0.0, reach)]
    between = {
        "x": axis_of_numbers("x", axis=None, domain=(0, _RANKS_WIDTH)),
        "y": axis_of_numbers("y", axis=None, domain=(height, 0), nice=False, zero=False),
    }
    to_the_right, down = {**between, "x2": "to"}, {**between, "y2": "to"}
    axis = [{"x": 0.0, "to": float(_RANKS_WIDTH), "y": _AXIS}]
    distance = [{"x": 0.0, "to": reach, "y": 9.0}]
    words = [{"x": reach + 8, "y": 9.0, "text": f"critical difference {comparison.critical_difference:.2f}"}]
    ink: Spec = {"color": LIGHT.ink, "strokeWidth": 1.5}
    thin: Spec = {"color": LIGHT.muted, "strokeWidth": 1, "strokeJoin": "round"}
    bold: Spec = {"color": LIGHT.accent, "strokeWidth": 5, "strokeCap": "round"}
    beside: Spec = {"align": "left", "baseline": "middle", "color": LIGHT.muted}
    layers = [
        layer("rule", to_the_right, distance, **ink),
        layer("rule", down, ends, **ink),
        layer("text", {**between, "text": "text"}, words, **beside),
        layer("line", {**between, "detail": "of", "order": "k"}, lines, **thin),
        layer("rule", to_the_right, axis, **ink),
        layer("rule", down, ticks, **ink),
        layer("text", {**between, "text": "text"}, ticks, dy=-15, baseline="middle"),
        layer("rule", to_the_right, bars, **bold),
        layer("point", between, dots, filled=True, size=55, opacity=1, color=LIGHT.ink),
    ]
    return layered([*layers, *labels], _RANKS_WIDTH, height)


def _label(name: str, rank: float, at: float, level: float) -> list[Spec]:
    """The rank at the end of the line, and beyond it the name."""
    side, sign = ("right", -1) if at == 0 else ("left", 1)
    lines = fitted_lines(name, ROOM)
    title: Spec = {"dx": _NAME * sign, "dy": -7.0 * (len(lines) - 1), "fontWeight": "bold", "text": lines}
    figure: Spec = {"dx": 7 * sign, "color": LIGHT.muted, "text": f"{rank:.2f}"}
    at_end: Spec = {"align": side, "baseline": "middle"}
    return [layer("text", {"x": at, "y": level}, [{}], **at_end, **look) for look in (title, figure)]


# Bias and variance as bars: which part of each learner's error comes of which.


_PARTS_WIDTH: Final = 360
_LABEL: Final = 62  # for the error behind a bar
_PARTS_BAR: Final = 30
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
    panels = [_parts_panel(parts, "by Kohavi and Wolpert" if parts.of_classes else "", _squared(parts))]
    if parts.of_classes:
        panels.append(_parts_panel(parts, "by Domingos", _domingos(parts)))
    known = "noise is known" if parts.noise_known else "noise is not known: it counts as bias"
    names = [each.name for each in parts.learners]
    of = many(parts.samples, "sample")
    described = few_of([_parts_in_words(parts, each) for each in parts.learners])
    title = "The parts of the error" if parts.of_classes else "The parts of the squared error"
    below = [f"{of} of {many(parts.rows, 'row')}, tested on {many(parts.held_out, 'row')}; {known}"]
    alt = f"Bias and variance of {of}: {described}."
    width = _PARTS_WIDTH + _LABEL + names_width(names) + 20
    return drawn({"vconcat": panels, "spacing": 18}, title, below, alt, theme, width)


def _squared(parts: BiasVariance) -> list[dict[str, float]]:
    """By learner the parts that add up, in the order of their colours."""
    return [
        {"bias²": own.bias, "variance": own.variance, **({"noise": own.noise} if parts.noise_known else {})}
        for own in (each.parts for each in parts.learners)
    ]


def _domingos(parts: BiasVariance) -> list[dict[str, float]]:
    names = ("bias", "unbiased variance", "biased variance, taken off", "noise")[: 3 + parts.noise_known]
    return [
        dict(zip(names, (own.bias, own.unbiased_variance, -own.biased_variance, own.noise), strict=False))
        for own in (each.domingos for each in parts.learners)
        if own is not None
    ]


def _parts_panel(parts: BiasVariance, heading: str, by_learner: list[dict[str, float]]) -> Spec:
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
    most = max(each["end"] for each in ends) or 1.0
    room = 22 + 6.2 * max(len(each["text"]) for each in ends)
    low = min(0.0, *(each["end"] for each in records))
    domain = [low, low + (most - low) * (_PARTS_WIDTH + room) / _PARTS_WIDTH]
    kinds = list(by_learner[0])
    x = fitting_axis(None, domain, format=".0%" if parts.of_classes else "~g")
    names = [each.name for each in parts.learners]
    _, y, height = rows_by_place(names, _PARTS_BAR, field="learner", labelPadding=10)
    legend = {"title": heading or None, "orient": "top", "direction": "horizontal", "offset": 6}
    colour = coloured("part", kinds, [_COLOURS[kind] for kind in kinds], legend)
    span = {"y": y, "x": (x, "start"), "x2": "end", "color": colour}
    bar: Spec = {"stroke": LIGHT.ink, "strokeWidth": 0.6, "height": {"band": 0.62}}
    tick: Spec = {"color": LIGHT.ink, "thickness": 2.5, "bandSize": 22}
    layers = [
        layer("bar", span, records, **bar),
        layer("rule", {"x": (x, "zero")}, [{"zero": 0.0}], color=LIGHT.ink, strokeWidth=1),
        layer("tick", {"y": y, "x": (x, "error")}, ends, **tick),
        layer("text", {"y": y, "x": (x, "end"), "text": "text"}, ends, align="left", dx=10),
    ]
    own_colours = {"scale": {"color": "independent"}}
    return layered(layers, _PARTS_WIDTH + room, height, resolve=own_colours)


def _figure(parts: BiasVariance, value: float) -> str:
    return percent_to(value) if parts.of_classes else brief(value)


def _parts_in_words(parts: BiasVariance, each: LearnerParts) -> str:
    bias, variance = (_figure(parts, value) for value in (each.parts.bias, each.parts.variance))
    noise = f", noise {_figure(parts, each.parts.noise)}" if parts.noise_known else ""
    return (
        f"{in_sentence(each.name)} has the error {_figure(parts, each.error)}, "
        f"bias² {bias}, variance {variance}{noise}"
    )
