"""Naive Bayes of texts as a classifier of scikit-learn's kind: X is the texts themselves."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
import numpy.typing as npt
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import (
    check_consistent_length,
    check_is_fitted,
    column_or_1d,
)

from clearwood.arrays import Floats
from clearwood.errors import SchemaError, SettingError
from clearwood.estimators.class_weights import weigh_classes
from clearwood.estimators.classifier import classes_of, one_or_each
from clearwood.estimators.inputs import meaning_of_weights
from clearwood.estimators.more_rows import refuse_to_scale_parts, united_labels
from clearwood.estimators.settings import LabelCosts, LabelPriors, learner_as_set
from clearwood.learners.bayes.merging import under_classes
from clearwood.learners.bayes.naive_bayes import NaiveBayes
from clearwood.learners.bayes.stop_words import StopWords
from clearwood.models.bayes_tables import BayesTables
from clearwood.models.distributions import Event
from clearwood.predict import predict_codes, shares
from clearwood.predict.bayes import log_shares_of_bayes
from clearwood.table.attributes import Nominal, Text
from clearwood.table.coding import check_weights
from clearwood.table.schema import Schema
from clearwood.table.sources.objects import is_missing
from clearwood.table.table import Column, Table
from clearwood.table.weights import WeightsAre


@dataclass(kw_only=True, eq=False, repr=False)
class TextBayesClassifier(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
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
    alpha: float = 1.0
    ngrams: tuple[int, int] = (1, 1)
    stop_words: StopWords = None
    lower: bool = True
    min_documents: int | float = 1
    max_documents: int | float = 1.0
    most_words: int | None = None
    decay: float = 1.0
    priors: LabelPriors = None
    costs: LabelCosts = None
    class_weight: Mapping[Any, float] | str | None = None
    weights_are: WeightsAre = "counts"

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:  # noqa: N803
        """Learn the model."""
        texts, labels, weights = _rows(X, y, sample_weight)
        meaning = meaning_of_weights(self, weights)
        classes, codes = classes_of(labels)
        weights = weigh_classes(self.class_weight, classes, codes, weights)
        table = _table(texts, tuple(str(label) for label in classes.tolist()), codes, weights, meaning)
        self.model_: BayesTables = self._learner(classes).learn(table)
        self.classes_ = classes
        return self

    def partial_fit(self, X: Any, y: Any, classes: Any = None, sample_weight: Any = None) -> Self:  # noqa: N803
        """Learn from more texts, exactly; with `decay` below 1 what was learned before counts less.

        New classes may come at any time; `classes` may list labels that are still to come.
        """
        if self.class_weight == "balanced":
            raise SettingError(
                "class_weight='balanced' needs all rows at once. Use fit, or give a factor per label."
            )
        refuse_to_scale_parts(self, sample_weight)
        texts, labels, weights = _rows(X, y, sample_weight)
        own, codes = classes_of(labels)
        known = [getattr(self, "classes_", own[:0]), own, *([] if classes is None else [np.asarray(classes)])]
        every = united_labels(known)
        codes = np.searchsorted(every, own).astype(np.int32)[codes]
        names = tuple(str(label) for label in every.tolist())
        weights = weigh_classes(self.class_weight, every, codes, weights)
        learner, new = self._learner(every), _table(texts, names, codes, weights)
        seen: BayesTables | None = getattr(self, "model_", None)
        # A table's classes are in order; the model's follow it where new ones come between.
        self.model_ = (
            learner.learn(new) if seen is None else learner.learn_more(under_classes(seen, names), new)
        )
        self.classes_ = every
        return self

    def predict(self, X: Any) -> npt.NDArray[Any]:  # noqa: N803
        """[text] its class: the most probable, or with `costs` the one of least expected cost."""
        check_is_fitted(self)
        labels: npt.NDArray[Any] = self.classes_[predict_codes(self.model_, self._texts_of(X))]
        return labels

    def predict_proba(self, X: Any) -> Floats:  # noqa: N803
        """[text, class] the share of each class, in the order of `classes_`."""
        check_is_fitted(self)
        return shares(self.model_, self._texts_of(X))

    def predict_log_proba(self, X: Any) -> Floats:  # noqa: N803
        """[text, class] the logarithms of the probabilities; −inf where one is 0."""
        with np.errstate(divide="ignore"):
            logs: Floats = np.log(self.predict_proba(X))
        return logs

    def decision_function(self, X: Any) -> Floats:  # noqa: N803
        """[text] the log-odds of the second class; of more classes [text, class] the log of each one's
        share."""
        check_is_fitted(self)
        return one_or_each(log_shares_of_bayes(self.model_, self._texts_of(X)))

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "model_")

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.string = True
        tags.input_tags.one_d_array = True
        tags.input_tags.two_d_array = False
        return tags

    def _learner(self, classes: npt.NDArray[Any]) -> NaiveBayes:
        learner: NaiveBayes = learner_as_set(self, NaiveBayes, classes.tolist(), text=self.event)
        return learner

    def _texts_of(self, X: Any) -> Table:  # noqa: N803
        texts = _texts(X)
        return Table(Schema((Text("text"),)), {"text": texts}, rows=len(texts))


def _rows(
    X: Any,  # noqa: N803
    y: Any,
    sample_weight: Any,
) -> tuple[Column, npt.NDArray[Any], npt.NDArray[np.float64] | None]:
    """Texts, labels and weights; a text that weighs nothing is as if it were not there."""
    texts, labels = _texts(X), column_or_1d(y, warn=True)
    check_consistent_length(texts, labels, sample_weight)
    if sample_weight is None:
        return texts, labels, None
    weights = check_weights(np.asarray(sample_weight, dtype=np.float64), "sample_weight")
    kept = weights > 0
    return texts[kept], labels[kept], weights[kept]


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


def _table(
    texts: Column,
    classes: tuple[str, ...],
    codes: npt.NDArray[np.int32],
    weights: npt.NDArray[Any] | None,
    weights_are: WeightsAre | None = None,
) -> Table:
    schema = Schema((Text("text"),), Nominal("target", classes))
    return Table(schema, {"text": texts, "target": codes}, weights, weights_are=weights_are)
