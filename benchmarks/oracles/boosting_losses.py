"""LightGBM's and XGBoost's loss on held-out rows of the reference tables, to hold Boosting against.

Run by a Python that has both, from the root of the repository; it needs nothing of Clearwood:

    python benchmarks/oracles/boosting_losses.py ../shared/data > tests/figures/boosting_losses.json

Both take nominal columns as such and Boosting's settings: 100 rounds at rate 0.1, depth 6, L2 of 1, least sum
of second derivatives 1. A row is held out where
`random.Random(name).random()`, drawn row by row, is below 0.3.
"""

from __future__ import annotations

import csv
import gzip
import json
import sys
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

TABLES = (
    "adult", "auto_mpg", "balance_scale", "breast_w", "car", "credit_g", "diabetes", "glass", "mushroom",
    "soybean", "tic_tac_toe", "titanic", "vote",
)  # fmt: skip


def losses(folder: Path, name: str) -> dict[str, Any]:
    """Mean loss (log loss, or squared error) and its standard error, of both programs."""
    import lightgbm
    import pandas
    import xgboost

    about = json.loads((folder / f"{name}.json").read_text(encoding="utf-8"))
    with gzip.open(folder / f"{name}.csv.gz", "rt", encoding="utf-8", newline="") as file:
        header, *rows = csv.reader(file)
    die = Random(name)
    held = np.array([die.random() < 0.3 for _ in rows])
    columns: dict[str, Any] = {}
    for column in about["features"]:
        cells = [row[header.index(column)] for row in rows]
        if about["kinds"][column] == "numeric":
            columns[column] = np.array([float(cell or "nan") for cell in cells])
        else:
            columns[column] = pandas.Categorical([cell or None for cell in cells])
    x = pandas.DataFrame(columns)
    cells = [row[header.index(about["target"])] for row in rows]
    numeric = about["kinds"][about["target"]] == "numeric"
    names = sorted(set(cells))
    y = np.array([float(cell) for cell in cells] if numeric else [names.index(cell) for cell in cells])
    classes = 0 if numeric else len(names)
    made: dict[str, Any] = {"numeric": numeric}
    shared = {"learning_rate": 0.1, "seed": 0}
    if classes > 2:
        shared["num_class"] = classes
    kinds = {0: ("regression", "reg:squarederror"), 2: ("binary", "binary:logistic")}
    objectives = kinds.get(classes, ("multiclass", "multi:softprob"))
    grown = {"max_depth": 6, "num_leaves": 64, "lambda_l2": 1, "min_sum_hessian_in_leaf": 1}
    light = lightgbm.train(
        {
            **shared,
            **grown,
            "min_data_in_leaf": 1,
            "objective": objectives[0],
            "verbose": -1,
            "num_threads": 1,
        },
        lightgbm.Dataset(x[~held], y[~held]),
        100,
    )
    made["lightgbm"] = _mean(light.predict(x[held]), y[held], classes)
    data = [xgboost.DMatrix(x[part], y[part], enable_categorical=True) for part in (~held, held)]
    booster = xgboost.train({**shared, "objective": objectives[1], "nthread": 1}, data[0], 100)
    made["xgboost"] = _mean(booster.predict(data[1]), y[held], classes)
    return made


def _mean(answers: Any, y: Any, classes: int) -> list[float]:
    if not classes:
        each = (answers - y) ** 2
    else:
        shares = np.stack([1 - answers, answers], axis=1) if classes == 2 else answers
        each = -np.log(np.clip(shares[np.arange(len(y)), y], 1e-15, 1))
    return [float(each.mean()), float(each.std(ddof=1) / np.sqrt(len(each)))]


if __name__ == "__main__":
    print(json.dumps({name: losses(Path(sys.argv[1]), name) for name in TABLES}, indent=1))
