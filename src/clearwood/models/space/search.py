"""A row outside of boxes: found, or proved not to exist, by narrowing the columns and trying both sides.

This is satisfiability: outside of a box a row has at least one column whose cell the box's set does not
hold. A box that only one column can still avoid narrows that column; when no box forces anything, the
shortest one is avoided by one of its columns, and if that fails, that column is kept inside of it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from clearwood.models.space.axes import Domains, GroupBox


class TooLongError(Exception):
    """The search has used up what it was allowed."""


@dataclass(slots=True)
class Budget:
    """How many boxes may still be looked at, in one search and in all; the same on every machine."""

    each: int
    left: int

    def spend(self, used: int, looked: int) -> int:
        used += looked
        self.left -= looked
        if used > self.each or self.left < 0:
            raise TooLongError
        return used


def find_outside(domains: Domains, boxes: Iterable[GroupBox], budget: Budget) -> Domains | None:
    """A part of `domains` that no box touches, or None where together they cover it all.

    >>> find_outside([0b111], [((0, 0b001),), ((0, 0b100),)], Budget(99, 99))
    [2]
    >>> find_outside([0b111], [((0, 0b011),), ((0, 0b110),)], Budget(99, 99)) is None
    True
    """
    waiting = [(list(domains), list(boxes))]
    used = 0
    while waiting:
        narrowed, left = waiting.pop()
        used = budget.spend(used, len(left) + 1)
        open_boxes = narrow(narrowed, left)
        if open_boxes is None:
            continue
        if not open_boxes:
            return narrowed
        column, groups = _choice(open_boxes)
        inside = list(narrowed)
        inside[column] &= groups
        waiting.append((inside, open_boxes))
        narrowed[column] &= ~groups
        waiting.append((narrowed, open_boxes))
    return None


def box_of(domains: Domains, everywhere: Domains) -> GroupBox:
    """The columns in which the domains are not all there is, each with its groups."""
    both = enumerate(zip(domains, everywhere, strict=True))
    return tuple((column, groups) for column, (groups, every) in both if groups != every)


def widened(domains: Domains, boxes: Iterable[GroupBox], everywhere: Domains) -> Domains:
    """The part as large as it can be without touching a box: the fewest columns restricted, the rest free."""
    wide = list(domains)
    boxes = list(boxes)
    for column, everything in enumerate(everywhere):
        forbidden = 0
        for box in boxes:
            own = everything
            for each, groups in box:
                if each == column:
                    own = groups
                elif not wide[each] & groups:
                    break  # another column keeps clear of this box
            else:
                forbidden |= own
        wide[column] = everything & ~forbidden
    return wide


def narrow(domains: Domains, boxes: list[GroupBox]) -> list[GroupBox] | None:
    """Narrow `domains` by what single boxes force; the boxes still open, or None where one covers all."""
    while True:
        forced = False
        still: list[GroupBox] = []
        for box in boxes:
            rest = []
            for column, groups in box:
                domain = domains[column]
                if not domain & groups:
                    break
                if domain & ~groups:
                    rest.append((column, groups))
            else:
                if not rest:
                    return None
                if len(rest) == 1:
                    column, groups = rest[0]
                    domains[column] &= ~groups
                    forced = True
                else:
                    still.append(tuple(rest))
        boxes = still
        if not forced:
            return boxes


def _choice(boxes: list[GroupBox]) -> tuple[int, int]:
    """A column of the shortest box, the one that most boxes ask about."""
    shortest = min(boxes, key=len)
    uses: dict[int, int] = {}
    for box in boxes:
        for column, _ in box:
            uses[column] = uses.get(column, 0) + 1
    return max(shortest, key=lambda each: uses[each[0]])
