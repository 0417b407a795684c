"""What all our estimators share: they read X as it is, keep what they learned, `model_`, and answer by it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted

from clearwood.estimators.inputs import inputs_to_answer, sparse_inputs_to_answer
from clearwood.estimators.settings import learner_as_set
from clearwood.estimators.sparse import AnswersArray, blocks, is_sparse
from clearwood.learners.learner import Learner
from clearwood.models.model import Model
from clearwood.table.table import Table
from clearwood.table.weights import WeightsAre


@dataclass(kw_only=True, eq=False, repr=False)
class Estimator(BaseEstimator):  # type: ignore[misc]
    """A dataclass whose fields are its parameters, so that they are stored as given and checked by `fit`.

    `kinds` says what a column is where its type does not ({'zip': 'nominal'}), `ordered` lists the values of
    an ordinal column from low to high; the columns of an array may be named by position. With `dates="days"`
    columns of dates are numbers: days since 1970-01-01. `weights_are` says what `sample_weight` means:
    "counts" of equal rows, "sampling" weights or "importance".
    """

    LEARNER: ClassVar[Any]
    _date_columns: ClassVar[tuple[str, ...] | None] = None  # of one that was fitted: where it met dates

    kinds: Mapping[Any, str] | None = None
    ordered: Mapping[Any, Sequence[str]] | None = None
    dates: Literal["days"] | None = None
    weights_are: WeightsAre = "counts"

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "model_")

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.string = True
        tags.input_tags.categorical = True
        return tags

    def _learner(self, classes: Sequence[Any] = ()) -> Learner[Model]:
        """The learner with this estimator's parameters, checked; `classes` are the labels in y."""
        learner: Learner[Model] = learner_as_set(self, self.LEARNER, classes)
        return learner

    def _learned(self, learner: Learner[Model], table: Table) -> Model:
        """What the learner makes of the rows; where an estimator settles more by them, it does so here."""
        return learner.learn(table)

    def _model(self) -> Model:
        if not hasattr(self, "model_"):  # asking scikit-learn takes as long as a row's answer
            check_is_fitted(self)
        model: Model = self.model_
        return model

    def _answers(self, answer: Callable[[Any, Table], AnswersArray], X: Any) -> AnswersArray:  # noqa: N803
        """What the model answers to the rows; to sparse ones block by block."""
        if not is_sparse(X):
            return answer(*self._model_and_rows(X))
        model = self._model()
        rows = sparse_inputs_to_answer(self, X)
        return np.concatenate([answer(model, part) for part in blocks(rows, model.schema)])  # type: ignore[return-value]

    def _needs_dense(self) -> bool:
        """Must sparse X be made dense before it is learned from?"""
        return True

    def _model_and_rows(self, X: Any) -> tuple[Model, Table]:  # noqa: N803 (scikit-learn's name)
        model = self._model()
        return model, inputs_to_answer(self, X, model.schema)
