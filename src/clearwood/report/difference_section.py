"""What changed: where this model answers differently from an older one, and what else is not the same."""

from __future__ import annotations

from clearwood.checking.difference.difference import ChangedRegion, ChangedRow, Difference, Flow
from clearwood.checking.difference.differing import diff
from clearwood.draw.model_difference import EXAMPLES, change_words, region_size_words
from clearwood.models.model import Model
from clearwood.report.markup import isolated, paragraph, percentage, table
from clearwood.report.page import Section
from clearwood.study.study import Study
from clearwood.words.numbers import many_in_words, row_count, rows


def difference_section(study: Study, older: Model | None, name: str) -> Section | None:
    """Regions with the most rows of the table first; None where there is no older model."""
    if older is None:
        return None
    difference = diff(older, study.model, study.table, names=(name or "the older model", "this model"))
    parts = [paragraph(_summary(difference)), *map(paragraph, difference.about)]
    if difference.left_open:
        parts.append(paragraph(difference.left_open))
    if difference.flows:
        lines = [(*_answers(each), rows(each.rows)) for each in difference.flows]
        caption = "Rows whose prediction changes."
        parts.append(table(("before", "now", "rows"), lines, numbers=(2,), caption=caption))
    if difference.regions:
        parts.append(_regions(difference))
    if difference.rows_stand_for_regions:
        lines = [(f"{each.row:,}", *_answers(each)) for each in difference.changed_rows]
        caption = "The first rows whose prediction changes."
        parts.append(table(("row", "before", "now"), lines, numbers=(0,), caption=caption))
    return Section("difference", "What changed", "\n".join(parts))


def _summary(difference: Difference) -> str:
    sentences = [f"Beside {difference.names[0]}."]
    if difference.rows and difference.changed is not None:
        share = percentage(difference.changed / difference.rows)
        of = f"{rows(difference.changed)} of {row_count(difference.rows)}"
        sentences.append(f"{of} get another prediction ({share}).")
    if difference.exact:
        sure = "of all rows that could be" if not difference.left_open else "of the rows that were looked at"
        regions = difference.regions_in_all
        if regions:
            sentences.append(f"Predictions {sure} change in {many_in_words(regions, 'region')}.")
        elif difference.left_open:
            sentences.append("Within the budget no region was found in which predictions change.")
        else:
            sentences.append(f"Predictions {sure} do not change.")
    else:
        sentences.append(difference.reached)
    return " ".join(sentences)


def _regions(difference: Difference) -> str:
    lines = [(*_answers(each), _rows(each), isolated(each.region)) for each in difference.regions]
    more = difference.regions_in_all - len(difference.regions)
    left_out = f"; {more:,} more are left out." if more else "."
    caption = "Where predictions change, with the rows of the table" + (
        f". {EXAMPLES}" if difference.examples else left_out
    )
    return table(("before", "now", "rows", "region"), lines, numbers=(2,), caption=caption)


def _rows(region: ChangedRegion) -> str:
    return region_size_words(region).split(" ", maxsplit=1)[0]


def _answers(change: Flow | ChangedRow | ChangedRegion) -> tuple[str, ...]:
    return tuple(map(isolated, change_words(change.before, change.after)))
