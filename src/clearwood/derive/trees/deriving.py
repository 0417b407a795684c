"""The derivation of a tree: its growing, its pruning, what was cut afterwards; or the steps of one place."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from clearwood.catalogue import learner_of
from clearwood.derive.same_table import check_same_table
from clearwood.derive.trees.afterwards import steps_since
from clearwood.derive.trees.ending import Learned, learned_from
from clearwood.derive.trees.finding import find_node
from clearwood.derive.trees.growing import GrowingSteps
from clearwood.derive.trees.growth import grown_again
from clearwood.derive.trees.pruned_since import Since, changes_since
from clearwood.derive.trees.pruning import pruning_steps
from clearwood.learners.learner import TreeLearner
from clearwood.learners.trees.cart import CART
from clearwood.models.conditions import all_of
from clearwood.models.nodes import Bools
from clearwood.models.paths import path_to
from clearwood.models.tree import Tree
from clearwood.table.table import Table
from clearwood.working.derivation import Derivation, Step
from clearwood.working.on_demand import OnDemand, joined


def derive_tree(tree: Tree, table: Table | None, at: Any, nodes: Collection[int] | None = None) -> Derivation:
    """Every step of a tree's making; with `at` those of one node, with `nodes` those of several."""
    node = None if at is None else find_node(tree, at)
    learner = learner_of(tree.origin)
    rows = check_same_table(tree, table)
    growth = grown_again(learner, rows)
    learned = learned_from(learner, growth.tree, rows)
    since = changes_since(learned.tree, tree)
    places = np.where(learned.became >= 0, since.became[learned.became], -1).tolist()
    if isinstance(learner, CART):
        growth.check_size(0 if node is None else places.index(node))
    only: Bools | None = None
    if nodes is not None:
        only = np.zeros(tree.size, dtype=np.bool_)
        only[list(nodes)] = True
    growing = GrowingSteps(growth, places)
    pruning = joined(
        _renumbered(_own_pruning(learner, growth.tree, rows, learned, since, only), since),
        OnDemand(steps_since(learned.tree, tree, since, np.flatnonzero(learned.became >= 0), only)),
    )
    assert tree.schema.target is not None
    title = f"{tree.origin.learner} on {tree.schema.target.name}"
    if only is not None:
        grown = [place for place, ended in enumerate(places) if ended >= 0 and only[ended]]
        told = [partial(growing.__getitem__, place) for place in grown]
        return Derivation(title, joined(OnDemand(told), pruning))
    if node is None:
        return Derivation(title, joined(growing, pruning))
    here = [growing[places.index(node)], *(step for step in pruning if step.node == node)]
    return Derivation(f"{title}: {all_of(path_to(tree, node)) or 'the root'}", here)


def _own_pruning(
    learner: TreeLearner, grown: Tree, rows: Table, learned: Learned, since: Since, only: Bools | None
) -> Sequence[Step]:
    """What the learner itself pruned; `only` [node] is of the tree at hand."""
    left = None if only is None else (since.became >= 0) & only[since.became]
    return pruning_steps(learner, grown, rows, learned.tree, left, learned.tried)


def _renumbered(steps: Sequence[Step], since: Since) -> Sequence[Step]:
    """Steps that end at nodes of the learned tree, ending at those of the tree at hand."""
    if not since.changes:
        return steps

    def one(place: int) -> Step:
        step = steps[place]
        ended = -1 if step.node is None else int(since.became[step.node])
        return replace(step, node=None if ended < 0 else ended)

    return OnDemand([partial(one, place) for place in range(len(steps))])
