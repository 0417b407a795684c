"""Reference models: scikit-learn's estimators, which show what readable models lose on the same rows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, clone, is_classifier, is_regressor
from sklearn.calibration import CalibratedClassifierCV
from sklearn.compose import TransformedTargetRegressor
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor
from sklearn.impute import SimpleImputer
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler
from sklearn.svm import SVC, SVR
from sklearn.utils.validation import has_fit_parameter

from clearwood import _native
from clearwood.arrays import Floats, Longs
from clearwood.errors import LearningError
from clearwood.estimators.estimator import Estimator, learner_as_set
from clearwood.scoring.predictions import ClassPredictions, NumberPredictions, Predictions
from clearwood.table.attributes import Attribute, Nominal, Numeric, Ordinal, Text
from clearwood.table.folding import in_order_of_content
from clearwood.table.table import MISSING, Table

_CALIBRATING_FOLDS = 3  # of an estimator that has no shares of its own


@dataclass(frozen=True, slots=True, eq=False)
class WrappedEstimator:
    """Any classifier or regressor of scikit-learn's contract, which learns from our tables.

    Each time a fresh copy learns, from numbers made of the training rows alone (`table_arrays`). Classes are
    given to it by name.
    """

    estimator: Any

    @property
    def title(self) -> str:
        """The name of its class; of a pipeline, that of the last step."""
        return type(_last(self.estimator)).__name__

    def heeds_weights(self) -> bool:
        """Does it learn from the weights of rows?"""
        return _weight_parameter(self.estimator) is not None

    def predictions(
        self, learn: Table, judge: Table, *, places: Longs, part: int, shares: bool
    ) -> Predictions:
        """What it gives the rows that judge, learned from the others; shares of classes only if asked for."""
        self._check(learn)
        return self._judged(learn, judge, places, part, shares)

    def _check(self, table: Table) -> None:
        numbers = isinstance(table.schema.target, Numeric)
        if numbers and not is_regressor(self.estimator):
            raise LearningError(f"{self.title} tells classes apart, but the target is a number.")
        if not numbers and not is_classifier(self.estimator):
            raise LearningError(f"{self.title} predicts numbers, but the target has classes.")

    def _judged(self, learn: Table, judge: Table, places: Longs, part: int, shares: bool) -> Predictions:
        numbers = isinstance(learn.schema.target, Numeric)
        learn = in_order_of_content(learn.take(~np.isnan(learn.target) if numbers else learn.target >= 0))
        known = ~np.isnan(judge.target) if numbers else judge.target != MISSING
        judge = judge.take(known)
        if not len(learn):
            raise LearningError("In no row to learn from is the truth known.")
        coding = table_coding(learn)
        names = np.array(learn.schema.classes, dtype=object)
        truth = learn.target.astype(np.float64) if numbers else names[learn.target]
        fitted = self._fitted(coding.array(learn), truth, learn.weights, shares=shares and not numbers)
        rows = coding.array(judge) if len(judge) else None
        shared: dict[str, Any] = {
            "weights": np.ones(len(judge)) if judge.weights is None else judge.weights,
            "places": places[known],
            "part": np.full(len(judge), part, dtype=np.int64),
            "left_out": int((~known).sum()),
            "weights_are": judge.weights_are,
        }
        if numbers:
            answers = (
                np.empty(0) if rows is None else np.asarray(self._asked(fitted.predict, rows), np.float64)
            )
            target = learn.schema.predicted
            return NumberPredictions(
                target=target.name, truth=judge.target.astype(np.float64), answers=answers, **shared
            )
        return ClassPredictions(
            classes=learn.schema.classes,
            truth=judge.target.astype(np.int64),
            answers=self._codes(fitted, rows, learn.schema.classes),
            shares=self._shares(fitted, rows, learn.schema.classes, asked=shares),
            **shared,
        )

    def _fitted(self, rows: Floats, truth: Any, weights: Floats | None, *, shares: bool) -> Any:
        estimator = clone(self.estimator)
        name = None if weights is None else _weight_parameter(estimator)
        if shares and not hasattr(estimator, "predict_proba"):
            estimator = CalibratedClassifierCV(estimator, cv=_CALIBRATING_FOLDS, ensemble=False)
            name = None if name is None else "sample_weight"
        return self._asked(estimator.fit, rows, truth, **({} if name is None else {name: weights}))

    def _codes(self, fitted: Any, rows: Floats | None, classes: tuple[str, ...]) -> Longs:
        if rows is None:
            return np.empty(0, dtype=np.int64)
        places = {name: code for code, name in enumerate(classes)}
        predicted = self._asked(fitted.predict, rows).tolist()
        return np.array([places[name] for name in predicted], dtype=np.int64)

    def _shares(self, fitted: Any, rows: Floats | None, classes: tuple[str, ...], *, asked: bool) -> Floats:
        """[row, class]; all 0, which is none, where they are not asked for."""
        shares = np.zeros((0 if rows is None else len(rows), len(classes)))
        if asked and rows is not None:
            places = [classes.index(name) for name in fitted.classes_.tolist()]
            shares[:, places] = self._asked(fitted.predict_proba, rows)
        return shares

    def _asked(self, function: Callable[..., Any], *given: Any, **options: Any) -> Any:
        """What the estimator itself gives; whatever it raises is its refusal, and nothing else is."""
        try:
            return function(*given, **options)
        except Exception as error:
            said = str(error).strip().splitlines() or [type(error).__name__]
            raise LearningError(f"scikit-learn's {self.title} refuses these rows: {said[0]}") from error


def estimator_as_contender(given: Any) -> WrappedEstimator | Any | None:
    """An estimator as a contender: one of ours as its learner, which can be read, any other wrapped; None for
    what is no estimator."""
    if isinstance(given, Estimator):
        return learner_as_set(given, given.LEARNER)
    return WrappedEstimator(given) if isinstance(given, BaseEstimator) else None


def svm(*, numbers: bool) -> WrappedEstimator:
    """A support vector machine with a Gaussian kernel, on standardised columns."""
    if numbers:
        machine = make_pipeline(StandardScaler(), SVR())
        return WrappedEstimator(TransformedTargetRegressor(machine, transformer=StandardScaler()))
    return WrappedEstimator(make_pipeline(StandardScaler(), SVC()))


def knn(*, numbers: bool) -> WrappedEstimator:
    """The five nearest rows, on standardised columns."""
    nearest = KNeighborsRegressor() if numbers else KNeighborsClassifier()
    return WrappedEstimator(make_pipeline(StandardScaler(), nearest))


def lda(*, numbers: bool) -> WrappedEstimator:
    """Linear discriminant analysis, of classes alone."""
    del numbers  # refused when it learns, with a sentence
    return WrappedEstimator(LinearDiscriminantAnalysis())


def random_forest(*, numbers: bool) -> WrappedEstimator:
    """A hundred trees; by its seed the same at any number of threads."""
    forest = RandomForestRegressor if numbers else RandomForestClassifier
    return WrappedEstimator(forest(n_estimators=100, random_state=0, n_jobs=_native.thread_count()))


def _last(estimator: Any) -> Any:
    if isinstance(estimator, Pipeline):
        return _last(estimator.steps[-1][1])
    return _last(estimator.regressor) if isinstance(estimator, TransformedTargetRegressor) else estimator


def _weight_parameter(estimator: Any) -> str | None:
    """What `fit` calls the weights of rows; None where it takes none."""
    if isinstance(estimator, Pipeline):
        name, last = estimator.steps[-1]
        return f"{name}__sample_weight" if has_fit_parameter(last, "sample_weight") else None
    if isinstance(estimator, TransformedTargetRegressor):
        return _weight_parameter(estimator.regressor)
    return "sample_weight" if has_fit_parameter(estimator, "sample_weight") else None


@dataclass(frozen=True, slots=True, eq=False)
class TableCoding:
    """How the cells of a table become numbers; made by `table_coding` from training rows."""

    columns: tuple[tuple[Attribute, Any], ...]  # each with the transformer of scikit-learn's that it has

    def array(self, table: Table) -> Floats:
        """[row, number] of any rows in the same columns."""
        return np.column_stack([by.transform(_as_numbers(each, table)) for each, by in self.columns])


def table_coding(table: Table) -> TableCoding:
    """The coding that these rows, and no others, give: a column for each code of a nominal one, missing being
    a code as well; numbers and places in an order with their gaps filled, and a column that tells these.

    >>> import clearwood as cw
    >>> table = cw.read_table({"a": ["x", "y", None], "n": [1, None, 4], "t": ["u", "v", "u"]}, target="t")
    >>> table_coding(table).array(table).tolist()
    [[0.0, 1.0, 0.0, 1.0, 0.0], [0.0, 0.0, 1.0, 2.5, 1.0], [1.0, 0.0, 0.0, 4.0, 0.0]]
    """
    columns: list[tuple[Attribute, Any]] = []
    for attribute in table.schema.inputs:
        if attribute.name not in table.columns or isinstance(attribute, Text):
            continue  # words are no numbers
        cells = _as_numbers(attribute, table)
        if isinstance(attribute, Nominal):
            codes = np.unique(cells[cells >= MISSING])
            coder = OneHotEncoder(categories=[codes], handle_unknown="ignore", sparse_output=False)
            if len(codes):
                columns.append((attribute, coder.fit(cells)))
        elif not np.isnan(cells).all():
            columns.append((attribute, SimpleImputer(strategy="median", add_indicator=True).fit(cells)))
    if not columns:
        raise LearningError(
            "No column of values or numbers is left: scikit-learn takes neither text nor empty columns."
        )
    return TableCoding(tuple(columns))


def _as_numbers(attribute: Attribute, table: Table) -> Floats:
    """[row, 1] the codes of a nominal column, else numbers or places in an order, NaN where there is none."""
    numbers = np.asarray(table.columns[attribute.name]).astype(np.float64)[:, None]
    if isinstance(attribute, Nominal):
        return numbers
    known = numbers >= 0 if isinstance(attribute, Ordinal) else np.isfinite(numbers)
    return np.where(known, numbers, np.nan)
