"""The cost-complexity path: as a leaf gets dearer the best subtree shrinks, and errs more on its own rows."""

from __future__ import annotations

import math
from typing import Any, Final

import numpy as np

from clearwood.draw.charts.ends import End, around, names_at_ends
from clearwood.draw.charts.overfitting import ticks
from clearwood.draw.charts.sheet import Records, Spec, drawn
from clearwood.draw.charts.taking import check_drawable
from clearwood.draw.palette import LIGHT, ThemeName
from clearwood.draw.picture import Picture
from clearwood.learners.trees.pruning.cross_validated_alpha import CrossValidatedAlpha
from clearwood.learners.trees.pruning.weakest_links import CostComplexityPath
from clearwood.words.numbers import many

_WIDTH: Final = 430
_HEIGHT: Final = 210
_BEYOND: Final = 1.25  # the axis goes on beyond the last α


def cost_complexity(path: CostComplexityPath | CrossValidatedAlpha, *, theme: ThemeName = "auto") -> Picture:
    """The price α of a leaf across; the best subtree's risk, and below it its leaves.

    With cross-validation also the error on held-out rows ± 1 standard error, the subtree that was chosen, and
    the line one standard error above the least.

    >>> import clearwood as cw
    >>> table = cw.read_table(cw.datasets.path("tennis"), target="PlayTennis")
    >>> cost_complexity(cw.cost_complexity_path(cw.ID3().learn(table))).alt
    'Cost-complexity path of 2 subtrees, from 5 leaves at α = 0 to 1 at α = 0.08929; the risk rises from \
0.0000 to 0.3571.'
    """
    check_drawable("cost_complexity", path, CostComplexityPath, CrossValidatedAlpha)
    validated = path if isinstance(path, CrossValidatedAlpha) else None
    steps = path.path if isinstance(path, CrossValidatedAlpha) else path
    records = _records(steps, validated)
    x = _across(records)
    most, least = int(steps.leaves[0]), int(steps.leaves[-1])
    alt = (
        f"Cost-complexity path of {many(len(steps.alphas), 'subtree', 'subtrees')}, "
        f"from {many(most, 'leaf', 'leaves')} at α = 0 to "
        f"{least:,} at α = {steps.alphas[-1]:.4g}; the risk rises from {steps.risks[0]:.4f} "
        f"to {steps.risks[-1]:.4f}."
    )
    below = []
    if validated is not None:
        chosen = records[validated.chosen]
        below = [
            f"chosen: α = {chosen['alpha']:.4g}, {many(chosen['leaves'], 'leaf', 'leaves')}, "
            f"held-out error {chosen['error']:.4f} ± {chosen['deviation']:.4f}",
        ]
        alt += f" By cross-validation {below[0]}."
        below.append("these folds chose it: on other rows expect a higher error")
        below.append("dotted: one standard error above the lowest")
    return drawn(
        {"vconcat": [_risks(records, x, validated), _leaves(records, x, validated)], "spacing": 14},
        title="Cost-complexity path",
        subtitle=below,
        alt=alt,
        width=_WIDTH + 80,
        theme=theme,
    )


def _records(path: CostComplexityPath, validated: CrossValidatedAlpha | None) -> Records:
    """One record per subtree."""
    columns = (path.alphas, path.leaves, path.risks)
    records: Records = [
        {"alpha": alpha, "leaves": leaves, "risk": risk}
        for alpha, leaves, risk in zip(*(column.tolist() for column in columns), strict=True)
    ]
    if validated is not None:
        for record, error, deviation in zip(
            records, validated.errors.tolist(), validated.deviations.tolist(), strict=True
        ):
            record |= {
                "error": error,
                "deviation": deviation,
                "low": error - deviation,
                "high": error + deviation,
            }
    return records


def _across(records: Records) -> Spec:
    """α grows by powers of ten from the first that matters; before that, from 0 on, evenly."""
    above = [record["alpha"] for record in records if record["alpha"] > 0]
    least, most = (above[0], above[-1]) if above else (1.0, 1.0)
    powers = range(math.floor(math.log10(least)), math.ceil(math.log10(most)) + 1)
    ticks: list[float] = []
    for steps in ((1,), (1, 3), (1, 2, 5)):
        if len(ticks) < 4:
            ticks = [m * 10.0**p for p in powers for m in steps if least <= m * 10.0**p <= most * _BEYOND]
    return {
        "field": "alpha", "type": "quantitative",
        "scale": {"type": "symlog", "constant": least, "domain": [0, most * _BEYOND], "nice": False},
        "axis": {"values": [0.0, *ticks], "format": "~g", "title": None, "grid": False},
    }  # fmt: skip


