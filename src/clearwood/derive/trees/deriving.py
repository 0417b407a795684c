"""The derivation of a tree: its growing and its pruning, or the steps of one place."""

from __future__ import annotations

from collections.abc import Collection
from functools import partial
from typing import Any

import numpy as np

from clearwood.derive.derivation import Derivation
from clearwood.derive.on_demand import OnDemand, joined
from clearwood.derive.same_table import check_same_table
from clearwood.derive.trees.ending import ended_as
from clearwood.derive.trees.finding import find_node
from clearwood.derive.trees.growing import GrowingSteps
from clearwood.derive.trees.growth import grown_again
from clearwood.derive.trees.pruning import pruning_steps
from clearwood.learners.cart import CART
from clearwood.learners.made_by import made_by
from clearwood.models.conditions import all_of
from clearwood.models.paths import path_to
from clearwood.models.tree import Tree
from clearwood.table.table import Table


def derive_tree(tree: Tree, table: Table | None, at: Any, nodes: Collection[int] | None = None) -> Derivation:
    """Every step of a tree's making; with `at` those of one node, with `nodes` those of several."""
    node = None if at is None else find_node(tree, at)
    learner = made_by(tree.origin)
    rows = check_same_table(tree, table)
    growth = grown_again(learner, rows)
    places = ended_as(learner, growth.tree, rows, tree)
    if isinstance(learner, CART):
        growth.check_size(0 if node is None else places.index(node))
    only = None
    if nodes is not None:
        only = np.zeros(tree.size, dtype=np.bool_)
        only[list(nodes)] = True
    growing = GrowingSteps(growth, places)
    pruning = pruning_steps(learner, growth.tree, rows, tree, only)
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
