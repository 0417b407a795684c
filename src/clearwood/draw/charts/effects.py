"""The effect of one column: its SHAP values along its cells, or the mean prediction along its values."""

from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from clearwood.draw.charts.builders import (
    End,
    around,
    axis_of_names,
    axis_of_numbers,
    coloured,
    fitting_axis,
    layer,
    layered,
    names_at_ends,
    records_of,
    row_steps,
    rule_at,
)
from clearwood.draw.charts.sheet import (
    Records,
    Spec,
    check_drawable,
    check_range,
    drawn,
    few_of,
    in_sentence,
    keyed,
    names_width,
    place_of_class,
)
from clearwood.draw.palette import LIGHT, ThemeName, class_colours
from clearwood.draw.picture import Picture
from clearwood.errors import SettingError, check_known
from clearwood.explaining.dependence import Dependence
from clearwood.explaining.shap import ShapValues
from clearwood.table.attributes import Nominal, Numeric, Ordinal
from clearwood.table.table import Table
from clearwood.words.numbers import brief, many, number, row_count

_WIDTH: Final = 430
_HEIGHT: Final = 220
_POINTS: Final = 200  # rows that are drawn
_VALUES: Final = 12  # of a nominal column that are drawn


def shap(
    values: ShapValues, rows: Table, column: str, called: str | None = None, *, theme: ThemeName = "auto"
) -> Picture:
    """A point for each row: its cell across, what the cell adds up; of a nominal column a line per value.

    `rows` are those that the values are of; of many, some 200 spread over them are drawn. With classes it is
    what is added to the answer of the class `called`, else of the last one.

    >>> import clearwood as cw
    >>> days = cw.read_table(cw.datasets.path("tennis_numeric"), target="Play")
    >>> values = cw.shap_values(cw.C45().learn(days), days)
    >>> shap(values, days, "Humidity", "Play").alt
    'What Humidity adds to the probability of Play in 14 rows: −0.271 to 0.407, 0.172 in size on average.'
    """
    check_drawable("shap", values, ShapValues)
    check_known("column", column, values.columns)
    if len(rows) != len(values.contributions):
        raise SettingError(
            f"The values are of {len(values.contributions):,} rows, and the table has {len(rows):,}. Give "
            "the rows that they were computed for."
        )
    score = len(values.scores) - 1 if called is None else place_of_class(called, values.scores)
    added = values.contributions[:, values.columns.index(column), score]
    of = in_sentence(values.scores[score])
    what = f"{values.scale} of {of}" if values.scale in ("probability", "votes", "score") else of
    places = np.arange(0, len(rows), max(1, -(-len(rows) // _POINTS)))
    colours = class_colours(values.scores) if len(values.scores) > 1 else {values.scores[0]: LIGHT.accent}
    colour = colours[values.scores[score]]
    attribute = rows.schema[column]
    cells, shown = rows.columns[column][places], added[places]
    if not isinstance(attribute, Nominal | Ordinal | Numeric):
        raise SettingError(f"Column '{column}' has neither values nor numbers: there is nothing to draw.")
    known = np.isfinite(cells) if isinstance(attribute, Numeric) else cells >= 0
    if not known.any():
        raise SettingError(f"Column '{column}' is missing in all of these rows: there is nothing to draw.")
    ends = around([*shown.tolist(), 0.0])
    up = axis_of_numbers("added", f"added to the {what}", domain=ends, nice=False, zero=False, ticks=6)
    names: list[str] = []
    if isinstance(attribute, Numeric):
        spec = _along_numbers(column, cells[known], shown[known], up, colour)
    else:
        names, spec = _by_values(column, attribute.values, cells, shown, up, colour)
    size = float(np.abs(added).mean()) if len(added) else 0.0
    title = f"What {in_sentence(column)} adds to the {what}"
    below = [f"SHAP values of {many(len(places), 'row')}"]
    alt = (
        f"What {in_sentence(column)} adds to the {what} in {many(len(rows), 'row')}: "
        f"{_figure(added.min())} to {_figure(added.max())}, {_figure(size)} in size on average."
    )
    return drawn(spec, title, below, alt, theme, _WIDTH + names_width(names))


def _figure(value: float) -> str:
    return (f"{value:.3f}" if abs(value) < 100 else brief(float(value))).replace("-", "−")


def _along(column: str, low: float, high: float, field: str) -> Spec:
    """The axis of a column's numbers."""
    check_range(column, low, high)
    margin = 0.02 * (high - low) or abs(low) / 20 or 0.5
    return fitting_axis(in_sentence(column), (low - margin, high + margin), field, 8, grid=False)


def _along_numbers(column: str, cells: Any, added: Any, up: Spec, colour: str) -> Spec:
    x = _along(column, float(cells.min()), float(cells.max()), "cell")
    records = records_of(cell=map(float, cells.tolist()), added=_in_few_digits(added))
    points = layer("circle", {"x": x, "y": up}, records, size=30, opacity=0.55, color=colour)
    return layered([rule_at("y", up, 0, "added"), points], _WIDTH, _HEIGHT)


def _by_values(
    column: str, values: Sequence[str], cells: Any, added: Any, across: Spec, colour: str
) -> tuple[list[str], Spec]:
    """A line for each value that occurs, the most frequent ones where there are many."""
    codes, counts = np.unique(cells[cells >= 0], return_counts=True)
    kept = sorted(codes[np.argsort(-counts, kind="stable")][:_VALUES].tolist())
    names, here = [values[code] for code in kept], np.isin(cells, kept)
    y = axis_of_names("cell", names, in_sentence(column), labelPadding=10, grid=False)
    records = records_of(
        cell=[values[code] for code in cells[here].tolist()], added=_in_few_digits(added[here])
    )
    points = layer("circle", {"x": across, "y": y}, records, size=34, opacity=0.4, color=colour)
    return names, layered([rule_at("x", across, 0, "added"), points], _WIDTH, row_steps(names, 26))


def _in_few_digits(added: Any) -> list[float]:
    return [float(f"{each:.4g}") for each in added.tolist()]


# The effect of one column: the model's mean answer along its values, before the curves of single rows.


_DEPENDENCE_HEIGHT: Final = 250
_POINTS_UP_TO: Final = 14


def dependence(effect: Dependence, called: str | None = None, *, theme: ThemeName = "auto") -> Picture:
    """The effect on the probability of one class, or on the number; of more than two classes on all, unless
    one is `called`.

    Behind the mean stand the curves of single rows, where they are of one class; ticks below are the deciles
    of the rows. Of a nominal column a bar spans the first to the ninth decile of the single rows.

    >>> import clearwood as cw
    >>> days = cw.read_table(cw.datasets.path("tennis_numeric"), target="Play")
    >>> dependence(cw.partial_dependence(cw.C45().learn(days), days, "Humidity"), "Play").alt
    'Mean probability of Play along Humidity over 14 rows: 0.857 at 65, 0.500 at 96; lowest 0.500, \
highest 0.857.'
    """
    check_drawable("dependence", effect, Dependence)
    shown = _shown(effect, called)
    of = in_sentence(effect.scores[shown[0]] if len(shown) == 1 else effect.target)
    answer = of if effect.is_numeric else f"probability of {of}"
    what = f"mean {answer}" if effect.effect == "partial" else f"effect on {answer}"
    below = [f"{row_count(effect.rows)}, predicted at each value with their other cells unchanged"]
    if effect.effect == "local":
        below = [f"added to the mean prediction of {row_count(effect.rows)}, from each value to the next"]
    if effect.of_numbers:
        below.append("ticks: deciles of the rows")
    elif len(shown) == 1 and len(effect.curves):
        below.append("bars: from the first to the ninth decile of the rows; dashed: the mean prediction")
    draw = _mean_along_numbers if effect.of_numbers else _mean_by_values
    title = f"{what[0].upper()}{what[1:]} by {in_sentence(effect.column)}"
    alt = _sentence(effect, shown, what)
    width = _WIDTH + names_width([] if effect.of_numbers else map(str, effect.places))
    return drawn(draw(effect, shown, what), title, below, alt, theme, width)


def _shown(effect: Dependence, called: str | None) -> list[int]:
    if called is not None:
        return [place_of_class(called, effect.scores)]
    if effect.positive in effect.scores:
        return [effect.scores.index(effect.positive)]
    return [len(effect.scores) - 1] if len(effect.scores) <= 2 else list(range(len(effect.scores)))


def _sentence(effect: Dependence, shown: list[int], what: str) -> str:
    texts = []
    for k in shown:
        values = effect.mean[:, k].tolist()
        of = f"{in_sentence(effect.scores[k])} " if len(shown) > 1 else ""
        if effect.of_numbers:
            ends = f"{_value_text(values[0])} at {number(float(effect.places[0]))}, "
            ends += f"{_value_text(values[-1])} at {number(float(effect.places[-1]))}"
            texts.append(f"{of}{ends}; lowest {_value_text(min(values))}, highest {_value_text(max(values))}")
        else:
            pairs = zip(effect.places, values, strict=True)
            texts.append(of + few_of([f"{in_sentence(str(p))} {_value_text(v)}" for p, v in pairs], most=6))
    along = "along" if effect.of_numbers else "by"
    return (
        f"{what[0].upper()}{what[1:]} {along} {in_sentence(effect.column)} over {row_count(effect.rows)}: "
        f"{'. '.join(texts)}."
    )


def _value_text(value: float) -> str:
    return f"{value:.3f}" if abs(value) < 100 else number(value)


def _colours(effect: Dependence) -> dict[str, str]:
    return {effect.scores[0]: LIGHT.accent} if effect.is_numeric else class_colours(effect.scores)


def _mean_along_numbers(effect: Dependence, shown: list[int], what: str) -> Spec:
    x = _along(effect.column, float(effect.places[0]), float(effect.places[-1]), "place")
    behind = effect.curves[:, :, shown[0]] if len(shown) == 1 else np.empty((0, len(effect.places)))
    y = _answers(effect, [*effect.mean[:, shown].ravel().tolist(), *behind.ravel().tolist()], what)
    at = {"x": x, "y": y}
    layers: list[Spec] = []
    if effect.effect == "local":
        layers.append(rule_at("y", axis_of_numbers(), 0))
    if len(behind):
        records = [
            {"row": row, **point}
            for row, curve in enumerate(behind)
            for point in records_of(place=effect.places, answer=curve)
        ]
        thin: Spec = {"color": LIGHT.muted, "strokeWidth": 0.8, "opacity": 0.28}
        layers.append(layer("line", {**at, "detail": "row"}, records, **thin))
    colours = _colours(effect)
    for k in shown:
        line: Spec = {"color": colours[effect.scores[k]], "strokeWidth": 2.8, "strokeJoin": "round"}
        if len(effect.places) <= _POINTS_UP_TO:
            line["point"] = {"color": line["color"], "size": 46}
        means = records_of(place=effect.places, answer=effect.mean[:, k])
        layers.append(layer("line", at, means, clip=True, **line))
    deciles = records_of(place=dict.fromkeys(effect.deciles))
    tick: Spec = {"thickness": 1.4, "size": 9, "opacity": 0.9, "color": LIGHT.muted}
    layers.append(layer("tick", {"x": x, "y": _DEPENDENCE_HEIGHT - 5}, deciles, **tick))
    if len(shown) > 1:
        ends = [
            End(in_sentence(effect.scores[k]), float(effect.mean[-1, k]), colours[effect.scores[k]])
            for k in shown
        ]
        layers += names_at_ends(ends, y["scale"]["domain"], _WIDTH, _DEPENDENCE_HEIGHT)
    return layered(layers, _WIDTH, _DEPENDENCE_HEIGHT)


def _mean_by_values(effect: Dependence, shown: list[int], what: str) -> Spec:
    values = [str(each) for each in effect.places]
    records: Records = []
    for k in shown:
        columns: dict[str, Any] = {
            "value": values,
            "answer": effect.mean[:, k],
            "class": [effect.scores[k]] * len(values),
        }
        if len(effect.curves) and len(shown) == 1:
            columns["low"], columns["high"] = np.quantile(effect.curves[:, :, k], [0.1, 0.9], axis=0)
        records += records_of(**columns)
    numbers = [record[key] for record in records for key in ("answer", "low", "high") if key in record]
    y = axis_of_names("value", values, in_sentence(effect.column), labelPadding=10, grid=False)
    x = _answers(effect, numbers, what)
    colours = _colours(effect)
    names = [effect.scores[k] for k in shown]
    colour: Spec = {"value": colours[names[0]]}
    if len(shown) > 1:
        legend = {"title": None, "symbolType": "circle", **keyed(names)}
        colour = coloured("class", names, [colours[name] for name in names], legend, sort=None)
    layers: list[Spec] = []
    if len(shown) == 1 or effect.effect == "local":
        middle = 0.0 if effect.effect == "local" else float(effect.centre[shown[0]])
        layers.append(rule_at("x", x, middle, "mean"))
    if "low" in records[0]:
        span = {"y": y, "x": (x, "low"), "x2": "high", "color": colour}
        layers.append(layer("bar", span, records, height=9, cornerRadius=4.5, opacity=0.22))
    layers.append(layer("circle", {"y": y, "x": x, "color": colour}, records, size=110, opacity=1))
    return layered(layers, _WIDTH, row_steps(values, 30))


def _answers(effect: Dependence, values: list[float], what: str) -> Spec:
    """Their axis, with a little room; probabilities stay between 0 and 1, and effects show their 0."""
    low, high = around([*values, *([0.0] if effect.effect == "local" else [])])
    if effect.effect == "partial" and not effect.is_numeric:
        low, high = max(low, -0.02), min(high, 1.02)
    return axis_of_numbers("answer", what, domain=(low, high), nice=False, zero=False, ticks=6)
