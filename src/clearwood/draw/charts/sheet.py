"""A sheet: what every chart's Vega-Lite specification has in common; drawn, it is a Picture.

Specifications are plain dictionaries in the LIGHT theme's colours: `altair.Chart.from_dict(picture.spec)`
opens one. Names from data are never names of fields, nor parts of expressions but as quoted texts.
"""

import json
import re
import zlib
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, TypeAlias

from clearwood.draw.escaping import visible
from clearwood.draw.lettering import isolated_line, text_width, wrapped_text
from clearwood.draw.palette import LIGHT, ThemeName
from clearwood.draw.picture import FONT, Picture, chart_svg, framed
from clearwood.errors import SettingError, check_known
from clearwood.table.table import Table

Spec: TypeAlias = dict[str, Any]
Records: TypeAlias = list[dict[str, Any]]

SIZE: Final = 12  # of an axis's letters
_LINE: Final = SIZE + 2.0  # from one line of a label to the next
ROOM: Final = 190.0  # that a name beside an axis may take in one line

_SCHEMA: Final = "https://vega.github.io/schema/vega-lite/v5.json"
_AXIS: Final = {
    "labelColor": LIGHT.ink, "titleColor": LIGHT.muted, "domainColor": LIGHT.line, "tickColor": LIGHT.line,
    "gridColor": LIGHT.line, "gridOpacity": 0.55, "labelFontSize": SIZE, "titleFontSize": SIZE,
    "titleFontWeight": "normal", "labelLimit": 0, "titleLimit": 0, "titlePadding": 8, "labelPadding": 5,
    "labelFlush": False,
}  # fmt: skip
_LEGEND: Final = {
    "labelColor": LIGHT.ink, "titleColor": LIGHT.muted, "labelFontSize": SIZE, "titleFontSize": SIZE,
    "titleFontWeight": "normal", "labelLimit": 0, "titleLimit": 0, "symbolType": "square", "symbolSize": 110,
    "rowPadding": 4, "offset": 20,
}  # fmt: skip
_CONFIG: Final = {
    "aria": False,  # the picture as a whole has its sentence; a label for each mark would drown it
    "font": FONT,
    "background": LIGHT.paper,
    "padding": 14,
    "view": {"stroke": None},
    "axis": _AXIS,
    "legend": _LEGEND,
    "title": {
        "anchor": "start", "frame": "bounds", "fontSize": 15, "fontWeight": "bold", "color": LIGHT.ink,
        "subtitleColor": LIGHT.muted, "subtitleFontSize": 12, "subtitlePadding": 5, "offset": 14, "limit": 0,
    },
    "header": {"labelColor": LIGHT.ink, "labelFontSize": 12, "labelFontWeight": "bold", "labelLimit": 0,
               "labelAnchor": "start", "titleColor": LIGHT.muted},
    "text": {"color": LIGHT.ink, "fontSize": 12},
    "rule": {"color": LIGHT.muted},
}  # fmt: skip

# The picture as a whole has a name and a description; its parts, which have none, claim no role.
# What is usual anyway need not be written.
_NEEDLESS: Final = re.compile(
    r' (?:role="graphics-[^"]*"|aria-[a-z]+="[^"]*"|opacity="1"|font-weight="normal")'
)
_CLIP: Final = re.compile(r'(?<=id=")clip\d+(?=")|(?<=url\(#)clip\d+(?=\))')


