"""The order of columns: first those that bring most rules nearest to their ends."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from clearwood.audit.axes import GroupBox

_LATER: Final = 0.97  # what a rule counts, beside the one before it


def column_order(lists: Sequence[Sequence[GroupBox]]) -> tuple[int, ...]:
    """The columns that rules of these lists ask about. A short rule counts more than a long one, by what is
    left to ask of it, and an early one more than those behind it, which it may hide.

    >>> column_order([[((0, 1), (1, 1)), ((2, 1),)]])
    (2, 0, 1)
    """
    left = [({column for column, _ in box}, place) for boxes in lists for place, box in enumerate(boxes)]
    columns = sorted(set[int]().union(*(asked for asked, _ in left)))
    order: list[int] = []
    while columns:
        weights = dict.fromkeys(columns, 0.0)
        for asked, place in left:
            for column in asked:
                weights[column] += 0.5 ** len(asked) * _LATER**place
        first = max(columns, key=weights.__getitem__)
        order.append(first)
        columns.remove(first)
        for asked, _ in left:
            asked.discard(first)
    return tuple(order)
