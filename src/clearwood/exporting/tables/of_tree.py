"""A tree as a decision table: a row for each way that a row can go, missing cells and all.

A split asks in order, so its branches become rows in that order; then its surrogates; then what is left.
Where a row is divided among branches, what can happen below each of them is combined: the answer is mixed
from all the leaves that are reached. Such ways multiply, so a table may become too long to be written.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from clearwood.exporting.exportable import inputs_of
from clearwood.exporting.tables.lines import DecisionRow, DecisionTable, HitPolicy
from clearwood.formulas.conditions import Condition, interval, one_of
from clearwood.models.deciding import adjusted, decided
from clearwood.models.kinds.tree.node_answers import node_shares, node_values
from clearwood.models.kinds.tree.nodes import weight_of
from clearwood.models.kinds.tree.tree import Tree
from clearwood.models.kinds.tree.tree_program import leaf_texts
from clearwood.models.routing import route_at
from clearwood.models.space.axes import Domains
from clearwood.models.space.input_space import InputSpace, input_space_of
from clearwood.models.space.walk import SplitSteps, WaysOn, with_groups
from clearwood.table.attributes import Numeric

MOST_MIXED: Final = 2000  # rows beyond the leaves: more of them nobody reads


@dataclass(frozen=True, slots=True)
class _Ways:
    """Where the rows of a box may still go: nodes with the part of each row, and leaves that they came to."""

    box: Domains
    open: WaysOn
    leaves: WaysOn = ()


def table_of_tree(tree: Tree) -> DecisionTable | None:
    """The table of a tree; None: it would be too long."""
    space = input_space_of([tree])
    most = MOST_MIXED + int(tree.nodes.is_leaf.sum())
    ways: list[_Ways] = []
    for each in _ways(tree, space):
        ways.append(each)
        if len(ways) > most:
            return None
    answers, shares = _answered(tree, ways)
    reasons = dict(zip(np.flatnonzero(tree.nodes.is_leaf).tolist(), leaf_texts(tree), strict=True))
    weights = [weight_of(each, numeric=tree.is_numeric) for each in tree.nodes.counts.tolist()]
    rows = []
    for place, way in enumerate(ways):
        when, rest = _asked(way.box, space)
        weight, reason = None, None
        if len(way.leaves) == 1:
            only = way.leaves[0][0]
            weight, reason = weights[only], reasons[only]
        rows.append(DecisionRow(when, rest, answers[place], tuple(shares[place]), weight, reason))
    policy: HitPolicy = "first" if any(row.rest for row in rows) else "unique"
    return DecisionTable(tree, inputs_of(tree), tuple(rows), policy)


def _ways(tree: Tree, space: InputSpace) -> Iterator[_Ways]:
    """Every way through the tree, in the order of asking."""
    steps, known = space.steps(tree), space.known()
    last: dict[int, bool] = {}
    stack = [_Ways(space.everywhere(), ((0, 1.0),))]
    while stack:
        now = stack.pop()
        if not now.open:
            yield now
            continue
        (node, part), later = now.open[0], now.open[1:]
        if steps.is_leaf[node]:
            stack.append(_Ways(now.box, later, (*now.leaves, (node, part))))
            continue
        if node not in last:
            surrogates = any(test.way.because != "cell" for test in route_at(tree, node).tests)
            last[node] = not surrogates and _takes_the_rest(steps.at(node), space, known)
        parts = list(steps.parts(node, now.box))
        if last[node]:
            parts = _joined(parts, steps.at(node))
        stack += [
            _Ways(box, (*((child, part * share) for child, share in on), *later), now.leaves)
            for box, on in reversed(parts)
        ]


def _takes_the_rest(split: SplitSteps, space: InputSpace, known: Domains) -> bool:
    """Does the branch that takes what is left ask a test that can be asked with that as one, at last?"""
    own = [test for test in split.tests if test.ways == split.rest]
    if len(own) != 1:
        return False
    column, groups, _ = own[0]
    others = 0
    for test in split.tests:
        others |= 0 if test is own[0] else test.groups
    if isinstance(space.axes[column].attribute, Numeric):
        left = known[column] & ~(groups | others)
        return bool(groups & known[column]) and not left | others & (groups | ~known[column])
    return bool(groups & known[column]) and not others & groups & known[column]


def _joined(parts: list[tuple[Domains, WaysOn]], split: SplitSteps) -> list[tuple[Domains, WaysOn]]:
    """The rows of that branch and those that are left as one part, behind the others."""
    column = split.tests[0].column
    together = [box for box, on in parts if on == split.rest]
    groups = 0
    for box in together:
        groups |= box[column]
    others = [each for each in parts if each[1] != split.rest]
    return [*others, *((with_groups(box, column, groups), split.rest) for box in together[:1])]


def _asked(box: Domains, space: InputSpace) -> tuple[dict[str, Condition], frozenset[str]]:
    """The conditions of a box, and the attributes of which only the rows above say more: an unseen value is
    taken too, but not any, or numbers of several intervals."""
    when: dict[str, Condition] = {}
    rest: list[str] = []
    for axis, groups in zip(space.axes, box, strict=True):
        if groups == axis.everything:
            continue
        inside = axis.cells_in(groups)
        if isinstance(axis.attribute, Numeric):
            intervals = axis.intervals(inside)
            low, high = (intervals[0][0], intervals[-1][1]) if intervals else (math.inf, -math.inf)
            when[axis.name] = interval(axis.name, low, high, inside[-1])
            rest += [axis.name] * (len(intervals) > 1)
        elif inside[axis.known]:
            rest.append(axis.name)
        else:
            values = tuple(
                str(value) for value, here in zip(axis.cells, inside[: axis.known], strict=False) if here
            )
            when[axis.name] = one_of(axis.name, values, inside[-1])
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
