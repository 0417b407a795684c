"""The way to a node: its conditions from the top, with what is said twice of an attribute said once."""

from __future__ import annotations

from dataclasses import replace

from clearwood.formulas.conditions import (
    Condition,
    Equals,
    IsMissing,
    OneOf,
    OnNumbers,
    between_limits,
    high_bound,
    limits_of,
    low_bound,
    never_holds,
    one_of,
    takes_missing,
)
from clearwood.models.kinds.tree.tree import Tree


def path_to(tree: Tree, node: int) -> tuple[Condition, ...]:
    """The conditions on the way to a node, merged by attribute, in the order they were first asked."""
    steps: list[Condition] = []
    while node > 0:
        steps.append(tree.condition(node))
        node = int(tree.nodes.parent[node])
    return merged_conditions(steps[::-1])


def merged_conditions(conditions: list[Condition]) -> tuple[Condition, ...]:
    """The same said shorter: of two upper bounds the tighter, of two sets the common part.

    >>> from clearwood.formulas.conditions import Above, AtMost
    >>> [str(c) for c in merged_conditions([Above("Age", 30.0), Equals("Sex", "F"), AtMost("Age", 50.0)])]
    ['30 < Age ≤ 50', 'Sex = F']
    """
    by_name: dict[str, Condition] = {}
    for condition in conditions:
        add_condition(by_name, condition)
    return tuple(by_name.values())


def add_condition(by_name: dict[str, Condition], condition: Condition) -> None:
    """Add a condition to those of a way, merged with what is said there of its attribute."""
    before = by_name.get(condition.name)
    by_name[condition.name] = condition if before is None else _both(before, condition)


def _both(one: Condition, two: Condition) -> Condition:
    if never_holds(one) or never_holds(two):
        return one if never_holds(one) else two
    missing = takes_missing(one) and takes_missing(two)
    if isinstance(one, IsMissing) or isinstance(two, IsMissing):
        # Nothing but a missing cell satisfies one of them: it is what satisfies both, or nothing does.
        return IsMissing(one.name) if missing else OneOf(one.name, ())
    if isinstance(one, Equals | OneOf) and isinstance(two, Equals | OneOf):
        others = set(_values(two))
        common = tuple(value for value in _values(one) if value in others)
        return one_of(one.name, common, missing) if common or missing else OneOf(one.name, ())
    assert isinstance(one, OnNumbers)
    assert isinstance(two, OnNumbers)
    (low, high), (low_too, high_too) = limits_of(one), limits_of(two)
    both = between_limits(
        one.name, max(low, low_too, key=low_bound), min(high, high_too, key=high_bound), missing
    )
    return IsMissing(one.name) if missing and never_holds(replace(both, or_missing=False)) else both


def _values(condition: Equals | OneOf) -> tuple[str, ...]:
    return (condition.value,) if isinstance(condition, Equals) else condition.values
