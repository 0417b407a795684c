"""The PMML in `stored/pmml`, as SkLearn2PMML writes it of other programs' models, and JPMML's answers.

pip install sklearn2pmml lightgbm xgboost-cpu "scikit-learn<1.9"
python tests/importing/make_pmml.py FOLDER                   # in an environment of these
python -m tests.importing.make_pmml --answers                # in ours, with Java and jpmml_evaluator
"""

from __future__ import annotations

import csv
import math
import sys
import warnings
from pathlib import Path
from typing import Any

STORED = Path(__file__).parent / "stored" / "pmml"
ROWS = 200


def pipelines() -> dict[str, tuple[Any, Any, Any, Any]]:
    """By name: what stands in front, the estimator, rows and targets."""
    import lightgbm
    import numpy as np
    import pandas as pd
    import xgboost
    from sklearn import ensemble, linear_model, naive_bayes, tree
    from sklearn.compose import ColumnTransformer
    from sklearn.preprocessing import OneHotEncoder, OrdinalEncoder, StandardScaler

    draw = np.random.default_rng(0)
    numbers = pd.DataFrame(
        {
            "age": draw.integers(18, 80, ROWS).astype(float),
            "pay": draw.normal(size=ROWS).round(2),
            "kind": draw.integers(0, 4, ROWS).astype(float),
        }
    )
    gaps = numbers.mask(draw.random(numbers.shape) < 0.1)
    town = draw.choice(["Bern", "Rome", "Oslo"], ROWS)
    mixed = numbers.assign(town=town)
    two = np.where(numbers["pay"] + draw.normal(size=ROWS) / 2 > 0.2, "yes", "no")
    three = np.where((town == "Oslo") & (numbers["age"] > 40), "maybe", two)
    codes = np.unique(three, return_inverse=True)[1]
    amounts = (numbers["pay"] * 3 + numbers["age"] / 10).to_numpy()

    def front(encoder: Any, scaler: Any = "passthrough") -> Any:
        return ColumnTransformer([("t", encoder, ["town"]), ("n", scaler, ["age", "pay"])])

    quiet: dict[str, Any] = {"n_estimators": 3, "max_depth": 3, "verbose": -1, "num_threads": 1}
    few: dict[str, Any] = {"n_estimators": 3, "max_depth": 3, "n_jobs": 1}
    small: dict[str, Any] = {"n_estimators": 3, "max_depth": 3, "random_state": 0}
    bagged = tree.DecisionTreeClassifier(max_depth=3)
    return {
        "tree": (None, tree.DecisionTreeClassifier(max_depth=4), numbers, three),
        "tree_numbers": (None, tree.DecisionTreeRegressor(max_depth=3), numbers, amounts),
        "forest": (front(OneHotEncoder()), ensemble.RandomForestClassifier(**small), mixed, three),
        "forest_numbers": (front(OneHotEncoder()), ensemble.RandomForestRegressor(**small), mixed, amounts),
        "extra_trees": (None, ensemble.ExtraTreesClassifier(**small), numbers, two),
        "boosting": (front(OneHotEncoder()), ensemble.GradientBoostingClassifier(**small), mixed, two),
        "boosting_classes": (None, ensemble.GradientBoostingClassifier(**small), numbers, three),
        "boosting_numbers": (None, ensemble.GradientBoostingRegressor(**small), numbers, amounts),
        "histograms": (None, ensemble.HistGradientBoostingClassifier(max_iter=3, max_depth=3), gaps, two),
        "bagging": (None, ensemble.BaggingClassifier(bagged, n_estimators=3, random_state=0), numbers, three),
        "logistic": (front(OneHotEncoder(), StandardScaler()), linear_model.LogisticRegression(), mixed, two),
        "softmax": (
            front(OneHotEncoder(), StandardScaler()), linear_model.LogisticRegression(), mixed, three,
        ),
        "bells": (None, naive_bayes.GaussianNB(), numbers, three),
        "lightgbm": (front(OrdinalEncoder()), lightgbm.LGBMClassifier(**quiet), mixed, three),
        "lightgbm_classes": (None, lightgbm.LGBMClassifier(**quiet), gaps, three),
        "lightgbm_numbers": (
            None, lightgbm.LGBMRegressor(objective="poisson", **quiet), gaps, amounts - amounts.min(),
        ),
        "lightgbm_forest": (
            None,
            lightgbm.LGBMClassifier(boosting_type="rf", bagging_freq=1, bagging_fraction=0.5, **quiet),
            numbers, two,
        ),
        "xgboost": (front(OneHotEncoder()), xgboost.XGBClassifier(**few), mixed, (two == "yes").astype(int)),
        "xgboost_classes": (None, xgboost.XGBClassifier(**few), gaps, codes),
        "xgboost_numbers": (None, xgboost.XGBRegressor(**few), numbers, amounts),
        "xgboost_dart": (None, xgboost.XGBRegressor(booster="dart", rate_drop=0.5, **few), numbers, amounts),
        "refused_medians": (None, ensemble.AdaBoostRegressor(n_estimators=2), numbers, amounts),
        "refused_line": (front(OneHotEncoder()), linear_model.LinearRegression(), mixed, amounts),
    }  # fmt: skip


def write_documents(folder: Path) -> None:
    """Each pipeline fitted and written."""
    import pandas as pd
    from sklearn2pmml import sklearn2pmml
    from sklearn2pmml.pipeline import PMMLPipeline

    for name, (front, estimator, rows, target) in pipelines().items():
        steps = [("front", front)] if front is not None else []
        pipeline = PMMLPipeline([*steps, ("model", estimator)])
        pipeline.fit(rows, pd.Series(target, name="target"))
        sklearn2pmml(pipeline, str(folder / f"{name}.pmml"))


def write_answers() -> None:
    """JPMML-Evaluator's answers to some adversarial rows of each model; rows without one are left out."""
    import clearwood as cw
    from clearwood.importing.asked_origin import adversarial_groups
    from clearwood.importing.import_model import source_of
    from clearwood.importing.pmml.importer import ask_engine

    for place in sorted(STORED.glob("*.pmml")):
        if place.stem.startswith("refused"):
            continue
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            model = cw.import_model(place)
        made = [row for group in adversarial_groups(model, 120) for row in group.rows]
        rows = [row for row in made if "" not in row.values()]  # which CSV has for an empty cell
        answers = ask_engine(source_of(place), model.schema, rows)
        names = [each.name for each in model.schema.inputs]
        with place.with_suffix(".csv").open("w", newline="", encoding="utf-8") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow([*names, "answer", *(f"share of {each}" for each in model.schema.classes)])
            for row, own in zip(rows, answers, strict=True):
                if own.answer is not None and not any(map(math.isnan, own.shares)):
                    cells = ["" if row[name] is None else row[name] for name in names]
                    writer.writerow([*cells, own.answer, *own.shares])


if __name__ == "__main__":
    if sys.argv[1:] == ["--answers"]:
        write_answers()
    else:
        write_documents(Path(sys.argv[1]))
