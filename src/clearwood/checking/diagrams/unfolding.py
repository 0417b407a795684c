"""Unfolding: what may still happen to the rows of a part, level by level, becomes a diagram."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Final, Protocol, TypeAlias

from clearwood.checking.diagrams.diagram import DiagramNodes, DiagramTooLargeError
from clearwood.checking.diagrams.rule_sets import RuleSets

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
