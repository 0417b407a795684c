"""Many trees in a file: a packed column for each thing that nodes have, what follows from others left out.

The number of branches at each node, in preorder, is the whole shape. What a split asks stands once, at the
split: its column, and the cut of a number where its two branches are x ≤ cut and x > cut.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Final, Literal

import numpy as np
from msgspec import Meta

from clearwood import _native
from clearwood.arrays import Bools, Floats, Longs
from clearwood.errors import ModelFileError
from clearwood.models.decision import Answers
from clearwood.models.files.forms import Form, refuse
from clearwood.models.files.packed import PackedArray, PackedColumn, claim, packed_column, unpacked
from clearwood.models.kinds.ensemble.many_trees import Trees
from clearwood.models.kinds.tree.nodes import Nodes
from clearwood.table.attributes import Nominal, Numeric, Ordinal
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


# Many trees from their form: every length, place and range is checked, whole columns at a time.


_MOST_NODES: Final = 50_000_000
_ROUNDING: Final = 1e-6  # of a node's weight: what sums over its branches may be off by
_PLACE: Final = "body.trees"


def trees_from_form(form: TreesForm, schema: Schema) -> Trees:
    return _Reader(form, schema).trees()


class _Reader:
    def __init__(self, form: TreesForm, schema: Schema) -> None:
        self.form, self.schema = form, schema
        if len(set(form.score_names)) != len(form.score_names):
            refuse(f"{_PLACE}.score_names", "must be different texts", list(form.score_names))
        numeric = form.answers != "shares"
        self.width = 3 if numeric else len(schema.classes)
        self._values = [
            len(each.values) if isinstance(each, Nominal | Ordinal) else 0 for each in schema.attributes
        ]
        if form.trees > _MOST_NODES:
            raise ModelFileError(f"{_PLACE}.trees: {form.trees} trees; at most {_MOST_NODES} are read.")
        sizes = self._whole("sizes", form.trees, 1, _MOST_NODES).astype(np.int64)
        if not sizes.sum() <= _MOST_NODES:
            raise ModelFileError(f"{_PLACE}.sizes: {int(sizes.sum())} nodes; at most {_MOST_NODES} are read.")
        self.sizes, self.size = sizes, int(sizes.sum())
        claim(self.size * (self.width + len(form.score_names)), f"{_PLACE}.sizes")
        self.branches = self._whole("branches", self.size, 0, self.size).astype(np.int32)
        shape = _native.tree_shapes(self.branches, sizes)
        if shape is None:
            raise ModelFileError(f"{_PLACE}.branches: these branches do not make trees of these sizes.")
        self.parent, self.end = shape
        self.split, self.branch = self.branches > 0, self.parent >= 0
        self.splits = int(self.split.sum())

    def trees(self) -> Trees:
        form, size = self.form, self.size
        attributes = self.schema.attributes
        asked = self._whole("attribute", self.splits, 0, len(attributes) - 1)
        self._check_tested(asked, "attribute")
        attribute = np.full(size, -1, dtype=np.int64)
        of_split = np.full(size, -1, dtype=np.int64)
        of_split[self.split] = asked
        attribute[self.branch] = of_split[self.parent[self.branch]]
        low, high = self._limits(asked, attribute)
        or_missing = np.zeros(size, dtype=np.bool_)
        or_missing[self.branch] = self._whole("or_missing", int(self.branch.sum()), 0, 1) > 0
        set_start, set_codes = self._sets(attribute, or_missing)
        otherwise = np.full(size, -1, dtype=np.int64)
        otherwise[self.split] = self._whole("otherwise", self.splits, -1, size)
        if (otherwise >= np.maximum(self.branches, 1)).any():
            wrong = int(otherwise[otherwise >= np.maximum(self.branches, 1)][0])
            refuse(f"{_PLACE}.otherwise", "must be one of a split's branches, or −1", wrong)
        columns = self._columns(form.counts, "counts", self.width)
        counts = np.stack([self._counts(place, each) for place, each in enumerate(columns)], axis=1)
        self._check_empty(low, high, or_missing, attribute)
        surrogates = self._surrogates(form.surrogates)
        nodes = Nodes(
            parent=self.parent, end=self.end, counts=counts, scores=self._scores(), share=np.ones(size),
            otherwise=otherwise.astype(np.int32), attribute=attribute.astype(np.int32),
            low=low, high=high, or_missing=or_missing, set_start=set_start, set_codes=set_codes, **surrogates,
        )  # fmt: skip
        nodes = self._with_shares(nodes, form.share, form.answers)
        trees = len(self.sizes)
        adds_to = self._whole("adds_to", trees, 0, max(0, len(self.schema.classes) - 1))
        start = np.concatenate([[0], np.cumsum(self.sizes)]).astype(np.int64)
        return Trees(nodes, start, adds_to.astype(np.int32), form.answers, form.score_names, form.measure)

    def _column(self, name: str) -> PackedColumn:
        column: PackedColumn = getattr(self.form, name)
        return column

    def _whole(self, name: str, size: int, low: int, high: int) -> PackedArray:
        return whole_column(self._column(name), size, low, high, f"{_PLACE}.{name}")

    def _check_tested(self, places: PackedArray, name: str) -> None:
        testable = [isinstance(each, Numeric | Nominal | Ordinal) for each in self.schema.attributes]
        for place in np.flatnonzero(~np.array(testable, dtype=np.bool_)[places])[:1]:
            called = self.schema.attributes[int(places[place])].name
            refuse(f"{_PLACE}.{name}", "must name columns that a tree can test", called)

    def _limits(self, asked: PackedArray, attribute: Longs) -> tuple[Floats, Floats]:
        on_numbers = numeric_places(self.schema)
        numeric = self.split.copy()
        numeric[self.split] = on_numbers[asked]
        is_cut = self._whole("is_cut", int(numeric.sum()), 0, 1) > 0
        cut = np.zeros(self.size, dtype=np.bool_)
        cut[numeric] = is_cut
        if (self.branches[cut] != 2).any():
            refuse(f"{_PLACE}.is_cut", "must be 1 for splits of two branches only", 1)
        limits = unpacked(self.form.cut, int(cut.sum()), f"{_PLACE}.cut").astype(np.float64)
        if not np.isfinite(limits).all():
            refuse(f"{_PLACE}.cut", "must be finite numbers", float(limits[~np.isfinite(limits)][0]))
        low, high = np.full(self.size, -np.inf), np.full(self.size, np.inf)
        first = np.flatnonzero(cut) + 1
        high[first] = limits
        low[self.end[first]] = limits
        other = self.branch & on_numbers[attribute] & ~cut[self.parent]
        for name, into in (("low", low), ("high", high)):
            given = unpacked(self._column(name), int(other.sum()), f"{_PLACE}.{name}").astype(np.float64)
            if np.isnan(given).any():
                refuse(f"{_PLACE}.{name}", "must be numbers", float("nan"))
            into[other] = given
        return low, high

    def _check_empty(self, low: Floats, high: Floats, or_missing: Bools, attribute: Longs) -> None:
        nothing = (low == np.inf) & (high == np.inf) & or_missing
        wrong = self.branch & numeric_places(self.schema)[attribute] & ~(low < high) & ~nothing
        for node in np.flatnonzero(wrong)[:1]:
            refuse(f"{_PLACE}.low", "must be below 'high'", [float(low[node]), float(high[node])])

    def _sets(self, attribute: Longs, or_missing: Bools) -> tuple[Longs, PackedArray]:
        on_numbers = numeric_places(self.schema)
        of_values = self.branch & ~on_numbers[attribute]
        sizes = np.zeros(self.size, dtype=np.int64)
        most = max(self._values, default=0)
        sizes[of_values] = self._whole("set_sizes", int(of_values.sum()), 0, most)
        if (of_values & (sizes == 0) & ~or_missing).any():
            refuse(f"{_PLACE}.set_sizes", "must be 1 or more where empty cells do not go", 0)
        start = np.concatenate([[0], np.cumsum(sizes)])
        codes = self._whole("set_codes", int(start[-1]), 0, max(0, most - 1))
        self._check_codes(codes, np.repeat(attribute, sizes), "set_codes")
        return start, codes

    def _check_codes(self, codes: PackedArray, attribute: PackedArray, name: str) -> None:
        for place in np.flatnonzero(codes >= np.array([*self._values, 0])[attribute])[:1]:
            called = self.schema.attributes[int(attribute[place])].name
            refuse(f"{_PLACE}.{name}", f"must be values of '{called}' by their places", int(codes[place]))

    def _columns(
        self, forms: tuple[NodeColumnForm, ...], name: str, width: int
    ) -> tuple[NodeColumnForm, ...]:
        if len(forms) != width:
            refuse(f"{_PLACE}.{name}", f"must be {width} columns", len(forms))
        return forms

    def _counts(self, place: int, form: NodeColumnForm) -> Floats:
        where = f"{_PLACE}.counts[{place}]"
        if form.of == "splits":
            refuse(f"{where}.of", "must be 'leaves' or 'nodes'", form.of)
        leaves = form.of == "leaves"
        size = self.size - self.splits if leaves else self.size
        column = unpacked(form.column, size, f"{where}.column").astype(np.float64)
        value = self.form.answers != "shares" and place == 1
        if not np.isfinite(column).all() or (not value and (column < 0).any()):
            wrong = column[~np.isfinite(column) | (column < 0)][0]
            refuse(where, f"must be finite numbers{'' if value else ' ≥ 0'}", float(wrong))
        if leaves:
            spread = np.zeros(self.size)
            spread[~self.split] = column
            return _native.sums_up(self.parent, spread)
        if self.form.answers == "shares" or place == 0:
            self._check_sums(column, where)
        return column

    def _check_sums(self, column: Floats, where: str) -> None:
        """Refuse branches whose weights do not add up to those of their split."""
        with np.errstate(over="ignore", invalid="ignore"):
            below = np.bincount(self.parent[self.branch], column[self.branch], self.size)
            wrong = self.split & ~(np.abs(below - column) <= _ROUNDING * np.maximum(np.abs(column), 1.0))
        for node in np.flatnonzero(wrong)[:1]:
            refuse(
                where, f"must be the sum of its branches' {below[node]:g} at node {node}", float(column[node])
            )

    def _scores(self) -> Floats:
        names = self.form.score_names
        scores = np.full((self.size, len(names)), np.nan)
        for place, form in enumerate(self._columns(self.form.scores, "scores", len(names))):
            where = f"{_PLACE}.scores[{place}]"
            if form.of == "leaves":
                refuse(f"{where}.of", "must be 'splits' or 'nodes'", form.of)
            of = self.split if form.of == "splits" else np.ones(self.size, dtype=np.bool_)
            scores[of, place] = unpacked(form.column, int(of.sum()), f"{where}.column")
        return scores

    def _with_shares(self, nodes: Nodes, form: PackedColumn | None, answers: Answers) -> Nodes:
        if form is None:
            return replace(nodes, share=derived_shares(nodes, answers))
        share = np.ones(self.size)
        share[self.branch] = unpacked(form, int(self.branch.sum()), f"{_PLACE}.share")
        if not ((share >= 0) & (share <= 1)).all():
            refuse(f"{_PLACE}.share", "must be from 0 to 1", float(share[~((share >= 0) & (share <= 1))][0]))
        parts = np.bincount(self.parent[self.branch], share[self.branch], self.size)
        wrong = self.split & (parts != 0) & ~(np.abs(parts - 1.0) <= _ROUNDING)
        for node in np.flatnonzero(wrong)[:1]:
            refuse(f"{_PLACE}.share", f"must add up to 1 at node {node}", float(parts[node]))
        return replace(nodes, share=share)

    def _surrogates(self, form: TreesSurrogatesForm | None) -> dict[str, PackedArray]:
        none = np.zeros(0)
        if form is None:
            zeros = np.zeros(self.size + 1, dtype=np.int64)
            return {"s_start": zeros, "s_set_start": np.zeros(1), **dict.fromkeys(_OF_SURROGATES, none)}
        where = f"{_PLACE}.surrogates"
        sizes = np.zeros(self.size, dtype=np.int64)
        sizes[self.split] = whole_column(form.sizes, self.splits, 0, _MOST_NODES, f"{where}.sizes")
        if (self.branches[sizes > 0] != 2).any():
            refuse(f"{where}.sizes", "must be 0 but at splits of two branches", int(sizes.max()))
        count = int(sizes.sum())
        if count > _MOST_NODES:
            raise ModelFileError(f"{where}.sizes: {count} surrogates; at most {_MOST_NODES} are read.")
        attribute = whole_column(
            form.attribute, count, 0, len(self.schema.attributes) - 1, f"{where}.attribute"
        )
        self._check_tested(attribute, "surrogates.attribute")
        limit = unpacked(form.limit, count, f"{where}.limit").astype(np.float64)
        agreement = unpacked(form.agreement, count, f"{where}.agreement").astype(np.float64)
        if not np.isfinite(limit).all():
            refuse(f"{where}.limit", "must be finite numbers", float(limit[~np.isfinite(limit)][0]))
        if not ((agreement >= 0) & (agreement <= 1)).all():
            refuse(f"{where}.agreement", "must be from 0 to 1", "another")
        set_sizes = whole_column(form.set_sizes, count, 0, _MOST_NODES, f"{where}.set_sizes").astype(np.int64)
        splits = whole_column(form.set_splits, count, 0, _MOST_NODES, f"{where}.set_splits").astype(np.int64)
        if (splits > set_sizes).any():
            refuse(f"{where}.set_splits", "must be at most the set's size", int(splits.max()))
        starts = np.concatenate([[0], np.cumsum(set_sizes)])
        if starts[-1] > _MOST_NODES:
            raise ModelFileError(f"{where}.set_sizes: {starts[-1]} values; at most {_MOST_NODES} are read.")
        codes = whole_column(form.set_codes, int(starts[-1]), 0, _MOST_NODES, f"{where}.set_codes")
        self._check_codes(codes, np.repeat(attribute, set_sizes), "surrogates.set_codes")
        return {
            "s_start": np.concatenate([[0], np.cumsum(sizes)]), "s_attribute": attribute, "s_limit": limit,
            "s_branch": whole_column(form.branch, count, 0, 1, f"{where}.branch"), "s_agreement": agreement,
            "s_set_start": starts, "s_set_split": splits + starts[:-1], "s_set_codes": codes,
        }  # fmt: skip


_OF_SURROGATES: Final = ("s_attribute", "s_limit", "s_branch", "s_agreement", "s_set_split", "s_set_codes")


def whole_column(form: PackedColumn, size: int, low: int, high: int, where: str) -> PackedArray:
    """[size] whole numbers within these bounds."""
    column = unpacked(form, size, where, whole=True)
    wide = column.astype(np.int64)
    if ((wide < low) | (wide > high)).any():
        refuse(f"{where}.values", f"must be from {low} to {high}", int(wide[(wide < low) | (wide > high)][0]))
    return wide
