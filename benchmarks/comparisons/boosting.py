"""Gradient boosting of a million rows of 20 numbers, coding included, beside XGBoost and LightGBM."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any

from benchmarks.comparison import OURS, Comparison, Contestant, Entrant, Size, entrant, faster
from benchmarks.learners import THREADS
from benchmarks.tables import normal_table

ROWS, TREES, DEPTH = 1_000_000, 100, 6


def _enter(size: Size) -> Sequence[Entrant]:
    x, y = normal_table(size.rows(ROWS))
    return [
        Contestant(OURS, lambda: _ours(x, y), lambda model: f"{model.size} trees"),
        entrant("XGBoost hist", "xgboost", lambda: _xgboost(x, y), lambda _: f"{TREES} trees"),
        entrant("LightGBM", "lightgbm", lambda: _light_gbm(x, y), lambda _: f"{TREES} trees"),
    ]


def _ours(x: Any, y: Any) -> Any:
    from clearwood.learners.ensembles.boosting import Boosting
    from clearwood.table import learn_table

    return Boosting(trees=TREES, max_depth=DEPTH).learn(learn_table(x, y))


def _xgboost(x: Any, y: Any) -> Any:
    import xgboost

    settings = {"objective": "binary:logistic", "tree_method": "hist", "max_depth": DEPTH, "eta": 0.1}
    data = xgboost.QuantileDMatrix(x, y, nthread=THREADS)
    return xgboost.train({**settings, "nthread": THREADS}, data, TREES)


def _light_gbm(x: Any, y: Any) -> Any:
    import lightgbm

    settings = {
        "objective": "binary",
        "num_leaves": 2**DEPTH,
        "max_depth": DEPTH,
        "min_data_in_leaf": 1,
        "min_sum_hessian_in_leaf": 1,
        "num_threads": THREADS,
        "verbose": -1,
    }
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return lightgbm.train(settings, lightgbm.Dataset(x, y), TREES)


COMPARISONS = (
    Comparison(
        "boosting",
        f"Gradient boosting, {TREES} trees of depth {DEPTH}, a million rows of 20 numbers, coding included",
        _enter,
        (faster("XGBoost hist", 1.5), faster("LightGBM", 1.5)),
    ),
)
