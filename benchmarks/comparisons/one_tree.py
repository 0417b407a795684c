"""One exact tree on a million rows: shallow, deep, with more classes, categories, empty cells."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from benchmarks.comparison import (
    OURS,
    Comparison,
    Contestant,
    Entrant,
    Size,
    entrant,
    faster,
    no_slower_than_own,
)
from benchmarks.learners import (
    DEPTH,
    clearwood,
    leaves,
    light_gbm,
    scikit_learn,
    xgboost_exact,
    xgboost_hist,
    ydf_cart,
)
from benchmarks.tables import half_nominal, normal_table

ROWS = 1_000_000
# "Must not lose more than a third": two thirds of the speed is one and a half times the time.
THIRD = 1.5


def _shallow(size: Size) -> Sequence[Entrant]:
    x, y = normal_table(size.rows(ROWS))
    return [
        Contestant(OURS, lambda: clearwood(x, y, max_depth=DEPTH), leaves),
        entrant("LightGBM", "lightgbm", lambda: light_gbm(x, y), leaves),
        entrant("XGBoost hist", "xgboost", lambda: xgboost_hist(x, y), leaves),
        entrant("XGBoost exact", "xgboost", lambda: xgboost_exact(x, y), leaves),
        entrant("YDF CART", "ydf", lambda: ydf_cart(x, y), leaves),
        entrant("scikit-learn", "sklearn.tree", lambda: scikit_learn(x, y, max_depth=DEPTH), leaves),
    ]


def _deep(size: Size) -> Sequence[Entrant]:
    x, y = normal_table(size.rows(ROWS))
    return [
        Contestant(OURS, lambda: clearwood(x, y, min_leaf=20), leaves),
        entrant("LightGBM", "lightgbm", lambda: light_gbm(x, y, depth=None, min_leaf=20), leaves),
        entrant("scikit-learn", "sklearn.tree", lambda: scikit_learn(x, y, min_samples_leaf=20), leaves),
    ]


def _classes(size: Size) -> Sequence[Entrant]:
    entrants: list[Entrant] = []
    for classes in (2, 3, 7):
        x, y = normal_table(size.rows(ROWS), classes=classes)
        entrants += [
            Contestant(f"{OURS}, {classes} classes", partial(clearwood, x, y, max_depth=DEPTH), leaves),
            Contestant(f"{OURS}, {classes} classes, deep", partial(clearwood, x, y, min_leaf=20), leaves),
        ]
        if classes > 2:
            run = lambda x=x, y=y: scikit_learn(x, y, max_depth=DEPTH)  # noqa: E731
            entrants.append(entrant(f"scikit-learn, {classes} classes", "sklearn.tree", run, leaves))
    return entrants


def _nominal(size: Size) -> Sequence[Entrant]:
    x, y = normal_table(size.rows(ROWS))
    frame, _ = half_nominal(size.rows(ROWS))
    return [
        Contestant(f"{OURS}, numbers", lambda: clearwood(x, y, max_depth=DEPTH), leaves),
        Contestant(OURS, lambda: clearwood(frame, y, max_depth=DEPTH), leaves),
        entrant("LightGBM", "lightgbm", lambda: light_gbm(frame, y), leaves),
        entrant("YDF CART", "ydf", lambda: ydf_cart(frame, y), leaves),
    ]


def _missing(size: Size) -> Sequence[Entrant]:
    x, y = normal_table(size.rows(ROWS))
    holes, _ = normal_table(size.rows(ROWS), missing=0.05)
    return [
        Contestant(f"{OURS}, no empty cells", lambda: clearwood(x, y, max_depth=DEPTH), leaves),
        Contestant(OURS, lambda: clearwood(holes, y, max_depth=DEPTH), leaves),
        Contestant(
            f"{OURS}, learned direction",
            lambda: clearwood(holes, y, max_depth=DEPTH, missing="direction"),
            leaves,
        ),
        entrant("LightGBM", "lightgbm", lambda: light_gbm(holes, y), leaves),
        entrant("scikit-learn", "sklearn.tree", lambda: scikit_learn(holes, y, max_depth=DEPTH), leaves),
    ]


COMPARISONS = (
    Comparison(
        "tree",
        "One exact tree, 1,000,000 × 20 float32, two classes, depth 8, from NumPy arrays",
        _shallow,
        (
            faster("scikit-learn", 30),
            faster("YDF CART", 6),
            faster("LightGBM", 1),
            faster("XGBoost hist", 1),
            faster("XGBoost exact", 1),
        ),
    ),
    Comparison(
        "deep-tree",
        "The same rows, unlimited depth, leaves of at least 20",
        _deep,
        (faster("scikit-learn", 30), faster("LightGBM", 2.5)),
    ),
    Comparison(
        "classes",
        "The same with three and seven classes",
        _classes,
        tuple(
            goal
            for n in (3, 7)
            for goal in (
                faster(f"scikit-learn, {n} classes", 20, f"{OURS}, {n} classes"),
                no_slower_than_own(f"{OURS}, 2 classes", f"{OURS}, {n} classes", THIRD),
                no_slower_than_own(f"{OURS}, 2 classes, deep", f"{OURS}, {n} classes, deep", THIRD),
            )
        ),
    ),
    Comparison(
        "nominal",
        "The same with ten of the twenty columns nominal, 2 to 40 values, from a pandas frame",
        _nominal,
        (
            no_slower_than_own(f"{OURS}, numbers", OURS, THIRD),
            faster("YDF CART", 4),
            faster("LightGBM", 2 / 3),
        ),
    ),
    Comparison(
        "missing",
        "The same with 5 % of the cells empty",
        _missing,
        (
            no_slower_than_own(f"{OURS}, no empty cells", OURS, THIRD),
            no_slower_than_own(f"{OURS}, no empty cells", f"{OURS}, learned direction", THIRD),
            faster("scikit-learn", 20),
            faster("LightGBM", 2 / 3),
        ),
    ),
)
