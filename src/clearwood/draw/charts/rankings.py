"""Rankings: columns by score, how often each is kept, and what models of other samples have in common."""

from typing import Any, Final

from clearwood.draw.charts.builders import (
    axis_of_names,
    axis_of_numbers,
    bars_with_texts,
    fitting_axis,
    layer,
    layered,
    panel_title,
    points_on_lines,
    row_steps,
    rule_at,
)
from clearwood.draw.charts.sheet import (
    Records,
    Spec,
    check_drawable,
    drawn,
    few_of,
    in_sentence,
    names_width,
)
from clearwood.draw.palette import LIGHT, ThemeName, class_colours
from clearwood.draw.picture import Picture
from clearwood.errors import SettingError
from clearwood.formulas.conditions import all_of
from clearwood.models.model import in_unit
from clearwood.selecting.ranking import RankedColumn, Ranking
from clearwood.selecting.selection import ColumnKept, SelectionStability
from clearwood.study.behaviour.stability import LEAF, Stability
from clearwood.words.numbers import amount, brief, in_digits, many, part_of, percent_to

_WIDTH: Final = 320
_MOST: Final = 40  # columns that are all drawn
_SHOWN: Final = 30  # of more than that
_QUARTERS: Final = (0, 0.25, 0.5, 0.75, 1)


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
    shown = ranking.columns if len(ranking) <= _MOST else ranking.columns[:_SHOWN]
    phrases = [
        f"{in_sentence(each.name)} {in_digits(each.score, 3)}{' kept' if each.kept else ''}" for each in shown
    ]
    kept = f"{part_of(len(ranking.kept), len(ranking), 'column')} kept for {in_sentence(ranking.target)}"
    left = [f"the first {len(shown)} of {len(ranking):,}"] if len(shown) < len(ranking) else []
    return drawn(
        _spec(ranking, shown),
        title=f"Columns by {ranking.score}",
        subtitle=[f"{kept}, by {ranking.by}", *left],
        alt=f"Columns by {ranking.score}: {few_of(phrases)}.",
        width=_WIDTH + names_width([each.name for each in shown]),
        theme=theme,
    )


def _spec(ranking: Ranking, shown: tuple[RankedColumn, ...]) -> Spec:
    records: list[dict[str, Any]] = [
        {"place": str(place), "score": each.score, "figure": in_digits(each.score, 3), "kept": each.kept,
         "end": max(each.score, 0.0)}
        for place, each in enumerate(shown)
    ]  # fmt: skip
    names = {str(place): each.name for place, each in enumerate(shown)}
    low = min([0.0, *(each.score for each in shown)])
    high = max([0.0, *(each.score for each in shown)])
    reach = (high - low) or 1.0
    ends = (low - 0.02 * reach * (low < 0), high + 0.18 * reach)
    x = fitting_axis(ranking.score, ends, ticks=5, grid=False, format="~g")
    kept = class_colours(("kept",))["kept"]
    colour = {"condition": {"test": "datum.kept", "value": kept}, "value": LIGHT.line}
    at = {"y": axis_of_names("place", names, labelPadding=8), "x": (x, "score"), "color": colour}
    bar, text = bars_with_texts(at, "figure", 0.62, "end")
    zero = layer("rule", {"x": (x, "zero")}, [{"zero": 0}], color=LIGHT.muted)
    return layered([bar, zero, text], _WIDTH, row_steps(names.values(), 24), records)


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
    shown = stability.columns if len(stability.columns) <= _MOST else stability.columns[:_SHOWN]
    phrases = [f"{in_sentence(each.name)} {percent_to(each.part, 0)}" for each in shown]
    title = f"How often each column is kept in {stability.samples} samples"
    left = (
        [f"the first {len(shown)} of {len(stability.columns):,} columns"]
        if len(shown) < len(stability.columns)
        else []
    )
    return drawn(
        _selection_stability_spec(shown),
        title=title,
        subtitle=[f"by {stability.by}; {stability.in_words}", *left],
        alt=f"{title}: {few_of(phrases)}.",
        width=_WIDTH + names_width([each.name for each in shown]),
        theme=theme,
    )


def _selection_stability_spec(shown: tuple[ColumnKept, ...]) -> Spec:
    records: list[dict[str, Any]] = [
        {"place": str(place), "part": each.part, "figure": percent_to(each.part, 0)}
        for place, each in enumerate(shown)
    ]
    names = {str(place): each.name for place, each in enumerate(shown)}
    axis = {"grid": False, "format": ".0%"}
    x = axis_of_numbers(
        "part", "samples that kept it", domain=(0, 1.15), nice=False, ticks=_QUARTERS, axis=axis
    )
    pale = {"condition": {"test": "datum.part >= 0.5", "value": 1}, "value": 0.4}
    at = {"y": axis_of_names("place", names, labelPadding=8), "x": x, "opacity": pale}
    colour = class_colours(("kept",))["kept"]
    layers = [
        rule_at("x", x, 0.5, "half", color=LIGHT.line),
        *bars_with_texts(at, "figure", 0.62, color=colour),
    ]
    return layered(layers, _WIDTH, row_steps(names.values(), 24), records)


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
    panels = _panels(sheet)
    names = [name for _, panel_names in panels for name in panel_names]
    title = f"Stability of {in_sentence(sheet.learner)} over {many(sheet.samples, 'sample')}"
    return drawn(
        {"vconcat": [panel for panel, _ in panels], "spacing": 22},
        title=title,
        subtitle=[_agreement(sheet), _size(sheet)],
        alt=f"{title}: {_agreement(sheet)}; {_size(sheet)}{_root(sheet)}.",
        width=_STABILITY_WIDTH + names_width(names, _ROOM) + 60,
        theme=theme,
    )


