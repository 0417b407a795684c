"""Predictions beside the truth: the confusion matrix, true and predicted numbers, rates by group."""

from dataclasses import replace
from typing import Final

import numpy as np

from clearwood.draw.charts.builders import (
    around,
    axis_of_numbers,
    layer,
    layered,
    matrix_side,
    panel_title,
    points_on_lines,
    records_of,
    row_steps,
)
from clearwood.draw.charts.sheet import (
    Records,
    Spec,
    check_drawable,
    check_range,
    drawn,
    few_of,
    in_sentence,
    labelled,
    names_width,
    row_height,
)
from clearwood.draw.palette import LIGHT, ThemeName
from clearwood.draw.picture import Picture
from clearwood.errors import SettingError
from clearwood.scoring.by_group import ByGroup
from clearwood.scoring.evaluation import ClassEvaluation, NumberEvaluation
from clearwood.scoring.predictions import TrueAndPredicted
from clearwood.words.numbers import amount, percent_to, row_count

_UNKNOWN: Final = "(unknown)"
_NOTHING: Final = "(nothing)"
_SHARES_UP_TO: Final = 6  # classes; with more, a cell has room for one number only
_DOTS_UP_TO: Final = 25


def confusion(evaluation: ClassEvaluation, *, theme: ThemeName = "auto") -> Picture:
    """True classes down, predicted ones across; the deeper the colour, the larger the part of the true class.

    >>> from clearwood.scoring.evaluation import ClassEvaluation
    >>> confusion(ClassEvaluation(("No", "Yes"), ((3.0, 2.0), (1.0, 8.0)))).alt
    'Confusion matrix of 14 rows, 78.6 % predicted correctly. Most often wrong: No predicted as Yes (2 of 5).'
    """
    check_drawable("confusion", evaluation, ClassEvaluation, NumberEvaluation)
    if not isinstance(evaluation, ClassEvaluation):
        raise SettingError("A confusion matrix is of classes; this evaluation is of numbers.")
    if evaluation.weight <= 0:
        raise SettingError("There are no rows to show a confusion matrix of.")
    true, predicted, records = _cells(evaluation)
    few = len(predicted) <= _SHARES_UP_TO
    side = max(64.0 if few else 34, 7.5 * max(len(record["count"]) for record in records) + 8)
    wide = names_width(predicted) > side - 4  # their names stand upright
    sides = {
        "x": matrix_side(
            "predicted", predicted, "predicted", 0.04, orient="top", labelAngle=-90 if wide else 0
        ),
        "y": matrix_side("true", true, "true", 0.04),
    }
    ink = {"condition": {"test": "datum.weight > 0", "value": LIGHT.ink}, "value": LIGHT.muted}
    deep = {**axis_of_numbers("share", domain=(0, 1), range=[0, 0.55]), "legend": None}
    fill = {"condition": {"test": "datum.right", "value": LIGHT.good}, "value": LIGHT.bad}
    count: Spec = {"fontSize": 14 if few else 12, "fontWeight": "bold" if few else "normal"}
    layers = [
        layer("rect", {}, fill=LIGHT.panel),
        layer("rect", {"fill": fill, "fillOpacity": deep}),
        layer("text", {"text": "count", "color": ink}, dy=-7 if few else 0, **count),
    ]
    if few:
        layers.append(layer("text", {"text": "part"}, dy=11))
    low, high = (percent_to(end) for end in evaluation.interval)
    rows = row_count(evaluation.weight_answered) + (" predicted" if evaluation.silent else "")
    below = [f"{percent_to(evaluation.accuracy)} of {rows} predicted correctly ({low} to {high} at 95 %)"]
    if evaluation.cost is not None:
        constant = f"always predicting {evaluation.cost.constant}: {amount(evaluation.cost.constant_per_row)}"
        below.append(f"Cost per row {amount(evaluation.cost.per_row)}; {constant}")
    alt = (
        f"Confusion matrix of {row_count(evaluation.weight)}, {percent_to(evaluation.accuracy)} "
        f"{f'of {rows} ' if evaluation.silent else ''}predicted correctly."
        f"{''.join(f' {each}.' for each in below[1:])} {_most_often_wrong(records)}"
    )
    width = max(340, side * len(predicted) + names_width(true))
    spec = layered(layers, {"step": side}, row_steps(true, 52 if few else 26), records, encoding=sides)
    return drawn(spec, "Confusion matrix", below, alt, theme, width)


