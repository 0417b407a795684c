"""What a tree answers about itself."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from clearwood.models.kinds.kind import Kind, no_members
from clearwood.models.kinds.tree.nodes import conditions_of_leaves
from clearwood.models.kinds.tree.tree import Tree
from clearwood.models.kinds.tree.tree_file import TreeForm, tree_from_form, tree_to_form
from clearwood.models.kinds.tree.tree_space import TreeSpace
from clearwood.words.numbers import many

if TYPE_CHECKING:
    from clearwood.models.program.program import ModelProgram


def _program(tree: Tree) -> ModelProgram:
    from clearwood.models.kinds.tree.tree_program import program_of_tree  # late: few commands ask for it

    return program_of_tree(tree)


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
    program=_program,
    space=TreeSpace,
    account=None,
    body=TreeForm,
    write=tree_to_form,
    read=tree_from_form,
    lines=("nodes",),
)
