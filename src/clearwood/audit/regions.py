"""Parts of the space in words: the conditions that a row must satisfy to be in it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

from clearwood.audit.axes import Axis, Domains
from clearwood.models.conditions import interval, one_of
from clearwood.models.words import written
from clearwood.table.attributes import Nominal, Ordinal

_MANY: Final = 5  # values, of which it is shorter to name the others


def region_text(axes: Sequence[Axis], domains: Domains) -> str:
    """`Outlook = Sunny AND Humidity > 75`; `any row` where no column is restricted."""
    texts = [
        _column_text(axis, groups)
        for axis, groups in zip(axes, domains, strict=True)
        if groups != axis.everything
    ]
    if len(texts) > 1:
        texts = [f"({each})" if " or " in each else each for each in texts]
    return " AND ".join(texts) or "any row"


def _column_text(axis: Axis, groups: int) -> str:
    inside = [bool(groups >> group & 1) for group in axis.group_of]
    missing = inside[-1]
    if isinstance(axis.attribute, Nominal | Ordinal):
        text = _values_text(axis, axis.attribute.values, inside)
    else:
        text = _numbers_text(axis, inside[:-1])
    if not text:
        return f"{written(axis.name)} is missing"
    return f"{text} or missing" if missing else text


def _values_text(axis: Axis, values: tuple[str, ...], inside: list[bool]) -> str:
    held = tuple(value for value, here in zip(values, inside, strict=False) if here)
    never_met = inside[len(values)]
    if never_met:
        rest = [value for value in values if value not in held]
        if not rest:
            return f"{written(axis.name)} is known"
        if not held:
            return f"{written(axis.name)} has a value never met"
        if len(rest) < len(held) and len(held) > _MANY:
            return f"{written(axis.name)} not in {{{', '.join(map(written, rest))}}}"
        return f"{one_of(axis.name, held)} or never met"
    if held == values and len(values) > _MANY:
        return f"{written(axis.name)} has a known value"
    return str(one_of(axis.name, held)) if held else ""


def _numbers_text(axis: Axis, inside: list[bool]) -> str:
    ends = (-math.inf, *axis.limits, math.inf)
    intervals, low = [], None
    for place, here in enumerate([*inside, False]):
        if here and low is None:
            low = ends[place]
        if not here and low is not None:
            intervals.append(str(interval(axis.name, low, ends[place])))
            low = None
    return " or ".join(intervals)
