"""The overfitting curve: a larger tree fits its own rows better, and beyond some size others worse."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from clearwood.draw.charts.ends import End, around, names_at_ends
from clearwood.draw.charts.sheet import Records, Spec, drawn
from clearwood.draw.charts.taking import check_drawable
from clearwood.draw.palette import LIGHT, ThemeName
from clearwood.draw.picture import Picture
from clearwood.study.behaviour.overfitting import Overfitting
from clearwood.words.numbers import amount, many

_WIDTH: Final = 430
_HEIGHT: Final = 250
_LOWER: Final = 160  # where a panel stands below another
_LINEAR_UP_TO: Final = 60  # leaves


def overfitting(curve: Overfitting, *, theme: ThemeName = "auto") -> Picture:
    """Leaves across, accuracy up: on the rows learned from, and on held-out rows, whose best is marked.

    Of a learner with costs what a row costs stands below it, with the best constant answer dotted.

    >>> import clearwood as cw
    >>> table = cw.read_table(cw.datasets.path("tennis"), target="PlayTennis")
    >>> overfitting(cw.overfitting(cw.ID3(), table)).alt
    'Accuracy by size of tree. On the rows learned from it rises from 0.600 to 1.000 at 6 leaves; on rows \
kept apart it is best, 0.750, at 1 leaf and 0.750 at the end.'
    """
    check_drawable("overfitting", curve, Overfitting)
    best, last = curve.best, len(curve.leaves) - 1
    size, score = int(curve.leaves[best]), float(curve.validation[best])
    leaves, whole = (many(each, "leaf", "leaves") for each in (size, int(curve.leaves[last])))
    apart = "by folds, ± 1 standard error" if curve.deviations is not None else "a part held out"
    subtitle = [f"best on rows kept apart ({apart}): {leaves}, {curve.measure} {score:.3f}"]
    subtitle.append("these rows chose the size: on others expect it to do less well")
    described = (
        f"{curve.measure.capitalize()} by size of tree. On the rows learned from it rises from "
        f"{curve.training[0]:.3f} to {curve.training[last]:.3f} at {whole}; on rows "
        f"kept apart it is {'best, ' if curve.cost is None else ''}{score:.3f}, at {leaves} and "
        f"{curve.validation[last]:.3f} at the end."
    )
    if curve.cost is not None:
        paid = (
            f"cost per row {amount(float(curve.cost.validation[best]))}; always predicting "
            f"{curve.cost.constant}: {amount(curve.cost.constant_per_row)}"
        )
        subtitle.append(paid)
        described += f" By costs the best size is {leaves}: {paid}."
    return drawn(
        _spec(curve),
        title="Size of the tree and what it learns",
        subtitle=subtitle,
        alt=described,
        width=_WIDTH + 70,
        theme=theme,
    )


def _spec(curve: Overfitting) -> Spec:
    """The accuracy and, of a learner with costs, below it what a row costs."""
    spread = curve.deviations.tolist() if curve.deviations is not None else None
    score = _Lines(curve.measure, curve.training.tolist(), curve.validation.tolist(), spread)
    if curve.cost is None:
        return _panel(curve, score, _HEIGHT)
    paid = curve.cost.training.tolist(), curve.cost.validation.tolist()
    cost = _Lines("cost per row", *paid, None, curve.cost.constant_per_row)
    return {"vconcat": [_panel(curve, score, _HEIGHT), _panel(curve, cost, _LOWER)], "spacing": 14}


@dataclass(frozen=True, slots=True)
class _Lines:
    """One figure on both kinds of rows, by size; `constant` is that of the best constant answer."""

    name: str
    training: list[float]
    validation: list[float]
    spread: list[float] | None
    constant: float | None = None


def _panel(curve: Overfitting, lines: _Lines, height: int) -> Spec:
    training, validation = lines.training, lines.validation
    spread = lines.spread or [0.0] * len(validation)
    records: Records = [
        {"leaves": leaves, "training": seen, "validation": apart, "low": apart - s, "high": apart + s}
        for leaves, seen, apart, s in zip(curve.leaves.tolist(), training, validation, spread, strict=True)
    ]
    most = records[-1]["leaves"]
    log = most > _LINEAR_UP_TO
    x = {
        "field": "leaves", "type": "quantitative", "title": "leaves" + (" (log scale)" if log else ""),
        "scale": {"type": "log" if log else "linear", "domain": [1, max(most, 2)], "nice": False},
        "axis": {"grid": False, "format": ",d", "values": ticks(most, log=log)},
    }  # fmt: skip
    beside = [] if lines.constant is None else [lines.constant]
    domain = around([*training, *(each[end] for each in records for end in ("low", "high")), *beside])
    y = {
        "type": "quantitative", "title": lines.name, "scale": {"domain": [*domain], "nice": False},
        "axis": {"format": ".2f", "tickCount": 6},
    }  # fmt: skip
    point = len(records) <= 40
    layers: list[Spec] = [
        {
            "data": {"values": [{"leaves": records[curve.best]["leaves"]}]},
            "mark": {"type": "rule", "color": LIGHT.accent, "strokeDash": [5, 3]},
            "encoding": {"x": x},
        }
    ]
    if lines.constant is not None:
        layers.append(
            {
                "data": {"values": [{"constant": lines.constant}]},
                "mark": {"type": "rule", "color": LIGHT.muted, "strokeDash": [1, 3]},
                "encoding": {"y": {**y, "field": "constant"}},
            }
        )
    if lines.spread is not None:
        layers.append(
            {
                "mark": {"type": "area", "color": LIGHT.accent, "opacity": 0.18},
                "encoding": {"x": x, "y": {**y, "field": "low"}, "y2": {"field": "high"}},
            }
        )
    for field, colour, dash in (("training", LIGHT.muted, [5, 3]), ("validation", LIGHT.accent, [1, 0])):
        line = {"type": "line", "color": colour, "strokeWidth": 2.2, "strokeDash": dash}
        if point:
            line["point"] = {"color": colour, "size": 34}
        layers.append({"mark": line, "encoding": {"x": x, "y": {**y, "field": field}}})
    ends = [End("training", training[-1], LIGHT.muted), End("validation", validation[-1], LIGHT.accent)]
    if lines.constant is not None:
        ends.append(End("constant", lines.constant, LIGHT.muted))
    layers += names_at_ends(ends, domain, _WIDTH, height)
    return {"data": {"values": records}, "width": _WIDTH, "height": height, "layer": layers}


def ticks(most: int, *, log: bool) -> list[int]:
    """Whole numbers for an axis of leaves.

    >>> ticks(12, log=False), ticks(130, log=True)
    ([1, 3, 5, 7, 9, 11], [1, 2, 5, 10, 20, 50, 100])
    """
    if not log:
        return list(range(1, most + 1, 1 + most // 10))
    steps = (1, 2, 5) if most <= 500 else (1, 3)
    return [m * 10**p for p in range(12) for m in steps if m * 10**p <= most]
