"""The data: what each column holds, what was noticed when it was read, and how it goes with the class."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, assert_never

import numpy as np

from clearwood.draw.escaping import escape_xml
from clearwood.learners.training import fingerprint
from clearwood.models.decision_words import weights_in_full
from clearwood.reporting.column_cards import cards, legend
from clearwood.reporting.columns_used import columns_by_importance
from clearwood.reporting.markup import details, isolated, name_in_sentence, paragraph, percentage, table
from clearwood.reporting.page import Section
from clearwood.study.data_sense.looking_over import all_findings
from clearwood.study.study import Study
from clearwood.table.attributes import Attribute, Ignored, Nominal, Numeric, Ordinal, Text, kind_of
from clearwood.table.table import Table
from clearwood.words.numbers import amount, many

_AT_ONCE: Final = 11  # columns that the model uses, shown unfolded
_MOST: Final = 60  # columns drawn of a kind
_VALUES: Final = 6  # values named in a line of the table


def data_section(study: Study) -> Section:
    """How many rows, every column in a line, the columns that the model uses as charts."""
    whole = study.table
    parts = [paragraph(_lead(study))]
    parts += _notes(whole)
    parts += _findings(study)
    parts.append(_cards(study))
    once = ", each counted once" if whole.weights is not None else ""
    heads = ("column", "kind", "missing", "values")
    lines = [_line(attribute, whole) for attribute in _columns(whole)]
    listed = table(heads, lines, numbers=(2,), caption=f"All {many(len(whole), 'row', 'rows')}{once}.")
    parts.append(details(f"Every column: {many(len(lines), 'column', 'columns')} in a table", listed))
    return Section("data", "The data", "\n".join(parts))


def _lead(study: Study) -> str:
    whole = study.table
    source = f"{study.name} has " if study.name else "The table has "
    inputs = many(len(whole.schema.inputs), "column", "columns")
    weights = ""
    if whole.schema.weight is not None and whole.weights_are is not None:
        weights = (
            f" Rows count by their weight in {whole.schema.weight}, {weights_in_full(whole.weights_are)}."
        )
    return (
        f"{source}{many(len(whole), 'row', 'rows')} and {inputs} to learn from, beside "
        f"{name_in_sentence(study.target)}, which is "
        f"predicted.{weights} Its fingerprint, {fingerprint(whole)}, identifies exactly this table."
    )


def _notes(whole: Table) -> list[str]:
    """What was noticed and decided when the table was read."""
    if not whole.notes:
        return []
    listed = f"<ul>{''.join(f'<li>{escape_xml(note)}</li>' for note in whole.notes)}</ul>"
    return [details(f"{many(len(whole.notes), 'note', 'notes')} from reading it", listed)]


def _findings(study: Study) -> list[str]:
    """What stands out in the rows, the severe in bold."""
    held_out = study.folds is not None or study.held_out is not None
    findings = all_findings(study.table, judged=study.predictions if held_out else None).findings
    if not findings:
        return []
    lines = [
        f"<li><strong>{escape_xml(each.sentence)}</strong></li>"
        if each.severe
        else f"<li>{escape_xml(each.sentence)}</li>"
        for each in findings
    ]
    return ["<h3>What stands out</h3>", f"<ul>{''.join(lines)}</ul>"]


def _cards(study: Study) -> str:
    """The target, then the columns that the model uses, the most important first, then the others."""
    rows = study.rows
    used = columns_by_importance(study.model)
    others = [each.name for each in rows.schema.inputs if each.name not in set(used)]
    shown = cards(rows, [study.target, *used[:_AT_ONCE]])
    more = [cards(rows, used[_AT_ONCE:_MOST]), cards(rows, others[:_MOST])]
    heads = (
        f"{many(len(used) - _AT_ONCE, 'column', 'columns')} more that the model uses",
        f"{many(len(others), 'column', 'columns')} that it does not use",
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


def _columns(whole: Table) -> Sequence[Attribute]:
    target = whole.schema.target
    return (*([] if target is None else [target]), *whole.schema.attributes)


def _line(attribute: Attribute, whole: Table) -> tuple[str, str, str, str]:
    column = whole.columns.get(attribute.name)
    role = ", predicted" if attribute is whole.schema.target else ""
    name = f"<b>{isolated(attribute.name)}</b>"
    kind = f"{kind_of(attribute)}{role}"
    if column is None or isinstance(attribute, Ignored):
        because = attribute.because if isinstance(attribute, Ignored) else "not read"
        return name, kind, "", f'<span class="muted">{escape_xml(because)}</span>'
    match attribute:
        case Nominal() | Ordinal():
            empty = column < 0
            content = _values(attribute, column)
        case Numeric():
            empty = np.isnan(column)
            content = _range(column[~empty])
        case Text():
            empty = np.array([each is None for each in column.tolist()], dtype=np.bool_)
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
    return ", ".join(value_texts) + (f" and {many(left, 'value', 'values')} more" if left else "")


def _range(numbers: np.ndarray[tuple[int], np.dtype[np.float64]]) -> str:
    if not numbers.size:
        return "no number"
    known = numbers.astype(np.float64)
    low, middle, high = (amount(float(each)) for each in (known.min(), np.median(known), known.max()))
    return f"{low} to {high}, median {middle}, mean {amount(float(known.mean()))}"
