"""Log odds: the evidence of one row as bars, and the odds ratios of a linear model with their intervals."""

import math
from typing import Any, Final

from clearwood.draw.charts.builders import (
    axis_of_numbers,
    layer,
    layered,
    panel_title,
    records_of,
    round_numbers,
    rows_by_place,
    rule_at,
)
from clearwood.draw.charts.sheet import (
    SIZE,
    Spec,
    check_drawable,
    drawn,
    few_of,
    fitted_lines,
    in_sentence,
    names_width,
)
from clearwood.draw.explanation import longest_bars, ranked_shares, sides, sum_of
from clearwood.draw.lettering import text_width
from clearwood.draw.linear import odds_texts
from clearwood.draw.palette import LIGHT, ThemeName, class_colours
from clearwood.draw.picture import Picture
from clearwood.errors import SettingError
from clearwood.explaining.evidence import Bar, Evidence
from clearwood.explaining.one_row import cell_text
from clearwood.models.kinds.linear.linear_model import LinearModel, Term, ValueTerm
from clearwood.models.model import check_kind
from clearwood.predicting.estimates import Estimate, Per, estimates
from clearwood.words.numbers import percent_to

_WIDTH: Final = 340
_IN_ALL: Final = "in all"


def evidence(
    contributions: Evidence,
    called: str | None = None,
    against: str | None = None,
    *,
    most: int = 20,
    theme: ThemeName = "auto",
) -> Picture:
    """The log odds of a class against another, one bar per cell or word; they add up to the last bar.

    Without names it is the answer against the runner-up. Beyond `most` bars the shortest stand together.

    >>> import clearwood as cw
    >>> table = cw.read_table(cw.datasets.path("buys_computer"), target="buys_computer")
    >>> row = {"age": "<=30", "income": "medium", "student": "yes", "credit_rating": "fair"}
    >>> evidence(cw.evidence(cw.NaiveBayes().learn(table), row)).alt
    'Evidence for yes (76.8 %) against no (23.2 %), in log odds: student: yes +0.80, age: <=30 −0.69, \
prior +0.59, credit_rating: fair +0.40, income: medium +0.11; in all +1.20.'
    """
    check_drawable("evidence", contributions, Evidence)
    if len(contributions.classes) < 2:
        raise SettingError(f"There is no evidence to draw: {contributions.classes[0]} is the only class.")
    bars = longest_bars(contributions.bars(called, against), most)
    bars.append(Bar(_IN_ALL, None, sum_of(bars)))
    labels, figures = [_label(bar) for bar in bars], [_figure(bar.log_odds) for bar in bars]
    # A bar that is infinite goes a little beyond the longest.
    longest = max((abs(bar.log_odds) for bar in bars if math.isfinite(bar.log_odds)), default=0.0)
    end = 1.25 * longest or 1.0
    odds = [0.0 if math.isnan(bar.log_odds) else max(-end, min(end, bar.log_odds)) for bar in bars]
    yes, no = sides(contributions, called, against)
    x = _axis_of_odds(odds, in_sentence(yes), in_sentence(no))
    places, y, height = rows_by_place(labels, 26 if len(bars) <= 12 else 21, labelPadding=10)
    colours = class_colours(contributions.classes)
    paint = {
        "condition": [
            {"test": "datum.total", "value": LIGHT.muted},
            {"test": "datum.odds >= 0", "value": colours[yes]},
        ],
        "value": colours[no],
    }
    at, figure = {"y": y, "x": x, "color": paint}, {"y": y, "x": x, "text": "figure"}
    left: Spec = {"where": "datum.odds >= 0", "align": "left", "dx": 5}
    right: Spec = {"where": "datum.odds < 0", "align": "right", "dx": -5}
    layers = [
        layer("bar", at, cornerRadiusEnd=2, height={"band": 0.74}),
        layer("rule", {"x": (x, "zero")}, [{"zero": 0}], color=LIGHT.ink),
        layer("text", figure, baseline="middle", **left),
        layer("text", figure, baseline="middle", **right),
    ]
    total = [*[False] * (len(bars) - 1), True]
    records = records_of(place=places, label=labels, odds=odds, figure=figures, total=total)
    shares = ranked_shares(contributions)
    answer, other = (f"{in_sentence(name)} ({percent_to(shares[name])})" for name in (yes, no))
    below = [f"evidence for {in_sentence(yes)} against {other}"]
    if contributions.compared:
        below.append(f"each cell compared with {in_sentence(contributions.compared)}")
    by_size = sorted(bars[:-1], key=lambda bar: -abs(bar.log_odds))
    strongest = few_of([f"{_label(bar)} {_figure(bar.log_odds)}" for bar in by_size])
    alt = f"Evidence for {answer} against {other}, in log odds: {strongest}; in all {figures[-1]}."
    title = f"{in_sentence(yes)}: {percent_to(shares[yes])}"
    spec = layered(layers, _WIDTH, height, records)
    return drawn(spec, title, below, alt, theme, _WIDTH + names_width(labels))


