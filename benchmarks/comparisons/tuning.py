"""Tuning thirty settings of CART in ten folds, beside GridSearchCV over scikit-learn's tree."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from benchmarks.comparison import OURS, Comparison, Contestant, Entrant, Size, entrant, faster
from benchmarks.learners import THREADS
from benchmarks.reference import WHOLE_ADULT
from benchmarks.tables import normal_table
from clearwood.learners.trees.cart import CART
from clearwood.study.designs import Folds
from clearwood.study.tuning.tuner import Tuning, tune
from clearwood.table import learn_table
from clearwood.table.attributes import Nominal, Numeric, Ordinal
from clearwood.table.table import Table

DEPTHS, LEAVES = tuple(range(3, 13)), (5, 20, 50)
ONE_BY_ONE = tuple(range(5, 65, 2))  # sizes of leaves decide which split is taken: no tree can be shared
ROWS = 100_000
PEER, ONE_HOT = "GridSearchCV", "GridSearchCV, zeros and ones"


def _adult(size: Size) -> Sequence[Entrant]:
    """scikit-learn's tree takes numbers: values of nominal columns go as codes, or as zeros and ones."""
    table = WHOLE_ADULT.table(size)
    codes, wide = _as_codes(table), _as_zeros_and_ones(table)
    answers = np.asarray(table.target)
    return [
        Contestant(OURS, lambda: _ours(table, max_depth=DEPTHS, min_leaf=LEAVES), _chosen),
        entrant(PEER, "sklearn.tree", lambda: _grid_search(codes, answers), _best),
        entrant(ONE_HOT, "sklearn.tree", lambda: _grid_search(wide, answers), _best),
    ]


def _numbers(size: Size) -> Sequence[Entrant]:
    x, y = normal_table(size.rows(ROWS))
    return [
        Contestant(OURS, lambda: _ours(learn_table(x, y), max_depth=DEPTHS, min_leaf=LEAVES), _chosen),
        entrant(PEER, "sklearn.tree", lambda: _grid_search(x, y), _best),
    ]


def _leaves(size: Size) -> Sequence[Entrant]:
    x, y = normal_table(size.rows(ROWS))
    sizes = {"max_depth": [8], "min_samples_leaf": list(ONE_BY_ONE)}
    return [
        Contestant(OURS, lambda: _ours(learn_table(x, y), max_depth=(8,), min_leaf=ONE_BY_ONE), _chosen),
        entrant(PEER, "sklearn.tree", lambda: _grid_search(x, y, sizes), _best),
    ]


def _ours(table: Table, **grid: Sequence[int]) -> Tuning:
    return tune(CART(), table, grid, design=Folds(10))


def _grid_search(x: Any, y: Any, grid: dict[str, Any] | None = None) -> Any:
    from sklearn.model_selection import GridSearchCV, StratifiedKFold
    from sklearn.tree import DecisionTreeClassifier

    grid = grid or {"max_depth": list(DEPTHS), "min_samples_leaf": list(LEAVES)}
    folds = StratifiedKFold(10, shuffle=True, random_state=0)
    return GridSearchCV(DecisionTreeClassifier(random_state=0), grid, cv=folds, n_jobs=THREADS).fit(x, y)


def _as_codes(table: Table) -> Any:
    """Every column a number; a missing cell one of its own."""
    columns = [np.asarray(table.columns[each.name], dtype=np.float32) for each in table.schema.inputs]
    return np.nan_to_num(np.column_stack(columns), nan=-1.0)


def _as_zeros_and_ones(table: Table) -> Any:
    columns: list[Any] = []
    for each in table.schema.inputs:
        cells = table.columns[each.name]
        if isinstance(each, Numeric):
            columns.append(np.nan_to_num(np.asarray(cells, dtype=np.float32), nan=-1.0))
        elif isinstance(each, Nominal | Ordinal):
            columns += [(cells == code).astype(np.float32) for code in range(len(each.values))]
    return np.column_stack(columns)


def _chosen(tuning: Tuning) -> str:
    return f"accuracy {tuning.chosen.mean:.4f}"


def _best(search: Any) -> str:
    return f"accuracy {search.best_score_:.4f}"


COMPARISONS = (
    Comparison(
        "tune",
        f"Thirty settings of CART (depth, size of leaves) in ten folds, {WHOLE_ADULT.called}, two threads",
        _adult,
        (faster(PEER, 10), faster(ONE_HOT, 10)),
    ),
    Comparison(
        "tune-numbers",
        "The same settings, 100,000 × 20 float32, from NumPy arrays",
        _numbers,
        (faster(PEER, 10),),
    ),
    Comparison(
        "tune-leaves",
        "Thirty sizes of leaves at depth 8, which share no tree, 100,000 × 20 float32",
        _leaves,
        (faster(PEER, 10),),
    ),
)