def _cells(evaluation: ClassEvaluation) -> tuple[list[str], list[str], Records]:
    """The names of both sides, and the cells: those without a prediction are a column more, those of classes
    that the model does not know a row."""
    true, predicted = list(evaluation.classes), list(evaluation.classes)
    matrix = [[*row, *evaluation.silent[i : i + 1]] for i, row in enumerate(evaluation.confusion)]
    if evaluation.silent:
        predicted.append(_NOTHING)
    if evaluation.unknown or (evaluation.silent and evaluation.silent[-1]):
        true.append(_UNKNOWN)
        matrix.append([*(evaluation.unknown or (0.0,) * len(evaluation.classes)), *evaluation.silent[-1:]])
    records = [
        {
            "true": name,
            "predicted": other,
            "weight": weight,
            "count": f"{weight:,.6g}" if weight else "·" if len(predicted) <= _DOTS_UP_TO else "",
            "share": weight / sum(row) if weight else 0.0,
            "part": percent_to(weight / sum(row), 0) if weight else "",
            "right": name == other,
        }
        for name, row in zip(true, matrix, strict=True)
        for other, weight in zip(predicted, row, strict=True)
    ]
    return true, predicted, records


def _most_often_wrong(records: Records) -> str:
    wrong = [
        each for each in records if each["predicted"] != _NOTHING and each["weight"] and not each["right"]
    ]
    if not wrong:
        return "None is wrong."
    worst = max(wrong, key=lambda record: record["weight"])
    own = sum(record["weight"] for record in records if record["true"] == worst["true"])
    name, other = in_sentence(worst["true"]), in_sentence(worst["predicted"])
    return f"Most often wrong: {name} predicted as {other} ({worst['count']} of {own:,.6g})."


# True and predicted numbers: one point per row, near the diagonal where the prediction is good.


_SIDE: Final = 320
_MOST: Final = 1_000  # points; more cover each other