def _axis_of_odds(odds: list[float], yes: str, no: str) -> Spec:
    """What lies to which side stands in one line of its title if there is room."""
    low, high = min(0.0, *odds), max(0.0, *odds)
    room = 0.16 * (high - low or 1.0)  # for the figure behind a bar
    ends = (low - room * (low < 0), high + room * (high > 0))
    title = [f"log odds: left for {no}, right for {yes}"]
    if text_width(title[0], SIZE) > _WIDTH:
        title = [
            "log odds",
            *fitted_lines(f"left for {no}", _WIDTH),
            *fitted_lines(f"right for {yes}", _WIDTH),
        ]
    return axis_of_numbers("odds", title, domain=ends, nice=False, ticks=6, axis={"format": "+.2~f"})


def _label(bar: Bar) -> str:
    if bar.value is None:
        return in_sentence(bar.name)
    return f"{in_sentence(bar.name)}: {in_sentence(cell_text(bar.value))}"


def _figure(odds: float) -> str:
    if math.isinf(odds):
        return "+∞" if odds > 0 else "−∞"
    return "–" if math.isnan(odds) else f"{odds:+.2f}".replace("-", "−")


# A linear model's odds ratios with their intervals: what one more of each term does to the odds.


_WEIGHTS_WIDTH: Final = 300
_MOST: Final = 40  # terms that are all drawn
_SHOWN: Final = 30  # of more than that
_ROOM: Final = 230.0  # for a term
_UNSURE: Final = "without intervals: the weights have no standard errors"
_FARTHEST: Final = math.log(1e6)  # beyond this a ratio is drawn as infinite


def weights(
    model: LinearModel, *, confidence: float = 0.95, per: Per = "unit", theme: ThemeName = "auto"
) -> Picture:
    """A point for each term's odds ratio on a line as long as its interval; at 1 the term changes nothing.

    A panel for each contrast. An arrow points to what lies beyond the edge, or has no end. Of more than 40
    terms the 30 that weigh most for or against some class are drawn, and the picture says so. With `per` "sd"
    a number's ratio is that of one standard deviation of its column.

    >>> import clearwood as cw
    >>> table = cw.read_table({"x": [1, 2, 3, 4, 5, 6], "y": list("aababb")}, target="y")
    >>> weights(cw.Logistic().learn(table)).alt
    'Odds ratios of y = b against a: x 3.367 (0.5629 to 20.14).'
    """
    check_kind("charts.weights", model, LinearModel)
    if not model.terms:
        raise SettingError("The model has no terms, only intercepts: there are no odds ratios to draw.")
    found = [each for each in estimates(model, confidence=confidence, per=per) if each.term is not None]
    chosen = found if len(model.terms) <= _MOST else _weightiest(found)
    low, high = _range(chosen)
    panels = [
        _panel(model, contrast, [each for each in chosen if each.contrast == contrast], low, high)
        for contrast in model.contrasts
    ]
    ranked = sorted(chosen, key=lambda each: -abs(each.infinite * 1e9 or each.weight))
    ratios = [_ratio_text(model, each) for each in ranked]
    target = in_sentence(model.schema.target.name) if model.schema.target else ""
    against = "" if model.against is None else f" against {in_sentence(model.against)}"
    sure = any(each.error is not None for each in chosen)
    of = f" = {in_sentence(model.contrasts[0])}" if len(model.contrasts) == 1 else ""
    title = f"Odds ratios of {target}{of}{against}"
    below = [
        *([f"the {_SHOWN} weightiest of {len(model.terms):,} terms"] if len(chosen) < len(found) else []),
        f"with {100 * confidence:g} % intervals" if sure else _UNSURE,
        *(["numbers per standard deviation"] if per == "sd" else []),
    ]
    width = _WEIGHTS_WIDTH + names_width([_name(model, each.term) for each in chosen], _ROOM) + 130
    spec = panels[0] if len(panels) == 1 else {"vconcat": panels, "spacing": 22}
    return drawn(spec, title, below, f"{title}: {few_of(ratios)}.", theme, width)


def _weightiest(found: list[Estimate]) -> list[Estimate]:
    """Those of the terms with the largest weights."""
    reach: dict[Term | None, float] = {}
    for each in found:
        own = math.inf if each.infinite else abs(each.weight) if each.settled else 0.0
        reach[each.term] = max(own, reach.get(each.term, 0.0))
    kept = set(sorted(reach, key=lambda term: -reach[term])[:_SHOWN])
    return [each for each in found if each.term in kept]


