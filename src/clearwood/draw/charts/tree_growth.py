"""The growth of a tree: where a numeric column is cut, and what a leaf may cost before it is pruned."""

from typing import Any, Final

import numpy as np

from clearwood.draw.charts.builders import (
    End,
    around,
    axis_of_names,
    axis_of_numbers,
    fitting_axis,
    layer,
    layered,
    names_at_ends,
    points_on_lines,
    records_of,
    round_numbers,
    row_steps,
    rule_at,
)
from clearwood.draw.charts.columns import by_class
from clearwood.draw.charts.learning_curves import ticks
from clearwood.draw.charts.sheet import (
    Records,
    Spec,
    check_drawable,
    check_range,
    drawn,
    in_sentence,
    names_width,
)
from clearwood.draw.palette import LIGHT, ThemeName
from clearwood.draw.picture import Picture
from clearwood.explaining.cut_curve import CutCurve
from clearwood.learners.trees.pruning.weakest_links import CostComplexityPath, CrossValidatedAlpha
from clearwood.measures import IMPURITIES
from clearwood.words.numbers import many, number, row_count

_WIDTH: Final = 420
_MOST: Final = 500  # points of the curve; the highest of each stretch stays
_POINTS_UP_TO: Final = 60
_CHOSEN: Final[Spec] = {"color": LIGHT.accent, "strokeWidth": 1.6, "strokeDash": [5, 3]}


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
        taken = "which is chosen"
        if curve.cut is None and curve.chosen is not None:
            # The tree was learned from other rows than these.
            taken = f"but the tree cuts at {number(curve.chosen)}, beyond them all"
        elif curve.cut is not None and curve.cut != curve.best and curve.chosen is not None:
            taken = f"but the tree cuts at {number(curve.chosen)} ({curve.gains[curve.cut]:.4f})"
        words = IMPURITIES[curve.measure].gain_in_text(curve.measure)
        alt = (
            f"{words[0].upper()}{words[1:]} at {many(len(curve.limits), 'cut')} of {in_sentence(curve.name)} "
            f"in {total}: the largest is {largest}, {taken}."
        )
    ends = [*curve.values.tolist(), *([] if curve.chosen is None else [curve.chosen])]
    low, high = min(ends), max(ends)
    check_range(curve.name, low, high)
    margin = 0.03 * (high - low) or abs(low) / 20 or 0.5
    domain = [low - margin, high + margin]
    panels = [_rows(curve, domain)] if curve.best is None else [_curve(curve, domain), _rows(curve, domain)]
    width = _WIDTH + names_width(curve.classes)
    return drawn({"vconcat": panels, "spacing": 10}, title, below, alt, theme, width)


def _across(field: str, domain: list[float], *, named_as: str | None) -> Spec:
    axis = {"title": named_as, "grid": False, "tickCount": 8} if named_as else None
    return axis_of_numbers(field, domain=domain, nice=False, axis=axis)


def _curve(curve: CutCurve, domain: list[float]) -> Spec:
    kept = np.arange(len(curve.gains))
    if len(kept) > _MOST:
        stretches = np.array_split(kept, _MOST)
        kept = np.array([stretch[int(np.argmax(curve.gains[stretch]))] for stretch in stretches])
    records = records_of(limit=curve.limits[kept], gain=curve.gains[kept])
    assert curve.chosen is not None
    cut = curve.cut
    gained = 0.0 if cut is None else float(curve.gains[cut])  # a cut that parts no rows gains nothing
    right = curve.chosen > sum(domain) / 2
    chosen = {"limit": curve.chosen, "label": f"≤ {number(curve.chosen)}: {gained:.4f}"}
    point = {"limit": curve.chosen if cut is None else float(curve.limits[cut]), "gain": gained}
    y = axis_of_numbers("gain", IMPURITIES[curve.measure].gain_in_text(curve.measure), zero=True, ticks=4)
    x = _across("limit", domain, named_as=None)
    dot = {"color": LIGHT.muted, "size": 26} if len(kept) <= _POINTS_UP_TO else False
    side: Spec = {"align": "right" if right else "left", "fontWeight": "bold", "baseline": "bottom"}
    name = {**side, "dx": -7 if right else 7, "dy": -3}
    layers = [
        layer("line", {"x": x, "y": y}, records, color=LIGHT.muted, strokeWidth=1.6, point=dot),
        layer("rule", {"x": x}, [chosen], **_CHOSEN),
        layer("circle", {"x": x, "y": y}, [point], color=LIGHT.accent, size=90, opacity=1),
        layer("text", {"x": x, "y": 0, "text": "label"}, [chosen], color=LIGHT.accent, **name),
    ]
    return layered(layers, _WIDTH, 170)


def _rows(curve: CutCurve, domain: list[float]) -> Spec:
    """A tick for each class and place; rows too close to be seen apart share one."""
    low, high = float(curve.values.min()), float(curve.values.max())
    hair = (high - low) / (2 * _WIDTH) or 1.0
    place = np.rint((curve.values - low) / hair).astype(np.int64)
    _, first = np.unique(place * len(curve.classes) + curve.codes, return_index=True)
    records = [
        {"value": value, "class": curve.classes[code]}
        for value, code in zip(curve.values[first].tolist(), curve.codes[first].tolist(), strict=True)
    ]
    x = _across("value", domain, named_as=in_sentence(curve.name))
    at = {"x": x, "y": axis_of_names("class", curve.classes), "color": by_class(curve.classes, legend=False)}
    layers = [layer("tick", at, records, thickness=1.6, opacity=1, size=16)]
    if curve.chosen is not None:
        layers.append(rule_at("x", x, curve.chosen, "limit", **_CHOSEN))
    return layered(layers, _WIDTH, row_steps(curve.classes, 24 if len(curve.classes) <= 6 else 18))


