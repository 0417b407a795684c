"""Accuracy and out-of-bag error of other people's forests on the reference tables, to hold Forest against.

Run by a Python that has scikit-learn, pandas and ydf, on a machine with R's ranger (Debian r-cran-ranger),
from the root of the repository; it needs nothing of Clearwood:

    python -m benchmarks.oracles.forest_figures ../shared/data > tests/figures/forests.json

All grow 200 trees by their own defaults, on one thread. Ordinal columns are numbers. scikit-learn has a
column of zeros and ones for each nominal value, missing being one; YDF groups values and fills missing cells;
ranger takes a factor's values in the order of their names ("ranger"), or orders them by class first ("ranger
order"; to try all groups takes 2⁴⁰ of them on adult), and as it knows no missing cells they are a value of
their own, or the median.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import warnings
from pathlib import Path
from typing import Any, Final

import numpy as np

from benchmarks.oracles.reference_frames import Frame, folds_of, frame

TABLES: Final = (
    "weather_nominal", "weather_numeric", "contact_lenses", "labor", "zoo", "iris", "glass", "breast_cancer",
    "penguins", "vote", "monks_1", "monks_2", "monks_3", "balance_scale", "breast_w", "soybean", "diabetes",
    "tic_tac_toe", "credit_g", "titanic", "car", "mushroom", "adult",
)  # fmt: skip
TREES: Final = 200
LARGE: Final = 5_000  # from so many rows on, three folds once; else ten folds five times


def main() -> None:
    folder, only = Path(sys.argv[1]), sys.argv[2:]
    made = {}
    for name in only or TABLES:
        made[name] = figures(frame(folder, name))
        print(name, made[name], file=sys.stderr, flush=True)
    rows = ",\n".join(f' "{name}": {json.dumps(each)}' for name, each in made.items())
    print("{\n" + rows + "\n}")


def plan(rows: int) -> tuple[int, int]:
    """How many folds, and how often the rows are divided anew."""
    return (3, 1) if rows >= LARGE else (10, 5)


def figures(table: Frame) -> dict[str, list[float]]:
    """By program: the accuracy on held-out rows and the out-of-bag error, means over the repeats."""
    folds, repeats = plan(len(table))
    x = _ones(table)
    known: dict[str, list[tuple[float, float]]] = {"scikit-learn": [], "YDF": []}
    for repeat in range(repeats):
        fold = folds_of(table.name, len(table), repeat, folds)
        for program, run in (("scikit-learn", _scikit_learn), ("YDF", _ydf)):
            data = x if program == "scikit-learn" else table
            right = np.zeros(len(table), dtype=bool)
            for held in range(folds):
                right[fold == held] = run(data, table.y, fold != held, fold == held, repeat)
            out_of_bag = run(data, table.y, np.ones(len(table), bool), None, repeat)
            known[program].append((float(right.mean()), float(out_of_bag)))
    means = {program: _rounded(np.mean(each, axis=0)) for program, each in known.items()}
    return {**means, **_ranger(table, folds, repeats)}


def _scikit_learn(x: Any, y: Any, train: Any, test: Any, seed: int) -> Any:
    from sklearn.ensemble import RandomForestClassifier

    learner = RandomForestClassifier(TREES, random_state=seed, n_jobs=1, oob_score=test is None)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = learner.fit(x[train], y[train])
    return 1 - model.oob_score_ if test is None else model.predict(x[test]) == y[test]


def _ones(table: Frame) -> Any:
    """[row, column] numbers as they are, and zeros and ones for nominal values."""
    blocks = []
    for column, cells in table.columns.items():
        if column in table.nominal:
            text = np.array([cell or "" for cell in cells])
            blocks.append((text[:, None] == np.unique(text)).astype(np.float64))
        else:
            blocks.append(cells[:, None])
    return np.hstack(blocks)


def _ydf(table: Any, y: Any, train: Any, test: Any, seed: int) -> Any:
    import pandas as pd
    import ydf

    ydf.verbose(0)
    rows = pd.DataFrame({f"x{i}": cells for i, cells in enumerate(table.columns.values())})
    rows["y"] = [f"c{c}" for c in y]
    learner = ydf.RandomForestLearner(label="y", num_trees=TREES, num_threads=1, random_seed=1 + seed)
    model = learner.train(rows[train])
    if test is None:
        return 1 - model.self_evaluation().accuracy
    return model.predict_class(rows[test]) == rows["y"][test].to_numpy()


def _ranger(table: Frame, folds: int, repeats: int) -> dict[str, list[float]]:
    import pandas as pd

    rows = pd.DataFrame({f"x{i}": cells for i, cells in enumerate(table.columns.values())})
    for column in rows:
        if rows[column].dtype == object or not pd.api.types.is_numeric_dtype(rows[column]):
            # Letters first, so that R reads no number.
            rows[column] = ["v" + (cell if isinstance(cell, str) else "?") for cell in rows[column]]
        else:
            rows[column] = rows[column].fillna(rows[column].median())
    rows["y"] = [f"c{c}" for c in table.y]
    for repeat in range(repeats):
        rows[f"fold{repeat}"] = folds_of(table.name, len(table), repeat, folds)
    with tempfile.TemporaryDirectory() as place:
        path = Path(place) / "rows.csv"
        rows.to_csv(path, index=False)
        script = Path(__file__).with_name("ranger.R")
        command = ["Rscript", "--vanilla", str(script), str(path), str(TREES), str(folds), str(repeats)]
        lines = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
    made = {}
    for line in lines:
        program, right, out_of_bag = line.split("\t")
        made[program] = _rounded((float(right), float(out_of_bag)))
    return made


def _rounded(figures: Any) -> list[float]:
    return [round(float(each), 5) for each in figures]


if __name__ == "__main__":
    main()
