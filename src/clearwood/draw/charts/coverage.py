"""Coverage against accuracy: what is gained in accuracy where rows in doubt are left unanswered."""

from __future__ import annotations

from typing import Final

from clearwood.draw.charts.ends import around
from clearwood.draw.charts.sheet import Records, drawn
from clearwood.draw.charts.taking import check_drawable
from clearwood.draw.palette import LIGHT, ThemeName
from clearwood.draw.picture import Picture
from clearwood.scoring.coverage import Coverage
from clearwood.words.numbers import number, row_count

_WIDTH: Final = 430
_HEIGHT: Final = 270
_MOST: Final = 200


def coverage(curve: Coverage, *, theme: ThemeName = "auto") -> Picture:
    """The part of the rows that are answered across, the accuracy of the answers up, with 95 % intervals.

    The further to the left, the more rows are referred. The share that is set is a point.

    >>> import clearwood as cw
    >>> days = cw.read_table(cw.datasets.path("tennis"), target="PlayTennis")
    >>> coverage(cw.coverage(cw.NaiveBayes().learn(days), days)).alt
    'Accuracy by the share of rows predicted, 14 rows: 0.929 where all are, 1.000 where \
7.1 % are.'
    """
    check_drawable("coverage", curve, Coverage)
    lines = curve.lines(_MOST)
    records: Records = [
        {
            "coverage": line["coverage"],
            "accuracy": line["accuracy"],
            "low": line["interval"][0],
            "high": line["interval"][1],
        }
        for line in lines
    ]
    most, least = lines[0], lines[-1]
    all_of = "all are" if most["coverage"] == 1 else f"{100 * most['coverage']:.1f} % are"
    described = (
        f"Accuracy by the share of rows predicted, {row_count(curve.weight)}: "
        f"{most['accuracy']:.3f} where {all_of}, {least['accuracy']:.3f} where "
        f"{100 * least['coverage']:.1f} % are."
    )
    below = [f"{row_count(curve.weight)}; without referring any: accuracy {most['accuracy']:.3f}"]
    chosen = [line for line in lines if line["chosen"]]
    if chosen and curve.chosen is not None:
        line = chosen[0]
        said = (
            f"rows below {number(curve.chosen)} are referred: accuracy {line['accuracy']:.3f} of "
            f"{100 * line['coverage']:.1f} % predicted"
        )
        below.append(said)
        described += f" {said[0].upper()}{said[1:]}."
    x = {
        "field": "coverage", "type": "quantitative", "title": "share of rows predicted",
        "scale": {"domain": [0, 1]}, "axis": {"tickCount": 6, "format": ".0%", "grid": False},
    }  # fmt: skip
    # A few rows at the left end have intervals from near 0: they would flatten what matters.
    shown = [r for r in records if r["coverage"] >= 0.1] or records
    domain = around([r[end] for r in shown for end in ("low", "high")] + [r["accuracy"] for r in records])
    y = {
        "type": "quantitative", "title": "accuracy",
        "scale": {"domain": [max(domain[0], 0.0), min(domain[1], 1.0)], "nice": False},
        "axis": {"format": ".2f", "tickCount": 6},
    }  # fmt: skip
    line_mark = {"type": "line", "color": LIGHT.accent, "strokeWidth": 2.2, "clip": True}
    layers = [
        {
            "mark": {"type": "area", "color": LIGHT.accent, "opacity": 0.16, "clip": True},
            "encoding": {"x": x, "y": {**y, "field": "low"}, "y2": {"field": "high"}},
        },
        {
            "mark": line_mark
            | ({"point": {"color": LIGHT.accent, "size": 30}} if len(records) <= 40 else {}),
            "encoding": {"x": x, "y": {**y, "field": "accuracy"}},
        },
        {
            "data": {"values": [{"coverage": e["coverage"], "accuracy": e["accuracy"]} for e in chosen]},
            "mark": {"type": "point", "filled": True, "color": LIGHT.ink, "size": 110, "opacity": 1},
            "encoding": {"x": x, "y": {**y, "field": "accuracy"}},
        },
    ]
    return drawn(
        {"data": {"values": records}, "width": _WIDTH, "height": _HEIGHT, "layer": layers},
        title="Coverage and accuracy",
        subtitle=below,
        alt=described,
        width=_WIDTH,
        theme=theme,
    )