# The cost-complexity path: as a leaf gets dearer the best subtree shrinks, and errs more on its own rows.


_PATH_WIDTH: Final = 430
_HEIGHT: Final = 210
_STEPS: Final[Spec] = {"interpolate": "step-after", "strokeWidth": 2, "color": LIGHT.muted}
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
    columns = {"alpha": steps.alphas, "leaves": steps.leaves, "risk": steps.risks}
    if validated is not None:
        errors, deviations = validated.errors, validated.deviations
        columns |= {"error": errors, "deviation": deviations}
        columns |= {"low": errors - deviations, "high": errors + deviations}
    records = records_of(**columns)
    x = _alphas(records)
    most, least = int(steps.leaves[0]), int(steps.leaves[-1])
    alt = (
        f"Cost-complexity path of {many(len(steps.alphas), 'subtree')}, "
        f"from {many(most, 'leaf', 'leaves')} at α = 0 to {least:,} at α = {steps.alphas[-1]:.4g}; "
        f"the risk rises from {steps.risks[0]:.4f} to {steps.risks[-1]:.4f}."
    )
    below = []
    if validated is not None:
        chosen = records[validated.chosen]
        below = [
            f"chosen: α = {chosen['alpha']:.4g}, {many(chosen['leaves'], 'leaf', 'leaves')}, "
            f"held-out error {chosen['error']:.4f} ± {chosen['deviation']:.4f}",
            "these folds chose it: on other rows expect a higher error",
            "dotted: one standard error above the lowest",
        ]
        alt += f" By cross-validation {below[0]}."
    spec = {"vconcat": [_risks(records, x, validated), _leaves(records, x, validated)], "spacing": 14}
    return drawn(spec, "Cost-complexity path", below, alt, theme, _PATH_WIDTH + 80)


def _alphas(records: Records) -> Spec:
    """α grows by powers of ten from the first that matters; before that, from 0 on, evenly."""
    above = [record["alpha"] for record in records if record["alpha"] > 0]
    least, most = (above[0], above[-1]) if above else (1.0, 1.0)
    ticks: list[float] = []
    for steps in ((1,), (1, 3), (1, 2, 5)):
        if len(ticks) < 4:
            ticks = round_numbers(least, most * _BEYOND, steps)
    scale: Spec = {"type": "symlog", "constant": least, "domain": (0, most * _BEYOND), "nice": False}
    axis = {"format": "~g", "title": None, "grid": False}
    return axis_of_numbers("alpha", ticks=[0.0, *ticks], axis=axis, **scale)


def _on(records: Records, x: Spec) -> Records:
    """The last subtree goes on to where the axis ends."""
    return [*records, {**records[-1], "alpha": x["scale"]["domain"][1]}]


def _risks(records: Records, x: Spec, validated: CrossValidatedAlpha | None) -> Spec:
    domain = around(
        [record[name] for record in records for name in ("risk", "low", "high") if name in record]
    )
    y = fitting_axis("error", domain, ticks=5)
    across = {**x, "axis": {**x["axis"], "labels": False}}
    layers = [layer("line", {"x": across, "y": (y, "risk")}, _on(records, x), strokeDash=[5, 3], **_STEPS)]
    ends = [End("training", records[-1]["risk"], LIGHT.muted)]
    if validated is not None:
        limit = records[int(np.argmin(validated.errors))]["high"]
        at = {"x": across, "y": (y, "error")}
        line: Spec = {"color": LIGHT.accent, "opacity": 0.55, "strokeWidth": 1.5}
        layers.append(rule_at("y", y, limit, "limit", strokeDash=[1, 3]))
        layers += points_on_lines(at, None, LIGHT.accent, size=42, along="y", **line)
        layers += _marked(records[validated.chosen], at)
        ends.append(End("held-out", records[-1]["error"], LIGHT.accent))
    layers += names_at_ends(ends, domain, _PATH_WIDTH, _HEIGHT)
    return layered(layers, _PATH_WIDTH, _HEIGHT, records)


def _leaves(records: Records, x: Spec, validated: CrossValidatedAlpha | None) -> Spec:
    most = records[0]["leaves"]
    log = most > 50
    scale: Spec = {"type": "log" if log else "linear", "domain": (1 if log else 0, most), "nice": False}
    marks = ticks(most, log=log)[:: 1 if log else 2]
    at = {
        "x": {**x, "axis": {**x["axis"], "title": "α, the price of a leaf"}},
        "y": axis_of_numbers("leaves", "leaves", ticks=marks, axis={"format": ",d"}, **scale),
    }
    chosen = [] if validated is None else _marked(records[validated.chosen], at)
    return layered([layer("line", at, _on(records, x), **_STEPS), *chosen], _PATH_WIDTH, 120, records)


def _marked(record: dict[str, Any], at: Spec) -> list[Spec]:
    """The chosen subtree."""
    return [
        layer("rule", {"x": at["x"]}, [record], **{**_CHOSEN, "strokeWidth": 1.4}),
        layer("point", at, [record], color=LIGHT.accent, size=130, opacity=1, strokeWidth=2),
    ]
