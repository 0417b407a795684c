"""Naive Bayes as estimators, of columns and of texts, which more rows can be given to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Self

import numpy as np
import numpy.typing as npt
from sklearn.utils.validation import check_consistent_length, column_or_1d

from clearwood.arrays import Floats
from clearwood.errors import SchemaError
from clearwood.estimators.estimator import Classifier, more_rows, one_or_each
from clearwood.estimators.inputs import by_column
from clearwood.explaining.importances import bayes_importances
from clearwood.learners.bayes.merging import under_classes
from clearwood.learners.bayes.naive_bayes import NaiveBayes
from clearwood.learners.bayes.settings import DistributionName
from clearwood.models.kinds.bayes.bayes_tables import BayesTables
from clearwood.models.kinds.bayes.distributions import Event
from clearwood.models.model import Model
from clearwood.predicting.bayes import log_joint, log_shares_of_bayes
from clearwood.table.attributes import Nominal, Text
from clearwood.table.coding import check_weights
from clearwood.table.raw import Codes
from clearwood.table.schema import Schema
from clearwood.table.sources.objects import is_missing
from clearwood.table.table import Column, Table, Weights


class BayesClassifier(Classifier):
    """A classifier whose sums are exact, so that rows can be added to them."""

    def partial_fit(self, X: Any, y: Any, classes: Any = None, sample_weight: Any = None) -> Self:  # noqa: N803
        """Learn from more rows, exactly; with `decay` below 1 what was learned before counts less.

        New classes and new values may come at any time; `classes` may list labels that are still to come.
        """
        seen: BayesTables | None = getattr(self, "model_", None)
        every, new = more_rows(self, X, y, classes, sample_weight, None if seen is None else seen.schema)
        learner = self._learner(every.tolist())
        assert isinstance(learner, NaiveBayes)
        names = tuple(str(label) for label in every.tolist())
        # A table's classes are in order; the model's follow it where new ones come between.
        self.model_: BayesTables = (
            learner.learn(new) if seen is None else learner.learn_more(under_classes(seen, names), new)
        )
        self.classes_ = every
        return self

    def decision_function(self, X: Any) -> Floats:  # noqa: N803
        """[row] the log-odds of the second class; of more classes [row, class] the log of each one's share.

        They are differences of joint logs, so that no row is too sure to be told from a surer one. `costs`
        are not in them.
        """
        return one_or_each(self._answers(log_shares_of_bayes, X))


class NaiveBayesClassifier(BayesClassifier, learner=NaiveBayes):
    """A distribution per column and class, mixed as the columns are. Settings as in `NaiveBayes`.

    Columns of an array go by position in `distributions` and `m_prior`. `partial_fit` adds rows exactly: in
    whatever pieces they come, the model is that of `fit` on all of them (but `cuts` stay those of the first
    piece). `smoothing` is that of the counts. Strings are values unless `kinds` says {column: 'text'}.

    >>> X = [["sunny", 30.0], ["sunny", 25.0], ["rain", 10.0], ["rain", None]]
    >>> model = NaiveBayesClassifier().fit(X, ["no", "no", "yes", "yes"])
    >>> model.predict_proba([["rain", 12.0], ["fog", None]]).round(3).tolist()
    [[0.0, 1.0], [0.5, 0.5]]
    >>> more = NaiveBayesClassifier().partial_fit(X[:2], ["no", "no"], classes=["no", "yes"])
    >>> more.partial_fit(X[2:], ["yes", "yes"]).tables_.classes
    (2, 2)
    """

    distributions: Mapping[Any, DistributionName] | None = None
    numeric: DistributionName

    @property
    def tables_(self) -> BayesTables:
        """What was learned: `model_` by the name that tells its kind."""
        tables = self.model_
        assert isinstance(tables, BayesTables)
        return tables

    def predict_joint_log_proba(self, X: Any) -> Floats:  # noqa: N803
        """[row, class] log P(class) + Σ log P(cell|class), before they are made to sum to 1."""
        return self._answers(log_joint, X)

    @property
    def feature_importances_(self) -> Floats:
        """[column] each column's share of the mutual information of column and class, as the model has it:
        `clearwood.explaining.importances` says how."""
        self._model()
        return bayes_importances(self.tables_)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags

    def _needs_dense(self) -> bool:
        # Intervals and kernels look at all cells of a column; sums of bell curves and bags at those stored.
        return bool({self.numeric, *(self.distributions or {}).values()} & {"cuts", "kernel"})

    def _instead(self, classes: Sequence[Any]) -> dict[str, Any]:
        del classes
        names = [str(name) for name in getattr(self, "feature_names_in_", ())]
        names = names or [f"x{place}" for place in range(self.n_features_in_)]
        return {
            name: by_column(given, names)
            for name in ("distributions", "m_prior")
            if isinstance(given := getattr(self, name), Mapping)
        }


class TextBayesClassifier(
    BayesClassifier,
    learner=NaiveBayes,
    without=(
        *("kinds", "ordered", "dates", "text", "distributions", "numeric", "smoothing", "m_prior"),
        *("floor", "bandwidth", "cut_method", "bins"),
    ),
):
    """Texts by the words they hold. X is a list, array or series of str (None: missing), or a frame of one
    column; `event` is the `text` of `NaiveBayes`, the other settings are as there.

    `partial_fit` adds texts exactly: in whatever pieces they come, the model is that of `fit` on all of them.

    >>> texts, labels = ["free prize", "free call", "see you", "call you"], ["spam", "spam", "ham", "ham"]
    >>> model = TextBayesClassifier().fit(texts, labels)
    >>> model.predict(["Free!", "you there?"]).tolist()
    ['spam', 'ham']
    >>> first = TextBayesClassifier().partial_fit(texts[:2], labels[:2], classes=["ham", "spam"])
    >>> first.partial_fit(texts[2:], labels[2:]).model_.distributions == model.model_.distributions
    True
    """

    event: Event = "multinomial"

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = tags.input_tags.categorical = False
        tags.input_tags.one_d_array = True
        tags.input_tags.two_d_array = False
        return tags

    def _instead(self, classes: Sequence[Any]) -> dict[str, Any]:
        del classes
        return {"text": self.event}

    def _inputs(
        self,
        X: Any,  # noqa: N803 (scikit-learn's name)
        y: Any,
        sample_weight: Any,
        *,
        reset: bool = True,
    ) -> tuple[Column, npt.NDArray[Any], Weights | None]:
        """Texts, labels and weights; a text that weighs nothing is as if it were not there."""
        del reset
        texts, labels = _texts(X), column_or_1d(y, warn=True)
        check_consistent_length(texts, labels, sample_weight)
        if sample_weight is None:
            return texts, labels, None
        weights = check_weights(np.asarray(sample_weight, dtype=np.float64), "sample_weight")
        kept = weights > 0
        return texts[kept], labels[kept], weights[kept]

    def _table(self, columns: Any, codes: Codes, **how: Any) -> Table:
        names = tuple(str(label) for label in how["classes"].tolist())
        schema = Schema((Text("text"),), Nominal("target", names))
        weights_are = how.get("weights_are")
        return Table(schema, {"text": columns, "target": codes}, how["weights"], weights_are=weights_are)

    def _model_and_rows(self, X: Any) -> tuple[Model, Table]:  # noqa: N803
        model, texts = self._model(), _texts(X)
        return model, Table(Schema((Text("text"),)), {"text": texts}, rows=len(texts))


def _texts(X: Any) -> Column:  # noqa: N803
    """The texts as objects, each a str or None."""
    if isinstance(X, str):
        raise SchemaError("X is one text. Give a list of texts: [X].")
    if getattr(X, "ndim", 1) == 2 or hasattr(X, "columns"):
        X = X.to_numpy() if hasattr(X, "to_numpy") else np.asarray(X)  # noqa: N806
        if X.shape[1] != 1:
            raise SchemaError(
                f"X has {X.shape[1]} columns. Give the one of texts, or take NaiveBayesClassifier with kinds."
            )
        X = X[:, 0]  # noqa: N806
    listed = X.tolist() if hasattr(X, "tolist") else list(X)
    texts = np.empty(len(listed), dtype=object)
    texts[:] = listed
    if {*map(type, listed)} - {str}:
        for row, each in enumerate(listed):
            if is_missing(each):
                texts[row] = None
            elif not isinstance(each, str):
                raise SchemaError(f"X, row {row + 1}: a text is a str or None, not {each!r}.")
    if not len(texts):
        raise SchemaError("X has no texts.")
    return texts
