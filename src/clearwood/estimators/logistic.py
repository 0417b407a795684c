"""Logistic regression as a classifier of scikit-learn's kind."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from clearwood.arrays import Floats
from clearwood.errors import ClearwoodWarning, LearningError, Sentence
from clearwood.estimators.estimator import Classifier
from clearwood.learners.learner import Learner
from clearwood.learners.linear.logistic import SQUARES, Logistic
from clearwood.models.kinds.linear.linear_model import LinearModel, NumberTerm
from clearwood.models.model import Model
from clearwood.predicting.of_linear import scores_of_linear
from clearwood.table.table import Table


class LogisticClassifier(Classifier, learner=Logistic):
    """Weights with odds ratios, in the units of X. Settings as in `Logistic`; `against` is a label of y.

    There is no penalty by default, unlike scikit-learn's, whose C is 1 ÷ `strength`; only where X has more
    weights than rows, which no fit without a penalty can settle, "l2" holds them down, with a warning.

    >>> X, y = [[1.0], [2.0], [3.0], [4.0], [5.0], [6.0]], [0, 0, 1, 0, 1, 1]
    >>> model = LogisticClassifier().fit(X, y)
    >>> model.coef_.round(3).tolist(), model.intercept_.round(3).tolist()
    ([[1.214]], [-4.249])
    >>> print(model.weights_.equation())
    log odds of target = 1 against 0: −4.2491 + 1.214 · x0
    """

    against: Any = None

    @property
    def weights_(self) -> LinearModel:
        """What was learned: `model_` by the name that tells its kind."""
        model = self.model_
        assert isinstance(model, LinearModel)
        return model

    @property
    def coef_(self) -> Floats:
        """[1, column] the weights of the second class's log-odds; of more classes [class, column], each one's
        own, which sum to 0 by column, as scikit-learn's do.

        Only where every weight is of a number: values and empty cells have weights of their own, which
        `weights_` names.
        """
        model = self.weights_
        others = [term for term in model.terms if not isinstance(term, NumberTerm)]
        if others:
            raise AttributeError(
                f"coef_ has a place for each column, and '{others[0]}' has a weight of its own. "
                "See weights_, or clearwood.estimates(model.weights_)."
            )
        columns = [attribute.name for attribute in model.schema.attributes]
        weights_by_class = np.zeros((len(self.classes_), len(columns)))
        for contrast, weights in zip(model.contrasts, model.weights, strict=True):
            row = model.schema.classes.index(contrast)
            weights_by_class[row, [columns.index(term.name) for term in model.terms]] = weights
        return self._in_scikit_learns_form(weights_by_class)

    @property
    def intercept_(self) -> Floats:
        """[1] or [class] the log-odds where all else is 0; with `priors` moved by them."""
        model = self.weights_
        intercepts = np.zeros(len(self.classes_))
        intercepts[[model.schema.classes.index(each) for each in model.contrasts]] = model.intercepts
        return self._in_scikit_learns_form(intercepts) + self._moves()

    def decision_function(self, X: Any) -> Floats:  # noqa: N803 (scikit-learn's name)
        """[row] the log-odds of the second class against the first; of more classes [row, class] each one's
        score: X times `coef_`, plus `intercept_`, where these exist. `costs` are not in them."""
        margins = self._answers(scores_of_linear, X)
        model = self.weights_
        scores = np.zeros((len(self.classes_), len(margins)))
        scores[[model.schema.classes.index(each) for each in model.contrasts]] = margins.T
        decision = (self._in_scikit_learns_form(scores).T + self._moves()).copy()
        return decision[:, 0] if decision.shape[1] == 1 else decision

    def _moves(self) -> Floats:
        """[1] or [class] what `priors` add to the log-odds."""
        factors = self.weights_.decision.factors
        if not factors:
            return np.zeros(1)
        with np.errstate(divide="ignore"):
            moves = np.log(factors)
        return moves[1:] - moves[:1] if len(moves) == 2 else moves

    def _in_scikit_learns_form(self, by_class: Floats) -> Floats:
        """Of two classes the second's against the first's; of more, each less the mean of all: what is common
        to the classes cannot be seen in the rows, and a penalty on each one's weights leaves nothing."""
        if len(by_class) == 2:
            return by_class[1:] - by_class[:1]
        return by_class if self.weights_.against is None else by_class - by_class.mean(axis=0)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags

    def _learned(self, learner: Learner[Model], table: Table) -> Model:
        assert isinstance(learner, Logistic)
        try:
            return learner.learn(table)
        except LearningError as error:
            if learner.penalty is not None or SQUARES not in error.advice:
                raise
            cause = str(error).partition(". ")[0]
        warnings.warn(
            Sentence(f"{cause}, so they are held down: ", SQUARES, ". Choose it yourself to settle it."),
            ClearwoodWarning,
            stacklevel=3,
        )
        return replace(learner, penalty="l2").learn(table)

    def _instead(self, classes: Sequence[Any]) -> dict[str, Any]:
        del classes
        if not isinstance(self.reference, Mapping):
            return {}
        return {"reference": {str(name): str(value) for name, value in self.reference.items()}}
