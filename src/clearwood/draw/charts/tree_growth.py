"""The growth of a tree: where a numeric column is cut, and what a leaf may cost before it is pruned."""

from __future__ import annotations

import math
from typing import Any, Final

import numpy as np

from clearwood.draw.charts.builders import End, around, names_at_ends
from clearwood.draw.charts.columns import by_class
from clearwood.draw.charts.learning_curves import ticks
from clearwood.draw.charts.sheet import (
    Records,
    Spec,
    check_drawable,
    check_range,
    drawn,
    in_sentence,
    name_axis,
    names_width,
    row_height,
)
from clearwood.draw.palette import LIGHT, ThemeName
from clearwood.draw.picture import Picture
from clearwood.explain.cut_curve import CutCurve
from clearwood.learners.trees.pruning.cross_validated_alpha import CrossValidatedAlpha
from clearwood.learners.trees.pruning.weakest_links import CostComplexityPath
from clearwood.measures import IMPURITIES
from clearwood.words.numbers import many, number, row_count

_WIDTH: Final = 420
_MOST: Final = 500  # points of the curve; the highest of each stretch stays
_POINTS_UP_TO: Final = 60


def cuts(curve: CutCurve, *, theme: ThemeName = "auto") -> Picture:
    """The gain at each candidate cut with the chosen one marked; below it a tick for each row, by class.

    >>> import clearwood as cw
    >>> table = cw.read_table(cw.datasets.path("tennis_numeric"), target="Play")
    >>> cuts(cw.cut_curve(table, "Humidity")).alt
    'Gain in bits at 7 cuts of Humidity in 14 rows: the largest is 0.1022 at 82.5, which is chosen.'
    """
    check_drawable("cuts", curve, CutCurve)
    title = f"Where to cut {in_sentence(curve.name)}"
    total = row_count(float(curve.weights.sum()))
    below = [f"{total}{' where ' + ', '.join(map(in_sentence, curve.where)) if curve.where else ''}"]
    if curve.missing:
        below.append(f"{row_count(curve.missing)} more without a value")
    if curve.best is None:
        below.append(f"all have the value {number(float(curve.values[0]))}: there is nothing to cut")
        alt = f"{in_sentence(curve.name)} in {total}: {below[-1]}."
    else:
        largest = f"{curve.gains[curve.best]:.4f} at {number(float(curve.limits[curve.best]))}"
        words = IMPURITIES[curve.measure].gain_in_text(curve.measure)
        alt = f"{words[0].upper()}{words[1:]} at {_cuts(len(curve.limits))} of {in_sentence(curve.name)} in "
        alt += f"{total}: the largest is {largest}, which is chosen."
        if curve.cut is not None and curve.cut != curve.best and curve.chosen is not None:
            other = f"{number(curve.chosen)} ({curve.gains[curve.cut]:.4f})"
            alt = alt.replace("which is chosen.", f"but the tree cuts at {other}.")
        elif curve.cut is None and curve.chosen is not None:
            # The tree was learned from other rows than these.
            alt = alt.replace(
                "which is chosen.", f"but the tree cuts at {number(curve.chosen)}, beyond them all."
            )
    ends = [*curve.values.tolist(), *([] if curve.chosen is None else [curve.chosen])]
    low, high = min(ends), max(ends)
    check_range(curve.name, low, high)
    margin = 0.03 * (high - low) or abs(low) / 20 or 0.5
    domain = [low - margin, high + margin]
    panels = [_rows(curve, domain)] if curve.best is None else [_curve(curve, domain), _rows(curve, domain)]
    return drawn(
        {"vconcat": panels, "spacing": 10},
        title=title,
        subtitle=below,
        alt=alt,
        width=_WIDTH + names_width(curve.classes),
        theme=theme,
    )


def _cuts(many: int) -> str:
    return "1 cut" if many == 1 else f"{many:,} cuts"


def _across(field: str, domain: list[float], *, named_as: str | None) -> Spec:
    axis = {"title": named_as, "grid": False, "tickCount": 8} if named_as else None
    return {"field": field, "type": "quantitative", "axis": axis, "scale": {"domain": domain, "nice": False}}


