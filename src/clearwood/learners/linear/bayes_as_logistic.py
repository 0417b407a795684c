"""Gaussian Naive Bayes with shared variances, written as the logistic weights it is."""

from fractions import Fraction
from typing import Final

import numpy as np

from clearwood.arrays import Floats
from clearwood.errors import LearningError
from clearwood.learners.bayes.naive_bayes import NaiveBayes
from clearwood.models.kinds.bayes.bayes_tables import BayesTables
from clearwood.models.kinds.bayes.bayes_terms import log_priors
from clearwood.models.kinds.bayes.distributions import Distribution, Gaussian, columns_of
from clearwood.models.kinds.linear.linear_model import LeftOut, LinearModel, MissingTerm, NumberTerm, Term
from clearwood.models.lineage import AsWeights
from clearwood.models.model import check_kind
from clearwood.table.table import Table

_FLAT: Final = 1e-26  # of the mean's square: less is rounding


def gaussian_bayes_as_logistic(source: Table | BayesTables) -> LinearModel:
    """Logistic weights from normal distributions with a mean for each class and one variance for all classes.

    Against the first class, with means μ and variance σ², a number's weight is (μ_class − μ_first) ÷ σ², and
    the intercept ln(π_class ÷ π_first) + Σ (μ_first² − μ_class²) ÷ 2σ². (Written as P = 1 ÷ (1 + exp(w₀ + Σ
    w·x)), as textbooks do, both have the other sign.) The variance is Σ w·(x − μ_own)² ÷ Σ w over all rows.
    An empty cell adds nothing: with two classes neither does the number halfway between the means; with more,
    a term for empty cells takes back what the mean of the means would add.

    >>> from clearwood.table import read_table
    >>> table = read_table({"x": [1.0, 3.0, 4.0, 6.0], "y": ["a", "a", "b", "b"]}, target="y")
    >>> print(gaussian_bayes_as_logistic(table).equation())
    log odds of y = b against a: −10.5 + 3 · x
    """
    check_kind("gaussian_bayes_as_logistic", source, BayesTables, Table)
    model = NaiveBayes().learn(source) if isinstance(source, Table) else source
    names, logs = model.schema.classes, log_priors(model)
    met = [code for code in range(len(names)) if np.isfinite(logs[code]) and model.classes[code] > 0]
    if len(met) < 2:
        raise LearningError(f"Every row is of the class '{names[met[0]]}': there is nothing to learn.")
    terms: list[Term] = []
    lines: list[Floats] = []  # [term][contrast]
    fills: dict[str, float | str] = {}
    averages: dict[str, tuple[float, ...]] = {}
    left_out: list[LeftOut] = []
    intercepts = logs[met[1:]] - logs[met[0]]
    for distribution in model.distributions:
        gaussian = _shared(distribution, met)
        if isinstance(gaussian, str):
            left_out += [LeftOut(name, gaussian) for name in columns_of(distribution)]
            continue
        means, variance = gaussian
        name = columns_of(distribution)[0]
        weights = (means[1:] - means[0]) / variance
        starts = (means[0] ** 2 - means[1:] ** 2) / (2 * variance)
        terms.append(NumberTerm(name))
        lines.append(weights)
        intercepts = intercepts + starts
        fills[name] = float(means.mean())
        empty = weights * means.mean()
        if len(met) > 2:
            terms.append(MissingTerm(name))
            lines.append(-(starts + weights * means.mean()))
            empty = -starts
        assert isinstance(distribution, Gaussian)
        known = np.array([distribution.weights[code] for code in met], dtype=np.float64)
        share = float(known.sum() / sum(float(model.classes[code]) for code in met))
        average = share * weights * float(known @ means / known.sum()) + (1 - share) * empty
        averages[name] = tuple(average.tolist())
    return LinearModel(
        schema=model.schema,
        contrasts=tuple(names[code] for code in met[1:]),
        against=names[met[0]],
        terms=tuple(terms),
        intercepts=tuple(intercepts.tolist()),
        weights=tuple(tuple(float(line[c]) for line in lines) for c in range(len(met) - 1)),
        fills=fills,
        left_out=tuple(left_out),
        decision=model.decision,
        origin=model.origin.then(AsWeights()),
        averages=averages,
    )


def _shared(distribution: Distribution, met: list[int]) -> tuple[Floats, float] | str:
    """[class] the means and the variance about them of all rows together; or why there is none."""
    if not isinstance(distribution, Gaussian):
        return "it is not a normal distribution of numbers"
    weights = [Fraction(distribution.weights[code]) for code in met]
    if not all(weight > 0 for weight in weights):
        return "a class has no number there"
    means = [Fraction(distribution.sums[code]) / weight for code, weight in zip(met, weights, strict=True)]
    squares = [Fraction(distribution.squares[code]) for code in met]
    about = sum(s - w * m * m for s, w, m in zip(squares, weights, means, strict=True))
    variance = float(about / sum(weights))
    centres = np.array([float(mean) for mean in means])
    if not variance > _FLAT * float((centres**2).max()):
        return "within each class all its numbers are the same"
    return centres, variance
