"""LightGBM's and XGBoost's loss on held-out rows of the reference tables, to hold Boosting against.

Run by a Python that has both and pandas, from the root of the repository; it needs nothing of Clearwood:

    python -m benchmarks.oracles.boosting_losses ../shared/data > tests/figures/boosting_losses.json

Five folds, dealt by `folds_of`. Ordinal columns are numbers, nominal ones categories. "equal" are Boosting's
settings: 100 rounds at rate 0.1, depth 6, L2 of 1, least sum of second derivatives 1; "default" are 100
rounds by each program's own: XGBoost's rate of 0.3, LightGBM's 31 leaves of at least 20 rows without L2.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any, Final

import numpy as np

from benchmarks.oracles.reference_frames import Frame, folds_of, frame

TABLES: Final = (
    "auto_mpg", "balance_scale", "breast_cancer", "breast_w", "car", "credit_g", "diabetes", "glass",
    "monks_2", "penguins", "soybean", "tic_tac_toe", "titanic", "vote", "mushroom", "adult",
)  # fmt: skip
FOLDS: Final = 5
ROUNDS: Final = 100
EQUAL: Final[dict[str, dict[str, Any]]] = {
    "lightgbm": {
        "learning_rate": 0.1, "max_depth": 6, "num_leaves": 64, "lambda_l2": 1, "min_sum_hessian_in_leaf": 1,
        "min_data_in_leaf": 1,
    },
    "xgboost": {"learning_rate": 0.1},  # the others are its defaults
}  # fmt: skip


def main() -> None:
    folder, only = Path(sys.argv[1]), sys.argv[2:]
    made = {}
    for name in only or TABLES:
        made[name] = losses(frame(folder, name))
        print(name, made[name], file=sys.stderr, flush=True)
    rows = ",\n".join(f' "{name}": {json.dumps(each)}' for name, each in made.items())
    print("{\n" + rows + "\n}")


def losses(table: Frame) -> dict[str, list[float]]:
    """By program and settings: mean loss (log loss, or squared error) and its standard error."""
    import pandas as pd

    columns = {
        f"x{i}": pd.Categorical(cells) if name in table.nominal else cells
        for i, (name, cells) in enumerate(table.columns.items())
    }
    x: Any = pd.DataFrame(columns)
    fold = folds_of(table.name, len(table), 0, FOLDS)
    made = {}
    for program, run in (("lightgbm", _lightgbm), ("xgboost", _xgboost)):
        for name, given in (("equal", EQUAL[program]), ("default", {})):
            each = np.zeros(len(table))
            for held in range(FOLDS):
                test = fold == held
                answers = run(x[~test], table.y[~test], x[test], table.classes, given)
                each[test] = _losses(answers, table.y[test], table.classes)
            error = each.std(ddof=1) / np.sqrt(len(each))
            made[f"{program} {name}"] = [round(float(each.mean()), 6), round(float(error), 6)]
    return made


def _lightgbm(x: Any, y: Any, test: Any, classes: int, given: dict[str, Any]) -> Any:
    import lightgbm

    kinds = {0: {"objective": "regression"}, 2: {"objective": "binary"}}
    task = kinds.get(classes, {"objective": "multiclass", "num_class": classes})
    settings = {**task, **given, "seed": 0, "verbose": -1, "num_threads": 1}
    return lightgbm.train(settings, lightgbm.Dataset(x, y), ROUNDS).predict(test)


def _xgboost(x: Any, y: Any, test: Any, classes: int, given: dict[str, Any]) -> Any:
    import xgboost

    kinds = {0: {"objective": "reg:squarederror"}, 2: {"objective": "binary:logistic"}}
    task = kinds.get(classes, {"objective": "multi:softprob", "num_class": classes})
    data = xgboost.DMatrix(x, y, enable_categorical=True)
    model = xgboost.train({**task, **given, "seed": 0, "nthread": 1}, data, ROUNDS)
    return model.predict(xgboost.DMatrix(test, enable_categorical=True))


def _losses(answers: Any, y: Any, classes: int) -> Any:
    if not classes:
        return (answers - y) ** 2
    shares = np.stack([1 - answers, answers], axis=1) if classes == 2 else answers
    return -np.log(np.clip(shares[np.arange(len(y)), y], 1e-15, 1))


if __name__ == "__main__":
    main()
