"""What changed: where this model answers differently from an older one, and what else is not the same."""

from __future__ import annotations

from clearwood.checking.difference.difference import ChangedRegion, Difference, Given
from clearwood.checking.difference.differing import diff
from clearwood.draw.model_difference import answer_words, region_size_words
from clearwood.models.model import Model
from clearwood.report.markup import isolated, paragraph, percentage, table
from clearwood.report.page import Section
from clearwood.study.study import Study
from clearwood.words.numbers import many, row_count, rows


def difference_section(study: Study, older: Model | None, name: str) -> Section | None:
    """Regions with the most rows of the table first; None where there is no older model."""
    if older is None:
        return None
    found = diff(older, study.model, study.table, names=(name or "the older model", "this model"))
    parts = [paragraph(_summary(found)), *map(paragraph, found.about)]
    if found.left_open:
        parts.append(paragraph(found.left_open))
    if found.flows:
        lines = [(_given(each.before), _given(each.after), row_count(each.rows)) for each in found.flows]
        caption = "Rows whose answer changes."
        parts.append(table(("before", "now", "rows"), lines, numbers=(2,), caption=caption))
    if found.regions:
        parts.append(_regions(found))
    if not found.exact and found.changed_rows:
        lines = [(f"{each.row:,}", _given(each.before), _given(each.after)) for each in found.changed_rows]
        caption = "The first rows whose answer changes."
        parts.append(table(("row", "before", "now"), lines, numbers=(0,), caption=caption))
    return Section("difference", "What changed", "\n".join(parts))


def _summary(found: Difference) -> str:
    sentences = [f"Beside {found.names[0]}."]
    if found.rows and found.changed is not None:
        share = percentage(found.changed / found.rows)
        sentences.append(f"{rows(found.changed)} of {row_count(found.rows)} get another answer ({share}).")
    if found.exact:
        sure = "of all rows that could be" if not found.left_open else "of the rows that were looked at"
        where = (
            f"change in {many(found.regions_in_all, 'region')}" if found.regions_in_all else "do not change"
        )
        sentences.append(f"Answers {sure} {where}.")
    else:
        sentences.append(found.reached)
    return " ".join(sentences)


def _regions(found: Difference) -> str:
    lines = [
        (_given(each.before), _given(each.after), _rows(each), isolated(each.region))
        for each in found.regions
    ]
    more = found.regions_in_all - len(found.regions)
    caption = "Where answers change, with the rows of the table" + (
        f"; {more:,} more are left out." if more else "."
    )
    return table(("before", "now", "rows", "region"), lines, numbers=(2,), caption=caption)


def _rows(region: ChangedRegion) -> str:
    return region_size_words(region).split(" ", maxsplit=1)[0]


def _given(answer: Given) -> str:
    return isolated(answer_words(answer))
