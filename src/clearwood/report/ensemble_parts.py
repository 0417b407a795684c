"""An ensemble in a page: its learning curves, and its members."""

from __future__ import annotations

from contextlib import suppress
from typing import Final

from clearwood.draw.ensemble import curve_in_words
from clearwood.draw.pictures import picture as drawn
from clearwood.errors import ClearwoodError
from clearwood.models.ensemble import Ensemble
from clearwood.report.markup import details, paragraph, picture_html
from clearwood.report.page import live

_PICTURED: Final = 100  # leaves of a first tree that stands there until the script draws it


def members_of(model: Ensemble) -> str:
    """How well it did by the number of its members, and these one by one."""
    from clearwood.draw import charts

    parts = [paragraph(curve_in_words(each)) for each in model.curves]
    if any(len(each.values) > 1 for each in model.curves):
        with suppress(ClearwoodError):  # no renderer for charts
            parts.append(picture_html(charts.learning(model)))
    if model.trees is not None:
        leaves = int(model.trees[0].is_leaf.sum())
        parts.append(live("members", picture_html(drawn(model)) if leaves <= _PICTURED else ""))
        return "\n".join(parts)
    with suppress(ClearwoodError):  # where there is no picture of it
        parts.append(details("The first member", picture_html(drawn(model))))
    return "\n".join(parts)
