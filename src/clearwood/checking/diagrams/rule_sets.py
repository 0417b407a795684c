"""Sets of rules as integers, a bit per rule: those that a cell allows, and those that have been asked all."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from clearwood.audit.axes import GroupBox
from clearwood.checking.diagrams.diagram import AskingOrder


@dataclass(frozen=True, slots=True)
class RuleSets:
    """Of a list of rules, level by level of the order in which columns are asked."""

    every: int
    allowed: tuple[tuple[int, ...], ...]  # [level][group that may occur] the rules that still can hold
    asking: tuple[int, ...]  # [level] the rules with a condition on its column
    complete: tuple[int, ...]  # [level] the rules without a condition at it or below
    hides: tuple[tuple[int, ...], ...]  # [level][rule] later ones that hold only where it does, from there on

    def level_of(self, rules: int, level: int) -> int:
        """The next level at which one of these is asked something."""
        while not rules & self.asking[level]:
            level += 1
        return level


def sets_by_level(boxes: Sequence[GroupBox], order: AskingOrder) -> RuleSets:
    """The sets of rules with these boxes, by the groups that may occur."""
    within = {
        column: sum(1 << group for group in groups)
        for column, groups in zip(order.columns, order.groups, strict=True)
    }
    asked = [
        {column: groups & within[column] for column, groups in box if within[column] & ~groups}
        for box in boxes
    ]
    possible = sum(1 << place for place, each in enumerate(asked) if all(each.values()))
    allowed, asking = [], []
    for column, groups in zip(order.columns, order.groups, strict=True):
        free = sum(1 << place for place, each in enumerate(asked) if column not in each)
        asking.append(~free & (1 << len(asked)) - 1)
        allowed.append(
            tuple(
                free | sum(1 << place for place, each in enumerate(asked) if each.get(column, 0) >> group & 1)
                for group in groups
            )
        )
    complete = [(1 << len(asked)) - 1]
    for rules in reversed(asking):
        complete.append(complete[-1] & ~rules)
    return RuleSets(possible, tuple(allowed), tuple(asking), tuple(reversed(complete)), _hides(asked, order))


def bits_of(rules: int) -> Iterator[int]:
    """The places of rules, the first first.

    >>> list(bits_of(0b1010))
    [1, 3]
    """
    while rules:
        lowest = rules & -rules
        yield lowest.bit_length() - 1
        rules ^= lowest


def _hides(asked: Sequence[dict[int, int]], order: AskingOrder) -> tuple[tuple[int, ...], ...]:
    inside: dict[tuple[int, int], int] = {}  # the rules that ask as much of a column, or more

    def as_narrow(column: int, groups: int) -> int:
        rules = inside.get((column, groups))
        if rules is None:
            rules = inside[column, groups] = sum(
                1 << place
                for place, each in enumerate(asked)
                if column in each and not each[column] & ~groups
            )
        return rules

    every = (1 << len(asked)) - 1
    hidden = [every & -(2 << place) for place in range(len(asked))]
    levels = [tuple(hidden)]
    for column in reversed(order.columns):
        for place, each in enumerate(asked):
            if column in each:
                hidden[place] &= as_narrow(column, each[column])
        levels.append(tuple(hidden))
    return tuple(reversed(levels))
