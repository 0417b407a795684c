"""Proximities: two rows are as near to each other as the part of a forest's trees in which they share a leaf.

The whole matrix is never made: a row's neighbours are looked up leaf by leaf (Breiman and Cutler 2003).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, assert_never

import numpy as np

from clearwood.arrays import Floats, Longs
from clearwood.bounds import whole
from clearwood.errors import SettingError
from clearwood.models.kinds.ensemble.ensemble import Ensemble
from clearwood.models.kinds.tree.tree import Tree
from clearwood.models.model import check_kind
from clearwood.predicting.batch import answers_by_member, codes_of_ensemble, leaf_of
from clearwood.table.attributes import Ignored, Nominal, Numeric, Ordinal, Text
from clearwood.table.table import Table


@dataclass(frozen=True, slots=True, eq=False)
class Proximities:
    """The rows of a table by the leaves they end in; made once, asked row by row.

    >>> import clearwood as cw
    >>> days = cw.read_table(cw.datasets.path("tennis"), target="PlayTennis")
    >>> near = proximities(cw.Forest(trees=50).learn(days), days)
    >>> rows, shares = near.nearest(0, 3)
    >>> len(rows), bool((shares[:-1] >= shares[1:]).all())
    (3, True)
    """

    table: Table
    leaves: Longs  # [tree, row]
    order: Longs  # [tree, place] rows sorted by leaf
    classes: tuple[str, ...]

    def of(self, row: int) -> tuple[Longs, Floats]:
        """The rows that share a leaf with this one in some tree, and their proximities."""
        if not 0 <= row < len(self.table):
            raise SettingError(f"No row {row}: the table has {len(self.table):,}, counted from 0.")
        met = []
        for leaves, order in zip(self.leaves, self.order, strict=True):
            first, last = np.searchsorted(leaves[order], [leaves[row], leaves[row] + 1])
            met.append(order[first:last])
        rows, times = np.unique(np.concatenate(met), return_counts=True)
        others = rows != row
        return rows[others], times[others] / len(self.leaves)

    def nearest(self, row: int, count: int = 10) -> tuple[Longs, Floats]:
        """The nearest rows, the nearest first, and their proximities."""
        whole("count", count, 1)
        rows, shares = self.of(row)
        best = np.argsort(-shares, kind="stable")[:count]
        return rows[best], shares[best]

    def oddness(self, rows: Sequence[int] | None = None) -> Floats:
        """[row] how odd it is among its class: rows ÷ Σ proximity² to them, less the class's median, by its
        mean absolute deviation; above 10 a row is worth a look. Of numbers all rows are one class."""
        asked = range(len(self.table)) if rows is None else rows
        group = self.table.target if self.classes else np.zeros(len(self.table), dtype=np.int64)
        sizes = np.bincount(group, minlength=max(len(self.classes), 1))
        raw = np.empty(len(asked))
        for place, row in enumerate(asked):
            others, shares = self.of(row)
            near = float((shares[group[others] == group[row]] ** 2).sum())
            raw[place] = sizes[group[row]] / max(near, 1.0 / len(self.leaves) ** 2)
        of_asked, odd = group[list(asked)], np.zeros(len(asked))
        for each in np.unique(of_asked).tolist():
            here = of_asked == each
            distance = raw[here] - np.median(raw[here])
            spread = float(np.abs(distance).mean())
            odd[here] = distance / spread if spread > 0 else 0.0
        return odd

    def prototypes(self, neighbours: int = 20) -> dict[str, dict[str, Any]]:
        """For each class a typical row: of the row with most of its class near it, those neighbours' medians
        of numbers and their most frequent values."""
        whole("neighbours", neighbours, 1)
        if not self.classes:
            raise SettingError("Prototypes are of classes; this target is a number.")
        found: dict[str, tuple[int, Longs]] = {}
        for row in range(len(self.table)):
            near = self.nearest(row, neighbours)[0]
            name = self.classes[int(self.table.target[row])]
            own = near[self.table.target[near] == self.table.target[row]]
            if name not in found or len(own) > found[name][0]:
                found[name] = len(own), np.append(own, row)
        return {name: _typical(self.table, rows) for name, (_, rows) in sorted(found.items())}


def proximities(forest: Ensemble, table: Table) -> Proximities:
    """The rows of a table as a forest's trees put them together."""
    check_kind("proximities", forest, Ensemble)
    if forest.trees is None or forest.combined_by == "sum":
        raise SettingError(
            "Proximities are by the leaves of trees that are averaged or vote: learn a Forest."
        )
    leaves = np.stack([leaf_of(each, table) for each in forest.members if isinstance(each, Tree)])
    order = np.argsort(leaves, axis=1, kind="stable")
    return Proximities(table, leaves.astype(np.int64), order, tuple(forest.schema.classes))


def agreement(forest: Ensemble, table: Table) -> Floats:
    """[row] how far the members agree: the part of their weight that votes for the ensemble's class; of
    numbers the standard deviation of the members' predictions.

    >>> import clearwood as cw
    >>> days = cw.read_table(cw.datasets.path("tennis"), target="PlayTennis")
    >>> agreed = agreement(cw.Forest(trees=50).learn(days), days)
    >>> bool((agreed > 0.5).all())
    True
    """
    check_kind("agreement", forest, Ensemble)
    if forest.combined_by == "sum":
        raise SettingError("Proximities are not defined for boosted trees: their trees correct each other.")
    weights = np.array([forest.weight(member) for member in range(forest.size)])
    agreed = np.empty(len(table))
    step = max(1, 10_000_000 // (forest.size * max(len(forest.schema.classes), 1)))
    for first in range(0, len(table), step):
        part = table.take(np.arange(first, min(first + step, len(table))))
        answers = answers_by_member(forest, part)
        if forest.is_numeric:
            mean = np.average(answers[:, :, 0], axis=1, weights=weights)
            squares = (answers[:, :, 0] - mean[:, None]) ** 2
            agreed[first : first + step] = np.sqrt(np.average(squares, axis=1, weights=weights))
        else:
            same = answers.argmax(axis=2) == codes_of_ensemble(forest, part)[:, None]
            agreed[first : first + step] = same @ weights / weights.sum()
    return agreed


def _typical(table: Table, rows: Longs) -> dict[str, Any]:
    cells: dict[str, Any] = {}
    for attribute in table.schema.attributes:
        match attribute:
            case Numeric(name):
                known = table.columns[name][rows]
                known = known[~np.isnan(known)]
                cells[name] = float(np.median(known)) if len(known) else None
            case Nominal(name, values) | Ordinal(name, values):
                codes = table.columns[name][rows]
                counts = np.bincount(codes[codes >= 0], minlength=len(values))
                cells[name] = values[int(counts.argmax())] if counts.any() else None
            case Text() | Ignored():
                continue
            case _:
                assert_never(attribute)
    return cells
