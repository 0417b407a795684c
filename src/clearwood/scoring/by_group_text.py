"""Rates by group as text: the rates, the gaps between groups, the four-fifths rule, and what is not known."""

from __future__ import annotations

from clearwood.scoring.by_group import RATES, ByGroup, Rate
from clearwood.words.columns import in_columns
from clearwood.words.numbers import amount


def by_group_text(groups: ByGroup) -> str:
    """What a terminal shows."""
    lines = [f"By {groups.column}, about the class {groups.positive}", *_rates(groups)]
    lines += groups.reasons()
    lines += ["", *_gaps(groups)]
    if groups.ratios:
        lines += ["", f"Four-fifths rule: predicted {groups.favourable}, relative to {groups.most_selected}"]
        if groups.favourable == groups.positive:
            lines.append(
                f"This takes {groups.favourable} for the prediction that people want: name it if not."
            )
        rows = [[groups.column, "ratio", "95 % interval", ""]]
        for each in groups.ratios:
            interval = "–" if each.interval is None else "{:.3f} to {:.3f}".format(*each.interval)
            rows.append([each.group, f"{each.ratio:.3f}", interval, each.verdict])
        lines += in_columns(rows)
    if groups.of_units:
        lines += ["", "Rows belong together: intervals are by their groups, not by rows."]
    return "\n".join(lines)


def _rates(groups: ByGroup) -> list[str]:
    rows = [[groups.column, "rows", *(groups.label(name) for name in groups.shown)]]
    for each in groups.groups:
        rows.append([each.group, amount(each.rows), *(_rate(each.rates[name]) for name in groups.shown)])
    return in_columns(rows)


def _rate(rate: Rate) -> str:
    if not rate.is_given:
        return "–"
    low, high = rate.interval
    return f"{rate.value:.3f} ({low:.3f} to {high:.3f})"


def _gaps(groups: ByGroup) -> list[str]:
    if len(groups.groups) < 2:
        return ["There is one group: nothing to compare."]
    rows = [[f"Gaps to {groups.reference}", "", "gap", "95 % interval", "criterion"]]
    for name in groups.shown:
        for each in groups.gaps[name]:
            low, high = each.interval
            clear = "" if low <= 0 <= high else ", beyond chance"
            rows.append(
                [
                    groups.label(name),
                    each.group,
                    f"{each.gap:+.3f}".replace("-", "−"),
                    f"{low:+.3f} to {high:+.3f}".replace("-", "−"),
                    f"{RATES[name].criterion}{clear}".removeprefix(", "),
                ]
            )
    if len(rows) == 1:
        return ["No rate is known of two groups: there are too few rows to compare them."]
    return in_columns(rows)
