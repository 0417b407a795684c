"""Rounds of pruning, one after the other: where each node ended, and all their steps as those of one tree."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import assert_never

import numpy as np

from clearwood.arrays import Longs
from clearwood.learners.trees.pruning.pruning_steps import PruningSteps
from clearwood.models.tree import Tree
from clearwood.working.derivation import (
    Answered,
    Became,
    BecameLeaf,
    BecameSplit,
    Defaulted,
    Kept,
    Ordered,
    Outcome,
    Raised,
    Step,
    Stopped,
    Taken,
)


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
