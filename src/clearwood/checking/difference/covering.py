"""Covering: parts of one kind are widened until they touch another, so that few of them hold all rows."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Final, TypeVar

from clearwood.audit.axes import Domains, GroupBox
from clearwood.audit.search import widened
from clearwood.checking.walking.joining import joined_parts

PartKind = TypeVar("PartKind", bound=Hashable)

_MOST_STEPS: Final = 3_000_000  # columns times boxes that may be in the way: a second or two


def covered(
    parts: Sequence[tuple[PartKind, Domains]], passed: Sequence[Domains], everywhere: Domains, most: int
) -> tuple[list[tuple[PartKind, Domains]], int]:
    """Wide boxes that hold the parts in this order, and touch no part of another kind and none that was
    `passed`; and how many parts are left.

    Wide boxes of one kind may share rows. Those of the first `most` parts are always made, more of them while
    there is not too much in the way.

    >>> covered([("a", [0b01, 0b01]), ("a", [0b10, 0b01]), ("b", [0b11, 0b10])], [], [0b11, 0b11], 5)
    ([('a', [3, 1]), ('b', [3, 2])], 0)
    """
    of_none = [_box(part, everywhere) for part in joined_parts(passed)]
    by_kind: dict[PartKind, list[GroupBox]] = {}
    for kind, part in parts:
        by_kind.setdefault(kind, []).append(_box(part, everywhere))
    wide: list[tuple[PartKind, Domains]] = []
    left = list(parts)
    steps = 0
    while left and (len(wide) < most or steps < _MOST_STEPS):
        kind, part = left[0]
        in_the_way = [*of_none, *(box for other, boxes in by_kind.items() if other != kind for box in boxes)]
        box = widened(part, in_the_way, everywhere)
        steps += len(in_the_way) * len(everywhere)
        wide.append((kind, box))
        left = [each for each in left[1:] if each[0] != kind or not _is_inside(each[1], box)]
    return wide, len(left)


def _box(part: Domains, everywhere: Domains) -> GroupBox:
    both = enumerate(zip(part, everywhere, strict=True))
    return tuple((column, groups) for column, (groups, every) in both if groups != every)


def _is_inside(part: Domains, box: Domains) -> bool:
    return all(not own & ~held for own, held in zip(part, box, strict=True))