def drawn(
    content: Mapping[str, Any],
    title: str,
    below: Sequence[str],
    alt: str,
    theme: ThemeName,
    width: float = 420,
) -> Picture:
    """The picture of a chart: its marks under a title and what stands `below` that, whose lines are broken to
    fit the `width`; `alt` describes it in a sentence."""
    lines = [line for text in below for line in fitted_lines(text, max(width, 220.0))]
    spec: Mapping[str, Any] = {
        "$schema": _SCHEMA,
        "description": visible(alt),
        "title": {
            "text": fitted_lines(title, max(width, 220.0), 15, bold=True),
            **({"subtitle": lines} if lines else {}),
        },
        **content,
        "config": _CONFIG,
    }
    spec = kept_apart(spec)
    svg = joined_again(chart_svg(json.dumps(spec, allow_nan=False)))
    size = re.search(r'width="([\d.]+)" height="([\d.]+)"', svg)
    assert size is not None
    body = svg[svg.index(">") + 1 : svg.rindex("</svg>")]
    # The frame sets the font once. The renderer counts its clips on from chart to chart; here each chart's
    # begin at 0, so that it is the same whatever was drawn before, and two in one page share no name.
    body = re.sub(r' font-family="[^"]*"', "", body)
    body = _NEEDLESS.sub("", body)
    clips = {name: place for place, name in enumerate(dict.fromkeys(_CLIP.findall(body)))}
    body = _CLIP.sub(lambda clip: f"clip{clips[clip[0]]}", body)
    name = f"c{zlib.crc32(body.encode()):08x}"
    body = re.sub(r'(id="|url\(#)', rf"\g<1>{name}-", body)
    return framed(body, float(size[1]), float(size[2]), title=title, alt=alt, theme=theme, spec=spec)


def labelled(labels: Mapping[str, str], room: float = ROOM) -> Spec:
    """What an axis needs to show other texts than its values, in several lines where one is too narrow.

    >>> labelled({"0": "low", "1": "very high"}, 40)["labelExpr"]
    '{"0": ["low"], "1": ["very", "high"]}[datum.value]'
    """
    lines = {value: fitted_lines(label, room) for value, label in labels.items()}
    # Vega centres the first line; each further one is worth half a line upwards.
    several = [
        {"test": f"indexof({json.dumps([v for v in lines if len(lines[v]) == n])}, datum.value) >= 0",
         "value": -(n - 1) * _LINE / 2}
        for n in sorted(set(map(len, lines.values())) - {1})
    ]  # fmt: skip
    return {**_label_lines(lines), **({"labelOffset": {"condition": several, "value": 0}} if several else {})}


def keyed(names: Iterable[str], room: float = ROOM) -> Spec:
    """What a legend of these names needs so that they stand in full."""
    return _label_lines({name: fitted_lines(name, room) for name in names})


def _label_lines(lines: Mapping[str, list[str]]) -> Spec:
    if all(each == [value] for value, each in lines.items()):
        return {}
    return {"labelExpr": f"{json.dumps(lines)}[datum.value]"}


def row_height(labels: Iterable[str], usual: float, room: float = ROOM) -> float:
    """How high the rows of an axis must be for their labels, at least the usual."""
    return max(usual, 6 + _LINE * max((len(fitted_lines(label, room)) for label in labels), default=1))


def fitted_lines(text: str, room: float = ROOM, size: float = SIZE, *, bold: bool = False) -> list[str]:
    """A text from data in lines no wider than `room`, its control characters spelled out."""
    return [isolated_line(line) for line in wrapped_text(visible(text), room, size, bold)]


def names_width(names: Iterable[str], room: float = ROOM) -> float:
    """How wide these names stand beside an axis."""
    return max((text_width(line, SIZE) for name in names for line in fitted_lines(name, room)), default=0.0)


def with_room(bars: float, weights: Sequence[float], labels: Sequence[str]) -> tuple[float, Spec]:
    """A width, and the scale of bars from 0 in it, that leaves room for a label behind the longest bar.

    >>> with_room(100, [5.0, 10.0], ["5", "10"])
    (123.344, {'domain': [0, 12.3344], 'nice': False})
    """
    room = 10 + max((text_width(label, SIZE) for label in labels), default=0.0)
    return bars + room, {"domain": [0, max(weights) * (bars + room) / bars], "nice": False}


def check_range(name: str, low: float, high: float) -> None:
    """Refuse numbers that no axis can show side by side."""
    if not (low == high or 1e-290 < high - low < 1e300):
        near = "close together" if high - low < 1 else "far apart"
        raise SettingError(
            f"The numbers of '{visible(name)}' lie too {near} to be drawn: from {low:g} to {high:g}. "
            "Rescale them."
        )


def place_of_class(called: str, classes: Sequence[str]) -> int:
    """The place of the class called so, which must be there."""
    check_known("class", called, classes, plural="classes")
    return classes.index(called)


