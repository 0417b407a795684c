"""A contingency table's test: the statistic, its degrees of freedom and its p-value."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from clearwood.arrays import Floats
from clearwood.measures.counts import Counts


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a test found, for one table or for many at once; `df` is 0 where it has no degrees of freedom.

    `log_p` distinguishes what would be 0 as p: large tables easily give p below 1e-308.
    """

    statistic: Floats
    df: Floats
    p: Floats
    log_p: Floats


TableTest: TypeAlias = Callable[[Counts], Verdict]  # [..., row, column] → [...]


def expected(counts: Counts) -> Floats:
    """[..., row, column] → what each cell would hold if rows and columns were independent.

    Rain and tennis, 56 cases: 23.1 dry days with tennis are expected.

    >>> float(expected(np.array([[12, 8], [24, 12]]))[1, 0].round(1))
    23.1
    """
    counts = np.asarray(counts, dtype=np.float64)
    rows, columns = counts.sum(axis=-1, keepdims=True), counts.sum(axis=-2, keepdims=True)
    total = rows.sum(axis=-2, keepdims=True)
    cells: Floats = rows * columns / np.where(total > 0, total, 1.0)
    return cells


def degrees_of_freedom(counts: Counts) -> Floats:
    """[..., row, column] → (rows − 1) · (columns − 1), empty rows and columns not counted."""
    counts = np.asarray(counts, dtype=np.float64)
    rows = (counts.sum(axis=-1) > 0).sum(axis=-1)
    columns = (counts.sum(axis=-2) > 0).sum(axis=-1)
    df: Floats = (np.maximum(rows - 1, 0) * np.maximum(columns - 1, 0)).astype(np.float64)
    return df
