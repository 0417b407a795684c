"""CHAID on adult's 32,561 training rows beside the CHAID package."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from benchmarks.comparison import OURS, Comparison, Contestant, Entrant, Size, entrant, faster
from benchmarks.learners import leaves
from benchmarks.reference import ADULT
from clearwood.learners.trees.chaid import CHAID
from clearwood.table.attributes import Nominal, Numeric, Ordinal
from clearwood.table.schema import Schema
from clearwood.table.table import Table

BINS = 10


def _enter(size: Size) -> Sequence[Entrant]:
    table = _binned(ADULT.table(size))
    return [
        Contestant(OURS, lambda: CHAID().learn(table), leaves),
        entrant("CHAID", "CHAID", lambda: _package(table), lambda tree: f"{_leaves(tree)} leaves"),
    ]


def _binned(table: Table) -> Table:
    """Numbers in ten parts of equal size, once for both, since the package takes categories only."""
    attributes, columns = [], dict(table.columns)
    for attribute in table.schema.inputs:
        if not isinstance(attribute, Numeric):
            attributes.append(attribute)
            continue
        cells = table.columns[attribute.name]
        known = cells[~np.isnan(cells)]
        cuts = np.unique(np.quantile(known, np.arange(1, BINS) / BINS))
        codes = np.where(np.isnan(cells), -1, np.searchsorted(cuts, cells)).astype(np.int32)
        attributes.append(Ordinal(attribute.name, tuple(f"bin {i:02}" for i in range(len(cuts) + 1))))
        columns[attribute.name] = codes
    return Table(Schema(tuple(attributes), table.schema.target), columns)


def _package(table: Table) -> Any:
    """The package's own way in: an array of codes, NaN for an empty cell, and which columns have an order."""
    from CHAID import Tree

    kinds = {a.name: "nominal" if isinstance(a, Nominal) else "ordinal" for a in table.schema.inputs}
    cells = np.column_stack([table.columns[name].astype(np.float64) for name in kinds])
    cells[cells < 0] = np.nan
    tree = Tree.from_numpy(
        cells,
        table.target,
        alpha_merge=0.05,
        max_depth=3,
        min_parent_node_size=100,
        min_child_node_size=50,
        split_titles=list(kinds),
        variable_types=list(kinds.values()),
    )
    tree.build_tree()  # otherwise it grows when first looked at
    return tree


def _leaves(tree: Any) -> int:
    return sum(node.is_terminal for node in tree.tree_store)


COMPARISONS = (
    Comparison(
        "chaid",
        f"CHAID, depth 3, on {ADULT.called}, numbers cut into ten beforehand",
        _enter,
        (faster("CHAID", 30),),
    ),
)
