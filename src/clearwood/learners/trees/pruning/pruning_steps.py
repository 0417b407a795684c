"""The steps of one pruning: each made when it is read, beside the tree that came of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from clearwood.arrays import Bools, Longs
from clearwood.learners.trees.pruning.places import renumbered
from clearwood.models.cutting import below, cut_below
from clearwood.models.tree import Tree
from clearwood.working.derivation import Step


@dataclass(frozen=True, slots=True)
class StepAt:
    """A step to be made, and the node it is about, as numbered before the pruning; None: the whole tree.

    Where a branch took a split's place, that is the branch's node. The step's outcome names the split by its
    number before the pruning, and leaves open where it ended.
    """

    node: int | None
    make: Callable[[], Step]


@dataclass(frozen=True, slots=True, eq=False)
class PruningSteps:
    """`tree` is what came of the steps, `after` [node before] a node's number in it; −1: it is gone."""

    tree: Tree
    after: Longs
    steps: tuple[StepAt, ...]


def cutting(tree: Tree, cut: Bools, steps: Iterable[StepAt]) -> PruningSteps:
    """The steps of a pruning that turned the marked splits [node] to leaves."""
    smaller = replace(tree, nodes=cut_below(tree.nodes, cut))
    return PruningSteps(smaller, renumbered(~below(tree.nodes, cut)), tuple(steps))
