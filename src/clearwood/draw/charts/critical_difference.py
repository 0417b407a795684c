"""The critical-difference picture: mean ranks over many tables, joined where they are not told apart."""

from __future__ import annotations

from typing import Any, Final

from clearwood.draw.charts.sheet import ROOM, Records, Spec, drawn, few_of, fitted_lines, in_sentence
from clearwood.draw.palette import LIGHT, ThemeName
from clearwood.draw.picture import Picture
from clearwood.study.comparing.rank_comparison import RankComparison
from clearwood.words.numbers import many, p_value

_WIDTH: Final = 430
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
    return drawn(
        _spec(comparison),
        title=title,
        subtitle=[
            f"1 is best; joined: not told apart by Nemenyi's test at {level}. Friedman's test of all: "
            f"{verdict} (p {p_value(tested.f_p)})."
        ],
        alt=f"{title}: {places}. {apart}",
        width=_WIDTH + 160,
        theme=theme,
    )


def _spec(comparison: RankComparison) -> Spec:
    ranks = comparison.mean_ranks
    count = len(ranks)
    high = max(float(count), 1 + comparison.critical_difference)
    names = list(ranks)
    left = names[: (count + 1) // 2]
    right = names[(count + 1) // 2 :][::-1]
    below = _AXIS + 14 + _BAR * len(comparison.groups)
    lines: Records = []
    labels: list[Spec] = []
    for side, at in ((left, 0.0), (right, float(_WIDTH))):
        for place, name in enumerate(side):
            level = below + 10 + place * _STEP
            corner = _WIDTH * (ranks[name] - 1) / (high - 1)
            for k, (x, y) in enumerate(((corner, _AXIS), (corner, level), (at, level))):
                lines.append({"x": x, "y": y, "of": names.index(name), "k": k})
            labels += _label(name, ranks[name], at, level)
    height = below + 10 + (len(left) - 1) * _STEP + 8
    dots = [{"x": _WIDTH * (rank - 1) / (high - 1), "y": _AXIS} for rank in ranks.values()]
    bars = [
        {
            "x": _WIDTH * (ranks[group[0]] - 1) / (high - 1) - _BEYOND,
            "to": _WIDTH * (ranks[group[-1]] - 1) / (high - 1) + _BEYOND,
            "y": _AXIS + 14 + _BAR * k,
        }
        for k, group in enumerate(comparison.groups)
    ]
    ticks = [
        {"x": _WIDTH * (rank - 1) / (high - 1), "y": _AXIS, "to": _AXIS - 7, "text": f"{rank}"}
        for rank in range(1, count + 1)
    ]
    reach = _WIDTH * comparison.critical_difference / (high - 1)
    ends = [{"x": at, "y": 4.0, "to": 14.0} for at in (0.0, reach)]
    across = {"field": "x", "type": "quantitative", "axis": None, "scale": {"domain": [0, _WIDTH]}}
    up = {
        "field": "y", "type": "quantitative", "axis": None,
        "scale": {"domain": [height, 0], "nice": False, "zero": False},
    }  # fmt: skip
    between = {"x": across, "y": up}

    def layer(values: Any, mark: Spec, **encoding: Any) -> Spec:
        return {"data": {"values": values}, "mark": mark, "encoding": {**between, **encoding}}

    axis = [{"x": 0.0, "to": float(_WIDTH), "y": _AXIS}]
    distance = [{"x": 0.0, "to": reach, "y": 9.0}]
    words = [{"x": reach + 8, "y": 9.0, "text": f"critical difference {comparison.critical_difference:.2f}"}]
    ink: Spec = {"type": "rule", "color": LIGHT.ink}
    return {
        "width": _WIDTH, "height": height,
        "layer": [
            layer(distance, {**ink, "strokeWidth": 1.5}, x2={"field": "to"}),
            layer(ends, {**ink, "strokeWidth": 1.5}, y2={"field": "to"}),
            layer(words, {"type": "text", "align": "left", "baseline": "middle", "color": LIGHT.muted},
                  text={"field": "text"}),
            layer(lines, {"type": "line", "color": LIGHT.muted, "strokeWidth": 1, "strokeJoin": "round"},
                  detail={"field": "of"}, order={"field": "k"}),
            layer(axis, {**ink, "strokeWidth": 1.5}, x2={"field": "to"}),
            layer(ticks, {**ink, "strokeWidth": 1.5}, y2={"field": "to"}),
            layer(ticks, {"type": "text", "dy": -15, "baseline": "middle"}, text={"field": "text"}),
            layer(bars, {"type": "rule", "color": LIGHT.accent, "strokeWidth": 5, "strokeCap": "round"},
                  x2={"field": "to"}),
            layer(dots, {"type": "point", "filled": True, "size": 55, "opacity": 1, "color": LIGHT.ink}),
            *labels,
        ],
    }  # fmt: skip


def _label(name: str, rank: float, at: float, level: float) -> list[Spec]:
    """The rank at the end of the line, and beyond it the name."""
    side, sign = ("right", -1) if at == 0 else ("left", 1)
    lines = fitted_lines(name, ROOM)
    places: Spec = {"x": {"value": at}, "y": {"value": level}}
    return [
        {
            "data": {"values": [{}]},
            "mark": {
                "type": "text", "align": side, "dx": _NAME * sign, "baseline": "middle", "fontWeight": "bold",
                "dy": -7.0 * (len(lines) - 1), "text": lines,
            },
            "encoding": places,
        },
        {
            "data": {"values": [{}]},
            "mark": {
                "type": "text", "align": side, "dx": 7 * sign, "baseline": "middle", "color": LIGHT.muted,
                "text": f"{rank:.2f}",
            },
            "encoding": places,
        },
    ]  # fmt: skip
