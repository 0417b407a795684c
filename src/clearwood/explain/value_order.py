"""The order of nominal values by likeness: neighbours are values whose rows are alike in other columns."""

from __future__ import annotations

from typing import assert_never

import numpy as np

from clearwood.arrays import Floats, Longs
from clearwood.table.attributes import Ignored, Nominal, Numeric, Ordinal, Text
from clearwood.table.table import Table


def by_likeness(table: Table, column: str, codes: Longs, weights: Floats, present: Longs) -> Longs:
    """The codes in `present`, along the line that keeps their distances best (Apley and Zhu 2020).

    The distance of two values is summed over the other columns: the largest difference between the
    distributions of numbers, half the sum of differences between the shares of values. The line is the first
    axis of classical scaling; it begins with the value that the schema lists first of its two ends.
    """
    if len(present) < 3:
        return present
    apart = np.zeros((len(present), len(present)))
    for attribute in table.schema.inputs:
        if attribute.name == column or attribute.name not in table.columns:
            continue
        cells = table.columns[attribute.name]
        match attribute:
            case Numeric():
                known = np.isfinite(cells)
                levels, place = np.unique(cells[known], return_inverse=True)
                profile = _shares(codes[known], place, weights[known], present, len(levels)).cumsum(axis=1)
                apart += [np.abs(profile - one).max(axis=1, initial=0.0) for one in profile]
            case Nominal(_, values) | Ordinal(_, values):
                known = cells >= 0
                profile = _shares(codes[known], cells[known], weights[known], present, len(values))
                apart += [np.abs(profile - one).sum(axis=1) / 2 for one in profile]
            case Text() | Ignored():
                pass
            case _:
                assert_never(attribute)
    middle = np.eye(len(present)) - 1 / len(present)
    lengths, axes = np.linalg.eigh(-0.5 * middle @ apart**2 @ middle)
    if not lengths[-1] > 1e-12:
        return present
    # Rounded, so that values that are alike but for the last bit keep the schema's order.
    line = np.round(axes[:, -1], 9)
    order = np.argsort(line, kind="stable")
    if order[0] > order[-1]:
        order = np.argsort(-line, kind="stable")
    return present[order]


def _shares(codes: Longs, place: Longs, weights: Floats, present: Longs, width: int) -> Floats:
    """[value of `present`, ·] by value the shares of the other column's levels; 0 where no cell is known."""
    counts = np.zeros((int(present.max()) + 1, max(width, 1)))
    kept = (codes >= 0) & (codes <= int(present.max()))
    np.add.at(counts, (codes[kept], place[kept]), weights[kept])
    total = counts.sum(axis=1, keepdims=True)
    shares: Floats = np.divide(counts, total, out=np.zeros_like(counts), where=total > 0)[present]
    return shares
