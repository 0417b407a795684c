"""Trees of scikit-learn and XGBoost with the values of `shap`: JSON in, JSON out, run by an interpreter
that has them.

In: {"seed": n}. Out: by name the trees as arrays, the base value of the sum of all trees, rows (null is an
empty cell), and the values [row, column]; of a forest the mean is written as a sum of scaled trees.
"""

from __future__ import annotations

import json
import sys
from importlib.metadata import version
from typing import Any

import numpy as np


def main() -> None:
    import shap
    import xgboost
    from sklearn.ensemble import RandomForestRegressor
    from sklearn.tree import DecisionTreeClassifier

    random = np.random.default_rng(json.load(sys.stdin)["seed"])
    x = random.integers(0, 40, size=(400, 5)).astype(np.float32) / 4
    y = x[:, 0] * x[:, 1] / 10 + np.where(x[:, 2] > 5, 2.0, 0.0) + random.normal(size=400)
    rows = x[:12]
    tree = DecisionTreeClassifier(max_depth=5, random_state=0).fit(x, y > np.median(y))
    forest = RandomForestRegressor(5, max_depth=4, random_state=0).fit(x, y)
    of_tree = shap.TreeExplainer(tree)
    of_forest = shap.TreeExplainer(forest)
    out: dict[str, Any] = {
        "tree": {
            "trees": [_sklearn(tree.tree_, 1.0, place=1)],
            "base": float(of_tree.expected_value[1]),
            "rows": rows.tolist(),
            "values": of_tree.shap_values(rows)[:, :, 1].tolist(),
        },
        "forest": {
            "trees": [_sklearn(each.tree_, 1 / 5) for each in forest.estimators_],
            "base": float(np.ravel(of_forest.expected_value)[0]),
            "rows": rows.tolist(),
            "values": of_forest.shap_values(rows).tolist(),
        },
    }
    holes = np.where(random.random(x.shape) < 0.2, np.nan, x).astype(np.float32)
    settings = {"max_depth": 3, "eta": 0.3, "base_score": 0.0, "objective": "reg:squarederror"}
    booster = xgboost.train(settings, xgboost.DMatrix(holes, y), 6)
    explained = booster.predict(xgboost.DMatrix(holes[:12]), pred_contribs=True)
    by_shap = shap.TreeExplainer(booster).shap_values(holes[:12])
    assert np.abs(by_shap - explained[:, :-1]).max() < 1e-5
    out["xgboost"] = {
        "trees": [
            _xgboost(json.loads(text)) for text in booster.get_dump(with_stats=True, dump_format="json")
        ],
        "base": float(explained[0, -1]),
        "rows": [[None if np.isnan(cell) else float(cell) for cell in row] for row in holes[:12]],
        "values": by_shap.tolist(),
    }
    programs = ", ".join(f"{name} {version(name)}" for name in ("shap", "scikit-learn", "xgboost"))
    json.dump({"program": programs, "models": out}, sys.stdout)


def _sklearn(tree: Any, scale: float, place: int = 0) -> dict[str, list[Any]]:
    return {
        "left": tree.children_left.tolist(),
        "right": tree.children_right.tolist(),
        "column": tree.feature.tolist(),
        "threshold": tree.threshold.tolist(),
        "missing_left": [True] * tree.node_count,
        "values": (tree.value[:, 0, place] * scale).tolist(),
        "cover": tree.weighted_n_node_samples.tolist(),
    }


def _xgboost(root: dict[str, Any]) -> dict[str, list[Any]]:
    """Its nodes by number; x < threshold goes left, which of 32-bit floats is x ≤ the one below."""
    nodes: dict[int, dict[str, Any]] = {}
    waiting = [root]
    while waiting:
        node = waiting.pop()
        nodes[node["nodeid"]] = node
        waiting.extend(node.get("children", ()))
    order = sorted(nodes)
    place = {number: k for k, number in enumerate(order)}
    each = [nodes[number] for number in order]
    below = np.float32(-np.inf)
    return {
        "left": [place[n["yes"]] if "yes" in n else -1 for n in each],
        "right": [place[n["no"]] if "no" in n else -1 for n in each],
        "column": [int(n["split"][1:]) if "split" in n else -1 for n in each],
        "threshold": [
            float(np.nextafter(np.float32(n["split_condition"]), below)) if "split" in n else 0.0
            for n in each
        ],
        "missing_left": [n.get("missing") == n.get("yes") for n in each],
        "values": [float(np.float32(n.get("leaf", 0.0))) for n in each],
        "cover": [n["cover"] for n in each],
    }


if __name__ == "__main__":
    main()
