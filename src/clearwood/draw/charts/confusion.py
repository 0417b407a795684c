"""A confusion matrix: how often each true class is predicted as each class."""

from __future__ import annotations

from typing import Final

from clearwood.draw.charts.sheet import Records, Spec, drawn, in_sentence, name_axis, names_width, row_height
from clearwood.draw.charts.taking import check_drawable
from clearwood.draw.palette import LIGHT, ThemeName
from clearwood.draw.picture import Picture
from clearwood.errors import SettingError
from clearwood.scoring.costs import ExpectedCost
from clearwood.scoring.evaluation import ClassEvaluation, NumberEvaluation
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
    records = _cells(evaluation)
    true = [*evaluation.classes, *([_UNKNOWN] if any(r["true"] == _UNKNOWN for r in records) else [])]
    predicted = [*evaluation.classes, *([_NOTHING] if evaluation.silent else [])]
    low, high = evaluation.interval
    side = 64.0 if len(predicted) <= _SHARES_UP_TO else 34
    side = max(side, 7.5 * max(len(record["count"]) for record in records) + 8)
    return drawn(
        _spec(records, true, predicted, side),
        title="Confusion matrix",
        subtitle=[
            f"{percent_to(evaluation.accuracy)} of {_rows_answered(evaluation)} predicted correctly "
            f"({percent_to(low)} to {percent_to(high)} at 95 %)",
            *(() if evaluation.cost is None else (_paid(evaluation.cost),)),
        ],
        alt=_alt(evaluation, records),
        width=max(340, side * len(predicted) + names_width(true)),
        theme=theme,
    )


def _paid(cost: ExpectedCost) -> str:
    constant = f"always predicting {cost.constant}: {amount(cost.constant_per_row)}"
    return f"Cost per row {amount(cost.per_row)}; {constant}"


def _cells(evaluation: ClassEvaluation) -> Records:
    matrix = [[*row, *evaluation.silent[i : i + 1]] for i, row in enumerate(evaluation.confusion)]
    true = list(evaluation.classes)
    if evaluation.unknown or (evaluation.silent and evaluation.silent[-1]):
        unknown = evaluation.unknown or (0.0,) * len(evaluation.classes)
        matrix.append([*unknown, *evaluation.silent[-1:]])
        true.append(_UNKNOWN)
    predicted = [*evaluation.classes, *([_NOTHING] if evaluation.silent else [])]
    return [
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


def _spec(records: Records, true: list[str], predicted: list[str], side: float) -> Spec:
    few = len(predicted) <= _SHARES_UP_TO
    wide = names_width(predicted) > side - 4  # their names stand upright
    across = {
        "field": "predicted", "type": "nominal", "sort": None, "title": "predicted",
        "scale": {"domain": predicted, "paddingInner": 0.04, "paddingOuter": 0},
        "axis": {"orient": "top", "domain": False, "ticks": False, "labelAngle": -90 if wide else 0,
                 **name_axis(predicted)},
    }  # fmt: skip
    down = {
        "field": "true", "type": "nominal", "sort": None, "title": "true",
        "scale": {"domain": true, "paddingInner": 0.04, "paddingOuter": 0},
        "axis": {"domain": False, "ticks": False, **name_axis(true)},
    }  # fmt: skip
    ink = {"condition": {"test": "datum.weight > 0", "value": LIGHT.ink}, "value": LIGHT.muted}
    count = {"type": "text", "fontSize": 14 if few else 12, "fontWeight": "bold" if few else "normal"}
    layers: list[Spec] = [
        {"mark": {"type": "rect", "fill": LIGHT.panel}},
        {
            "mark": {"type": "rect"},
            "encoding": {
                "fill": {"condition": {"test": "datum.right", "value": LIGHT.good}, "value": LIGHT.bad},
                "fillOpacity": {
                    "field": "share", "type": "quantitative", "legend": None,
                    "scale": {"domain": [0, 1], "range": [0, 0.55]},
                },
            },
        },
        {"mark": {**count, "dy": -7 if few else 0}, "encoding": {"text": {"field": "count"}, "color": ink}},
    ]  # fmt: skip
    if few:
        layers.append({"mark": {"type": "text", "dy": 11}, "encoding": {"text": {"field": "part"}}})
    return {
        "data": {"values": records},
        "width": {"step": side},
        "height": {"step": row_height(true, 52 if few else 26)},
        "encoding": {"x": across, "y": down},
        "layer": layers,
    }


def _rows_answered(evaluation: ClassEvaluation) -> str:
    answered = row_count(evaluation.weight_answered)
    return f"{answered} predicted" if evaluation.silent else answered


def _alt(evaluation: ClassEvaluation, records: Records) -> str:
    sentence = (
        f"Confusion matrix of {row_count(evaluation.weight)}, {percent_to(evaluation.accuracy)} "
        f"{f'of {_rows_answered(evaluation)} ' if evaluation.silent else ''}predicted correctly."
    )
    if evaluation.cost is not None:
        sentence += f" {_paid(evaluation.cost)}."
    answered = [record for record in records if record["predicted"] != _NOTHING]
    wrong = [record for record in answered if record["weight"] and not record["right"]]
    if not wrong:
        return f"{sentence} None is wrong."
    worst = max(wrong, key=lambda record: record["weight"])
    own = sum(record["weight"] for record in records if record["true"] == worst["true"])
    name, other = in_sentence(worst["true"]), in_sentence(worst["predicted"])
    return f"{sentence} Most often wrong: {name} predicted as {other} ({worst['count']} of {own:,.6g})."
