"""Answers from a tree of depth 8: a million rows at once, and one row at a time."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any

from benchmarks.comparison import (
    OURS,
    Comparison,
    Contestant,
    Entrant,
    Measured,
    Size,
    at_most,
    entrant,
    faster,
    or_none,
)
from benchmarks.learners import DEPTH, clearwood, light_gbm, scikit_learn
from benchmarks.tables import normal_table

ROWS = 1_000_000
LEARNED_FROM = 100_000
CALLS = 2_000


def _batch(size: Size) -> Sequence[Entrant]:
    from clearwood.predicting import predict

    x, y = normal_table(size.rows(ROWS))
    few, known = x[:LEARNED_FROM], y[:LEARNED_FROM]
    tree = clearwood(few, known, max_depth=DEPTH)
    peer = or_none(lambda: scikit_learn(few, known, max_depth=DEPTH))
    return [
        Contestant(OURS, lambda: predict(tree, x)),
        entrant("scikit-learn", "sklearn.tree", lambda: peer.predict(x)),
    ]


def _one_row(size: Size) -> Sequence[Entrant]:
    from clearwood.predicting.row import row_predictor

    x, y = normal_table(size.rows(LEARNED_FROM))
    tree = clearwood(x, y, max_depth=DEPTH)
    names = [attribute.name for attribute in tree.schema.attributes]
    tuples = [tuple(row) for row in x[:200].tolist()]
    dicts = [dict(zip(names, row, strict=True)) for row in tuples]
    arrays = [x[i : i + 1] for i in range(200)]
    ours = row_predictor(tree)
    peer = or_none(lambda: scikit_learn(x, y, max_depth=DEPTH))
    boosted = or_none(lambda: light_gbm(x, y))
    return [
        Contestant(f"{OURS}, tuple", lambda: _each(ours, tuples)),
        Contestant(f"{OURS}, dict", lambda: _each(ours, dicts)),
        entrant("scikit-learn", "sklearn.tree", lambda: _each(peer.predict, arrays)),
        entrant(
            "LightGBM", "lightgbm", lambda: _each(lambda row: boosted.predict(row, num_threads=1), arrays)
        ),
    ]


def _each(answer: Callable[[Any], Any], rows: Sequence[Any]) -> Measured:
    """Microseconds a call, the rows being different ones as they are in life."""
    start = time.perf_counter()
    for _ in range(CALLS // len(rows)):
        for row in rows:
            answer(row)
    return Measured(1e6 * (time.perf_counter() - start) / (CALLS // len(rows) * len(rows)))


COMPARISONS = (
    Comparison(
        "batch",
        "Classes of 1,000,000 rows from a NumPy array, through a tree of depth 8",
        _batch,
        (faster("scikit-learn", 3),),
    ),
    Comparison(
        "one-row",
        "One row at a time through the same tree",
        _one_row,
        (at_most(5, f"{OURS}, tuple", "µs"), at_most(20, f"{OURS}, dict", "µs")),
        unit="µs",
    ),
)
