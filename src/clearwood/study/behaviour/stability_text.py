"""The stability sheet as text: what stays and what changes when the rows are resampled."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from clearwood.models.conditions import all_of
from clearwood.study.behaviour.stability import RuleRecurrence, SpreadOver, Stability
from clearwood.study.behaviour.stability_parts import ColumnRecurrence, TermSpread
from clearwood.words.columns import in_columns
from clearwood.words.numbers import figure, in_digits, many, percent, percent_to

_MOST: Final = 15  # columns or terms that are listed
LEAF: Final = "(no split)"


def stability_as_text(sheet: Stability) -> str:
    """The sheet, part by part; a kind of model has the parts that it can have."""
    lines = [
        f"{sheet.learner} learned {sheet.samples:,} times, each from {many(sheet.rows, 'row')} resampled",
        "",
        *in_columns(stability_figures(sheet)),
    ]
    if sheet.roots:
        lines += ["", "The root", *in_columns(_roots(sheet))]
    if sheet.terms:
        lines += ["", *_terms(sheet.terms, sheet.unit)]
    else:
        lines += ["", *_columns(sheet.columns)]
    if sheet.rules is not None:
        lines += ["", *_rules(sheet.rules, sheet)]
    if sheet.conclusions:
        lines += ["", *sheet.conclusions]
    return "\n".join(lines)


def stability_figures(sheet: Stability) -> list[list[str]]:
    """The figures that every kind of model has, each with what it is of."""
    rows = [["size", f"{_spread(sheet.size, 3)} {sheet.unit}; {sheet.whole_size:,} from all rows"]]
    if sheet.classes:
        rows.append([f"{sheet.score_name} on rows not drawn", _spread(sheet.score, 3)])
        rows.append(["two models agree on a row", _share(sheet.agreement)])
        rows.append(["… that neither learned from", _share(sheet.agreement_apart)])
        part = f" of {sheet.rows:,} ({percent(sheet.in_doubt / sheet.rows)} %)" if sheet.rows else ""
        rows.append(["rows in doubt", f"{sheet.in_doubt:,}{part}: fewer than 3 of 4 models agree on them"])
    else:
        rows.append([f"{sheet.score_name} on rows not drawn", _spread(sheet.score, 4)])
        rows.append(["two models differ on a row by", f"{_number(sheet.agreement)} (root mean square)"])
        rows.append(["… that neither learned from", _number(sheet.agreement_apart)])
    if sheet.rules_in_common is not None:
        of = "first two questions" if sheet.roots else "rules"
        rows.append([f"{of} that two models share", _share(sheet.rules_in_common)])
    return rows


def _roots(sheet: Stability) -> list[list[str]]:
    return [
        [f"  {name or LEAF}", percent_to(part, 0), "as with all rows" if name == sheet.whole_root else ""]
        for name, part in sheet.roots
    ]


def _columns(columns: Sequence[ColumnRecurrence]) -> list[str]:
    """The columns with how often they are asked about, and their importances where there are any."""
    if not columns:
        return ["No model asks about any column."]
    weighed = columns[0].importance is not None
    cells = [["Columns", "in models", *(["importance", "±"] if weighed else [])]]
    for each in columns[:_MOST]:
        more = [] if each.importance is None else [f"{each.importance:.3f}", f"{each.deviation:.3f}"]
        cells.append([f"  {each.name}", percent_to(each.part, 0), *more])
    return [*in_columns(cells, "figures"), *_rest(len(columns))]


def _terms(terms: Sequence[TermSpread], unit: str) -> list[str]:
    weights = unit == "weights"
    head = ["Weights", "in models", "mean", "±", "same sign"]
    if not weights:
        head = ["Curves", "in models", "mean points", "±", "alike"]
    cells = [head]
    for each in terms[:_MOST]:
        alike = percent_to(each.alike, 0) if weights else _number(each.alike)
        figures = [in_digits(each.mean), _number(each.deviation), alike]
        cells.append([f"  {each.name}", percent_to(each.part, 0), *figures])
    return [*in_columns(cells, "figures"), *_rest(len(terms))]


def _rest(count: int) -> list[str]:
    return [f"  … and {count - _MOST:,} more"] if count > _MOST else []


def _rules(rules: Sequence[RuleRecurrence], sheet: Stability) -> list[str]:
    if not rules:
        return ["No rule recurs in enough models to be listed."]
    lines = ["Rules that recur (thresholds at quantiles; * also in the model of all rows)"]
    for rule in rules:
        inside, outside = (_answer(counts, sheet.classes) for counts in (rule.inside, rule.outside))
        mark = "*" if rule.in_whole else " "
        lines.append(
            f"{mark} in {percent_to(rule.part, 0)}: IF {all_of(rule.when)} THEN {inside}, else {outside}"
        )
    return lines


def _answer(counts: tuple[float, ...], classes: tuple[str, ...]) -> str:
    if not classes:
        return figure(counts[1]) if counts[0] > 0 else "no rows"
    total = sum(counts)
    if not total > 0:
        return "no rows"
    best = max(range(len(counts)), key=counts.__getitem__)
    return f"{classes[best]} {percent_to(counts[best] / total)}"


def _spread(over: SpreadOver, digits: int) -> str:
    if np.isnan(over.mean):
        return "–"
    mean, least, most = (_short(each, digits) for each in (over.mean, over.least, over.most))
    doubt = "" if np.isnan(over.deviation) else f" ± {_short(over.deviation, 2)}"
    return f"{mean}{doubt} ({least} to {most})"


def _short(value: float, digits: int) -> str:
    return f"{value:,.0f}" if abs(value) >= 100 else in_digits(value, digits)


def _share(part: float) -> str:
    return "–" if np.isnan(part) else percent_to(part)


def _number(value: float) -> str:
    return "–" if np.isnan(value) else in_digits(value, 3)
