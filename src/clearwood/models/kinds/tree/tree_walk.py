"""A tree's walk: the nodes that the rows of a box wait at, and the leaves that they have come to."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from typing import Final, TypeAlias

import numpy as np

from clearwood.arrays import Floats
from clearwood.models.decision import adjusted, decided
from clearwood.models.kinds.tree.tree import Tree, node_shares, node_values
from clearwood.models.space.axes import Ask, Domains
from clearwood.models.space.input_space import InputSpace
from clearwood.models.space.settling import Identities, WalkStep
from clearwood.models.space.walk import SplitSteps

_CLEAR: Final = 1e-9  # a lead by which rounding cannot change who is first
_UNCLEAR: Final = object()

Waiting: TypeAlias = tuple[int, int, float]  # a node, the test that is open there, and the part of the row
Come: TypeAlias = tuple[int, float]  # a leaf, and the part of the row


@dataclass(frozen=True, slots=True, eq=False)
class TreePlan:
    """A tree as walks read it, node by node."""

    tests: list[tuple[tuple[int, int, int], ...]]  # [node] (column, groups, child), in the order of asking
    rest: list[tuple[tuple[int, float], ...]]  # [node] (child, part) where none holds
    identity: list[int]  # [node] of the subtree
    below: list[frozenset[object]]  # [node] the answers of all leaves below
    lone: list[object]  # [node] what it answers as a leaf, if the whole row comes to it
    low: list[float]  # [node] the least figure of all leaves below
    high: list[float]
    how: Hashable  # what makes answers of shares
    bounded: bool  # are shares left as the leaves have them?
    mixes: bool  # is an answer that all leaves below give that of every mixture of them?


@dataclass(frozen=True, slots=True)
class TreeWalk:
    plan: TreePlan
    waiting: tuple[Waiting, ...] = ((0, 0, 1.0),)
    come: tuple[Come, ...] = ()

    @property
    def steps(self) -> tuple[WalkStep, ...]:
        plan = self.plan
        return tuple(
            ((plan.identity[node], part), (plan.tests[node][test][:2],)) for node, test, part in self.waiting
        )

    @property
    def key(self) -> Hashable:
        identity = self.plan.identity
        held = [(identity[node], part) for node, _, part in self.waiting]
        held += [(identity[node], part) for node, part in self.come]
        return self.plan.how, tuple(sorted(held))

    @property
    def answer(self) -> tuple[object] | None:
        plan = self.plan
        if not self.waiting and len(self.come) == 1:
            alone = plan.lone[self.come[0][0]]
            return None if alone is _UNCLEAR else (alone,)
        if not plan.mixes:
            return None
        answers: set[object] = set()
        for node in self._nodes():
            answers |= plan.below[node]
            if len(answers) > 1:
                return None
        return None if _UNCLEAR in answers else (answers.pop(),)

    @property
    def ends(self) -> tuple[float, float] | None:
        if not self.plan.bounded:
            return None
        low = high = 0.0
        for node, part in (*((node, part) for node, _, part in self.waiting), *self.come):
            low += part * self.plan.low[node]
            high += part * self.plan.high[node]
        return low, high

    def within(self, box: Domains) -> TreeWalk:
        plan = self.plan
        waiting: list[Waiting] = []
        come: list[Come] = list(self.come)
        moving = list(reversed(self.waiting))
        while moving:
            node, test, part = moving.pop()
            tests = plan.tests[node]
            while test < len(tests):
                column, groups, child = tests[test]
                held = box[column] & groups
                if held == box[column]:
                    moving.append((child, 0, part))
                    break
                if held:
                    waiting.append((node, test, part))
                    break
                test += 1
            else:
                rest = plan.rest[node]
                if rest:
                    moving.extend((child, 0, part * share) for child, share in reversed(rest))
                else:
                    come.append((node, part))
        return TreeWalk(plan, tuple(waiting), tuple(come))

    def _nodes(self) -> list[int]:
        return [*(node for node, _, _ in self.waiting), *(node for node, _ in self.come)]


def tree_walk(
    tree: Tree,
    space: InputSpace,
    identities: Identities,
    fixed: Mapping[int, int] | None = None,
    about: int | None = None,
) -> TreeWalk:
    """A tree at the beginning of its walk. Columns that are `fixed` to some groups are not asked again;
    `about` is the class whose share is the figure of `ends`."""
    figures, answers = _figures(tree), _answers(tree)
    n = len(tree.nodes)
    figure = figures[:, 0 if about is None else about]
    plan = TreePlan(
        [()] * n,
        [()] * n,
        [0] * n,
        [frozenset()] * n,
        list(answers),
        figure.tolist(),
        figure.tolist(),
        how=(tree.schema.classes, tree.decision),
        bounded=not tree.decision.adjusts,
        mixes=tree.decision.calibration is None and not tree.is_numeric,
    )
    clear, steps = _clear(tree, figures), space.steps(tree)
    leaf = tree.nodes.is_leaf
    for node in range(n - 1, -1, -1):
        if leaf[node]:
            plan.identity[node] = identities.of(("leaf", *figures[node].tolist()))
            plan.below[node] = frozenset((answers[node] if clear[node] else _UNCLEAR,))
            continue
        _plan_split(plan, steps.at(node), identities, node, fixed or {})
    return TreeWalk(plan)


def _plan_split(
    plan: TreePlan, split: SplitSteps, identities: Identities, node: int, fixed: Mapping[int, int]
) -> None:
    tests: list[tuple[int, int, int]] = []
    rest = split.rest
    for test in split.tests:
        column, groups, child = test.column, test.groups, test.child
        if column in fixed:
            if fixed[column] & groups:
                rest = ((child, 1.0),)
                break
            continue
        if groups:
            tests.append((column, groups, child))
    plan.tests[node], plan.rest[node] = tuple(tests), rest
    reached = list(dict.fromkeys([*(child for *_, child in tests), *(child for child, _ in rest)]))
    # Where no branch has a share, rows that no test sends get no share of any class.
    nowhere = () if rest else (0.0,)
    plan.lone[node] = _UNCLEAR
    plan.below[node] = frozenset((_UNCLEAR,)[: len(nowhere)]).union(*(plan.below[child] for child in reached))
    plan.low[node] = min((*(plan.low[child] for child in reached), *nowhere))
    plan.high[node] = max((*(plan.high[child] for child in reached), *nowhere))
    if not tests and len(rest) == 1:
        plan.identity[node] = plan.identity[rest[0][0]]
        return
    asked: tuple[tuple[Ask, int], ...] = tuple(
        ((column, groups), plan.identity[child]) for column, groups, child in tests
    )
    left = tuple((plan.identity[child], part) for child, part in rest)
    plan.identity[node] = identities.of(("split", asked, left))


def _figures(tree: Tree) -> Floats:
    """[node, class] its shares before the decision adjusts them; of a tree of numbers [node, 1]."""
    return node_values(tree)[:, None] if tree.is_numeric else node_shares(tree)


def _answers(tree: Tree) -> list[object]:
    """[node] what a row gets that comes to it whole."""
    if tree.is_numeric:
        return list(node_values(tree).tolist())
    shares = adjusted(node_shares(tree), tree.decision)
    names = np.array([*tree.schema.classes, None], dtype=object)
    return list(names[decided(shares, tree.decision, tree.schema.classes)])


def _clear(tree: Tree, figures: Floats) -> list[bool]:
    """[node] is its answer the same if its shares change a little, as they do where they are mixed?"""
    if tree.is_numeric:
        return [True] * len(figures)
    decision, classes = tree.decision, tree.schema.classes
    same = np.ones(len(figures), dtype=np.bool_)
    answers = decided(adjusted(figures, decision), decision, classes)
    for place in range(len(classes)):
        for change in (-_CLEAR, _CLEAR):
            moved = figures.copy()
            moved[:, place] = np.clip(moved[:, place] + change, 0.0, 1.0)
            same &= decided(adjusted(moved, decision), decision, classes) == answers
    return [bool(each) for each in same]
