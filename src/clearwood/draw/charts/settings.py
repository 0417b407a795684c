"""Scores by settings: the validation curve of one, and what tuning tried of one or two."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from clearwood.draw.charts.builders import (
    ScoreLine,
    axis_of_numbers,
    layer,
    layered,
    learner_lines,
    lines_panel,
    records_of,
    rule_at,
)
from clearwood.draw.charts.sheet import Records, Spec, check_drawable, drawn, in_sentence
from clearwood.draw.palette import LIGHT, ThemeName
from clearwood.draw.picture import Picture
from clearwood.errors import SettingError, check_known
from clearwood.study.tuning.grids import Range
from clearwood.study.tuning.trials import Trial
from clearwood.study.tuning.tuner import Tuning
from clearwood.study.tuning.validation_curve import ValidationCurve
from clearwood.study.tuning.words import score_in_text, settings_in_text, value_in_text
from clearwood.words.numbers import amount, many

_WIDTH: Final = 430
_HEIGHT: Final = 260


def validation_curve(curve: ValidationCurve, *, theme: ThemeName = "auto") -> Picture:
    """The setting across, the score up: on held-out rows, and dashed on those learned from, each in a band of
    one standard error; the best value is marked.

    >>> import clearwood as cw
    >>> table = cw.read_table(cw.datasets.path("hire"), target="Hire")
    >>> curve = cw.validation_curve(cw.CART(), table, "max_depth", range(4), design=cw.Folds(7))
    >>> validation_curve(curve).alt
    'Accuracy by max_depth: on held-out rows from 0.4286 at 0 to 0.7857 at 3, best 0.7857 at 2.'
    """
    check_drawable("validation_curve", curve, ValidationCurve)
    axis = setting_axis(curve.setting, curve.values)
    shown = sorted((each for each in curve.trials if not each.failed), key=axis.at)
    lines = learner_lines(
        "",
        list(map(axis.at, shown)),
        [each.mean_on_training for each in shown],
        [each.mean for each in shown],
        [each.standard_error for each in shown],
        None,
        [each.standard_error_on_training for each in shown],
    )
    best = curve.best
    first, last, value = (axis.text(each) for each in (shown[0], shown[-1], best))
    label = curve.judging.in_words
    title = in_sentence(f"{label[0].upper()}{label[1:]} by {curve.setting}")
    below = [f"best on held-out rows: {amount(best.mean)} at {curve.setting} = {value}"]
    if curve.folds > 1:
        below.append(f"bands: ± 1 standard error over {curve.design_in_words}")
    under = [best_rule(axis, best)]
    panel = lines_panel(lines, axis.spec, score=label, width=_WIDTH, height=_HEIGHT, under=under)
    alt = (
        f"{title}: on held-out rows from {amount(shown[0].mean)} at {first} to {amount(shown[-1].mean)} "
        f"at {last}, best {amount(best.mean)} at {value}."
    )
    return drawn(panel, title, below, alt, theme, _WIDTH + 90)


def best_rule(axis: SettingAxis, trial: Trial, colour: str = LIGHT.accent) -> Spec:
    """A line where a trial stands on the axis."""
    look: Spec = {"color": colour, "strokeWidth": 1.2, "strokeDash": [5, 3]}
    return rule_at("x", axis.spec, axis.at(trial), "place", **look)


# What tuning tried: the score by one setting with its band, or by two as a map; draws as points.


_CELL: Final = (58, 34)
_COLOURS: Final = ("#f3ece2", "#d9a766", "#8a4b08")  # from the least good to the best


def tuning(tuned: Tuning, *settings: str, theme: ThemeName = "auto") -> Picture:
    """The score by one setting, or by two: those named, or the first that were varied.

    Of other settings, the best value is taken. The chosen one is marked.

    >>> import clearwood as cw
    >>> table = cw.read_table(cw.datasets.path("hire"), target="Hire")
    >>> grid = {"max_depth": cw.Range(1, 3), "min_leaf": (1, 3)}
    >>> tuning(cw.tune(cw.CART(), table, grid, design=cw.Folds(7))).alt
    'Accuracy by max_depth and min_leaf, of 6 settings tried: chosen max_depth = 2, min_leaf = 1 with 0.7857.'
    """
    check_drawable("tuning", tuned, Tuning)
    names = _settings(tuned, settings)
    judged = [each for each in tuned.trials if not each.failed and not math.isnan(each.mean)]
    grid = tuned.tuner.grid
    best = _best_over_others(tuned, judged, names) if grid.draws is None else judged
    label = tuned.judging.in_words
    title = in_sentence(f"{label[0].upper()}{label[1:]} by {' and '.join(names)}")
    chosen = settings_in_text(tuned.chosen.settings)
    below = [f"chosen: {chosen}, {amount(tuned.chosen.mean)}; these folds chose it"]
    others = [name for name in grid.over if name not in names]
    if others and grid.draws is None:
        below.append(f"{', '.join(others)}: the best value of each")
    axes = []
    for name, over in ((name, grid.over[name]) for name in names):
        log = over.log if isinstance(over, Range) else None
        axes.append(setting_axis(name, [each.settings[name] for each in best], log))
    if grid.draws is not None:
        content = _points(tuned, best, axes, label)
    elif len(axes) == 1:
        content = _curve(tuned, best, axes[0], label)
        below.append(f"band: ± 1 standard error over {tuned.design_in_words}")
        if tuned.chosen is not tuned.best:
            below.append("dashed: the chosen value; grey: the best")
    else:
        content = _map(tuned, best, axes, label)
    alt = (
        f"{title}, of {many(len(tuned.trials), 'setting')} tried: chosen {in_sentence(chosen)} with "
        f"{amount(tuned.chosen.mean)}."
    )
    return drawn(content, title, below, alt, theme, _WIDTH + 90)


def _settings(tuned: Tuning, given: Sequence[str]) -> list[str]:
    over = list(tuned.tuner.grid.over)
    for name in given:
        check_known("tuned setting called", name, over, plural="settings")
    if len(given) > 2 or len(set(given)) < len(given):
        raise SettingError("A chart of tuning shows one setting or two different ones. Name these.")
    if given:
        return list(given)
    varied = [name for name in over if len({repr(each.settings[name]) for each in tuned.trials}) > 1]
    return (varied or over)[:2]


def _best_over_others(tuned: Tuning, judged: Sequence[Trial], names: Sequence[str]) -> list[Trial]:
    """Of the trials that have the same values of these settings the best one; the chosen one before all."""
    kept: dict[str, Trial] = {}
    goodness = tuned.entry.goodness
    for each in judged:
        key = repr([each.settings[name] for name in names])
        before = kept.get(key)
        better = before is None or goodness(each.mean) > goodness(before.mean)
        if each is tuned.chosen or (better and before is not tuned.chosen):
            kept[key] = each
    return list(kept.values())


def _curve(tuned: Tuning, trials: Sequence[Trial], axis: SettingAxis, label: str) -> Spec:
    shown = sorted(trials, key=axis.at)
    scores, errors = [each.mean for each in shown], [each.standard_error for each in shown]
    line = ScoreLine("held out", list(map(axis.at, shown)), scores, LIGHT.accent, errors)
    under = [best_rule(axis, tuned.chosen)]
    if tuned.chosen is not tuned.best:
        under.append(best_rule(axis, tuned.best, LIGHT.muted))
    return lines_panel([line], axis.spec, score=label, width=_WIDTH, height=_HEIGHT, under=under)


def _map(tuned: Tuning, trials: Sequence[Trial], axes: Sequence[SettingAxis], label: str) -> Spec:
    across, up = axes
    good = [tuned.entry.goodness(each.mean) for each in trials]
    records = records_of(
        x=map(across.text, trials),
        y=map(up.text, trials),
        score=[each.mean for each in trials],
        text=[score_in_text(each.mean) for each in trials],
        good=good,
        chosen=[each is tuned.chosen for each in trials],
    )
    names = [[value_in_text(value) for value in axis.values] for axis in axes]
    sides: list[Spec] = [
        {"field": field, "type": "nominal", "title": in_sentence(axis.name), "sort": None,
         "scale": {"domain": domain, "paddingInner": 0.04, "paddingOuter": 0},
         "axis": {"domain": False, "ticks": False, "labelAngle": 0}}
        for field, axis, domain in zip(("x", "y"), axes, names, strict=True)
    ]  # fmt: skip
    sides[1]["scale"]["domain"] = names[1][::-1]  # the least below
    dark = min(good) + (max(good) - min(good)) * 2 / 3  # from here on, white letters read better
    at = {"x": sides[0], "y": sides[1]}
    colour = {**_colour(tuned, records, label), "legend": None}
    ink = {"condition": {"test": f"datum.good > {dark!r}", "value": "white"}, "value": "black"}
    layers = [
        layer("rect", {**at, "color": colour}),
        layer("text", {**at, "text": "text", "color": ink}, fontSize=11),
        layer("rect", at, where="datum.chosen", filled=False, stroke=LIGHT.ink, strokeWidth=2.5),
    ]
    return layered(layers, _CELL[0] * len(names[0]), _CELL[1] * len(names[1]), records)


def _points(tuned: Tuning, trials: Sequence[Trial], axes: Sequence[SettingAxis], label: str) -> Spec:
    """One point for each draw: the score up where one setting varies, else as its colour."""
    scores = [each.mean for each in trials]
    records = records_of(
        x=map(axes[0].at, trials),
        y=map(axes[1].at, trials) if len(axes) > 1 else scores,
        score=scores,
        chosen=[each is tuned.chosen for each in trials],
    )
    sides = {"y": axis_of_numbers("y", label, zero=False, padding=10)}
    for side, axis in zip("xy", axes, strict=False):
        sides[side] = {**axis.spec, "field": side}
        if axis.is_numeric:  # draws lie anywhere: ticks of their own would say more than there is
            sides[side]["axis"].pop("values", None)
    sides = {"x": sides["x"], "y": sides["y"]}
    colour = _colour(tuned, records, label) if len(axes) > 1 else {"value": LIGHT.accent}
    dot: Spec = {"size": 90, "opacity": 0.95, "stroke": LIGHT.muted, "strokeWidth": 0.6}
    ring: Spec = {"size": 240, "color": LIGHT.ink, "strokeWidth": 2, "opacity": 1}
    layers = [
        layer("circle", {**sides, "color": colour}, **dot),
        layer("point", sides, where="datum.chosen", **ring),
    ]
    return layered(layers, _WIDTH, _HEIGHT, records)


def _colour(tuned: Tuning, records: Records, label: str) -> Spec:
    scores = [record["score"] for record in records]
    low, high = min(scores), max(scores)
    colours = list(_COLOURS if tuned.entry.better == "more" else _COLOURS[::-1])
    if low == high:
        low, high = low - 0.5, high + 0.5
    return axis_of_numbers("score", label, domain=(low, (low + high) / 2, high), range=colours)


# The axis of a setting: its values as numbers, evenly or by ratios, or one beside the other as words.


_RATIO: Final = 30.0  # of the largest number to the least, from which on an axis goes by ratios
_TICKS: Final = 12  # values that each have a tick of their own


@dataclass(frozen=True, slots=True)
class SettingAxis:
    """Where each value stands, and the axis; words stand at 0, 1, 2, … in the order they came."""

    name: str
    values: tuple[Any, ...]
    is_numeric: bool
    log: bool | None = None  # None: by how far the numbers reach

    def place(self, value: Any) -> float:
        """Where a value stands."""
        return float(value) if self.is_numeric else float(self.values.index(value))

    def at(self, trial: Trial) -> float:
        """Where a trial stands."""
        return self.place(trial.settings[self.name])

    def text(self, trial: Trial) -> str:
        """The value of a trial."""
        return value_in_text(trial.settings[self.name])

    @property
    def by_ratio(self) -> bool:
        """Is it a log axis?"""
        if not self.is_numeric or min(self.values) <= 0:
            return False
        return max(self.values) >= _RATIO * min(self.values) if self.log is None else self.log

    @property
    def spec(self) -> Spec:
        """What Vega-Lite needs of the axis, without the field."""
        title = in_sentence(self.name)
        if not self.is_numeric:
            texts = [value_in_text(each) for each in self.values]
            axis = {"grid": False, "labelExpr": f"{json.dumps(texts)}[datum.value]"}
            ends = (-0.4, len(texts) - 0.6)
            return axis_of_numbers("", title, domain=ends, nice=False, ticks=range(len(texts)), axis=axis)
        low, high = min(self.values), max(self.values)
        if low == high:
            low, high = (low / 2, high * 2) if self.by_ratio else (low - 1, high + 1)
        scale: Spec = {"type": "log" if self.by_ratio else "linear", "domain": (low, high), "nice": False}
        ticks = 7 if len(self.values) > _TICKS else [float(each) for each in sorted(self.values)]
        axis = {"grid": False, "format": "~r", "labelOverlap": True}
        return axis_of_numbers(
            "", title + (" (log scale)" if self.by_ratio else ""), ticks=ticks, axis=axis, **scale
        )


def setting_axis(name: str, values: Sequence[Any], log: bool | None = None) -> SettingAxis:
    """The axis of these values, each once; numbers rise.

    >>> setting_axis("max_depth", [3, 1, 3]).values, setting_axis("alpha", [None, 0.1]).is_numeric
    ((1, 3), False)
    """
    distinct: list[Any] = []
    for value in values:
        if not any(value == each and type(value) is type(each) for each in distinct):
            distinct.append(value)
    numeric = all(isinstance(each, int | float) and not isinstance(each, bool) for each in distinct)
    return SettingAxis(name, tuple(sorted(distinct) if numeric else distinct), numeric, log)