def _agreement(sheet: Stability) -> str:
    if not sheet.classes:
        return f"two models differ on a row by {brief(sheet.agreement)} (root mean square)"
    return f"two models agree on {percent_to(sheet.agreement)} of the rows"


def _size(sheet: Stability) -> str:
    size = sheet.size
    mean = amount(size.mean) if size.mean >= 100 else in_digits(size.mean, 3)
    return f"{in_unit(mean, sheet.unit)} on average, {size.least:,.0f} to {size.most:,.0f}"


def _root(sheet: Stability) -> str:
    if not sheet.roots:
        return ""
    name, part = sheet.roots[0]
    return f"; {percent_to(part, 0)} have the root {in_sentence(name or LEAF)}"


def _panels(sheet: Stability) -> list[tuple[Spec, list[str]]]:
    panels = []
    if sheet.roots:
        bars = [
            (name or LEAF, part, name == sheet.whole_root) for name, part in sheet.roots[:_STABILITY_MOST]
        ]
        panels.append(_bars("The root", bars))
    columns = sheet.columns[:_STABILITY_MOST]
    always = all(each.part > _ALWAYS and each.importance is not None for each in columns)
    if sheet.terms or (columns and always):
        panels.append(_points(sheet))
    elif columns:
        bars = [(each.name, each.part, False) for each in columns]
        panels.append(_bars("Columns that models use", bars))
    if sheet.rules:
        rules = [(all_of(rule.when), rule.part, rule.in_whole) for rule in sheet.rules[:_RULES]]
        panels.append(_bars("Rules that models have", rules))
    return panels or [_bars("Columns that models use", [("none", 1.0, False)])]


def _bars(heading: str, bars: list[tuple[str, float, bool]]) -> tuple[Spec, list[str]]:
    """Parts of the models, a bar each; darker what the model of all rows has."""
    names = {str(place): name for place, (name, _, _) in enumerate(bars)}
    records: Records = [
        {
            "place": str(place),
            "part": part,
            "text": percent_to(part, 0),
            "colour": LIGHT.accent if whole else LIGHT.muted,
        }
        for place, (_, part, whole) in enumerate(bars)
    ]
    x = axis_of_numbers(
        "part", "part of the models", domain=(0, 1.13), nice=False, ticks=_QUARTERS, axis={"format": ".0%"}
    )
    y = axis_of_names("place", names, room=_ROOM, labelPadding=10)
    marked = any(whole for _, _, whole in bars)
    title = heading + (" (coloured: also with all rows)" if marked else "")
    layers = [
        layer("bar", {"y": y, "x": x, "color": {"field": "colour", "type": "nominal", "scale": None}},
              height={"band": 0.6}),
        layer("text", {"y": y, "x": x, "text": "text"}, align="left", dx=6),
    ]  # fmt: skip
    return _titled(title, layers, names, records)


def _points(sheet: Stability) -> tuple[Spec, list[str]]:
    """Weights, mean points or importances: the mean over the models on a line of ± 1 standard deviation."""
    if sheet.terms:
        spreads = [(each.name, each.mean, each.deviation) for each in sheet.terms[:_STABILITY_MOST]]
        what = "weight" if sheet.unit == "weights" else "mean points"
    else:
        ranked = sorted(sheet.columns, key=lambda each: -(each.importance or 0.0))
        spreads = [
            (each.name, each.importance or 0.0, each.deviation or 0.0) for each in ranked[:_STABILITY_MOST]
        ]
        what = "importance"
    names = {str(place): name for place, (name, _, _) in enumerate(spreads)}
    records: Records = [
        {"place": str(place), "mean": mean, "low": mean - off, "high": mean + off}
        for place, (_, mean, deviation) in enumerate(spreads)
        for off in (0.0 if deviation != deviation else deviation,)
    ]
    low = min(0.0, *(each["low"] for each in records))
    high = max(0.0, *(each["high"] for each in records))
    margin = 0.05 * (high - low) or 1.0
    domain = [low - margin if low < 0 else 0.0, high + margin]
    x = fitting_axis(f"{what}, ± 1 standard deviation over the samples", domain)
    at = {"y": axis_of_names("place", names, room=_ROOM, labelPadding=10), "x": (x, "mean")}
    line: Spec = {"strokeWidth": 2.2, "color": LIGHT.muted}
    layers = [rule_at("x", x, 0), *points_on_lines(at, None, LIGHT.accent, size=80, **line)]
    return _titled(f"{what[0].upper()}{what[1:]}", layers, names, records)


def _titled(
    title: str, layers: list[Spec], names: dict[str, str], records: Records
) -> tuple[Spec, list[str]]:
    height = row_steps(names.values(), _STEP, _ROOM)
    heading = panel_title(title, 13, frame="group")
    return layered(layers, _STABILITY_WIDTH, height, records, title=heading), list(names.values())
