"""Trees of other programs as ours: arrays of children, columns, thresholds, values and cover."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypedDict

import numpy as np

from clearwood.arrays import Floats
from clearwood.explaining.shap import shap_values
from clearwood.formulas.conditions import Above, AtMost
from clearwood.models.kinds.ensemble.ensemble import Ensemble
from clearwood.models.kinds.ensemble.many_trees import joined_trees
from clearwood.models.kinds.tree.build import tree_of
from clearwood.models.kinds.tree.tree import Branch, Leaf, Node, Split, Tree
from clearwood.table.attributes import Numeric
from clearwood.table.schema import Schema
from clearwood.table.table import Table


class ForeignTree(TypedDict):
    """Arrays by node: `left` and `right` are −1 at a leaf; `missing_left` says where empty cells go.

    Of cells x ≤ `threshold` goes left; `values` [node] are numbers.
    """

    left: list[int]
    right: list[int]
    column: list[int]
    threshold: list[float]
    missing_left: list[bool]
    values: list[float]
    cover: list[float]


def columns_of(count: int) -> tuple[Numeric, ...]:
    return tuple(Numeric(f"x{place}") for place in range(count))


def tree_from(foreign: ForeignTree, schema: Schema) -> Tree:
    """A tree of numbers, with the other program's cover as weights."""

    def counts(node: int) -> tuple[float, ...]:
        return (foreign["cover"][node], foreign["values"][node], 0.0)

    def made(node: int) -> Node:
        if foreign["left"][node] < 0:
            return Leaf(counts(node))
        below = (foreign["left"][node], foreign["right"][node])
        name = schema.attributes[foreign["column"][node]].name
        limit = foreign["threshold"][node]
        shares = [foreign["cover"][each] / foreign["cover"][node] for each in below]
        branches = (
            Branch(AtMost(name, limit), shares[0], made(below[0])),
            Branch(Above(name, limit), shares[1], made(below[1])),
        )
        return Split(counts(node), {}, branches, otherwise=0 if foreign["missing_left"][node] else 1)

    return tree_of(schema, made(0))


def of_scikit_learn(tree: Any) -> ForeignTree:
    """A fitted `tree_` of numbers."""
    return {
        "left": tree.children_left.tolist(),
        "right": tree.children_right.tolist(),
        "column": tree.feature.tolist(),
        "threshold": tree.threshold.tolist(),
        "missing_left": [True] * tree.node_count,
        "values": tree.value[:, 0, 0].tolist(),
        "cover": tree.weighted_n_node_samples.tolist(),
    }


def values_of_foreign(model: Mapping[str, Any]) -> tuple[float, Floats]:
    """The base value and the SHAP values [row, column] of a sum of such trees at the stored rows."""
    schema = Schema(columns_of(len(model["rows"][0])), Numeric("y"))
    nodes = [tree_from(each, schema).nodes for each in model["trees"]]
    whole = Ensemble(schema, trees=joined_trees(nodes, "step"), combined_by="sum", base=(0.0,))
    cells = np.array(model["rows"], dtype=np.float64)
    columns = {attribute.name: cells[:, place] for place, attribute in enumerate(schema.attributes)}
    values = shap_values(whole, Table(Schema(schema.attributes), columns))
    return float(values.base[0]), values.contributions[:, :, 0]
