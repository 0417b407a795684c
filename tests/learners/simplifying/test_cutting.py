"""Cutting columns must equal cutting objects."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from clearwood.models.kinds.tree.build import tree_of
from clearwood.models.kinds.tree.nodes import cut_below, keep_nodes
from clearwood.models.kinds.tree.tree import Leaf, Node, Split, Tree
from tests.trees import tennis_tree, trees


def as_objects(tree: Tree, root: Node) -> Tree:
    return tree_of(
        tree.schema, root, score_names=tree.score_names, decision=tree.decision, origin=tree.origin
    )


@pytest.mark.slow
@given(trees(), st.data())
def test_marked_nodes_become_leaves_and_all_else_stays(tree: Tree, data: st.DataObject) -> None:
    marked = np.array(data.draw(st.lists(st.booleans(), min_size=tree.size, max_size=tree.size)))
    number = iter(range(tree.size))

    def cut(node: Node) -> Node:
        here = marked[next(number)]
        if isinstance(node, Leaf):
            return node
        branches = tuple(replace(branch, then=cut(branch.then)) for branch in node.branches)
        return Leaf(node.counts) if here else replace(node, branches=branches)

    assert cut_below(tree.nodes, marked) == as_objects(tree, cut(tree.root)).nodes


@pytest.mark.slow
@given(trees(), st.data())
def test_a_child_takes_its_parents_place(tree: Tree, data: st.DataObject) -> None:
    splits = np.flatnonzero(~tree.nodes.is_leaf).tolist()
    if not splits:
        return
    at = data.draw(st.sampled_from(splits))
    children = tree.nodes.children(at)
    chosen = data.draw(st.integers(0, len(children) - 1))
    number = iter(range(tree.size))

    def lift(node: Node) -> Node:
        here = next(number)
        if isinstance(node, Leaf):
            return node
        branches = tuple(replace(branch, then=lift(branch.then)) for branch in node.branches)
        return branches[chosen].then if here == at else replace(node, branches=branches)

    child, nodes = children[chosen], tree.nodes
    keep = np.ones(tree.size, dtype=np.bool_)
    keep[at : nodes.end[at]] = False
    keep[child : nodes.end[child]] = True
    entered_as = np.arange(tree.size)
    entered_as[child] = at
    lifted = keep_nodes(nodes, keep, entered_as, np.zeros(tree.size, dtype=np.bool_))
    assert lifted == as_objects(tree, lift(tree.root)).nodes


def test_the_tennis_tree_without_its_question_about_wind() -> None:
    tree = tennis_tree()
    nodes = cut_below(tree.nodes, np.arange(tree.size) == 5)
    root = replace(tree, nodes=nodes).root
    assert isinstance(root, Split)
    assert [type(branch.then) for branch in root.branches] == [Split, Leaf, Leaf]
    assert root.branches[2].then.counts == (2.0, 3.0)
