"""Counts of a table's rows at every node they pass: what pruning on rows kept back looks at."""

from __future__ import annotations

from functools import partial

import numpy as np

from clearwood import _native
from clearwood.arrays import Bools, Floats
from clearwood.errors import SchemaError, SettingError
from clearwood.formulas.conditions import Condition
from clearwood.models.kinds.tree.tree import Tree
from clearwood.models.routing import route_at, sent
from clearwood.predicting.columns import cells_for, column_for
from clearwood.predicting.of_rules import compiled_rules, condition_bitsets
from clearwood.table.schema import Schema
from clearwood.table.table import Table


def count_through(tree: Tree, table: Table) -> Floats:
    """[node, class]: the weight of the rows that pass each node, by class; a row may pass in parts.

    For a numeric target [node, 3]: Σw, Σwy and Σwy². A row whose target is empty, or a class the
    tree doesn't know, is not counted. The sums do not depend on the number of threads.
    """
    target = tree.schema.target
    if target is None or target.name not in table.columns:
        raise SchemaError("To count rows by class the table needs the tree's target column.")
    cells, values = cells_for(tree, table)
    column = np.ascontiguousarray(column_for(target, table))
    weights = None if table.weights is None else np.ascontiguousarray(table.weights, dtype=np.float64)
    if tree.is_numeric:
        numbers = column.astype(np.float64, copy=False)
        return _native.count_numbers(tree.nodes, cells, values, numbers, weights)
    return _native.count_classes(tree.nodes, cells, values, column, weights, len(tree.schema.classes))


# Rows at a node: how much of each row of a table comes to a place in a tree.


def parts_at(tree: Tree, table: Table, node: int) -> Floats:
    """[row] 1 where the row comes to the node, 0 where it does not, a share where a cell on the way is empty.

    >>> import clearwood as cw
    >>> table = cw.read_table(cw.datasets.path("tennis"), target="PlayTennis")
    >>> tree = cw.ID3().learn(table)
    >>> str(tree.condition(1)), float(parts_at(tree, table, 1).sum())
    ('Outlook = Overcast', 4.0)
    """
    if not 0 <= node < len(tree.nodes):
        raise SettingError(f"node must be one of the tree's 0 to {len(tree.nodes) - 1}, not {node}.")
    parts = np.ones(len(table))
    while node > 0:
        parent = int(tree.nodes.parent[node])
        parts = parts * _part(tree, table, parent, node)
        node = parent
    return parts


def _part(tree: Tree, table: Table, parent: int, child: int) -> Floats:
    """[row] The part of a row at the parent that goes on to the child."""
    route = route_at(tree, parent)
    gone = sent(route, partial(satisfying, tree.schema, table), len(table))
    return gone.part(tree.nodes.children(parent).index(child))


def satisfying(schema: Schema, table: Table, condition: Condition) -> Bools:
    """[row] Does the row satisfy a condition on the model's columns?"""
    words = condition_bitsets(schema, compiled_rules(schema, [(condition,)]), table)
    bits = np.unpackbits(words.astype("<u8").view(np.uint8).ravel(), bitorder="little")
    return np.asarray(bits[: len(table)], dtype=np.bool_)
