"""Covering: parts of one kind are widened until they touch another, so that few of them hold all rows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from clearwood.audit.axes import Domains, GroupBox
from clearwood.audit.search import widened
from clearwood.checking.walking.joining import joined_parts

_MOST_STEPS: Final = 3_000_000  # columns times boxes that may be in the way: a second or two


def covered(
    parts: Sequence[Domains], others: Sequence[Domains], everywhere: Domains, most: int
) -> tuple[list[Domains], list[Domains]]:
    """Wide boxes that hold the parts in this order and touch none of the others; and the parts that are left.

    Wide boxes may share rows with each other. Those of the first `most` parts are always made, more of them
    while there is not too much in the way.

    >>> covered([[0b01, 0b01], [0b10, 0b01]], [[0b11, 0b10]], [0b11, 0b11], 5)
    ([[3, 1]], [])
    """
    in_the_way = [_box(part, everywhere) for part in joined_parts(others)]
    wide: list[Domains] = []
    left = list(parts)
    steps = 0
    while left and (len(wide) < most or steps < _MOST_STEPS):
        box = widened(left[0], in_the_way, everywhere)
        steps += len(in_the_way) * len(everywhere)
        wide.append(box)
        left = [part for part in left[1:] if not _is_inside(part, box)]
    return wide, left


def _box(part: Domains, everywhere: Domains) -> GroupBox:
    both = enumerate(zip(part, everywhere, strict=True))
    return tuple((column, groups) for column, (groups, every) in both if groups != every)


def _is_inside(part: Domains, box: Domains) -> bool:
    return all(not own & ~held for own, held in zip(part, box, strict=True))