def true_and_predicted(numbers: TrueAndPredicted, *, theme: ThemeName = "auto") -> Picture:
    """Predicted numbers across, true ones up; on the diagonal they agree.

    Of more than 1,000 rows every second, third … is drawn, and the picture says so.

    >>> import clearwood as cw
    >>> table = cw.read_table({"x": [1, 1, 2, 2], "y": [1.0, 2.0, 7.0, 9.0]}, target="y")
    >>> true_and_predicted(cw.true_and_predicted(cw.CART().learn(table), table)).alt
    'True against predicted y of 4 rows: half of the predictions are off by 0.75 at most.'
    """
    check_drawable("true_and_predicted", numbers, TrueAndPredicted)
    rows = len(numbers.true)
    stride = -(-rows // _MOST)
    true, predicted = numbers.true[::stride], numbers.predicted[::stride]
    both = np.concatenate([numbers.true, numbers.predicted])
    low, high = float(both.min()), float(both.max())
    check_range(numbers.target, low, high)
    ends = around([low, high])
    axis: Spec = {"domain": ends, "nice": False, "zero": False, "ticks": 5}
    off = float(np.median(np.abs(numbers.true - numbers.predicted)))
    shown = row_count(rows) if stride == 1 else f"{len(true):,} of {row_count(rows)}, one in {stride}"
    x, y = (
        axis_of_numbers(field, f"{field} {in_sentence(numbers.target)}", **axis)
        for field in ("predicted", "true")
    )
    diagonal = records_of(predicted=ends, true=ends)
    points = records_of(predicted=predicted, true=true)
    median_error = f"half of the predictions are off by {off:.4g} at most"
    layers = [
        layer("line", {}, diagonal, color=LIGHT.muted, strokeWidth=1, strokeDash=[2, 4]),
        layer("circle", {}, points, color=LIGHT.accent, size=26, opacity=0.45),
    ]
    alt = f"True against predicted {in_sentence(numbers.target)} of {row_count(rows)}: {median_error}."
    spec = layered(layers, _SIDE, _SIDE, encoding={"x": x, "y": y})
    return drawn(spec, "True and predicted", [shown, median_error], alt, theme, _SIDE + 60)


# Rates by group: how often, and how rightly, the rows of each group are answered.


_WIDTH: Final = 150  # of a panel
_ROW: Final = 30
_GROUPS_MOST: Final = 15  # groups
_PANELS: Final = ("selected", "recall", "false_alarms", "precision")


def groups(table: ByGroup, *, theme: ThemeName = "auto") -> Picture:
    """A panel for each rate, a line for each group: a point with its 95 % interval. The dashed line is the
    reference group's rate. A rate of fewer than ten rows is not drawn.

    >>> import clearwood as cw
    >>> rows = {"x": [0, 1, 1] * 20, "sex": list("ffm") * 20, "y": list("abb") * 20}
    >>> people = cw.read_table(rows, target="y")
    >>> groups(cw.by_group(cw.CART().learn(people), people, "sex", positive="b")).alt
    'Rates by sex. Predicted b: f 0.500, m 1.000.'
    """
    check_drawable("groups", table, ByGroup)
    below = [
        f"about {in_sentence(table.positive)}; dashed: {in_sentence(table.reference)}, the largest group"
    ]
    more = len(table.groups) - _GROUPS_MOST
    if more > 0:
        largest = sorted(table.groups, key=lambda each: -each.rows)[:_GROUPS_MOST]
        table = replace(table, groups=tuple(each for each in table.groups if each in largest))
        below.append(f"the {_GROUPS_MOST} largest groups of {_GROUPS_MOST + more}")
    names = [in_sentence(each.group) for each in table.groups]
    first = [
        f"{in_sentence(each.group)} {each.rates['selected'].value:.3f}"
        for each in table.groups
        if each.rates["selected"].is_given
    ]
    label = in_sentence(table.label("selected"))
    described = f"Rates by {in_sentence(table.column)}. {label[0].upper()}{label[1:]}: {few_of(first)}."
    panels = [_panel(table, rate, names, place) for place, rate in enumerate(_PANELS)]
    title = f"Predictions by {in_sentence(table.column)}"
    width = 2 * _WIDTH + 2 * names_width(names) + 40
    spec = {"concat": panels, "columns": 2, "spacing": 22}
    return drawn(spec, title, below, described, theme, width)


def _panel(table: ByGroup, rate: str, names: list[str], place: int) -> Spec:
    records: Records = []
    for name, each in zip(names, table.groups, strict=True):
        if each.rates[rate].is_given:
            low, high = each.rates[rate].interval
            records.append({"group": name, "rate": each.rates[rate].value, "low": low, "high": high})
    base = next(each for each in table.groups if each.group == table.reference).rates[rate]
    height = row_height(names, _ROW) * len(names)
    axis = labelled({name: name for name in names}) if place % 2 == 0 else {"labels": False, "ticks": False}
    x = axis_of_numbers("rate", None, domain=(0, 1), ticks=3, axis={"format": ".1f"})
    y: Spec = {
        "field": "group", "type": "nominal", "title": None, "sort": None, "scale": {"domain": names},
        "axis": {**axis, "grid": False},
    }  # fmt: skip
    reference = [{"rate": base.value}] if base.is_given else []
    line: Spec = {"color": LIGHT.accent, "strokeWidth": 2}
    layers = [
        layer("rule", {"x": x}, reference, color=LIGHT.muted, strokeDash=[4, 3]),
        *points_on_lines({"x": x, "y": y}, None, LIGHT.accent, size=70, **line),
    ]
    return layered(layers, _WIDTH, height, records, title=panel_title(in_sentence(table.label(rate)), 12))
