"""A cut curve: what every place to cut a numeric column would gain, in a table or at a node of a tree."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from clearwood.arrays import Floats, Longs
from clearwood.bounds import choice
from clearwood.counting.cuts import midpoint
from clearwood.errors import Advice, SchemaError, SettingError
from clearwood.formulas.conditions import OnNumbers, limits_of
from clearwood.measures import IMPURITIES
from clearwood.measures.information import gain
from clearwood.models.kinds.tree.tree import Tree, path_to
from clearwood.models.model import check_kind
from clearwood.predicting.through import parts_at
from clearwood.table.attributes import Numeric
from clearwood.table.table import Table


@dataclass(frozen=True, slots=True, eq=False)
class CutCurve:
    """The gain of each cut midway between neighbouring values, and the rows it is counted from.

    `chosen` is the threshold that the tree uses at this node, or that of the largest gain; None where the
    values are all alike. The gain is that of rows with a known cell times their part of all rows.
    """

    name: str
    classes: tuple[str, ...]
    measure: str
    where: tuple[str, ...]  # the conditions on the way to the node
    before: float  # the impurity of all rows here
    limits: Floats  # [cut]
    gains: Floats  # [cut]
    chosen: float | None
    values: Floats  # [row] known cells
    codes: Longs  # [row] classes
    weights: Floats  # [row]
    missing: float

    @property
    def best(self) -> int | None:
        """The place of the largest gain, the lowest of equals; None where there is no cut."""
        return int(np.argmax(self.gains)) if len(self.gains) else None

    @property
    def cut(self) -> int | None:
        """The place of the cut that the chosen threshold makes; None where it parts no rows.

        It is the one between the same two values: some learners put the threshold at the lower of them.
        """
        if self.chosen is None:
            return None
        cut = int(np.searchsorted(np.unique(self.values), self.chosen, side="right")) - 1
        return cut if 0 <= cut < len(self.gains) else None


def cut_curve(
    table: Table, column: str, *, tree: Tree | None = None, node: int = 0, measure: str = "entropy"
) -> CutCurve:
    """The gain of every threshold of a column in bits of entropy, or by another `measure` of `IMPURITIES`.

    With a `tree` and the number of one of its `node`s, only the rows that come there are counted.

    >>> from clearwood import datasets
    >>> from clearwood.table import read_table
    >>> curve = cut_curve(read_table(datasets.path("tennis_numeric"), target="Play"), "Humidity")
    >>> curve.chosen, round(float(curve.gains[curve.cut]), 4), len(curve.limits)
    (82.5, 0.1022, 7)
    """
    choice("measure", measure, tuple(IMPURITIES))
    attribute, classes = table.schema[column], table.schema.classes
    if not isinstance(attribute, Numeric):
        raise SettingError(f"Only a numeric column can be cut; '{column}' is {attribute.kind}.")
    if not classes:
        raise SchemaError(
            "A cut curve needs a table with a target of classes. Name it when reading: ",
            Advice("target"),
            ".",
        )
    if tree is not None:
        check_kind("cut_curve", tree, Tree)
    parts = np.ones(len(table)) if tree is None else parts_at(tree, table, node)
    weights = parts if table.weights is None else parts * table.weights
    cells, codes = table.columns[column].astype(np.float64), table.target.astype(np.int64)
    here = (weights > 0) & (codes >= 0)
    known = here & ~np.isnan(cells)
    if not known.any():
        raise SchemaError(f"There are no rows with a value of '{column}' and a class to cut.")
    values, codes, weights, all_rows = cells[known], codes[known], weights[known], float(weights[here].sum())
    limits, counts = _counted(values, codes, weights, len(classes))
    gains = weights.sum() / all_rows * gain(counts, IMPURITIES[measure]) if len(limits) else np.empty(0)
    threshold = None if tree is None else _threshold_at(tree, node, column)
    best = float(limits[int(np.argmax(gains))]) if len(limits) else None
    return CutCurve(
        name=column,
        classes=classes,
        measure=measure,
        where=() if tree is None else tuple(map(str, path_to(tree, node))),
        before=float(IMPURITIES[measure](np.bincount(codes, weights, minlength=len(classes)))),
        limits=limits,
        gains=np.asarray(gains, dtype=np.float64),
        chosen=best if threshold is None else threshold,
        values=values,
        codes=codes,
        weights=weights,
        missing=all_rows - float(weights.sum()),
    )


def _counted(values: Floats, codes: Longs, weights: Floats, classes: int) -> tuple[Floats, Floats]:
    """[cut] thresholds, and [cut, side, class] what lies on either side of each."""
    levels, place = np.unique(values, return_inverse=True)
    by_value = np.bincount(place * classes + codes, weights, minlength=len(levels) * classes)
    by_value = by_value.reshape(len(levels), classes)
    low = by_value.cumsum(axis=0)[:-1]
    # Summed from the top as well: a difference of sums would leave crumbs where a side has none of a class.
    high = by_value[::-1].cumsum(axis=0)[::-1][1:]
    pairs = zip(levels[:-1].tolist(), levels[1:].tolist(), strict=True)
    return np.array([midpoint(below, above) for below, above in pairs]), np.stack([low, high], axis=1)


def _threshold_at(tree: Tree, node: int, column: str) -> float | None:
    """The threshold at which a node splits the column, if it does."""
    for child in tree.nodes.children(node):
        condition = tree.condition(child)
        if condition.name == column and isinstance(condition, OnNumbers):
            low, high = limits_of(condition)
            return high.number if math.isfinite(high.number) else low.number
    return None
