"""The importer of scikit-learn: which estimators and steps in front of them are read, and which are not."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from clearwood.errors import ModelFileError
from clearwood.importing.asked_origin import (
    BOUND,
    AskedOrigin,
    OriginRefusesError,
    OwnAnswers,
    RowCells,
    called,
)
from clearwood.importing.given import GivenNames, spelled_value
from clearwood.importing.importer import Importer
from clearwood.importing.scikit_learn.boosting import (
    read_ada_boost,
    read_bagging,
    read_gradient_boosting,
    read_histogram_boosting,
)
from clearwood.importing.scikit_learn.estimator import (
    FittedEstimator,
    count_of_columns,
    fitted_names,
    last_step,
    taken_apart,
    version_of,
)
from clearwood.importing.scikit_learn.front import STEPS, class_name
from clearwood.importing.scikit_learn.linear_and_bayes import (
    read_bag,
    read_categorical,
    read_descent,
    read_gaussian,
    read_logistic,
)
from clearwood.importing.scikit_learn.trees import TREES, read_forest, read_tree
from clearwood.models.model import Model
from clearwood.words.numbers import brief

# Fitted estimators of scikit-learn, by the names of their classes.


@dataclass(frozen=True, slots=True)
class ReadEstimators:
    """Classes of estimators that one function reads, what they become, and `of` which settings."""

    names: tuple[str, ...]
    read: Callable[[FittedEstimator], Model]
    becomes: str
    of: str = ""


@dataclass(frozen=True, slots=True)
class RefusedEstimators:
    """Classes of estimators that users may well try, and why they cannot be read, or what can instead."""

    names: tuple[str, ...]
    because: str


_STEPS: Final = "an ensemble: a sum of steps, with the link of the loss"
_WEIGHTS: Final = "a linear model; an additive model where intervals of numbers are weighed"
READ: Final = (
    ReadEstimators(TREES, read_tree, "a tree"),
    ReadEstimators(
        ("RandomForestClassifier", "RandomForestRegressor", "ExtraTreesClassifier", "ExtraTreesRegressor"),
        read_forest,
        "an ensemble: the mean of the trees",
    ),
    ReadEstimators(
        ("BaggingClassifier", "BaggingRegressor"),
        read_bagging,
        "an ensemble: the mean of the trees",
        "of trees",
    ),
    ReadEstimators(
        ("AdaBoostClassifier",),
        read_ada_boost,
        "an ensemble: a sum of votes by weight, with its link",
        "of trees (SAMME)",
    ),
    ReadEstimators(
        ("GradientBoostingClassifier", "GradientBoostingRegressor"), read_gradient_boosting, _STEPS
    ),
    ReadEstimators(
        ("HistGradientBoostingClassifier", "HistGradientBoostingRegressor"), read_histogram_boosting, _STEPS
    ),
    ReadEstimators(("GaussianNB",), read_gaussian, "Bayes tables"),
    ReadEstimators(("CategoricalNB",), read_categorical, "Bayes tables"),
    ReadEstimators(("MultinomialNB", "BernoulliNB", "ComplementNB"), read_bag, "Bayes tables"),
    ReadEstimators(("LogisticRegression", "LogisticRegressionCV"), read_logistic, _WEIGHTS),
    ReadEstimators(("SGDClassifier",), read_descent, _WEIGHTS, "of two classes by `log_loss`"),
)
REFUSED: Final = (
    RefusedEstimators(
        ("AdaBoostRegressor",), "It predicts the weighted median of its trees, which no ensemble here does."
    ),
    RefusedEstimators(
        ("RidgeClassifier", "RidgeClassifierCV", "LinearSVC", "Perceptron", "PassiveAggressiveClassifier"),
        "It has no probabilities of its own: its class is the sign of a score. Fit LogisticRegression "
        "instead.",
    ),
    RefusedEstimators(
        ("LinearRegression", "Ridge", "Lasso", "ElasticNet", "SGDRegressor"),
        "A linear model here tells classes apart; a line of numbers is none.",
    ),
    RefusedEstimators(
        ("VotingClassifier", "VotingRegressor", "StackingClassifier", "StackingRegressor"),
        "No model here combines others so. Import each of its estimators_.",
    ),
    RefusedEstimators(
        ("OneVsRestClassifier", "OneVsOneClassifier", "OutputCodeClassifier"),
        "No model here combines others so. Fit the estimator inside to all classes at once.",
    ),
    RefusedEstimators(("CalibratedClassifierCV",), "Import the model inside, and calibrate it here."),
    RefusedEstimators(
        ("FixedThresholdClassifier", "TunedThresholdClassifierCV"),
        "Import its estimator_, and set the cutoff here.",
    ),
    RefusedEstimators(
        ("GridSearchCV", "RandomizedSearchCV", "HalvingGridSearchCV", "HalvingRandomSearchCV"),
        "Import its best_estimator_.",
    ),
)


def is_estimator(source: Any) -> bool:
    """Is this an estimator of scikit-learn?"""
    return any(base.__module__.partition(".")[0] == "sklearn" for base in type(source).__mro__) and hasattr(
        source, "get_params"
    )


def read_estimator(source: Any, given: GivenNames) -> Model:
    """The estimator as a model; a pipeline together with what stands in front."""
    kind = class_name(last_step(source))
    because = next((f" {each.because}" for each in REFUSED if kind in each.names), "")
    readers = {name: each.read for each in READ for name in each.names}
    if kind not in readers:
        raise ModelFileError(
            f"scikit-learn's {kind} is no model that can be read here.{because} Those that can: "
            f"{', '.join(readers)}."
        )
    return readers[kind](taken_apart(source, given))


# scikit-learn's own answers: the estimator itself is asked, by a table as it was fitted to.


_COMPETES: Final = 40.0  # a class whose log is further below the largest has a share below 1e-17


def ask_estimator(source: Any, model: Model, given: GivenNames) -> AskedOrigin:
    """The estimator itself, asked about cells as its encoders know them."""
    apart = taken_apart(source, given)
    own = fitted_names(source)
    width = count_of_columns(source)
    names = given.column_names(None if own is None else list(map(str, own)), width)
    lookups = apart.lookups

    read = {each.column for each in apart.features}
    texts = {
        name for name, each in lookups.items() if any(isinstance(value, str) for value in each.originals)
    }

    def cell(name: str, value: float | str | None) -> Any:
        if name not in read:  # left out, but what stands before the selector may want a cell there
            return next(iter(lookups[name].originals or lookups[name].numbers)) if name in lookups else 0.0
        if name not in lookups:
            return np.nan if value is None else value
        known = lookups[name]
        if value is None:
            return known.original_missing
        if str(value) in known.values:
            return (known.originals or known.numbers)[known.values.index(str(value))]
        if not all(isinstance(each, str) for each in known.originals or known.numbers):
            raise OriginRefusesError(f"There is no code for '{value}'.")
        return value

    def ask(rows: list[RowCells]) -> OwnAnswers:
        columns = {name: [cell(name, row.get(name)) for row in rows] for name in names}
        table = _frame(columns, own, texts)
        if model.is_numeric:
            return OwnAnswers(np.asarray(called(source.predict, table), dtype=np.float64)[:, None])
        refused = _without_digits(source, apart.estimator, table)
        answers = [spelled_value(each) for each in called(source.predict, table).tolist()]
        places = {spelled_value(each): place for place, each in enumerate(apart.estimator.classes_.tolist())}
        shares = np.asarray(called(source.predict_proba, table))
        return OwnAnswers(shares, [places[each] for each in answers], refused)

    return AskedOrigin(f"scikit-learn {version_of(apart.estimator)}".rstrip(), ask)


def _without_digits(source: Any, estimator: Any, table: Any) -> list[str]:
    """[row] of Naive Bayes, which adds up logs: why the row has no answer, where the logs of classes that
    compete are so large that their last digits decide."""
    if not hasattr(estimator, "predict_joint_log_proba"):
        return []
    while type(source).__name__ == "Pipeline":
        table = called(source[:-1].transform, table) if len(source.steps) > 1 else table
        source = source.steps[-1][1]
    logs = np.asarray(called(estimator.predict_joint_log_proba, table), dtype=np.float64)
    top = logs.max(axis=1, keepdims=True)
    with np.errstate(invalid="ignore", over="ignore"):
        rounding = np.finfo(np.float64).eps * (np.abs(logs) + np.abs(top))
        competes = (top - logs - rounding < _COMPETES) & (
            logs.argmax(axis=1)[:, None] != np.arange(logs.shape[1])
        )
        lost = (competes & (rounding > BOUND)).any(axis=1)
    return [
        f"Its logs reach {brief(float(size))}, so that its probabilities have lost their digits."
        if each
        else ""
        for each, size in zip(lost.tolist(), top[:, 0].tolist(), strict=True)
    ]


def _frame(columns: dict[str, list[Any]], own: Any, texts: Collection[str]) -> Any:
    """The rows as the estimator was fitted: a frame with names, or an array without."""
    if own is not None:
        import pandas as pd

        # Texts as objects: pandas would have NaN for None, which encoders tell apart, and make numbers of a
        # column of NaN alone, which they refuse.
        cells = [pd.Series(each, dtype=object if name in texts else None) for name, each in columns.items()]
        return pd.DataFrame(dict(zip(own, cells, strict=True)))
    numeric = all(not isinstance(each, str) for column in columns.values() for each in column)
    return np.array(list(columns.values()), dtype=np.float64 if numeric else object).T


def _listed(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)


IMPORTER: Final = Importer(
    is_estimator,
    read_estimator,
    ask_estimator,
    reads=(
        *((f"{_listed(each.names)} {each.of}".strip(), each.becomes) for each in READ),
        (f"`Pipeline` in front, with {_listed(sorted(STEPS))}", "the same in your own columns"),
    ),
    refuses=(
        *((_listed(each.names), each.because) for each in REFUSED),
        (
            "`AdaBoostClassifier` by SAMME.R, and of other models than trees, as `Bagging…` of them",
            "Logarithms of probabilities, and other models, are no sum or mean of trees.",
        ),
        ("steps in front that mix columns, such as `PCA`", "A condition here asks one column."),
    ),
)
