"""An ensemble in a page: its curves, its first member, and its columns by importance."""

from __future__ import annotations

from contextlib import suppress
from typing import Final

from clearwood.draw import charts
from clearwood.draw.ensemble import columns_listed, curve_in_words
from clearwood.draw.pictures import picture as drawn
from clearwood.errors import ClearwoodError
from clearwood.models.ensemble import Ensemble
from clearwood.report.markup import details, isolated, paragraph, picture_html, table
from clearwood.words.numbers import percent

_COLUMNS: Final = 20


def members_of(model: Ensemble) -> str:
    """How well it did by the number of its members, and the first of them."""
    parts = [paragraph(curve_in_words(each)) for each in model.curves]
    if any(len(each.values) > 1 for each in model.curves):
        with suppress(ClearwoodError):  # no renderer for charts
            parts.append(picture_html(charts.learning(model)))
    with suppress(ClearwoodError):  # where there is no picture of it
        parts.append(details("The first member", picture_html(drawn(model))))
    return "\n".join(parts)


def importances_html(model: Ensemble) -> str:
    """The columns by how much their splits took away, where the members are trees."""
    listed = columns_listed(model)[:_COLUMNS]
    lines = [(isolated(name), f"{percent(part)} %") for name, part in listed]
    if not lines:
        return ""
    return table(
        ("column", "importance"), lines, numbers=(1,), caption="Each column's part of what all splits gained."
    )
