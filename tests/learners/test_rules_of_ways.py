"""The rules of a tree say what its paths say, however many ways lead through a node."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings

from clearwood.learners.rules.rules_of import rules_of
from clearwood.learners.trees.c45 import C45
from clearwood.models.kinds.tree.tree import path_to
from clearwood.table.table import Table
from tests.learners.random_tables import random_tables


@settings(max_examples=40)
@given(table=random_tables(("nominal",), max_values=20))
def test_a_rule_is_the_merged_path_to_its_leaf(table: Table) -> None:
    tree = C45(prune=False, collapse=False, min_rows=1).learn(table)
    met = np.flatnonzero(tree.nodes.is_leaf & (tree.nodes.counts.sum(axis=1) > 0)).tolist()
    paths = [path_to(tree, leaf) for leaf in met]
    assert [rule.when for rule in rules_of(tree) if any(rule.counts)] == paths
