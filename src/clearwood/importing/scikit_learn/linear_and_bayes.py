"""Logistic regression and naive Bayes of scikit-learn, as weights, curves and tables of ours."""

import math
import warnings
from fractions import Fraction
from typing import Any, Final

import numpy as np

from clearwood.arrays import Floats
from clearwood.errors import ClearwoodWarning, ModelFileError
from clearwood.importing.features import Feature, LookupFeature, NumberFeature, bell_curve
from clearwood.importing.linear_columns import LinearColumns, has_stairs, weighed_curves
from clearwood.importing.scikit_learn.estimator import FittedEstimator
from clearwood.models.kinds.bayes.distributions import Bag, Categorical, Distribution, Event, Sums, exact
from clearwood.models.model import AdditiveModel, BayesTables, LinearModel, Model


def read_logistic(asked: FittedEstimator) -> Model:
    """LogisticRegression and LogisticRegressionCV, of two classes or by softmax."""
    estimator = asked.estimator
    weights = np.atleast_2d(np.asarray(estimator.coef_, dtype=np.float64))
    classes = len(estimator.classes_)
    if classes > 2 and _is_one_against_rest(estimator):
        raise ModelFileError(
            f"This {type(estimator).__name__} tells each class from the rest by itself (one versus rest); "
            "here the weights of all classes belong together. Fit it with multi_class='multinomial'."
        )
    if classes == 2 and getattr(estimator, "multi_class", "") == "multinomial":
        raise ModelFileError(
            f"This {type(estimator).__name__}(multi_class='multinomial') of two classes has "
            "probabilities that depend on the version of scikit-learn. Fit it without multi_class."
        )
    if has_stairs(asked.features):
        return _additive(asked, weights)
    columns = LinearColumns(asked.schema(), asked.features, weights)
    names = columns.schema.classes
    intercepts = _intercepts(estimator, len(weights)) + columns.moved
    return LinearModel(
        columns.schema,
        names[1:] if classes == 2 and len(weights) == 1 else names,
        names[0] if classes == 2 and len(weights) == 1 else None,
        tuple(columns.terms),
        tuple(intercepts.tolist()),
        tuple(map(tuple, np.array(columns.weights).T.reshape(len(weights), -1).tolist())),
        columns.references,
        columns.fills,
        origin=asked.origin(),
        penalised=_is_penalised(estimator),
    )


def read_descent(asked: FittedEstimator) -> Model:
    """SGDClassifier of two classes by log_loss, whose shares are the logistic curve of its score."""
    estimator = asked.estimator
    if estimator.loss != "log_loss":
        raise ModelFileError(
            f"SGDClassifier(loss='{estimator.loss}') has no probabilities that follow a logistic curve. Fit "
            "it with loss='log_loss'."
        )
    if len(estimator.classes_) > 2:
        raise ModelFileError(
            "This SGDClassifier tells each class from the rest by itself; here the weights of all classes "
            "belong together. Fit LogisticRegression instead."
        )
    return read_logistic(asked)


def _additive(asked: FittedEstimator, weights: Floats) -> Model:
    """Weights of intervals and values, as curves."""
    return AdditiveModel(
        asked.schema(),
        tuple(_intercepts(asked.estimator, len(weights)).tolist()),
        weighed_curves(asked.features, weights),
        link="logistic" if len(weights) == 1 else "softmax",
        origin=asked.origin(),
    )


def _intercepts(estimator: Any, scores: int) -> Floats:
    """[score] one number each; scikit-learn has one 0 for all where none were fitted."""
    own = np.ravel(np.asarray(estimator.intercept_, dtype=np.float64))
    return own if len(own) == scores else np.zeros(scores)


def _is_penalised(estimator: Any) -> bool:
    """Is a penalty part of what was minimised? Newer versions have none where C is infinite."""
    strength = getattr(estimator, "C_", getattr(estimator, "C", 1.0))
    return getattr(estimator, "penalty", None) is not None and not np.isinf(strength).all()


def _is_one_against_rest(estimator: Any) -> bool:
    return getattr(estimator, "multi_class", "") == "ovr" or getattr(estimator, "solver", "") == "liblinear"


_EVENTS: Final[dict[str, Event]] = {
    "MultinomialNB": "multinomial",
    "BernoulliNB": "bernoulli",
    "ComplementNB": "complement",
}
_HARDLY: Final = 10.0  # times what var_smoothing adds to a variance of 0
_LEAST_ALPHA: Final = 1e-10  # without force_alpha


def read_gaussian(asked: FittedEstimator) -> Model:
    """GaussianNB: its means and variances, of columns that may have been scaled before."""
    bayes = asked.estimator
    if not (np.asarray(bayes.var_) > 0).all():
        raise ModelFileError(
            "A variance of this GaussianNB is 0, which no curve has. Fit it with var_smoothing."
        )
    # Of a class without rows the curves are still given: as those of one row.
    weights = [exact(max(float(count), 1.0)) for count in bayes.class_count_]
    bells: list[Distribution] = []
    for place, feature in enumerate(asked.features):
        if not isinstance(feature, NumberFeature):
            raise ModelFileError(f"GaussianNB reads the column '{feature.column}', of values, as numbers.")
        _check_empty_cells(bayes, feature)
        if not feature.is_line:
            raise ModelFileError(
                f"A step in front makes of the number '{feature.column}' what is no line of it, but a normal "
                "distribution here is of the number itself. Fit GaussianNB to the numbers, or scaled ones."
            )
        means, variances = bayes.theta_[:, place].tolist(), bayes.var_[:, place].tolist()
        _warn_of_no_variance(bayes, feature.column, variances)
        bells.append(bell_curve(feature.column, weights, means, variances, feature.slope, feature.offset))
    return _tables(asked, tuple(bells), tuple(weights), np.log(bayes.class_prior_))