def _on(records: Records, x: Spec) -> Records:
    """The last subtree goes on to where the axis ends."""
    return [*records, {**records[-1], "alpha": x["scale"]["domain"][1]}]


def _risks(records: Records, x: Spec, validated: CrossValidatedAlpha | None) -> Spec:
    shown = [record[name] for record in records for name in ("risk", "low", "high") if name in record]
    domain = around(shown)
    y = {
        "type": "quantitative", "title": "error", "scale": {"domain": [*domain], "nice": False},
        "axis": {"tickCount": 5},
    }  # fmt: skip
    across = {**x, "axis": {**x["axis"], "labels": False}}
    layers: list[Spec] = [
        {
            "data": {"values": _on(records, x)},
            "mark": {"type": "line", "interpolate": "step-after", "strokeWidth": 2, "strokeDash": [5, 3],
                     "color": LIGHT.muted},
            "encoding": {"x": across, "y": {**y, "field": "risk"}},
        }
    ]  # fmt: skip
    ends = [End("training", records[-1]["risk"], LIGHT.muted)]
    if validated is not None:
        layers += _held_out(records, across, y, validated)
        ends.append(End("held-out", records[-1]["error"], LIGHT.accent))
    layers += names_at_ends(ends, domain, _WIDTH, _HEIGHT)
    return {"data": {"values": records}, "width": _WIDTH, "height": _HEIGHT, "layer": layers}


def _held_out(records: Records, x: Spec, y: Spec, validated: CrossValidatedAlpha) -> list[Spec]:
    limit = {"limit": records[int(np.argmin(validated.errors))]["high"]}
    return [
        {
            "data": {"values": [limit]},
            "mark": {"type": "rule", "color": LIGHT.muted, "strokeDash": [1, 3]},
            "encoding": {"y": {**y, "field": "limit"}},
        },
        {
            "mark": {"type": "rule", "color": LIGHT.accent, "opacity": 0.55, "strokeWidth": 1.5},
            "encoding": {"x": x, "y": {**y, "field": "low"}, "y2": {"field": "high"}},
        },
        {
            "mark": {"type": "circle", "color": LIGHT.accent, "size": 42, "opacity": 1},
            "encoding": {"x": x, "y": {**y, "field": "error"}},
        },
        *_marked(records[validated.chosen], x, {**y, "field": "error"}),
    ]


def _leaves(records: Records, x: Spec, validated: CrossValidatedAlpha | None) -> Spec:
    most = records[0]["leaves"]
    log = most > 50
    y = {
        "field": "leaves", "type": "quantitative", "title": "leaves",
        "scale": {"type": "log" if log else "linear", "domain": [1 if log else 0, most], "nice": False},
        "axis": {"format": ",d", "values": [*ticks(most, log=log)][:: 1 if log else 2]},
    }  # fmt: skip
    across = {**x, "axis": {**x["axis"], "title": "α, the price of a leaf"}}
    layers: list[Spec] = [
        {
            "data": {"values": _on(records, x)},
            "mark": {"type": "line", "interpolate": "step-after", "strokeWidth": 2, "color": LIGHT.muted},
            "encoding": {"x": across, "y": y},
        }
    ]
    if validated is not None:
        layers += _marked(records[validated.chosen], across, y)
    return {"data": {"values": records}, "width": _WIDTH, "height": 120, "layer": layers}


def _marked(record: dict[str, Any], x: Spec, y: Spec) -> list[Spec]:
    """The chosen subtree."""
    return [
        {
            "data": {"values": [record]},
            "mark": {"type": "rule", "color": LIGHT.accent, "strokeWidth": 1.4, "strokeDash": [5, 3]},
            "encoding": {"x": x},
        },
        {
            "data": {"values": [record]},
            "mark": {"type": "point", "color": LIGHT.accent, "size": 130, "opacity": 1, "strokeWidth": 2},
            "encoding": {"x": x, "y": y},
        },
    ]
