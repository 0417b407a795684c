"""Fairness: how the groups of protected columns are answered, and whether other columns tell them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from clearwood.draw import charts
from clearwood.reporting.markup import isolated, name_in_sentence, paragraph, percentage, pictures, table
from clearwood.reporting.page import Section
from clearwood.scoring.by_group import RATES, ByGroup, Rate
from clearwood.study.fairness.proxies import Proxies
from clearwood.study.study import Study
from clearwood.words.numbers import amount

_SHOWN: Final = 8  # columns that tell most


def fairness_section(study: Study) -> Section | None:
    """Rates, gaps, the four-fifths rule and proxies, column by column; None where nothing is protected."""
    fairness = study.fairness
    if fairness is None:
        return None
    asked = _whether_asked(study, [each.column for each in fairness.groups])
    compared = f"Its predictions are compared by group {fairness.on}."
    parts = [paragraph(f"{asked} {compared} A rate of fewer than ten rows is not given.")]
    for each in fairness.groups:
        parts += [_rates(each), *map(paragraph, each.reasons()), pictures([charts.groups(each)])]
        parts += _gaps(each)
        parts += _four_fifths(each)
    parts += [_proxies(each) for each in fairness.proxies]
    return Section("fairness", "For whom it is right", "\n".join(parts))


def _whether_asked(study: Study, columns: Sequence[str]) -> str:
    """Which columns are protected from the model, and which it may ask though they are compared here."""
    inputs = {each.name for each in study.model.schema.inputs}
    sentences = []
    for asks in (False, True):
        names = [name_in_sentence(name) for name in columns if (name in inputs) == asks]
        if names:
            verb = "are" if len(names) > 1 else "is"
            kept = "protected: the model does not use"
            if asks:
                kept = (
                    "inputs that the model may use" if len(names) > 1 else "an input that the model may use"
                )
            sentences.append(f"{', '.join(names)} {verb} {kept}.")
    return " ".join(sentences)


def _rates(groups: ByGroup) -> str:
    heads = (groups.column, "rows", *map(groups.label, groups.shown))
    lines = [
        (isolated(each.group), amount(each.rows), *(_rate(each.rates[name]) for name in groups.shown))
        for each in groups.groups
    ]
    caption = f"Rates by {groups.column}, about {groups.positive}, with 95 % intervals."
    return table(heads, lines, numbers=range(1, len(heads)), caption=caption)


def _rate(rate: Rate) -> str:
    if not rate.is_given:
        return "–"
    low, high = rate.interval
    return f"{percentage(rate.value)}<br><small>{percentage(low)} to {percentage(high)}</small>"


def _gaps(groups: ByGroup) -> list[str]:
    lines = []
    for name, each in ((rate, gap) for rate in groups.shown for gap in groups.gaps[rate]):
        low, high = each.interval
        rate = isolated(groups.label(name)), RATES[name].criterion, _signed(each.gap)
        shows = "" if low <= 0 <= high else "beyond chance"
        lines.append((isolated(each.group), *rate, f"{_signed(low)} to {_signed(high)}", shows))
    if not lines:
        return []
    heads = (groups.column, "rate", "criterion", "gap", "95 % interval", "what it shows")
    caption = f"Gaps to {groups.reference}, the largest group, in percentage points; intervals hold together."
    return [table(heads, lines, numbers=(3, 4), caption=caption)]


def _signed(gap: float) -> str:
    return f"{100 * gap:+.1f}".replace("-", "−")


def _four_fifths(groups: ByGroup) -> list[str]:
    lines = []
    for each in groups.ratios:
        ends = "–" if each.interval is None else " to ".join(f"{end:.3f}" for end in each.interval)
        lines.append((isolated(each.group), f"{each.ratio:.3f}", ends, each.verdict))
    if not lines:
        return []
    caption = f"Four-fifths rule: predicted {groups.favourable}, relative to {groups.most_selected}."
    heads = (groups.column, "ratio", "95 % interval", "what it shows")
    return [table(heads, lines, numbers=(1, 2), caption=caption)]


def _proxies(found: Proxies) -> str:
    lines = [
        (isolated(each.column), f"{each.score:.3f}".replace("-", "−")) for each in found.columns[:_SHOWN]
    ]
    beside = ""
    if found.accuracy is not None and found.baseline is not None:
        by_most = f"{percentage(found.baseline)} by the commonest value"
        beside = f", accuracy {percentage(found.accuracy)} beside {by_most}"
    sentence = (
        f"Proxies of {name_in_sentence(found.protected)}: from the columns that the model may use it is "
        f"predicted with {found.score_name} {found.score:.3f}{beside}. {found.verdict}"
    )
    heads, caption = ("column alone", found.score_name), "Which columns tell most."
    return paragraph(sentence) + table(heads, lines, numbers=(1,), caption=caption)
