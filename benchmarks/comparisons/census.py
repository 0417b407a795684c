"""A census-sized mixed table, 300,000 × 41: C4.5 beside J48 and C5.0, frame to model beside YDF."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from benchmarks.comparison import (
    OURS,
    Absent,
    Comparison,
    Contestant,
    Entrant,
    Measured,
    Quoted,
    Size,
    entrant,
    faster,
)
from benchmarks.learners import THREADS, leaves
from benchmarks.tables import CENSUS_TARGET, census_like
from clearwood.learners.trees.c45 import C45
from clearwood.learners.trees.cart import CART
from clearwood.table import read_table

ROWS = 300_000


def _c45(size: Size) -> Sequence[Entrant]:
    table = read_table(census_like(size.rows(ROWS)), target=CENSUS_TARGET)
    entrants: list[Entrant] = [Contestant(OURS, lambda: C45().learn(table), leaves)]
    from benchmarks.oracles import weka

    if weka.available():
        rows = weka.instances(table)
        entrants.append(Contestant("WEKA J48", lambda: _j48(rows)))
    else:
        entrants.append(Absent("WEKA J48", "python-weka-wrapper3 or Java is not installed"))
    if size == Size():
        entrants.append(Quoted("C5.0", 0.76, "quoted from a quiet machine of this kind"))
    else:
        entrants.append(Absent("C5.0", "its figure is quoted for the full size only"))
    return entrants


def _j48(rows: Any) -> Measured:
    from benchmarks.oracles import weka

    learned = weka.learn(rows)
    return Measured(learned.seconds, f"{learned.leaves} leaves")


def _frame(size: Size) -> Sequence[Entrant]:
    frame = census_like(size.rows(ROWS))
    return [
        Contestant(f"{OURS} C4.5", lambda: C45().learn(read_table(frame, target=CENSUS_TARGET)), leaves),
        Contestant(
            f"{OURS} CART",
            lambda: CART(min_leaf=5, max_depth=15).learn(read_table(frame, target=CENSUS_TARGET)),
            leaves,
        ),
        entrant("YDF CART", "ydf", lambda: _ydf(frame), leaves),
    ]


def _ydf(frame: Any) -> Any:
    """YDF as it comes: depth 16 counting nodes, leaves of 5, a tenth of the rows kept for pruning."""
    import ydf

    ydf.verbose(0)
    return ydf.CartLearner(label=CENSUS_TARGET, num_threads=THREADS).train(frame)


COMPARISONS = (
    Comparison(
        "c45",
        "C4.5 with its defaults, 300,000 × 41 mixed, learning alone from a coded table",
        _c45,
        (faster("WEKA J48", 20), faster("C5.0", 1)),
    ),
    Comparison(
        "frame",
        "The same table from a pandas frame of strings and numbers to a model",
        _frame,
        (faster("YDF CART", 4, f"{OURS} C4.5"), faster("YDF CART", 4, f"{OURS} CART")),
    ),
)
