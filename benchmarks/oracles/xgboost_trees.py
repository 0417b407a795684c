"""XGBoost's exact trees, round by round, for the tests to hold Boosting against.

Run by a Python that has xgboost (3.2), from the root of the repository; it needs nothing of Clearwood:

    python benchmarks/oracles/xgboost_trees.py ../shared/data > tests/figures/xgboost.json

Each round's trees are kept with the gain of every split, so that a test can begin each round from XGBoost's
own margins. Only numeric columns are given.
"""

from __future__ import annotations

import csv
import gzip
import json
import sys
from pathlib import Path
from typing import Any

import numpy as np

ROUNDS = 5
TABLES = ("auto_mpg", "breast_w", "credit_g", "diabetes", "glass", "iris")
SETTINGS = {
    "tree_method": "exact",
    "eta": 0.3,
    "lambda": 1,
    "min_child_weight": 1,
    "max_depth": 6,
    "gamma": 0,
}


def figures(folder: Path, name: str) -> dict[str, Any]:
    """The trees of one table, and the margin that they begin from."""
    import xgboost

    about = json.loads((folder / f"{name}.json").read_text(encoding="utf-8"))
    with gzip.open(folder / f"{name}.csv.gz", "rt", encoding="utf-8", newline="") as file:
        header, *rows = csv.reader(file)
    numeric = [each for each in about["features"] if about["kinds"][each] == "numeric"]
    x = np.array([[float(row[header.index(c)] or "nan") for c in numeric] for row in rows], dtype=np.float32)
    cells = [row[header.index(about["target"])] for row in rows]
    settings: dict[str, Any] = {"objective": "reg:squarederror"}
    if about["kinds"][about["target"]] == "numeric":
        y, scores = np.array([float(cell) for cell in cells]), 1
    else:
        declared = about.get("declared_categories", {}).get(about["target"], [])
        names = list(dict.fromkeys([*declared, *cells]))
        y = np.array([names.index(cell) for cell in cells])
        two = len(names) == 2
        scores = 1 if two else len(names)
        many = {"objective": "multi:softprob", "num_class": scores}
        settings = {"objective": "binary:logistic"} if two else many
    data = xgboost.DMatrix(x, y, base_margin=np.zeros((len(y), scores), dtype=np.float32).squeeze())
    booster = xgboost.train({**SETTINGS, **settings, "nthread": 1}, data, ROUNDS)
    dump = booster.get_dump(dump_format="json", with_stats=True)
    return {"columns": numeric, "scores": scores, "trees": [_nodes(json.loads(tree)) for tree in dump]}


def _nodes(node: dict[str, Any]) -> list[Any]:
    """[leaf], or [column, x below this, gain, missing go left, left, right]."""
    if "leaf" in node:
        return [node["leaf"]]
    sides = {child["nodeid"]: _nodes(child) for child in node["children"]}
    yes, no = sides[node["yes"]], sides[node["no"]]
    column = int(node["split"][1:])
    return [column, node["split_condition"], node["gain"], node["missing"] == node["yes"], yes, no]


if __name__ == "__main__":
    import xgboost

    made = {name: figures(Path(sys.argv[1]), name) for name in TABLES}
    print(json.dumps({"version": xgboost.__version__, "settings": SETTINGS, "tables": made}))
