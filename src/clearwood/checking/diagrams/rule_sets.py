"""Sets of rules as integers, a bit per rule: those that a cell allows, and those that have been asked all."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Protocol, TypeAlias

from clearwood.checking.diagrams.diagram import AskingOrder, DiagramNodes, DiagramTooLargeError
from clearwood.models.space.axes import GroupBox


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


# Unfolding: what may still happen to the rows of a part, level by level, becomes a diagram.


# Open rules looked at for each state that a diagram may have: one of a thousand rules takes as long as a
# hundred of ten.
_RULES_PER_STATE: Final = 50

OpenRules: TypeAlias = tuple[int, Hashable]  # the rules that may still hold; what the others have come to


class Unfolds(Protocol):
    """A list of rules of which rows know the cells of some columns, in an order.

    States that `after` makes equal must give every row the same, whatever its other cells are; one without
    open rules is settled, and `value` is what its rows get.
    """

    @property
    def sets(self) -> RuleSets: ...
    @property
    def start(self) -> OpenRules: ...

    def after(self, level: int, rules: int, come: Hashable) -> OpenRules:
        """The state of rows whose cells up to this level leave these rules, as simple as it can be told."""
        ...

    def value(self, come: Hashable) -> Hashable: ...


def unfolded(rules: Unfolds, nodes: DiagramNodes, most: int) -> int:
    """The root of the diagram of a list of rules; an error where it takes more than `most` states, or
    so many open rules that these would take much longer than they usually do."""
    sets, depth = rules.sets, nodes.order.depth
    start = rules.after(0, *rules.start)
    if not start[0]:
        return nodes.end(rules.value(start[1]))
    # [level] the states that are asked there, and then the children of each
    levels: list[dict[OpenRules, list[tuple[int, OpenRules]]]] = [{} for _ in range(depth)]
    first = sets.level_of(start[0], 0)
    levels[first][start] = []
    states, looked = 1, 0
    for level, own in enumerate(levels):
        seen: dict[OpenRules, tuple[int, OpenRules]] = {}
        for state, children in own.items():
            alive, come = state
            for allowed in sets.allowed[level]:
                left = (alive & allowed, come)
                child = seen.get(left)
                if child is None:
                    looked += left[0].bit_count()
                    then = rules.after(level + 1, *left)
                    below = sets.level_of(then[0], level + 1) if then[0] else depth
                    if below < depth and then not in levels[below]:
                        levels[below][then] = []
                        states += 1
                    if states > most or looked > _RULES_PER_STATE * most:
                        raise DiagramTooLargeError
                    child = seen[left] = (below, then)
                children.append(child)
    numbers: list[dict[OpenRules, int]] = [{} for _ in range(depth + 1)]
    ends = numbers[depth]
    for level in range(depth - 1, -1, -1):
        for state, children in levels[level].items():
            for below, then in children:
                if below == depth and then not in ends:
                    ends[then] = nodes.end(rules.value(then[1]))
            numbers[level][state] = nodes.node(level, tuple(numbers[below][then] for below, then in children))
    return numbers[first][start]
