"""The order of rules: between which two of them does it decide, and on what rows?"""

from __future__ import annotations

from itertools import groupby
from typing import TypeAlias

from clearwood.audit.axes import Domains
from clearwood.audit.search import TooLongError, find_outside, narrow, widened
from clearwood.audit.work import Work

RulePair: TypeAlias = tuple[int, int]  # of two rules, counted from 0, the earlier one first


def decided_by_order(work: Work, conflicts: list[RulePair]) -> tuple[dict[RulePair, Domains], set[RulePair]]:
    """The conflicts on some row of which no rule before both holds, each with such a part of the space; and
    those left open. `conflicts` go by their earlier rule."""
    decided: dict[RulePair, Domains] = {}
    left_open: set[RulePair] = set()
    for first, pairs in groupby(conflicts, key=lambda pair: pair[0]):
        _behind(work, first, [second for _, second in pairs], decided, left_open)
    return decided, left_open


def _behind(
    work: Work, first: int, seconds: list[int], decided: dict[RulePair, Domains], left_open: set[RulePair]
) -> None:
    own = work.boxes[first]
    assert own is not None
    region = work.space.within(own)
    before = narrow(region, [box for box in work.boxes[:first] if box is not None])
    if before is None:
        return  # the first of them is dead
    boxes = {second: work.boxes[second] or () for second in seconds}
    for second in seconds:
        if (first, second) in decided:
            continue
        common = [*region]
        for column, groups in boxes[second]:
            common[column] &= groups
        if not all(common):
            continue
        try:
            outside = find_outside(common, before, work.budget)
        except TooLongError:
            left_open.add((first, second))
            continue
        if outside is None:
            continue
        # What is free of earlier rules here is wide: most of the other rules reach into it too.
        wide = widened(outside, before, region)
        decided[first, second] = outside
        for other, box in boxes.items():
            if (first, other) not in decided and all(wide[column] & groups for column, groups in box):
                reached = [*wide]
                for column, groups in box:
                    reached[column] &= groups
                decided[first, other] = reached
                left_open.discard((first, other))
