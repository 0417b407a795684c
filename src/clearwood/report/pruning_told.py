"""A tree pruned after learning: the growing of what is left, then each pruner's own numbers."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from functools import partial
from itertools import pairwise
from typing import Final

from clearwood.derive.pruning import derive_pruning
from clearwood.derive.trees.afterwards import CHAPTER
from clearwood.derive.trees.pruned_since import changes_since
from clearwood.models.tree import Tree
from clearwood.study.learned import Round
from clearwood.working.derivation import Derivation, Step
from clearwood.working.on_demand import OnDemand, joined

_MOST: Final = 1_500  # steps of a round that a page holds, whatever became of their splits


def with_rounds(
    derivation: Derivation, tree: Tree, rounds: Sequence[Round], nodes: Collection[int]
) -> Derivation:
    """The derivation of a pruned tree in which each cut has its numbers, not only its place.

    Of a round of very many steps, only those that ended at the `nodes` are told.
    """
    grown = len(derivation)
    while grown and derivation[grown - 1].chapter == CHAPTER:
        grown -= 1
    told = [derivation.steps[:grown]]
    for one, after in pairwise([*rounds, None]):
        assert one is not None
        steps = derive_pruning(one.ledger, one.before, one.rows).steps
        moved = _renamed(steps, one.ledger.pruner, None if after is None else after.before, tree)
        told.append(moved if len(moved) <= _MOST else _only(moved, nodes))
    return Derivation(derivation.title, joined(*told), derivation.given)


def _renamed(steps: Sequence[Step], pruner: str, after: Tree | None, tree: Tree) -> Sequence[Step]:
    """Under a chapter of their own, ending at nodes of the tree that is left after all rounds."""
    became = None if after is None else changes_since(after, tree).became

    def one(place: int) -> Step:
        step = steps[place]
        node = step.node
        if became is not None and node is not None:
            node = int(became[node]) if became[node] >= 0 else None
        return replace(step, chapter=f"{CHAPTER}: {pruner}", node=node)

    return OnDemand([partial(one, place) for place in range(len(steps))])


def _only(steps: Sequence[Step], nodes: Collection[int]) -> Sequence[Step]:
    """Those of the nodes, and those of no split at all, such as the price of a leaf."""
    wanted = set(nodes)
    kept = [i for i, step in enumerate(steps) if step.outcome is None or step.node in wanted]
    return OnDemand([partial(steps.__getitem__, i) for i in kept])
