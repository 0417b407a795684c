"""Rankings: columns by score, how often each is kept, and what models of other samples have in common."""

import math
from collections.abc import Sequence
from typing import Final

from clearwood.draw.charts.builders import (
    axis_of_numbers,
    bars_with_texts,
    fitting_axis,
    layer,
    layered,
    panel_title,
    points_on_lines,
    records_of,
    rows_by_place,
    rule_at,
)
from clearwood.draw.charts.sheet import Spec, check_drawable, drawn, few_of, in_sentence, names_width
from clearwood.draw.palette import LIGHT, ThemeName, class_colours
from clearwood.draw.picture import Picture
from clearwood.errors import SettingError
from clearwood.formulas.conditions import all_of
from clearwood.models.model import in_unit
from clearwood.selecting.ranking import Ranking
from clearwood.selecting.selection import SelectionStability
from clearwood.study.behaviour.stability import LEAF, Stability
from clearwood.words.numbers import amount, brief, in_digits, many, part_of, percent_to

_WIDTH: Final = 320
_MOST: Final = 40  # columns that are all drawn
_SHOWN: Final = 30  # of more than that
_QUARTERS: Final = (0, 0.25, 0.5, 0.75, 1)
_COLOUR: Final = class_colours(("kept",))["kept"]


def ranking(ranking: Ranking, *, theme: ThemeName = "auto") -> Picture:
    """A bar for each column's score, in the order of the ranking; kept ones are coloured.

    Of more than 40 columns the first 30 are drawn, and the picture says so.

    >>> import clearwood as cw
    >>> days = cw.read_table(cw.datasets.path("tennis"), target="PlayTennis")
    >>> cw.charts.ranking(cw.rank_columns(days, "gain", keep=2)).alt
    'Columns by gain in bits: Outlook 0.247 kept, Humidity 0.152 kept, Wind 0.0481, Temperature 0.0292.'
    """
    if not isinstance(ranking, Ranking):
        raise SettingError("charts.ranking draws a ranking: give what rank_columns returns.")
    shown, left = ranking.columns[: _drawn_of(len(ranking))], _left_out(len(ranking))
    names, scores = [each.name for each in shown], [each.score for each in shown]
    figures = [in_digits(score, 3) for score in scores]
    low, high = min([0.0, *scores]), max([0.0, *scores])
    reach = (high - low) or 1.0
    ends = (low - 0.02 * reach * (low < 0), high + 0.18 * reach)
    x = fitting_axis(ranking.score, ends, ticks=5, grid=False, format="~g")
    places, y, height = rows_by_place(names, 24, labelPadding=8)
    colour = {"condition": {"test": "datum.kept", "value": _COLOUR}, "value": LIGHT.line}
    bar, text = bars_with_texts({"y": y, "x": (x, "score"), "color": colour}, "figure", 0.62, "end")
    zero = layer("rule", {"x": (x, "zero")}, [{"zero": 0}], color=LIGHT.muted)
    records = records_of(
        place=places, score=scores, figure=figures,
        kept=[each.kept for each in shown], end=[max(score, 0.0) for score in scores],
    )  # fmt: skip
    phrases = [
        f"{in_sentence(each.name)} {figure}{' kept' if each.kept else ''}"
        for each, figure in zip(shown, figures, strict=True)
    ]
    kept = f"{part_of(len(ranking.kept), len(ranking), 'column')} kept for {in_sentence(ranking.target)}"
    title = f"Columns by {ranking.score}"
    below = [f"{kept}, by {ranking.by}", *left]
    alt = f"Columns by {ranking.score}: {few_of(phrases)}."
    spec = layered([bar, zero, text], _WIDTH, height, records)
    return drawn(spec, title, below, alt, theme, _WIDTH + names_width(names))


def _drawn_of(columns: int) -> int:
    return columns if columns <= _MOST else _SHOWN


def _left_out(columns: int, noun: str = "") -> list[str]:
    return [f"the first {_SHOWN} of {columns:,}{noun}"] if columns > _MOST else []


