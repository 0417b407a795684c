"""The derivation of a pruning: every decision behind a ledger, counted again."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, assert_never

import numpy as np

from clearwood.arrays import Longs
from clearwood.catalogue import PRUNERS, pruner_called
from clearwood.errors import LearningError, SettingError
from clearwood.learners.trees.pruning.pruner import CHAPTER, Ledger, PruningSteps
from clearwood.models.kinds.tree.tree import Tree
from clearwood.models.model import check_kind
from clearwood.table.table import Table
from clearwood.working.derivation import (
    Answered,
    Became,
    BecameLeaf,
    BecameSplit,
    Defaulted,
    Derivation,
    Kept,
    Ordered,
    Outcome,
    Raised,
    Step,
    Stopped,
    Taken,
)
from clearwood.working.figures import each_by


def derive_pruning(ledger: Ledger, tree: Tree, rows: Table | None = None) -> Derivation:
    """Every split that a pruner considered, with the numbers by which it was cut or kept.

    `tree` is the one before the pruning; `rows` those that the pruner was given, if it was given some.

    >>> import clearwood as cw
    >>> table = cw.read_table(cw.datasets.path("hire"), target="Hire")
    >>> tree = cw.ID3().learn(table)
    >>> steps = cw.derive_pruning(cw.prune_chi_square(tree, alpha=0.01).ledger, tree)
    >>> steps[0].decision
    'Chance alone gives such branches with p = 0.030, above 0.01: it becomes a leaf.'
    """
    check_kind("derive_pruning", tree, Tree)
    if tree.size != ledger.size_before:
        raise LearningError(
            f"This ledger is of a tree of {ledger.size_before:,} nodes, and this one has {tree.size:,}. "
            "Give the tree as it was before the pruning."
        )
    name = pruner_called(ledger.pruner)
    (steps,) = placed_steps(
        tree.size, [PruningChapter(CHAPTER, steps_of_pruner(name, tree, rows, ledger.settings))]
    )
    leaves = "1 leaf" if tree.leaves == 1 else f"{tree.leaves:,} leaves"
    return Derivation(f"{name} of a tree of {leaves}", each_by([each.make for each in steps]))


def steps_of_pruner(name: str, tree: Tree, rows: Table | None, settings: Mapping[str, Any]) -> PruningSteps:
    """What a pruner judged of a tree, and what came of it; `rows` are those it was given, if it needs any."""
    called = pruner_called(name)
    steps = PRUNERS[called].load_steps()
    if steps is None:
        raise SettingError(
            f"The pruner '{called}' has no steps to derive; its ledger has the numbers of each cut."
        )
    return steps(tree, rows, settings)


# Rounds of pruning, one after the other: where each node ended, and all their steps as those of one tree.


@dataclass(frozen=True, slots=True, eq=False)
class PruningChapter:
    """One pruning: its chapter in the derivation, and its steps."""

    chapter: str
    pruning: PruningSteps


def ended_as(grown: Tree, rounds: Sequence[PruningChapter]) -> Longs:
    """[grown node] Its number in the tree that came of all rounds; −1: it is gone."""
    return _numbers(grown.size, rounds)[-1]


@dataclass(frozen=True, slots=True)
class PlacedStep:
    """A step to be made, and the node of the last tree it ended at; −1: gone, None: the whole tree."""

    node: int | None
    make: Callable[[], Step]


def placed_steps(size: int, rounds: Sequence[PruningChapter]) -> list[list[PlacedStep]]:
    """The steps of each round, the first of which began on a tree of so many nodes.

    Their outcomes name splits by their number in that first tree: done to it in order, they give the last.
    """
    numbers = _numbers(size, rounds)
    return [_in_place(each, before, numbers[-1]) for each, before in zip(rounds, numbers, strict=False)]


def _in_place(round_: PruningChapter, before: Longs, ended: Longs) -> list[PlacedStep]:
    """`before` and `ended` [node of the first tree] are numbers before the round and in the end."""
    first = np.flatnonzero(before >= 0)  # [node before the round] its number in the first tree
    placed = []
    for step in round_.pruning.steps:
        node = None if step.node is None else int(ended[first[step.node]])
        stays = None if node is None or node < 0 else node
        placed.append(PlacedStep(node, partial(_placed, step.make, round_.chapter, first, stays)))
    return placed


def _placed(make: Callable[[], Step], chapter: str, first: Longs, node: int | None) -> Step:
    step = make()
    return replace(step, chapter=chapter, outcome=_named(step.outcome, first), node=node)


def _named(outcome: Outcome | None, first: Longs) -> Outcome | None:
    match outcome:
        case BecameLeaf(int(place)) | Kept(int(place)) | Raised(_, int(place)):
            return replace(outcome, place=int(first[place]))
        case None | BecameSplit() | Stopped() | Kept() | BecameLeaf() | Raised() | Answered():
            return outcome
        case Taken() | Became() | Ordered() | Defaulted():  # of rules: they name no node
            return outcome
        case _:
            assert_never(outcome)


def _numbers(size: int, rounds: Sequence[PruningChapter]) -> list[Longs]:
    """By round, and after the last: [node of the first tree] its number then; −1: it is gone."""
    numbers = [np.arange(size)]
    for each in rounds:
        numbers.append(np.where(numbers[-1] >= 0, each.pruning.after[numbers[-1]], -1))
    return numbers
