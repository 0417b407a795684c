"""Estimators of scikit-learn, fitted to a small random table with ties, empty cells and values."""

from __future__ import annotations

import warnings
from functools import cache
from typing import Any

import numpy as np
import pandas as pd
from sklearn.compose import make_column_transformer
from sklearn.ensemble import (
    AdaBoostClassifier,
    BaggingClassifier,
    BaggingRegressor,
    ExtraTreesClassifier,
    ExtraTreesRegressor,
    GradientBoostingClassifier,
    GradientBoostingRegressor,
    HistGradientBoostingClassifier,
    HistGradientBoostingRegressor,
    RandomForestClassifier,
    RandomForestRegressor,
)
from sklearn.feature_selection import SelectKBest, VarianceThreshold
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression, LogisticRegressionCV, SGDClassifier
from sklearn.naive_bayes import BernoulliNB, CategoricalNB, ComplementNB, GaussianNB, MultinomialNB
from sklearn.pipeline import make_pipeline, make_union
from sklearn.preprocessing import (
    Binarizer,
    KBinsDiscretizer,
    MaxAbsScaler,
    MinMaxScaler,
    OneHotEncoder,
    OrdinalEncoder,
    RobustScaler,
    StandardScaler,
    TargetEncoder,
)
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor, ExtraTreeClassifier
from threadpoolctl import threadpool_limits

ROWS = 200
_random = np.random.default_rng(0)
NUMBERS = pd.DataFrame(
    {
        "age": _random.integers(18, 80, ROWS).astype(float),
        "pay": _random.normal(size=ROWS).round(2),
        "kind": _random.integers(0, 4, ROWS).astype(float),
    }
)
GAPS = NUMBERS.mask(_random.random(NUMBERS.shape) < 0.15)
MIXED = NUMBERS.assign(town=_random.choice(["Bern", "Rome", "Oslo"], ROWS).astype(object))
MIXED_GAPS = MIXED.mask(_random.random(MIXED.shape) < 0.1)
CATEGORIES = MIXED.assign(town=pd.Categorical(MIXED["town"]))
TWO = np.where(NUMBERS["pay"] + _random.normal(size=ROWS) / 2 > 0.2, "yes", "no")
THREE = np.where((MIXED["town"] == "Oslo") & (NUMBERS["age"] > 40), "maybe", TWO)
AMOUNTS = (NUMBERS["pay"] * 3 + NUMBERS["age"] / 10).to_numpy()


def behind(model: Any, *, unknown: str = "ignore") -> Any:
    """The model behind an encoder of towns, and scaled numbers."""
    numbers = make_pipeline(SimpleImputer(strategy="median"), StandardScaler())
    towns = OneHotEncoder(handle_unknown=unknown)
    return make_pipeline(make_column_transformer((towns, ["town"]), (numbers, ["age", "pay", "kind"])), model)


def ordinal(model: Any) -> Any:
    towns = OrdinalEncoder(handle_unknown="use_encoded_value", unknown_value=-1)
    return make_pipeline(make_column_transformer((towns, ["town"]), (RobustScaler(), ["age", "pay"])), model)


def bins(count: int, encode: str) -> Any:
    return KBinsDiscretizer(count, encode=encode, strategy="uniform")


def by_target(model: Any) -> Any:
    """The model behind an encoder of towns by the means of the target."""
    filled = SimpleImputer(strategy="median")
    return make_pipeline(
        make_column_transformer((TargetEncoder(cv=2), ["town"]), (filled, ["age", "pay"])), model
    )