def _range(chosen: list[Estimate]) -> tuple[float, float]:
    """The log odds between which all points lie and, as far as that leaves them apart, all intervals."""
    points = [each.weight for each in chosen if not each.infinite and each.settled]
    reach = max((abs(point) for point in points), default=0.0) or 0.7
    ends = [end for each in chosen for end in (each.low, each.high) if end is not None]
    far = min(4 * reach, _FARTHEST)
    low = max(min([*ends, *points, 0.0]), -far)
    high = min(max([*ends, *points, 0.0]), far)
    if low == high:
        low, high = -reach, reach
    margin = 0.06 * (high - low)
    return low - margin, high + margin


def _panel(model: LinearModel, contrast: str, own: list[Estimate], low: float, high: float) -> Spec:
    records = [_record(each, place, low, high) for place, each in enumerate(own)]
    names = [_name(model, each.term) for each in own]
    colour = class_colours(model.schema.classes)[contrast]
    domain = [math.exp(low), math.exp(high)]
    axis = {"format": "~g", "labelOverlap": False}
    scale: Spec = {"type": "log", "domain": domain, "nice": False}
    x = axis_of_numbers("", "odds ratio", ticks=_ticks(*domain), axis=axis, **scale)
    _, y, height = rows_by_place(names, 26, _ROOM, labelPadding=12)
    arrow: Spec = {"filled": True, "size": 70, "opacity": 1, "color": colour}
    low_end: Spec = {"where": "datum.beyond_low", "shape": "triangle-left", **arrow}
    high_end: Spec = {"where": "datum.beyond_high", "shape": "triangle-right", **arrow}
    span = {"y": y, "x": (x, "low"), "x2": "high"}
    ratio: Spec = {"where": "isValid(datum.ratio)", "size": 80, "opacity": 1, "color": colour}
    layers = [
        rule_at("x", x, 1, "one"),
        layer("rule", span, where="isValid(datum.low)", strokeWidth=2, color=LIGHT.muted),
        layer("circle", {"y": y, "x": (x, "ratio")}, **ratio),
        layer("point", {"y": y, "x": 0}, **low_end),
        layer("point", {"y": y, "x": _WEIGHTS_WIDTH}, **high_end),
        layer("text", {"y": y, "x": _WEIGHTS_WIDTH + 14, "text": "figure"}, align="left", baseline="middle"),
    ]
    heading = {} if len(model.contrasts) == 1 else {"title": panel_title(fitted_lines(contrast), 13)}
    return layered(layers, _WEIGHTS_WIDTH, height, records, **heading)


def _record(each: Estimate, place: int, low: float, high: float) -> dict[str, Any]:
    record: dict[str, Any] = {
        "place": str(place), "ratio": None, "low": None, "high": None, "figure": _weights_figure(each),
        "beyond_low": each.infinite < 0, "beyond_high": each.infinite > 0,
    }  # fmt: skip
    if each.infinite or not each.settled:
        return record
    record["beyond_low"], record["beyond_high"] = each.weight < low, each.weight > high
    if low <= each.weight <= high:
        record["ratio"] = math.exp(each.weight)
    if each.low is not None and each.high is not None:
        record["low"], record["high"] = (math.exp(max(low, min(high, end))) for end in (each.low, each.high))
        record["beyond_low"], record["beyond_high"] = each.low < low, each.high > high
    return record


def _weights_figure(each: Estimate) -> str:
    if each.infinite:
        return "∞" if each.infinite > 0 else "0"
    if not each.settled:
        return "no estimate"
    ratio, interval = odds_texts(each, 3)
    return f"{ratio}  ({interval})" if interval else ratio


def _ratio_text(model: LinearModel, each: Estimate) -> str:
    odds, interval = odds_texts(each)
    ratio = "has no estimate" if not each.settled else f"{odds} ({interval})" if interval else odds
    of = f" for {in_sentence(each.contrast)}" if len(model.contrasts) > 1 else ""
    return f"{in_sentence(str(each.term))}{of} {ratio}"


def _name(model: LinearModel, term: Term | None) -> str:
    against = model.references.get(term.name) if isinstance(term, ValueTerm) else None
    return in_sentence(str(term)) + ("" if against is None else f" (against {in_sentence(against)})")


def _ticks(low: float, high: float) -> list[float]:
    """Round ratios between the ends, not so many that their names meet."""
    for steps in ((1, 2, 5), (1, 3), (1,)):
        ticks = round_numbers(low, high, steps)
        if len(ticks) <= 8:
            return [float(f"{tick:.6g}") for tick in ticks]
    powers = math.ceil(math.log10(high)) + 1 - math.floor(math.log10(low))
    every = math.ceil(powers / 7)
    return [tick for tick in ticks if round(math.log10(tick)) % every == 0]