# How often each column is kept when the rows are drawn again: a bar for each, the steadiest first.


def selection_stability(stability: SelectionStability, *, theme: ThemeName = "auto") -> Picture:
    """A bar for the part of the samples that kept each column; pale where it is kept in less than half.

    >>> import clearwood as cw
    >>> days = cw.read_table(cw.datasets.path("tennis_56"), target="Play")
    >>> steady = cw.selection_stability(days, cw.Selection("gain", keep=2), cw.Folds(4))
    >>> cw.charts.selection_stability(steady).alt.split(":")[0]
    'How often each column is kept in 4 samples'
    """
    if not isinstance(stability, SelectionStability):
        raise SettingError(
            "charts.selection_stability draws how often columns are kept: give what selection_stability "
            "returns."
        )
    columns = stability.columns
    shown, left = columns[: _drawn_of(len(columns))], _left_out(len(columns), " columns")
    names, parts = [each.name for each in shown], [each.part for each in shown]
    figures = [percent_to(part, 0) for part in parts]
    axis = {"grid": False, "format": ".0%"}
    x = axis_of_numbers(
        "part", "samples that kept it", domain=(0, 1.15), nice=False, ticks=_QUARTERS, axis=axis
    )
    places, y, height = rows_by_place(names, 24, labelPadding=8)
    pale = {"condition": {"test": "datum.part >= 0.5", "value": 1}, "value": 0.4}
    layers = [
        rule_at("x", x, 0.5, "half", color=LIGHT.line),
        *bars_with_texts({"y": y, "x": x, "opacity": pale}, "figure", 0.62, color=_COLOUR),
    ]
    phrases = [f"{in_sentence(name)} {figure}" for name, figure in zip(names, figures, strict=True)]
    title = f"How often each column is kept in {stability.samples} samples"
    below = [f"by {stability.by}; {stability.in_words}", *left]
    alt = f"{title}: {few_of(phrases)}."
    spec = layered(layers, _WIDTH, height, records_of(place=places, part=parts, figure=figures))
    return drawn(spec, title, below, alt, theme, _WIDTH + names_width(names))


# The stability sheet as bars: how often models of resampled rows have the same root, columns or weights.


_STABILITY_WIDTH: Final = 300
_STEP: Final = 24
_STABILITY_MOST: Final = 12  # bars in a panel
_RULES: Final = 8
_ALWAYS: Final = 0.9  # of the models: columns that more of them use are shown by their importance
_ROOM: Final = 240.0


def stability(sheet: Stability, *, theme: ThemeName = "auto") -> Picture:
    """Bars for the roots, the columns and the rules, or points for weights and curves with their spread.

    >>> import clearwood as cw
    >>> days = cw.read_table(cw.datasets.path("tennis"), target="PlayTennis")
    >>> stability(cw.stability(cw.ID3(), days, samples=10)).alt.split(":")[0]
    'Stability of ID3 over 10 samples'
    """
    check_drawable("stability", sheet, Stability)
    size, columns = sheet.size, sheet.columns[:_STABILITY_MOST]
    panels: list[_NamedPanel] = []
    if sheet.roots:
        roots = sheet.roots[:_STABILITY_MOST]
        panels.append(
            _bars("The root", [(name or LEAF, part, name == sheet.whole_root) for name, part in roots])
        )
    if sheet.terms or (
        columns and all(each.part > _ALWAYS and each.importance is not None for each in columns)
    ):
        panels.append(_spreads(sheet))
    elif columns:
        panels.append(_bars("Columns that models use", [(each.name, each.part, False) for each in columns]))
    if sheet.rules:
        rules = [(all_of(rule.when), rule.part, rule.in_whole) for rule in sheet.rules[:_RULES]]
        panels.append(_bars("Rules that models have", rules))
    panels = panels or [_bars("Columns that models use", [("none", 1.0, False)])]
    if sheet.classes:
        agreement = f"two models agree on {percent_to(sheet.agreement)} of the rows"
    else:
        agreement = f"two models differ on a row by {brief(sheet.agreement)} (root mean square)"
    mean = amount(size.mean) if size.mean >= 100 else in_digits(size.mean, 3)
    sizes = f"{in_unit(mean, sheet.unit)} on average, {size.least:,.0f} to {size.most:,.0f}"
    title = f"Stability of {in_sentence(sheet.learner)} over {many(sheet.samples, 'sample')}"
    described = f"{title}: {agreement}; {sizes}"
    if sheet.roots:
        name, part = sheet.roots[0]
        described += f"; {percent_to(part, 0)} have the root {in_sentence(name or LEAF)}"
    names = [name for _, own in panels for name in own]
    width = _STABILITY_WIDTH + names_width(names, _ROOM) + 60
    spec = {"vconcat": [panel for panel, _ in panels], "spacing": 22}
    return drawn(spec, title, [agreement, sizes], f"{described}.", theme, width)