def unfitted() -> dict[str, tuple[Any, Any, Any]]:
    """By name: an estimator, rows and targets."""
    tree, forest = DecisionTreeClassifier, RandomForestClassifier
    return {
        "tree": (tree(random_state=0), NUMBERS, TWO),
        "tree of gaps": (tree(random_state=0), GAPS, THREE),
        "tree of weights": (tree(class_weight="balanced", criterion="entropy"), NUMBERS, THREE),
        "tree of numbers": (DecisionTreeRegressor(max_depth=6), GAPS, AMOUNTS),
        "tree of medians": (DecisionTreeRegressor(criterion="absolute_error", max_depth=4), NUMBERS, AMOUNTS),
        "random tree": (ExtraTreeClassifier(random_state=1), NUMBERS, THREE),
        "forest": (forest(15, random_state=0), GAPS, THREE),
        "extra trees": (ExtraTreesClassifier(10, random_state=0), NUMBERS, THREE),
        "forest of numbers": (RandomForestRegressor(10, random_state=0), NUMBERS, AMOUNTS),
        "extra trees of numbers": (ExtraTreesRegressor(5, random_state=0), NUMBERS, AMOUNTS),
        "votes of stumps": (AdaBoostClassifier(n_estimators=12), NUMBERS, TWO),
        "votes for classes": (
            AdaBoostClassifier(tree(max_depth=2), n_estimators=9), NUMBERS, THREE,
        ),
        "votes behind": (behind(AdaBoostClassifier(tree(max_depth=3), n_estimators=5)), MIXED_GAPS, THREE),
        "bag": (BaggingClassifier(tree(max_depth=5), n_estimators=6, random_state=0), GAPS, THREE),
        "bag of some columns": (
            BaggingClassifier(n_estimators=5, max_features=2, random_state=0), NUMBERS, THREE,
        ),
        "bag of few rows": (
            BaggingClassifier(n_estimators=8, max_samples=3, random_state=0), NUMBERS, THREE,
        ),
        "bag of numbers": (BaggingRegressor(n_estimators=5, random_state=0), GAPS, AMOUNTS),
        "boosting": (GradientBoostingClassifier(n_estimators=12), NUMBERS, TWO),
        "boosting by exponential loss": (
            GradientBoostingClassifier(n_estimators=12, loss="exponential"), NUMBERS, TWO,
        ),
        "boosting of classes": (GradientBoostingClassifier(n_estimators=6), NUMBERS, THREE),
        "boosting of numbers": (GradientBoostingRegressor(n_estimators=12), NUMBERS, AMOUNTS),
        "boosting of quantiles": (
            GradientBoostingRegressor(n_estimators=12, loss="quantile", alpha=0.8), NUMBERS, AMOUNTS,
        ),
        "boosting from zero": (GradientBoostingClassifier(n_estimators=5, init="zero"), NUMBERS, TWO),
        "histograms": (HistGradientBoostingClassifier(max_iter=8), GAPS, TWO),
        "histograms of classes": (HistGradientBoostingClassifier(max_iter=5), GAPS, THREE),
        "histograms of categories": (
            HistGradientBoostingClassifier(max_iter=5, categorical_features="from_dtype"), CATEGORIES, THREE,
        ),
        "histograms of numbers": (HistGradientBoostingRegressor(max_iter=8, loss="gamma"), GAPS, AMOUNTS + 9),
        "bells": (GaussianNB(), NUMBERS, THREE),
        "bells, scaled": (make_pipeline(StandardScaler(), GaussianNB()), NUMBERS, THREE),
        "categories": (CategoricalNB(alpha=0.5), NUMBERS[["kind"]].astype(int), THREE),
        "categories of values": (make_pipeline(OrdinalEncoder(), CategoricalNB()), MIXED[["town"]], THREE),
        "counts": (MultinomialNB(alpha=0.3), NUMBERS.abs(), THREE),
        "presence": (BernoulliNB(), NUMBERS - 40, THREE),
        "complement": (ComplementNB(), NUMBERS.abs(), THREE),
        "weights": (LogisticRegression(max_iter=500), NUMBERS, TWO),
        "weights of classes": (LogisticRegression(max_iter=500), NUMBERS, THREE),
        "weights behind": (behind(LogisticRegression()), MIXED_GAPS, THREE),
        "weights behind, unknown refused": (behind(LogisticRegression(), unknown="error"), MIXED, TWO),
        "weights of codes": (ordinal(LogisticRegression()), MIXED, TWO),
        "tree behind": (behind(tree(random_state=0)), MIXED_GAPS, THREE),
        "tree of codes": (ordinal(tree(random_state=0)), MIXED, THREE),
        "forest behind": (behind(forest(6, random_state=0)), MIXED_GAPS, THREE),
        "histograms of codes": (ordinal(HistGradientBoostingClassifier(max_iter=4)), MIXED, THREE),
        "tree, scaled": (make_pipeline(MinMaxScaler(), MaxAbsScaler(), tree()), NUMBERS, THREE),
        "tree, clipped": (make_pipeline(StandardScaler(), MinMaxScaler(clip=True), tree()), NUMBERS, THREE),
        "tree of presence": (
            make_pipeline(SimpleImputer(), Binarizer(threshold=0.4), StandardScaler(), tree()), GAPS, TWO,
        ),
        "histograms of bins": (
            make_pipeline(
                bins(5, "ordinal"),
                HistGradientBoostingClassifier(max_iter=4),
            ),
            NUMBERS,
            THREE,
        ),
        "tree of the target's means": (by_target(tree(max_depth=6)), MIXED_GAPS, THREE),
        "weights of the target's means": (by_target(LogisticRegression()), MIXED, TWO),
        "weights of the best": (make_pipeline(SelectKBest(k=2), LogisticRegression()), NUMBERS, TWO),
        "tree of columns that vary": (
            make_pipeline(VarianceThreshold(1.0), StandardScaler(), tree()), GAPS, THREE,
        ),
        "tree of two scales": (
            make_pipeline(make_union(MinMaxScaler(), MaxAbsScaler()), tree()), GAPS, THREE,
        ),
        "curves of intervals": (
            make_pipeline(
                make_column_transformer(
                    (make_pipeline(SimpleImputer(), MinMaxScaler(), bins(3, "onehot")), ["age", "pay"]),
                    (OneHotEncoder(handle_unknown="ignore"), ["town"]),
                ),
                LogisticRegression(),
            ),
            MIXED_GAPS,
            THREE,
        ),
        "curves of steps": (
            make_pipeline(
                make_column_transformer(
                    (Binarizer(threshold=0.4), ["pay"]), (bins(4, "ordinal"), ["age", "pay"])
                ),
                StandardScaler(),
                LogisticRegression(),
            ),
            NUMBERS,
            TWO,
        ),
        "weights by folds": (LogisticRegressionCV(Cs=2, cv=2, max_iter=500), NUMBERS, THREE),
        "weights by descent": (behind(SGDClassifier(loss="log_loss", random_state=0)), MIXED_GAPS, TWO),
    }  # fmt: skip


NAMES = list(unfitted())


@cache
def fitted(name: str) -> tuple[Any, Any]:
    """The estimator, and rows to ask."""
    model, rows, target = unfitted()[name]
    # Threads would wait for each other on a busy machine; defaults that will change are warned of.
    with threadpool_limits(1), warnings.catch_warnings():
        warnings.simplefilter("ignore", FutureWarning)
        return model.fit(rows, target), rows
