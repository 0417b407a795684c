"""How the cost of one tree grows with rows and with columns."""

from __future__ import annotations

import math
import time
from collections.abc import Sequence

import numpy as np

from benchmarks.comparison import Comparison, Contestant, Entrant, Goal, Measured, Medians, Size
from benchmarks.learners import DEPTH, clearwood
from benchmarks.tables import normal_table

ROWS = (10_000, 100_000, 1_000_000, 10_000_000)
COLUMNS = (5, 10, 20, 40, 80, 160)


def _rows(size: Size) -> Sequence[Entrant]:
    return [_point(f"{rows:,} rows", size.rows(rows), 20) for rows in ROWS]


def _columns(size: Size) -> Sequence[Entrant]:
    return [_point(f"{columns} columns", size.rows(200_000), columns) for columns in COLUMNS]


def _point(name: str, rows: int, columns: int) -> Contestant:
    def run() -> Measured:
        x, y = normal_table(rows, columns)
        # Small tables are over in milliseconds: several trees, so that the clock has something to measure.
        trees = max(1, 1_000_000 // x.size)
        start = time.perf_counter()
        for _ in range(trees):
            clearwood(x, y, max_depth=DEPTH)
        seconds = (time.perf_counter() - start) / trees
        return Measured(seconds, f"{1e9 * seconds / x.size:.1f} ns a cell")

    return Contestant(name, run)


def _slope(names: Sequence[str], sizes: Sequence[int]) -> Goal:
    """The slope of log time over log size: 1 is linear; sorting's log factor adds about 0.1."""

    def slope(medians: Medians) -> float:
        return float(np.polyfit(np.log(sizes), [math.log(medians[name]) for name in names], 1)[0])

    return Goal("slope of log time over log size, at most", slope, 1.15, at_least=False)


COMPARISONS = (
    Comparison(
        "rows",
        "One tree of depth 8, 20 columns, from 10⁴ to 10⁷ rows",
        _rows,
        (_slope([f"{rows:,} rows" for rows in ROWS], ROWS),),
    ),
    Comparison(
        "columns",
        "One tree of depth 8, 200,000 rows, from 5 to 160 columns",
        _columns,
        (_slope([f"{columns} columns" for columns in COLUMNS], COLUMNS),),
    ),
)
