"""One tree, by each program: from arrays or a frame to a model, two threads, coding and binning included."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

THREADS = 2
DEPTH = 8


def clearwood(x: Any, y: Any, **settings: Any) -> Any:
    from clearwood.learners.trees.cart import CART
    from clearwood.table import learn_table

    return CART(**settings).learn(learn_table(x, y))


def scikit_learn(x: Any, y: Any, **settings: Any) -> Any:
    from sklearn.tree import DecisionTreeClassifier

    return DecisionTreeClassifier(random_state=0, **settings).fit(x, y)


def ydf_cart(x: Any, y: Any, *, depth: int | None = DEPTH, min_leaf: int = 1) -> Any:
    """Without YDF's own pruning, which would cost it a tenth of the rows and some time."""
    import ydf

    ydf.verbose(0)
    columns = {f"x{i}": x[:, i] for i in range(x.shape[1])} if isinstance(x, np.ndarray) else frame_columns(x)
    learner = ydf.CartLearner(
        label="y",
        max_depth=-1 if depth is None else depth + 1,  # YDF counts nodes on the way down, we count splits
        min_examples=min_leaf,
        validation_ratio=0.0,
        num_threads=THREADS,
    )
    return learner.train({**columns, "y": y})


def light_gbm(x: Any, y: Any, *, depth: int | None = DEPTH, min_leaf: int = 1) -> Any:
    """One boosting step with as many leaves as depth or rows allow: more would only cost it memory."""
    import lightgbm

    settings = {
        "objective": "binary",
        "num_leaves": max(len(y) // min_leaf, 2) if depth is None else 2**depth,
        "max_depth": -1 if depth is None else depth,
        "min_data_in_leaf": min_leaf,
        "min_sum_hessian_in_leaf": 0.0,
        "num_threads": THREADS,
        "verbose": -1,
    }
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return lightgbm.train(settings, lightgbm.Dataset(x, y), 1)


def xgboost_hist(x: Any, y: Any) -> Any:
    import xgboost

    return xgboost.train(
        {**_XGBOOST, "tree_method": "hist"}, xgboost.QuantileDMatrix(x, y, nthread=THREADS), 1
    )


def xgboost_exact(x: Any, y: Any) -> Any:
    import xgboost

    return xgboost.train({**_XGBOOST, "tree_method": "exact"}, xgboost.DMatrix(x, y, nthread=THREADS), 1)


_XGBOOST = {"objective": "binary:logistic", "max_depth": DEPTH, "min_child_weight": 0, "nthread": THREADS}


def frame_columns(frame: Any) -> dict[str, Any]:
    """A frame as YDF takes it: categories as strings."""
    return {
        name: frame[name].astype(object).to_numpy()
        if frame[name].dtype.kind in "OU"
        else frame[name].to_numpy()
        for name in frame.columns
    }


def leaves(model: Any) -> str:
    """How many leaves it grew: the same work shows in the same size."""
    if hasattr(model, "nodes"):
        return f"{int(model.nodes.is_leaf.sum())} leaves"
    if hasattr(model, "get_n_leaves"):
        return f"{model.get_n_leaves()} leaves"
    if hasattr(model, "num_nodes"):
        return f"{(model.num_nodes() + 1) // 2} leaves"
    if hasattr(model, "get_dump"):
        return f"{model.get_dump()[0].count('leaf=')} leaves"
    return f"{model.dump_model()['tree_info'][0]['num_leaves']} leaves"
