"""Naive Bayes as a classifier of scikit-learn's kind, which more rows can be given to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, Self

from clearwood.arrays import Floats
from clearwood.estimators.classifier import Classifier, one_or_each
from clearwood.estimators.more_rows import more_rows
from clearwood.estimators.settings import LabelCosts, LabelPriors, by_column, learner_as_set
from clearwood.explain.bayes_importances import bayes_importances
from clearwood.learners.bayes.merging import under_classes
from clearwood.learners.bayes.naive_bayes import NaiveBayes
from clearwood.learners.bayes.settings import DistributionName, ValuePriors
from clearwood.learners.bayes.stop_words import StopWords
from clearwood.learners.discretising import CutMethod
from clearwood.learners.learner import Learner
from clearwood.models.bayes_tables import BayesTables
from clearwood.models.distributions import Bandwidth, Event
from clearwood.models.model import Model
from clearwood.predict.bayes import log_joint, log_shares_of_bayes


@dataclass(kw_only=True, eq=False, repr=False)
class NaiveBayesClassifier(Classifier):
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

    LEARNER: ClassVar[Any] = NaiveBayes

    distributions: Mapping[Any, DistributionName] | None = None
    numeric: DistributionName = "gaussian"
    smoothing: Literal["laplace", "none"] | float = "laplace"
    m_prior: ValuePriors = "equal"
    alpha: float = 1.0
    floor: float = 1e-9
    bandwidth: Bandwidth = "scott"
    cut_method: CutMethod = "mdl"
    bins: int = 10
    text: Event = "multinomial"
    ngrams: tuple[int, int] = (1, 1)
    stop_words: StopWords = None
    lower: bool = True
    min_documents: int | float = 1
    max_documents: int | float = 1.0
    most_words: int | None = None
    decay: float = 1.0
    priors: LabelPriors = None
    costs: LabelCosts = None

    @property
    def tables_(self) -> BayesTables:
        """What was learned: `model_` by the name that tells its kind."""
        tables = self.model_
        assert isinstance(tables, BayesTables)
        return tables

    def partial_fit(self, X: Any, y: Any, classes: Any = None, sample_weight: Any = None) -> Self:  # noqa: N803
        """Learn from more rows, exactly; with `decay` below 1 what was learned before counts less.

        New classes and new values may come at any time; `classes` may list labels that are still to come.
        """
        seen: BayesTables | None = getattr(self, "model_", None)
        every, new = more_rows(self, X, y, classes, sample_weight, None if seen is None else seen.schema)
        learner = self._learner(every.tolist())
        assert isinstance(learner, NaiveBayes)
        names = tuple(str(label) for label in every.tolist())
        self.model_ = (
            learner.learn(new) if seen is None else learner.learn_more(under_classes(seen, names), new)
        )
        self.classes_ = every
        return self

    def predict_joint_log_proba(self, X: Any) -> Floats:  # noqa: N803
        """[row, class] log P(class) + Σ log P(cell|class), before they are made to sum to 1."""
        return self._answers(log_joint, X)

    def decision_function(self, X: Any) -> Floats:  # noqa: N803
        """[row] the log-odds of the second class; of more classes [row, class] the log of each one's share.

        They are differences of joint logs, so that no row is too sure to be told from a surer one. `costs`
        are not in them.
        """
        return one_or_each(self._answers(log_shares_of_bayes, X))

    @property
    def feature_importances_(self) -> Floats:
        """[column] each column's share of the mutual information of column and class, as the model has it:
        `clearwood.explain.bayes_importances` says how."""
        self._model()
        return bayes_importances(self.tables_)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags

    def _needs_dense(self) -> bool:
        # Intervals and kernels look at all cells of a column; sums of bell curves and bags at those stored.
        return bool({self.numeric, *(self.distributions or {}).values()} & {"cuts", "kernel"})

    def _learner(self, classes: Sequence[Any] = ()) -> Learner[Model]:
        names = [str(name) for name in getattr(self, "feature_names_in_", ())]
        names = names or [f"x{place}" for place in range(self.n_features_in_)]
        named = {
            name: by_column(given, names)
            for name in ("distributions", "m_prior")
            if isinstance(given := getattr(self, name), Mapping)
        }
        learner: Learner[Model] = learner_as_set(self, self.LEARNER, classes, **named)
        return learner
