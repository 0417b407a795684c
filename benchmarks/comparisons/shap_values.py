"""SHAP values of 10,000 rows by 100 trees of depth 6: the same trees, those of scikit-learn's forest."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from benchmarks.comparison import OURS, Comparison, Contestant, Entrant, Size, entrant, faster
from benchmarks.tables import normal_table

ROWS = 10_000
TREES = 100
DEPTH = 6


def _shap(size: Size) -> Sequence[Entrant]:
    from sklearn.ensemble import RandomForestRegressor
    from tests.explaining.foreign_trees import columns_of, of_scikit_learn, tree_from

    from clearwood.explaining.shap import shap_values
    from clearwood.models.kinds.ensemble.ensemble import Ensemble
    from clearwood.models.kinds.ensemble.many_trees import joined_trees
    from clearwood.table.attributes import Numeric
    from clearwood.table.schema import Schema
    from clearwood.table.table import Table

    x, y = normal_table(size.rows(ROWS))
    forest = RandomForestRegressor(TREES, max_depth=DEPTH, max_features=0.5, random_state=0, n_jobs=2).fit(
        x, y
    )
    schema = Schema(columns_of(x.shape[1]), Numeric("y"))
    nodes = [tree_from(of_scikit_learn(each.tree_), schema).nodes for each in forest.estimators_]
    ours = Ensemble(schema, joined_trees(nodes, "mean"))
    table = Table(
        Schema(schema.attributes), {each.name: x[:, place] for place, each in enumerate(schema.attributes)}
    )
    return [
        Contestant(OURS, lambda: shap_values(ours, table)),
        entrant("shap", "shap", lambda: _of_peer(forest, x)),
    ]


def _of_peer(forest: Any, x: np.ndarray[Any, Any]) -> Any:
    import shap

    return shap.TreeExplainer(forest).shap_values(x, check_additivity=False)


COMPARISONS = (
    Comparison(
        "shap",
        "SHAP values of 10,000 rows by 100 trees of depth 6",
        _shap,
        (faster("shap", 5),),
    ),
)
