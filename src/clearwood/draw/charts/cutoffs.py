"""Cutoffs: recall, precision and cost by the share from which a class is answered."""

from __future__ import annotations

from typing import Any, Final

from clearwood.draw.charts.ends import around
from clearwood.draw.charts.sheet import Records, Spec, drawn, in_sentence
from clearwood.draw.charts.taking import check_drawable
from clearwood.draw.palette import LIGHT, ThemeName
from clearwood.draw.picture import Picture
from clearwood.scoring.cutoffs import Cutoffs
from clearwood.words.numbers import number, row_count

_WIDTH: Final = 430
_HEIGHT: Final = 250
_LOWER: Final = 150  # where a panel stands below another
_MOST: Final = 200  # cutoffs of a curve
_CURVES: Final = (("recall", LIGHT.accent, [1, 0]), ("precision", "#0072b2", [6, 3]))
_STEPS: Final = {"interpolate": "step-before"}  # a cutoff holds down to the next


def cutoffs(table: Cutoffs, *, theme: ThemeName = "auto") -> Picture:
    """Cutoffs across; recall and precision up, with 95 % intervals; where costs are known their curve below.

    The cutoff that was chosen is a dashed line.

    >>> import clearwood as cw
    >>> days = cw.read_table(cw.datasets.path("tennis"), target="PlayTennis")
    >>> cutoffs(cw.cutoffs(cw.NaiveBayes().learn(days), days, "No")).alt
    'Recall and precision of No by the cutoff on its probability, 14 rows. Recall falls from 1.000 at 0 to \
0.000 at 0.9.'
    """
    check_drawable("cutoffs", table, Cutoffs)
    records = _records(table)
    name = in_sentence(table.positive)
    first, last = records[0], records[-1]
    described = (
        f"Recall and precision of {name} by the cutoff on its probability, "
        f"{row_count(table.own + table.others)}. "
        f"Recall falls from {first['recall']:.3f} at {number(first['cutoff'])} to {last['recall']:.3f} at "
        f"{number(last['cutoff'])}."
    )
    below = [f"{row_count(table.own)} of {name}, {row_count(table.others)} of others"]
    chosen = next((line for line in table.lines() if line["chosen"]), None)
    if chosen is not None and table.chosen is not None:
        precise = "" if chosen["precision"] is None else f", precision {chosen['precision']:.3f}"
        paid = f", cost per row {chosen['cost']:.3g}" if "cost" in chosen else ""
        said = f"at the cutoff {number(table.chosen)}: recall {chosen['recall']:.3f}{precise}{paid}"
        below.append(said)
        described += f" {said[0].upper()}{said[1:]}."
    return drawn(
        _spec(table, records),
        title=f"Cutoffs on the probability of {name}",
        subtitle=below,
        alt=described,
        width=_WIDTH,
        theme=theme,
    )


def _records(table: Cutoffs) -> Records:
    records: Records = []
    for line in table.lines(_MOST):
        low, high = line["recall_interval"]
        record: dict[str, Any] = {"cutoff": line["cutoff"], "recall": line["recall"]}
        record |= {"recall_low": low, "recall_high": high, "precision": line["precision"]}
        if line["precision"] is not None:
            record["precision_low"], record["precision_high"] = line["precision_interval"]
        if "cost" in line:
            record["cost"] = line["cost"]
            record["cost_low"], record["cost_high"] = line["cost_interval"]
        records.append(record)
    return records


def _spec(table: Cutoffs, records: Records) -> Spec:
    x: Spec = {
        "field": "cutoff", "type": "quantitative", "title": "cutoff", "scale": {"domain": [0, 1]},
        "axis": {"tickCount": 6, "format": ".1f", "grid": False},
    }  # fmt: skip
    mark: list[Spec] = []
    if table.chosen is not None:
        mark = [
            {
                "data": {"values": [{"cutoff": table.chosen}]},
                "mark": {"type": "rule", "color": LIGHT.ink, "strokeDash": [5, 3]},
                "encoding": {"x": x},
            }
        ]
    names = [name for name, *_ in _CURVES]
    legend = {"title": None, "symbolType": "stroke", "symbolStrokeWidth": 3, "orient": "top", "offset": 8}
    legend["symbolOpacity"] = 1
    which: Spec = {"field": "rate", "type": "nominal", "sort": None, "legend": legend}
    colour = {**which, "scale": {"domain": names, "range": [colour for _, colour, _ in _CURVES]}}
    dash = {**which, "scale": {"domain": names, "range": [dash for *_, dash in _CURVES]}}
    y: Spec = {"type": "quantitative", "title": None, "scale": {"domain": [0, 1]},
               "axis": {"tickCount": 6, "format": ".1f"}}  # fmt: skip
    rates = [
        {"cutoff": each["cutoff"], "rate": name, "value": each[name],
         "low": each[f"{name}_low"], "high": each[f"{name}_high"]}
        for name in names
        for each in records
        if each[name] is not None
    ]  # fmt: skip
    upper: Spec = {
        "data": {"values": rates},
        "width": _WIDTH,
        "height": _HEIGHT,
        "layer": [
            *mark,
            {
                "mark": {**_STEPS, "type": "area", "opacity": 0.13},
                "encoding": {
                    "x": x,
                    "y": {**y, "field": "low"},
                    "y2": {"field": "high"},
                    "color": colour,
                },
            },
            {
                "mark": {**_STEPS, "type": "line", "strokeWidth": 2.2},
                "encoding": {"x": x, "y": {**y, "field": "value"}, "color": colour, "strokeDash": dash},
            },
        ],
    }
    if table.costs is None:
        return upper
    ends = [record[end] for record in records for end in ("cost_low", "cost_high")]
    y = {"type": "quantitative", "title": "cost per row", "axis": {"tickCount": 4, "format": ".2~f"},
         "scale": {"domain": [*around(ends)], "nice": False}}  # fmt: skip
    lower = {
        "data": {"values": records},
        "width": _WIDTH,
        "height": _LOWER,
        "layer": [
            *mark,
            {
                "mark": {**_STEPS, "type": "area", "color": LIGHT.muted, "opacity": 0.15},
                "encoding": {"x": x, "y": {**y, "field": "cost_low"}, "y2": {"field": "cost_high"}},
            },
            {
                "mark": {**_STEPS, "type": "line", "color": LIGHT.muted, "strokeWidth": 2.2},
                "encoding": {"x": x, "y": {**y, "field": "cost"}},
            },
        ],
    }
    return {"vconcat": [upper, lower], "spacing": 14}
