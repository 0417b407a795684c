"""The data: what each column holds, what was noticed when it was read, and how it goes with the class."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from itertools import pairwise
from typing import Final, assert_never

import numpy as np

from clearwood.arrays import Floats
from clearwood.draw.charts.columns import NO_CLASS, ColumnAndClasses, CountsByValue, cells_of, counts_by_value
from clearwood.draw.escaping import escape_xml
from clearwood.draw.palette import LIGHT, class_colours
from clearwood.learners.training import fingerprint
from clearwood.models.in_words import weights_in_full
from clearwood.reporting.columns_used import columns_by_importance
from clearwood.reporting.markup import (
    bullets,
    details,
    isolated,
    name_in_sentence,
    paragraph,
    percentage,
    table,
)
from clearwood.reporting.page import Section
from clearwood.study.data_sense.looking_over import all_findings
from clearwood.study.study import Study
from clearwood.table.attributes import Attribute, Ignored, Nominal, Numeric, Ordinal, Text
from clearwood.table.table import Table, empty_cells
from clearwood.words.numbers import amount, many, number

_AT_ONCE: Final = 11  # columns that the model uses, shown unfolded
_MOST: Final = 60  # columns drawn of a kind
_VALUES: Final = 6  # values named in a line of the table


def data_section(study: Study) -> Section:
    """How many rows, every column in a line, the columns that the model uses as charts."""
    whole = study.table
    parts = [paragraph(_lead(study))]
    if whole.notes:  # what was noticed and decided when the table was read
        notes = bullets(map(escape_xml, whole.notes))
        parts.append(details(f"{many(len(whole.notes), 'note')} from reading it", notes))
    if findings := _findings(study):
        parts.append(findings)
    parts.append(_cards(study))
    once = ", each counted once" if whole.weights is not None else ""
    target = whole.schema.target
    lines = [_line(each, whole) for each in (target, *whole.schema.attributes) if each is not None]
    caption = f"All {many(len(whole), 'row')}{once}."
    listed = table(("column", "kind", "missing", "values"), lines, numbers=(2,), caption=caption)
    parts.append(details(f"Every column: {many(len(lines), 'column')} in a table", listed))
    return Section("data", "The data", "\n".join(parts))


def _lead(study: Study) -> str:
    whole = study.table
    source = f"{study.name} has " if study.name else "The table has "
    inputs = many(len(whole.schema.inputs), "column")
    weights = ""
    if whole.schema.weight is not None and whole.weights_are is not None:
        meaning = weights_in_full(whole.weights_are)
        weights = f" Rows count by their weight in {whole.schema.weight}, {meaning}."
    return (
        f"{source}{many(len(whole), 'row')} and {inputs} to learn from, beside "
        f"{name_in_sentence(study.target)}, which is predicted.{weights} "
        f"Its fingerprint, {fingerprint(whole)}, identifies exactly this table."
    )


def _findings(study: Study) -> str:
    """What stands out in the rows, the severe in bold."""
    held_out = study.folds is not None or study.held_out is not None
    findings = all_findings(study.table, judged=study.predictions if held_out else None).findings
    if not findings:
        return ""
    sentences = ((each.severe, escape_xml(each.sentence)) for each in findings)
    shown = (f"<strong>{sentence}</strong>" if severe else sentence for severe, sentence in sentences)
    return f"<h3>What stands out</h3>\n{bullets(shown)}"


def _cards(study: Study) -> str:
    """The target, then the columns that the model uses, the most important first, then the others."""
    rows = study.rows
    used = columns_by_importance(study.model)
    others = [each.name for each in rows.schema.inputs if each.name not in set(used)]
    shown = cards(rows, [study.target, *used[:_AT_ONCE]])
    more = [cards(rows, used[_AT_ONCE:_MOST]), cards(rows, others[:_MOST])]
    heads = (
        f"{many(len(used) - _AT_ONCE, 'column')} more that the model uses",
        f"{many(len(others), 'column')} that it does not use",
    )
    folds = [details(head, html) for head, html in zip(heads, more, strict=True) if html]
    if not shown:
        return ""
    of = "the rows that the model was learned from" if study.learned_from is not None else "all rows"
    and_inputs = ", and the columns that the model uses, the most important first" if used else ""
    lead = paragraph(
        f"The target{and_inputs}, in {of}. The length of a bar shows its number of rows; a range "
        "includes its lower end, and only the last also its upper one.",
        "muted",
    )
    return lead + legend(rows) + shown + "".join(folds)


def _line(attribute: Attribute, whole: Table) -> tuple[str, str, str, str]:
    column = whole.columns.get(attribute.name)
    name = f"<b>{isolated(attribute.name)}</b>"
    kind = attribute.kind + (", predicted" if attribute is whole.schema.target else "")
    if column is None or isinstance(attribute, Ignored):
        because = attribute.because if isinstance(attribute, Ignored) else "not read"
        return name, kind, "", f'<span class="muted">{escape_xml(because)}</span>'
    empty = empty_cells(column)
    match attribute:
        case Nominal() | Ordinal():
            content = _values(attribute, column)
        case Numeric():
            content = _range(column[~empty])
        case Text():
            lengths = [len(each.split()) for each in column.tolist() if each is not None]
            content = f"texts of {amount(float(np.mean(lengths)))} words on average" if lengths else "no text"
        case _:
            assert_never(attribute)
    count = int(empty.sum())
    missing = f"{count:,} ({percentage(count / len(whole))})" if count else "0"
    return name, kind, missing, content


def _values(attribute: Nominal | Ordinal, column: np.ndarray[tuple[int], np.dtype[np.int32]]) -> str:
    """The commonest values with their rows, an ordinal column's in its order."""
    counts = np.bincount(column[column >= 0], minlength=len(attribute.values))
    if not counts.any():
        return "no value"
    places = np.argsort(-counts, kind="stable")[:_VALUES]
    if isinstance(attribute, Ordinal):
        places = np.sort(places)
    value_texts = [f"{isolated(attribute.values[place])} {int(counts[place]):,}" for place in places.tolist()]
    left = int((counts > 0).sum()) - int((counts[places] > 0).sum())
    return ", ".join(value_texts) + (f" and {many(left, 'value')} more" if left else "")