def few_of(phrases: Sequence[str], most: int = 5) -> str:
    """The first of these in a row, and how many more there are.

    >>> few_of(["a 3", "b 2", "c 1"], most=2)
    'a 3, b 2 and 1 more'
    """
    more = len(phrases) - most
    return ", ".join(phrases[:most]) + (f" and {more} more" if more > 0 else "")


def in_sentence(name: str) -> str:
    """A name from data inside a sentence of ours."""
    return isolated_line(visible(name))


# Names that every object of JavaScript has, such as `constructor`: Vega trips over classes called so.
#
# An invisible joiner behind such a name keeps the two apart while the chart is drawn.


_JOINER: Final = "\u2060"
_INHERITED: Final = (
    *("constructor", "hasOwnProperty", "isPrototypeOf", "propertyIsEnumerable", "toLocaleString", "toString"),
    *("valueOf", "__proto__", "__defineGetter__", "__defineSetter__", "__lookupGetter__", "__lookupSetter__"),
)
# A string of the specification, or one in quotes within an expression.
_AS_A_STRING: Final = re.compile(rf'(\\?")({"|".join(_INHERITED)})\1')


def kept_apart(spec: Mapping[str, Any]) -> Mapping[str, Any]:
    """The specification with a joiner behind every such name; the same one where there is none.

    >>> kept_apart({"values": [{"class": "constructor"}]}) == {"values": [{"class": "constructor\\u2060"}]}
    True
    """
    text = json.dumps(spec, allow_nan=False)
    if not _AS_A_STRING.search(text):
        return spec
    apart: Mapping[str, Any] = json.loads(_AS_A_STRING.sub(r"\1\2\\u2060\1", text))
    return apart


def joined_again(svg: str) -> str:
    """The drawn chart without the joiners."""
    for name in _INHERITED:
        svg = svg.replace(f"{name}{_JOINER}", name)
    return svg


# What a chart takes: the result of another function, and which function gives it.


_SOURCES: Final = {
    "bias_variance": "bias_variance(learners, table)",
    "calibration": "calibration(model, table)",
    "choice": "choose(table)",
    "confusion": "evaluate(model, table)",
    "coverage": "coverage(model, table)",
    "cutoffs": "cutoffs(model, table, positive)",
    "recalibration": "recalibration(model, table), where the model is calibrated",
    "cost_complexity": "cost_complexity_path(tree) or cross_validated_alpha(learner, table)",
    "cuts": "cut_curve(table, column)",
    "dependence": "partial_dependence(model, table, column) or local_effects(model, table, column)",
    "evidence": "evidence(model, row)",
    "groups": "by_group(model, table, column)",
    "learning_curve": "learning_curve(learners, table)",
    "gains": "roc(model, table)",
    "kolmogorov_smirnov": "roc(model, table)",
    "lift": "roc(model, table)",
    "nomogram": "nomogram(model)",
    "overfitting": "overfitting(learner, table)",
    "overfitting_by_noise": "overfitting_by_noise(learner, table)",
    "precision_recall": "roc(model, table)",
    "roc": "roc(model, table)",
    "stability": "stability(learner, table)",
    "tuning": "tune(learner, table, grid)",
    "true_and_predicted": "true_and_predicted(model, table)",
    "validation_curve": "validation_curve(learner, table, setting, values)",
}


def check_drawable(chart: str, given: object, *kinds: type) -> None:
    """Refuse what the chart cannot draw, and name the function that gives what it can.

    >>> check_drawable("roc", 0.5, Table)
    Traceback (most recent call last):
    clearwood.errors.SettingError: charts.roc draws the result of roc(model, table), not a float.
    """
    if not isinstance(given, kinds):
        raise SettingError(
            f"charts.{chart} draws the result of {_SOURCES[chart]}, not a {type(given).__name__}."
        )


def check_table(chart: str, given: object) -> None:
    """Refuse anything but a table."""
    if not isinstance(given, Table):
        raise SettingError(
            f"charts.{chart} draws a Table, not a {type(given).__name__}. Read it first: read_table(…)."
        )