_NamedPanel = tuple[Spec, Sequence[str]]  # with the names of its rows


def _bars(heading: str, bars: Sequence[tuple[str, float, bool]]) -> _NamedPanel:
    """Parts of the models, a bar each; darker what the model of all rows has."""
    names, parts, in_whole = zip(*bars, strict=True)
    places, y, height = rows_by_place(names, _STEP, _ROOM, labelPadding=10)
    x = axis_of_numbers(
        "part", "part of the models", domain=(0, 1.13), nice=False, ticks=_QUARTERS, axis={"format": ".0%"}
    )
    colour = {"field": "colour", "type": "nominal", "scale": None}
    layers = [
        layer("bar", {"y": y, "x": x, "color": colour}, height={"band": 0.6}),
        layer("text", {"y": y, "x": x, "text": "text"}, align="left", dx=6),
    ]
    records = records_of(
        place=places,
        part=parts,
        text=[percent_to(part, 0) for part in parts],
        colour=[LIGHT.accent if whole else LIGHT.muted for whole in in_whole],
    )
    title = heading + (" (coloured: also with all rows)" if any(in_whole) else "")
    heading_spec = panel_title(title, 13, frame="group")
    return layered(layers, _STABILITY_WIDTH, height, records, title=heading_spec), names


def _spreads(sheet: Stability) -> _NamedPanel:
    """Weights, mean points or importances: the mean over the models on a line of ± 1 standard deviation."""
    if sheet.terms:
        spreads = [(each.name, each.mean, each.deviation) for each in sheet.terms]
        what = "weight" if sheet.unit == "weights" else "mean points"
    else:
        spreads = [(each.name, each.importance or 0.0, each.deviation or 0.0) for each in sheet.columns]
        spreads.sort(key=lambda each: -each[1])
        what = "importance"
    names, means, deviations = zip(*spreads[:_STABILITY_MOST], strict=True)
    halves = [0.0 if math.isnan(each) else each for each in deviations]
    lows = [mean - half for mean, half in zip(means, halves, strict=True)]
    highs = [mean + half for mean, half in zip(means, halves, strict=True)]
    low, high = min(0.0, *lows), max(0.0, *highs)
    margin = 0.05 * (high - low) or 1.0
    domain = [low - margin if low < 0 else 0.0, high + margin]
    places, y, height = rows_by_place(names, _STEP, _ROOM, labelPadding=10)
    x = fitting_axis(f"{what}, ± 1 standard deviation over the samples", domain)
    line: Spec = {"strokeWidth": 2.2, "color": LIGHT.muted}
    points = points_on_lines({"y": y, "x": (x, "mean")}, None, LIGHT.accent, size=80, **line)
    records = records_of(place=places, mean=means, low=lows, high=highs)
    title = panel_title(f"{what[0].upper()}{what[1:]}", 13, frame="group")
    return layered([rule_at("x", x, 0), *points], _STABILITY_WIDTH, height, records, title=title), names