def _range(numbers: np.ndarray[tuple[int], np.dtype[np.float64]]) -> str:
    if not numbers.size:
        return "no number"
    known = numbers.astype(np.float64)
    figures = (known.min(), known.max(), np.median(known), known.mean())
    low, high, middle, mean = (amount(float(each)) for each in figures)
    return f"{low} to {high}, median {middle}, mean {mean}"


# Columns at a glance: a small card for each, its values or ranges as bars that are parted by class.


_BARS: Final = 8  # of a card


def cards(table: Table, names: Iterable[str]) -> str:
    """A card for each column of these that has something to show."""
    html = "".join(_card(table, name) for name in names if has_values(table, name))
    return f'<div class="columns">{html}</div>' if html else ""


def legend(table: Table) -> str:
    """Which colour is which class; nothing where there are no classes."""
    colours = class_colours(table.schema.classes)
    listed = "".join(
        f'<li><span class="swatch" style="--class:{colours[name]}"></span>{isolated(name)}</li>'
        for name in table.schema.classes
    )
    return f'<ul class="legend">{listed}</ul>' if listed else ""


def has_values(table: Table, name: str) -> bool:
    """Is there a cell to show, in a row that has a class?"""
    column = table.columns.get(name)
    if column is None or not isinstance(table.schema[name], Nominal | Ordinal | Numeric):
        return False
    known = column >= 0 if column.dtype == np.int32 else np.isfinite(column)
    if table.schema.classes:
        known = known & (table.target >= 0)
    if table.weights is not None:
        known = known & (table.weights > 0)
    return bool(known.any())


def _card(table: Table, name: str) -> str:
    is_numeric = isinstance(table.schema[name], Numeric)
    counts = _ranges(cells_of(table, name)) if is_numeric else counts_by_value(table, name, _BARS)
    colours = {NO_CLASS: LIGHT.muted, **class_colours(table.schema.classes)}
    if counts.classes == (NO_CLASS,) and table.schema.classes:
        # The target itself: each bar in the colour of its class.
        alike = np.array([[label == name for name in table.schema.classes] for label in counts.labels])
        counts = replace(counts, classes=table.schema.classes, weights=counts.weights * alike)
    sums = counts.weights.sum(axis=1)
    most = float(sums.max())
    lines = "".join(
        f"<li><span>{isolated(label)}</span>{_bar(counts, row, most, colours)}"
        f"<span>{amount(total)}</span></li>"
        for label, row, total in zip(counts.labels, counts.weights.tolist(), sums.tolist(), strict=True)
    )
    return f'<div class="column"><h3>{isolated(name)}</h3><ul>{lines}</ul></div>'


def _bar(counts: CountsByValue, row: list[float], most: float, colours: dict[str, str]) -> str:
    """A bar whose length is its number of rows, divided by class."""
    parts, left = [], 0.0
    for name, weight in zip(counts.classes, row, strict=True):
        if weight > 0:
            width = 100 * weight / most
            title = f"{name}: {amount(weight)}" if name else amount(weight)
            parts.append(
                f'<rect x="{left:.2f}" width="{width:.2f}" height="1" fill="{colours[name]}">'
                f"<title>{escape_xml(title)}</title></rect>"
            )
            left += width
    return f'<svg viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true">{"".join(parts)}</svg>'


def _ranges(cells: ColumnAndClasses) -> CountsByValue:
    """A numeric column in equal ranges from its least to its greatest number, or each number where few."""
    values = cells.cells.astype(np.float64)
    known = np.isfinite(values)
    distinct = np.unique(values[known])
    if len(distinct) <= _BARS:
        place = np.searchsorted(distinct, values)
        labels = [number(float(each)) for each in distinct]
    else:
        edges = _edges(float(distinct[0]), float(distinct[-1]))
        place = np.clip(np.searchsorted(edges, values, side="right") - 1, 0, len(edges) - 2)
        labels = [f"{_short(low)} – {_short(high)}" for low, high in pairwise(edges.tolist())]
    place = np.where(known, place, len(labels))
    weights = cells.weighed(place, len(labels) + 1)
    if weights[-1].sum() > 0:
        labels.append("(missing)")
    return CountsByValue(tuple(labels), cells.classes, weights[: len(labels)], cells.by)


def _short(value: float) -> str:
    """A round number in few letters.

    >>> _short(1_400_000.0), _short(25_000.0), _short(2_500.0)
    ('1.4M', '25k', '2,500')
    """
    if abs(value) >= 1e9:
        return f"{value:.3g}"
    if abs(value) >= 1e6:
        return f"{value / 1e6:.6g}M"
    return f"{value / 1e3:.6g}k" if abs(value) >= 1e4 else amount(value)


def _edges(low: float, high: float) -> Floats:
    """Round numbers, about `_BARS` + 1 of them, that hold both ends."""
    rough = (high - low) / _BARS
    size = 10.0 ** np.floor(np.log10(rough))
    step = size * next(each for each in (1.0, 2.0, 2.5, 5.0, 10.0) if each * size >= rough)
    first = np.floor(low / step)
    count = int(np.floor(high / step) - first) + 1
    return np.asarray((first + np.arange(count + 1)) * step)
