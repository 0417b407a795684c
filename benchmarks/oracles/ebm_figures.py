"""EBM's AUC by fold: run in an environment of its own that has interpret-core, scikit-learn and pandas.

python benchmarks/oracles/ebm_figures.py ../shared/data > tests/figures/ebm.json

The folds are those of `tests/learners/test_gam_is_as_accurate_as_ebm.py`: each class's rows shuffled by
counter, dealt in turn. This file imports nothing of Clearwood, so that the environment needs no compiler.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any, Final

import numpy as np
import pandas as pd

TABLES: Final = ("breast_w", "diabetes", "credit_g")
FOLDS: Final = 5
_GOLDEN: Final = 0x9E3779B97F4A7C15
_MASK: Final = 2**64 - 1


def main() -> None:
    folder = Path(sys.argv[1])
    print(json.dumps({name: _scores(folder, name) for name in TABLES}, indent=1))


def _scores(folder: Path, name: str) -> list[float]:
    from interpret.glassbox import ExplainableBoostingClassifier
    from sklearn.metrics import roc_auc_score

    about = json.loads((folder / f"{name}.json").read_text(encoding="utf-8"))
    cells = pd.read_csv(folder / f"{name}.csv.gz", dtype=str, keep_default_na=False)
    rows: Any = pd.DataFrame()
    kinds = []
    for column in about["features"]:
        numeric = about["kinds"][column] == "numeric"
        empty = cells[column].replace("", np.nan if numeric else None)
        rows[column] = pd.to_numeric(empty) if numeric else empty.astype(object)
        kinds.append("continuous" if numeric else "nominal")
    target = cells[about["target"]]
    declared = about.get("declared_categories", {}).get(about["target"], [])
    values = list(dict.fromkeys([*declared, *target]))
    y = np.array([values.index(each) for each in target])
    folds = _folds(y)
    scores = []
    for fold in range(FOLDS):
        learner = ExplainableBoostingClassifier(feature_types=kinds, n_jobs=1)
        model = learner.fit(rows[folds != fold], y[folds != fold])
        shares = model.predict_proba(rows[folds == fold])[:, 1]
        scores.append(float(roc_auc_score(y[folds == fold], shares)))
    return scores


def _folds(y: Any) -> Any:
    folds = np.zeros(len(y), dtype=np.int64)
    for code in np.unique(y):
        own = np.flatnonzero(y == code)
        for place, row in enumerate(_shuffled(_key(12, int(code)), len(own))):
            folds[own[row]] = place % FOLDS
    return folds


def _mixed(value: int) -> int:
    value &= _MASK
    value = ((value ^ (value >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
    value = ((value ^ (value >> 27)) * 0x94D049BB133111EB) & _MASK
    return value ^ (value >> 31)


def _key(*places: int) -> int:
    key = 0
    for place in places:
        key = _mixed((key ^ _mixed((place + _GOLDEN) & _MASK)) + _GOLDEN)
    return key


def _shuffled(key: int, count: int) -> list[int]:
    order = list(range(count))
    for k in range(count - 1, 0, -1):
        other = (_mixed(key + (k + 1) * _GOLDEN) * (k + 1)) >> 64
        order[k], order[other] = order[other], order[k]
    return order


if __name__ == "__main__":
    main()
