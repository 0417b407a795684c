"""Weights in a page: the chart of odds ratios, and every weight with its interval and test."""

from __future__ import annotations

from typing import Final

from clearwood.draw.escaping import escape_xml
from clearwood.draw.linear import ROBUST, has_robust_errors, odds_texts, term_text
from clearwood.errors import SettingError
from clearwood.models.linear_model import LinearModel, NumberTerm
from clearwood.predict.estimates import Estimate, estimates
from clearwood.report.markup import details, isolated, paragraph, picture_html, table
from clearwood.words.numbers import in_digits, p_value

_OPEN: Final = 60  # weights that stand open


def weights_of(model: LinearModel) -> str:
    """The chart, a table for each contrast, and what was left out."""
    from clearwood.draw import charts

    parts = [picture_html(charts.weights(model))] if model.terms else []
    every_weight = estimates(model)
    deviations = _ratios_per_deviation(model)
    for contrast in model.contrasts:
        against = "" if model.against is None else f" against {model.against}"
        lines = [_line(model, each) for each in every_weight if each.contrast == contrast]
        heads: tuple[str, ...] = ("term", "weight", "std. error", "odds ratio", "95 % interval", "p")
        if deviations:
            own = [deviations[each] for each in every_weight if each.contrast == contrast]
            lines = [(*line, ratio) for line, ratio in zip(lines, own, strict=True)]
            heads = (*heads, "odds ratio per std. deviation")
        of = f"Log odds of {contrast}{against}"
        listed = table(heads, lines, numbers=tuple(range(1, len(heads))), caption=of)
        parts.append(listed if len(lines) <= _OPEN else details(f"{of}: all {len(lines):,} weights", listed))
    if has_robust_errors(model.fit):
        parts.append(paragraph(f"{ROBUST.capitalize()}."))
    parts += [paragraph(f"Left out: {each.what}: {each.because}") for each in model.left_out]
    parts += [f"<p>{escape_xml(note)}</p>" for note in (model.fit.notes if model.fit else ())]
    return "\n".join(parts)


def _ratios_per_deviation(model: LinearModel) -> dict[Estimate, str]:
    """By weight the odds ratio of one standard deviation, if it is a number's; none without a profile."""
    if not any(isinstance(term, NumberTerm) for term in model.terms):
        return {}
    try:
        scaled = estimates(model, per="sd")
    except SettingError:
        return {}
    return {
        each: odds_texts(own)[0] if isinstance(each.term, NumberTerm) else ""
        for each, own in zip(estimates(model), scaled, strict=True)
    }


def _line(model: LinearModel, each: Estimate) -> tuple[str, ...]:
    name = isolated(term_text(model, each.term))
    weight = ("∞" if each.infinite > 0 else "−∞") if each.infinite else in_digits(each.weight)
    error = "" if each.error is None else in_digits(each.error)
    ratio, interval = odds_texts(each)
    return name, weight, error, ratio, interval, "" if each.p is None else p_value(each.p)
