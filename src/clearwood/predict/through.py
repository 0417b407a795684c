"""Counts of a table's rows at every node they pass: what pruning on rows kept back looks at."""

from __future__ import annotations

import numpy as np

from clearwood import _native
from clearwood.arrays import Floats
from clearwood.errors import SchemaError
from clearwood.models.tree import Tree
from clearwood.predict.columns import cells_for, column_for
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
