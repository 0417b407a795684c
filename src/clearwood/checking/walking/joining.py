"""Joining: parts that differ in one column only become one, until none are left that do."""

from __future__ import annotations

from collections.abc import Iterable

from clearwood.audit.axes import Domains


def joined_parts(parts: Iterable[Domains]) -> list[Domains]:
    """The same rows in fewer parts; parts that share no row still share none.

    >>> joined_parts([[0b01, 0b1], [0b10, 0b1], [0b11, 0b10]])
    [[3, 3]]
    """
    boxes = [tuple(part) for part in parts]
    width = len(boxes[0]) if boxes else 0
    fewer = True
    while fewer:
        before = len(boxes)
        for column in range(width):
            together: dict[tuple[int, ...], int] = {}
            for box in boxes:
                others = box[:column] + box[column + 1 :]
                together[others] = together.get(others, 0) | box[column]
            boxes = [(*key[:column], groups, *key[column:]) for key, groups in together.items()]
        fewer = len(boxes) < before
    return [list(box) for box in boxes]
