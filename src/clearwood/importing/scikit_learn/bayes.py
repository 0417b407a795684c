"""Naive Bayes of scikit-learn: bell curves, counts of categories, and bags of counts, as Bayes tables."""

from __future__ import annotations

import math
import warnings
from fractions import Fraction
from typing import Any, Final

import numpy as np

from clearwood.errors import ClearwoodWarning, ModelFileError
from clearwood.importing.bells import bell_curve
from clearwood.importing.features import Feature, LookupFeature, NumberFeature
from clearwood.importing.scikit_learn.estimator import FittedEstimator
from clearwood.models.bayes_tables import BayesTables
from clearwood.models.distributions import Bag, Categorical, Distribution, Event, Sums
from clearwood.models.exact import exact
from clearwood.models.model import Model

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
                f"A step in front makes of the number '{feature.column}' what is no line of it, but a bell "
                "curve here is of the number itself. Fit GaussianNB to the numbers, or scaled ones."
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