def read_categorical(asked: FittedEstimator) -> Model:
    """CategoricalNB: the counts of each category, smoothed by its alpha."""
    bayes = asked.estimator
    alpha = _alpha(bayes)
    tables: list[Distribution] = []
    for feature, counts in zip(asked.features, bayes.category_count_, strict=True):
        assert isinstance(feature, LookupFeature)
        _check_empty_cells(bayes, feature)
        kept = [int(code) for code in feature.numbers]
        if len(kept) != counts.shape[1]:
            raise ModelFileError(
                f"CategoricalNB has {counts.shape[1]} categories of '{feature.column}', which has "
                f"{len(kept)} values. Give as many values."
            )
        rows = tuple(tuple(exact(float(row[code])) for code in kept) for row in counts)
        tables.append(Categorical(feature.column, rows, alpha * len(kept)))
    return _tables(asked, tuple(tables), _weights(bayes), bayes.class_log_prior_)


def read_bag(asked: FittedEstimator) -> Model:
    """MultinomialNB, BernoulliNB and ComplementNB."""
    bayes = asked.estimator
    event = _EVENTS[type(bayes).__name__]
    for feature in asked.features:
        _check_empty_cells(bayes, feature)
        if not isinstance(feature, NumberFeature) or feature.steps:
            raise ModelFileError(
                f"{type(bayes).__name__} reads '{feature.column}' behind another step; counts are read as "
                "they are."
            )
    if event == "bernoulli" and bayes.binarize is None:
        raise ModelFileError(
            "BernoulliNB(binarize=None) multiplies by numbers that are neither 0 nor 1; here a thing is "
            "there or not. Set binarize=0.0: it predicts the same for rows of 0 and 1."
        )
    if event == "bernoulli" and bayes.binarize != 0.0:
        raise ModelFileError(
            f"BernoulliNB(binarize={bayes.binarize}) asks for more than {bayes.binarize}; here a thing is "
            "there where its number is above 0. Subtract it from the columns."
        )
    if event == "complement" and bayes.norm:
        raise ModelFileError("ComplementNB(norm=True) scales its weights; only norm=False can be read.")
    names = tuple(feature.column for feature in asked.features)
    counts = tuple(tuple(exact(float(each)) for each in row) for row in bayes.feature_count_)
    known: Sums = ()
    if event == "bernoulli":
        known = tuple((exact(float(each)),) * len(names) for each in bayes.class_count_)
    bag = Bag(names, event, counts, known, _alpha(bayes))
    # The complement has no priors where there are several classes.
    logs = np.zeros(len(bayes.classes_)) if event == "complement" else bayes.class_log_prior_
    return _tables(asked, (bag,), _weights(bayes), logs)


def _check_empty_cells(bayes: Any, feature: Feature) -> None:
    """Refuse an empty cell that counts as something: a Bayes model here leaves its column out."""
    if not math.isnan(feature.missing):
        raise ModelFileError(
            f"An empty cell of '{feature.column}' is filled before {type(bayes).__name__} reads it, but a "
            "Bayes model here leaves such a column out. Fit it to rows without empty cells, and no imputer."
        )


def _warn_of_no_variance(bayes: Any, column: str, variances: list[float]) -> None:
    """The logs of such a curve are so large away from its mean that, added up, they swallow the others'."""
    if max(variances) <= _HARDLY * float(getattr(bayes, "epsilon_", 0.0)):
        warnings.warn(
            f"The column '{column}' hardly varied where this GaussianNB was fitted. A cell away from its "
            "mean makes sums so large that scikit-learn's probabilities lose their digits; a proof leaves "
            "such rows out. Leave the column out, and fit again.",
            ClearwoodWarning,
            stacklevel=2,
        )


def _alpha(bayes: Any) -> float:
    alphas = np.unique(np.asarray(bayes.alpha, dtype=np.float64))
    if len(alphas) != 1:
        raise ModelFileError(
            f"{type(bayes).__name__} smooths each column by its own alpha; here all share one."
        )
    return float(alphas[0]) if bayes.force_alpha else max(float(alphas[0]), _LEAST_ALPHA)


def _weights(bayes: Any) -> tuple[int | Fraction, ...]:
    return tuple(exact(float(count)) for count in bayes.class_count_)


def _tables(
    asked: FittedEstimator,
    distributions: tuple[Distribution, ...],
    weights: tuple[int | Fraction, ...],
    logs: Any,
) -> BayesTables:
    priors = np.exp(np.asarray(logs, dtype=np.float64))
    shares: tuple[float, ...] = tuple((priors / priors.sum()).tolist())
    rows = float(sum(asked.estimator.class_count_))
    return BayesTables(asked.schema(), weights, distributions, shares, origin=asked.origin(rows))
