"""What a tree answers about itself."""

from typing import Final

import numpy as np

from clearwood.models.kinds.kind import Kind, no_members
from clearwood.models.kinds.tree.nodes import Nodes
from clearwood.models.kinds.tree.tree import Tree
from clearwood.models.kinds.tree.tree_file import TreeForm, tree_from_form, tree_to_form
from clearwood.models.kinds.tree.tree_program import program_of_tree
from clearwood.models.kinds.tree.tree_space import TreeSpace
from clearwood.words.numbers import many


def conditions_of_leaves(nodes: Nodes) -> int:
    """Of each leaf those on the way to it: each node's condition stands in all leaves below it."""
    leaves_before = np.concatenate([[0], np.cumsum(nodes.is_leaf)])
    leaves_below = leaves_before[nodes.end] - leaves_before[np.arange(len(nodes))]
    return int(leaves_below[nodes.parent >= 0].sum())


TREE: Final = Kind(
    model=Tree,
    called="a tree",
    phrase="a tree",
    title="A decision tree",
    counts="Counts and intervals are",
    unit="leaves",
    size=lambda tree: tree.leaves,
    size_in_words=lambda tree: many(tree.leaves, "leaf", "leaves"),
    reading_size=lambda tree: conditions_of_leaves(tree.nodes),
    no_rules=None,
    members=no_members,
    quantile=lambda tree: 0.5 if tree.answers == "median" else None,
    about=None,
    program=program_of_tree,
    space=TreeSpace,
    account=None,
    body=TreeForm,
    write=tree_to_form,
    read=tree_from_form,
    lines=("nodes",),
)
