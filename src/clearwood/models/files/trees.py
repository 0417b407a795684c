"""Many trees in a file: a packed column for each thing that nodes have, what follows from others left out.

The number of branches at each node, in preorder, is the whole shape. What a split asks stands once, at the
split: its column, and the cut of a number where its two branches are x ≤ cut and x > cut.
"""

from __future__ import annotations

from typing import Annotated, Literal

import numpy as np
from msgspec import Meta

from clearwood import _native
from clearwood.arrays import Bools, Floats
from clearwood.models.answers import Answers
from clearwood.models.files.forms import Form
from clearwood.models.files.packed import PackedArray, PackedColumn, packed_column
from clearwood.models.many_trees import Trees
from clearwood.models.nodes import Nodes
from clearwood.table.attributes import Numeric
from clearwood.table.schema import Schema


class NodeColumnForm(Form, frozen=True):
    """A column of some nodes: of all; of leaves, where that of a split is the sum of its branches'; or of
    splits, where that of a leaf is not a number."""

    of: Literal["leaves", "splits", "nodes"]
    column: PackedColumn


class TreesSurrogatesForm(Form, frozen=True):
    """Stand-ins of all splits, one after another: `sizes` at each split; of each surrogate the column by its
    place in the schema, the `limit` of a number (0 of a value), the branch (0 or 1) that x ≤ limit, or the
    first `set_splits` of its `set_sizes` codes, go to, and its agreement."""

    sizes: PackedColumn
    attribute: PackedColumn
    limit: PackedColumn
    branch: PackedColumn
    agreement: PackedColumn
    set_sizes: PackedColumn
    set_splits: PackedColumn
    set_codes: PackedColumn


class TreesForm(Form, frozen=True):
    """So many `trees` as columns, each in preorder. By tree `sizes`, its nodes, and `adds_to`, its score.
    By node `branches`, how many it has. By split `attribute`, the column's place in the schema, and
    `otherwise`, the branch for rows that no branch takes (−1: all by their shares). `is_cut` by split of
    numbers; `cut` by those for which it is 1; `low`, `high` by branch of the others (low < x ≤ high).
    `set_sizes` by branch of values, `set_codes` the values' places, one branch after another. `or_missing` by
    branch. `share` by branch, null: its part of its siblings' weight. `counts` by class, or weight, value and
    error. `scores` by score name."""

    answers: Answers
    measure: str
    score_names: tuple[str, ...]
    trees: Annotated[int, Meta(ge=1)]
    sizes: PackedColumn
    adds_to: PackedColumn
    branches: PackedColumn
    attribute: PackedColumn
    otherwise: PackedColumn
    is_cut: PackedColumn
    cut: PackedColumn
    low: PackedColumn
    high: PackedColumn
    set_sizes: PackedColumn
    set_codes: PackedColumn
    or_missing: PackedColumn
    share: PackedColumn | None
    counts: tuple[NodeColumnForm, ...]
    scores: tuple[NodeColumnForm, ...]
    surrogates: TreesSurrogatesForm | None


def trees_to_form(trees: Trees, schema: Schema) -> TreesForm:
    n = trees.nodes
    split, root = ~n.is_leaf, n.parent < 0
    branch = ~root
    asked = np.where(split, np.append(n.attribute, -1)[1:], -1)[split]  # the first branch follows its split
    on_numbers = numeric_places(schema)
    is_cut = _cuts(n, split, on_numbers)
    at_split = np.flatnonzero(split)
    cut = np.zeros(len(n), dtype=np.bool_)
    cut[at_split[on_numbers[asked]]] = is_cut
    other = branch & on_numbers[n.attribute] & ~cut[n.parent]
    of_values = branch & ~on_numbers[n.attribute]
    return TreesForm(
        answers=trees.answers,
        measure=trees.measure,
        score_names=trees.score_names,
        trees=len(trees),
        sizes=packed_column(np.diff(trees.start)),
        adds_to=packed_column(trees.adds_to),
        branches=packed_column(np.bincount(n.parent[branch], minlength=len(n))),
        attribute=packed_column(asked),
        otherwise=packed_column(n.otherwise[split]),
        is_cut=packed_column(is_cut),
        cut=packed_column(n.high[np.flatnonzero(cut) + 1]),
        low=packed_column(n.low[other]),
        high=packed_column(n.high[other]),
        set_sizes=packed_column(np.diff(n.set_start)[of_values]),
        set_codes=packed_column(n.set_codes),
        or_missing=packed_column(n.or_missing[branch]),
        share=None
        if np.array_equal(n.share, derived_shares(n, trees.answers))
        else packed_column(n.share[branch]),
        counts=tuple(_counted(n, n.counts[:, place], split) for place in range(n.counts.shape[1])),
        scores=tuple(_scored(n.scores[:, place], split) for place in range(n.scores.shape[1])),
        surrogates=_surrogates(n, split),
    )


def numeric_places(schema: Schema) -> Bools:
    """[attribute + 1] Does it hold numbers? The last entry, False, is for −1: no attribute."""
    return np.array([*(isinstance(each, Numeric) for each in schema.attributes), False], dtype=np.bool_)


def derived_shares(nodes: Nodes, answers: Answers) -> Floats:
    """[node] each branch's part of the weight of its split's branches."""
    weight = nodes.counts.sum(axis=1) if answers == "shares" else nodes.counts[:, 0]
    branch = nodes.parent >= 0
    above = nodes.parent[branch]
    together = np.bincount(above, weight[branch], minlength=len(nodes))[above]
    share = np.ones(len(nodes))
    share[branch] = np.divide(weight[branch], together, out=np.zeros(len(above)), where=together > 0)
    return share


def _cuts(nodes: Nodes, split: Bools, on_numbers: Bools) -> Bools:
    """[split of numbers] Are its branches x ≤ cut and x > cut, in this order?"""
    first = np.flatnonzero(split) + 1
    first = first[on_numbers[nodes.attribute[first]]]
    second = np.minimum(nodes.end[first], len(nodes) - 1)
    two = (nodes.end[first] < nodes.end[first - 1]) & (nodes.end[second] == nodes.end[first - 1])
    low_side = (nodes.low[first] == -np.inf) & np.isfinite(nodes.high[first])
    is_cut: Bools = two & low_side & (nodes.low[second] == nodes.high[first]) & (nodes.high[second] == np.inf)
    return is_cut


def _counted(nodes: Nodes, column: Floats, split: Bools) -> NodeColumnForm:
    summed = _native.sums_up(nodes.parent, np.where(split, 0.0, column))
    if np.array_equal(summed, column):
        return NodeColumnForm(of="leaves", column=packed_column(column[~split]))
    return NodeColumnForm(of="nodes", column=packed_column(column))


def _scored(column: PackedArray, split: Bools) -> NodeColumnForm:
    if np.isnan(column[~split]).all():
        return NodeColumnForm(of="splits", column=packed_column(column[split]))
    return NodeColumnForm(of="nodes", column=packed_column(column))


def _surrogates(n: Nodes, split: Bools) -> TreesSurrogatesForm | None:
    if not len(n.s_attribute):
        return None
    return TreesSurrogatesForm(
        sizes=packed_column(np.diff(n.s_start)[split]),
        attribute=packed_column(n.s_attribute),
        limit=packed_column(n.s_limit),
        branch=packed_column(n.s_branch),
        agreement=packed_column(n.s_agreement),
        set_sizes=packed_column(np.diff(n.s_set_start)),
        set_splits=packed_column(n.s_set_split - n.s_set_start[:-1]),
        set_codes=packed_column(n.s_set_codes),
    )
