"""A tree as a decision table: a row for each way that a row can go, missing cells and all.

A split asks in order, so its branches become rows in that order; then its surrogates; then what is left.
Where a row is divided among branches, what can happen below each of them is combined: the answer is mixed
from all the leaves that are reached. Such ways multiply, so a table may become too long to be written.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np

from clearwood.export.exportable import inputs_of
from clearwood.export.tables.lines import DecisionRow, DecisionTable, HitPolicy
from clearwood.models.conditions import (
    Condition,
    Equals,
    IsMissing,
    OneOf,
    OnNumbers,
    bounds_of,
    holds,
    never_holds,
    one_of,
    values_of,
)
from clearwood.models.deciding import adjusted, decided
from clearwood.models.kinds.tree.node_answers import node_shares, node_values
from clearwood.models.kinds.tree.nodes import weight_of
from clearwood.models.kinds.tree.paths import add_condition
from clearwood.models.kinds.tree.tree import Tree
from clearwood.models.kinds.tree.tree_program import leaf_texts
from clearwood.models.routing import Route, Test, route_at
from clearwood.table.attributes import Nominal, Ordinal

MOST_MIXED: Final = 2000  # rows beyond the leaves: more of them nobody reads


@dataclass(frozen=True, slots=True)
class _Unseen:
    """A value that the model never met."""


UNSEEN: Final = _Unseen()


@dataclass(frozen=True, slots=True)
class _Ways:
    """Where a row may still go: nodes with the part of it, leaves that it came to, and what is known of its
    cells: of numbers a condition, of values which are possible (None is missing). `ordered` are the numbers
    of which only the order of asking says the rest."""

    open: tuple[tuple[int, float], ...]
    leaves: tuple[tuple[int, float], ...]
    numbers: Mapping[str, Condition]
    values: Mapping[str, frozenset[object]]
    ordered: frozenset[str] = frozenset()


def table_of_tree(tree: Tree) -> DecisionTable | None:
    """The table of a tree; None: it would be too long."""
    order = {each.name: each.values for each in inputs_of(tree) if isinstance(each, Nominal | Ordinal)}
    domains = {name: frozenset((*values, None, UNSEEN)) for name, values in order.items()}
    most = MOST_MIXED + int(tree.nodes.is_leaf.sum())
    ways: list[_Ways] = []
    for each in _ways(tree, domains):
        ways.append(each)
        if len(ways) > most:
            return None
    answers, shares = _answered(tree, ways)
    reasons = dict(zip(np.flatnonzero(tree.nodes.is_leaf).tolist(), leaf_texts(tree), strict=True))
    weights = [weight_of(each, numeric=tree.is_numeric) for each in tree.nodes.counts.tolist()]
    rows = []
    for place, way in enumerate(ways):
        when, rest = _asked(way, domains, order)
        weight, reason = None, None
        if len(way.leaves) == 1:
            only = way.leaves[0][0]
            weight, reason = weights[only], reasons[only]
        rows.append(DecisionRow(when, rest, answers[place], tuple(shares[place]), weight, reason))
    policy: HitPolicy = "first" if any(row.rest for row in rows) else "unique"
    return DecisionTable(tree, inputs_of(tree), tuple(rows), policy)


def _ways(tree: Tree, domains: Mapping[str, frozenset[object]]) -> Iterator[_Ways]:
    """Every way through the tree, in the order of asking."""
    routes: dict[int, Route[Condition]] = {}
    stack = [_Ways(((0, 1.0),), (), {}, {})]
    while stack:
        now = stack.pop()
        if not now.open:
            yield now
            continue
        (node, part), later = now.open[0], now.open[1:]
        if tree.nodes.is_leaf[node]:
            stack.append(replace(now, open=later, leaves=(*now.leaves, (node, part))))
            continue
        if node not in routes:
            routes[node] = route_at(tree, node)
        stack += reversed(list(_below(tree, node, part, now, later, routes[node], domains)))


def _below(
    tree: Tree,
    node: int,
    part: float,
    now: _Ways,
    later: tuple[tuple[int, float], ...],
    route: Route[Condition],
    domains: Mapping[str, frozenset[object]],
) -> Iterator[_Ways]:
    children = tree.nodes.children(node)
    left: _Ways | None = now
    asked: list[Condition] = []
    last = _with_the_rest(route)
    for test in route.tests:
        if test is last:
            continue
        if left is None:
            return
        taken = _where(left, test.when, domains)
        if taken is not None:
            if _overlaps(test.when, asked):
                taken = replace(taken, ordered=taken.ordered | {test.when.name})
            yield replace(taken, open=((int(children[test.way.branch]), part), *later))
        asked.append(test.when)
        left = _where_not(left, asked, domains)
    if last is not None and left is not None and isinstance(last.when, OnNumbers):
        left = _with_number(left, replace(last.when, or_missing=True))
    elif left is not None:
        left = replace(left, ordered=left.ordered | _uncovered(asked, domains))
    if left is not None:
        rest = tuple((int(children[way.branch]), part * way.part) for way in route.rest)
        yield replace(left, open=(*rest, *later))


def _with_the_rest(route: Route[Condition]) -> Test[Condition] | None:
    """The test of the branch that takes what is left as well, where the two can be asked as one, at last."""
    if len(route.rest) != 1 or any(test.way.because != "cell" for test in route.tests):
        return None
    own = [test for test in route.tests if test.way.branch == route.rest[0].branch]
    others = [test.when for test in route.tests if test.way.branch != route.rest[0].branch]
    if len(own) != 1:
        return None
    when = own[0].when
    if isinstance(when, OnNumbers):
        apart = not _overlaps(when, others) and not any(holds(each, None) for each in others)
        return own[0] if apart and _covers([when, *others]) else None
    values = set().union(*map(values_of, others))
    return own[0] if isinstance(when, Equals | OneOf) and values.isdisjoint(values_of(when)) else None


def _where(ways: _Ways, condition: Condition, domains: Mapping[str, frozenset[object]]) -> _Ways | None:
    """What is known where a condition holds too; None: it cannot."""
    name = condition.name
    if name in domains:
        possible = frozenset(each for each in ways.values.get(name, domains[name]) if _takes(condition, each))
        return replace(ways, values={**ways.values, name: possible}) if possible else None
    return _with_number(ways, condition)


def _where_not(ways: _Ways, asked: list[Condition], domains: Mapping[str, frozenset[object]]) -> _Ways | None:
    """What is known where the last that was asked does not hold either; None: one of them always does."""
    condition = asked[-1]
    name = condition.name
    if name in domains:
        known = ways.values.get(name, domains[name])
        possible = frozenset(each for each in known if not _takes(condition, each))
        return replace(ways, values={**ways.values, name: possible}) if possible else None
    of_name = [each for each in asked if each.name == name]
    if not _covers(of_name):
        return ways
    # No number is left: the cell is missing, if a missing one has not gone another way.
    return None if any(holds(each, None) for each in of_name) else _with_number(ways, IsMissing(name))


def _with_number(ways: _Ways, condition: Condition) -> _Ways | None:
    numbers = dict(ways.numbers)
    add_condition(numbers, condition)
    return None if never_holds(numbers[condition.name]) else replace(ways, numbers=numbers)


def _overlaps(condition: Condition, asked: list[Condition]) -> bool:
    """Is a number taken by it that was taken already? Then only the order tells."""
    low, high = bounds_of(condition)
    for each in asked:
        if each.name == condition.name and isinstance(each, OnNumbers):
            low_too, high_too = bounds_of(each)
            if max(low, low_too) < min(high, high_too) or (holds(each, None) and holds(condition, None)):
                return True
    return False


def _uncovered(asked: list[Condition], domains: Mapping[str, frozenset[object]]) -> frozenset[str]:
    names = {each.name for each in asked if each.name not in domains}
    return frozenset(name for name in names if not _covers([each for each in asked if each.name == name]))


def _covers(conditions: list[Condition]) -> bool:
    """Does every number satisfy one of them?"""
    reached = -np.inf
    for low, high in sorted(bounds_of(each) for each in conditions if isinstance(each, OnNumbers)):
        if low > reached:
            return False
        reached = max(reached, high)
    return bool(reached == np.inf)


def _takes(condition: Condition, value: Any) -> bool:
    return value is not UNSEEN and holds(condition, value)


def _asked(
    way: _Ways, domains: Mapping[str, frozenset[object]], order: Mapping[str, tuple[str, ...]]
) -> tuple[dict[str, Condition], frozenset[str]]:
    """The conditions of a way, and the attributes of which an unseen value is taken too, but not any."""
    when = dict(way.numbers)
    rest = list(way.ordered)
    for name, possible in way.values.items():
        if possible == domains[name]:
            continue
        if UNSEEN in possible:
            rest.append(name)
        else:
            values = tuple(each for each in order[name] if each in possible)
            when[name] = one_of(name, values, None in possible)
    return when, frozenset(rest)


def _answered(tree: Tree, ways: Sequence[_Ways]) -> tuple[list[str | float | None], list[list[float]]]:
    """The answer and the shares of each way.

    Parts are added from leaf to leaf, as in prediction: where two classes are level, the last digit decides.
    """
    figures = node_values(tree)[:, None] if tree.is_numeric else node_shares(tree)
    mixed = np.zeros((len(ways), figures.shape[1]))
    for place, way in enumerate(ways):
        for leaf, part in sorted(way.leaves):
            mixed[place] += part * figures[leaf]
    if tree.is_numeric:
        return mixed[:, 0].tolist(), [[] for _ in ways]
    shown = adjusted(mixed, tree.decision)
    classes = tree.schema.classes
    codes = decided(shown, tree.decision, classes)
    return [None if code < 0 else classes[code] for code in codes], shown.tolist()