def _curve(curve: CutCurve, domain: list[float]) -> Spec:
    kept = _highest(curve.gains)
    records = [
        {"limit": limit, "gain": gained}
        for limit, gained in zip(curve.limits[kept].tolist(), curve.gains[kept].tolist(), strict=True)
    ]
    assert curve.chosen is not None
    cut = curve.cut
    gained = 0.0 if cut is None else float(curve.gains[cut])  # a cut that parts no rows gains nothing
    right = curve.chosen > sum(domain) / 2
    chosen = {"limit": curve.chosen, "label": f"≤ {number(curve.chosen)}: {gained:.4f}"}
    point = {"limit": curve.chosen if cut is None else float(curve.limits[cut]), "gain": gained}
    y = {
        "field": "gain", "type": "quantitative",
        "title": IMPURITIES[curve.measure].gain_in_text(curve.measure),
        "scale": {"zero": True}, "axis": {"tickCount": 4},
    }  # fmt: skip
    x = _across("limit", domain, named_as=None)
    dot = {"color": LIGHT.muted, "size": 26} if len(kept) <= _POINTS_UP_TO else False
    return {
        "width": _WIDTH,
        "height": 170,
        "layer": [
            {
                "data": {"values": records},
                "mark": {"type": "line", "color": LIGHT.muted, "strokeWidth": 1.6, "point": dot},
                "encoding": {"x": x, "y": y},
            },
            {
                "data": {"values": [chosen]},
                "mark": {"type": "rule", "color": LIGHT.accent, "strokeWidth": 1.6, "strokeDash": [5, 3]},
                "encoding": {"x": x},
            },
            {
                "data": {"values": [point]},
                "mark": {"type": "circle", "color": LIGHT.accent, "size": 90, "opacity": 1},
                "encoding": {"x": x, "y": y},
            },
            {
                "data": {"values": [chosen]},
                "mark": {"type": "text", "color": LIGHT.accent, "fontWeight": "bold", "baseline": "bottom",
                         "align": "right" if right else "left", "dx": -7 if right else 7, "dy": -3},
                "encoding": {"x": x, "y": {"value": 0}, "text": {"field": "label"}},
            },
        ],
    }  # fmt: skip


def _rows(curve: CutCurve, domain: list[float]) -> Spec:
    x = _across("value", domain, named_as=in_sentence(curve.name))
    y = {
        "field": "class", "type": "nominal", "sort": None, "title": None,
        "scale": {"domain": [*curve.classes]},
        "axis": {"ticks": False, "domain": False, **name_axis(curve.classes)},
    }  # fmt: skip
    layers: list[Spec] = [
        {
            "data": {"values": _ticks(curve)},
            "mark": {"type": "tick", "thickness": 1.6, "opacity": 1, "size": 16},
            "encoding": {"x": x, "y": y, "color": by_class(curve.classes, legend=False)},
        }
    ]
    if curve.chosen is not None:
        layers.append(
            {
                "data": {"values": [{"limit": curve.chosen}]},
                "mark": {"type": "rule", "color": LIGHT.accent, "strokeWidth": 1.6, "strokeDash": [5, 3]},
                "encoding": {"x": {**x, "field": "limit"}},
            }
        )
    step = row_height(curve.classes, 24 if len(curve.classes) <= 6 else 18)
    return {"width": _WIDTH, "height": {"step": step}, "layer": layers}


def _ticks(curve: CutCurve) -> Records:
    """One for each class and place; rows too close to be seen apart share one."""
    low, high = float(curve.values.min()), float(curve.values.max())
    hair = (high - low) / (2 * _WIDTH) or 1.0
    place = np.rint((curve.values - low) / hair).astype(np.int64)
    _, first = np.unique(place * len(curve.classes) + curve.codes, return_index=True)
    return [
        {"value": value, "class": curve.classes[code]}
        for value, code in zip(curve.values[first].tolist(), curve.codes[first].tolist(), strict=True)
    ]


def _highest(
    gains: np.ndarray[tuple[int], np.dtype[np.float64]],
) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """Places of at most `_MOST` gains: of each stretch the highest, so that no peak is lost."""
    if len(gains) <= _MOST:
        return np.arange(len(gains))
    stretches = np.array_split(np.arange(len(gains)), _MOST)
    return np.array([stretch[int(np.argmax(gains[stretch]))] for stretch in stretches])


# The cost-complexity path: as a leaf gets dearer the best subtree shrinks, and errs more on its own rows.


_COST_COMPLEXITY_WIDTH: Final = 430
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
    x = _cost_complexity_across(records)
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
        width=_COST_COMPLEXITY_WIDTH + 80,
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


def _cost_complexity_across(records: Records) -> Spec:
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
    layers += names_at_ends(ends, domain, _COST_COMPLEXITY_WIDTH, _HEIGHT)
    return {"data": {"values": records}, "width": _COST_COMPLEXITY_WIDTH, "height": _HEIGHT, "layer": layers}


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
    return {"data": {"values": records}, "width": _COST_COMPLEXITY_WIDTH, "height": 120, "layer": layers}


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
