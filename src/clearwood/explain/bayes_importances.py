"""Importances in a Bayes model: how much each column is expected to tell about the class."""

from __future__ import annotations

from typing import Final, assert_never

import numpy as np

from clearwood.arrays import Floats
from clearwood.models.bayes_tables import BayesTables
from clearwood.models.distributions import Bag, Categorical, Cuts, Distribution, Gaussian, Kernel, Words
from clearwood.predict.bayes import added
from clearwood.predict.bayes_terms import (
    BayesTerm,
    Bell,
    ByValue,
    Hills,
    bell_of,
    floats,
    log_priors,
    matrix,
    terms_of,
)

_NODES: Final = np.polynomial.hermite_e.hermegauss(64)  # of a bell curve: where, and with what weight


def bayes_importances(model: BayesTables) -> Floats:
    """[attribute] each column's share of the mutual information of column and class; they add up to 1, or
    are all zero where no column tells anything.

    It is what the model itself believes, by its priors and smoothed probabilities: Σ P(c) Σ P(x|c) · log
    (P(x|c) ÷ P(x)), over values or intervals; over 64 points of each bell curve, and the points of a kernel.
    Of a column in a bag it is that of one thing counted, times the things in an average row (bernoulli: of
    its presence); of a text the sum over its words. Columns are taken one by one, as Naive Bayes takes
    them: two that say the same both count.
    """
    informed = np.zeros(len(model.schema.attributes))
    terms = {term.name: term for term in terms_of(model)}
    priors = np.exp(log_priors(model))
    for each in model.distributions:
        for name, information in _informed(model, each, terms, priors).items():
            informed[model.schema.positions[name]] = max(
                information, 0.0
            )  # rounding may leave less than nothing
    return informed / informed.sum() if informed.any() else informed


def _informed(
    model: BayesTables, distribution: Distribution, terms: dict[str, BayesTerm], priors: Floats
) -> dict[str, float]:
    """The mutual information of each column that the distribution reads."""
    match distribution:
        case Categorical(name) | Cuts(name) | Gaussian(name) | Kernel(name):
            term = terms.get(name)
            return {} if term is None else {name: _of_term(term, distribution, priors)}
        case Bag(names, event):
            counts = matrix(distribution.counts, len(names))
            if event == "bernoulli":
                information = _of_presence(
                    counts, matrix(distribution.known, len(names)), distribution.alpha, priors
                )
            else:
                information = _of_things(counts, distribution.alpha, floats(model.classes).sum(), priors)
            return dict(zip(names, information.tolist(), strict=True))
        case Words(name, event):
            counts = matrix(distribution.counts, len(distribution.words))
            known = floats(distribution.known)
            if event == "bernoulli":
                met = matrix(distribution.documents, len(distribution.words))
                known = np.broadcast_to(known[:, None], met.shape)
                return {name: float(_of_presence(met, known, distribution.alpha, priors).sum())}
            return {name: float(_of_things(counts, distribution.alpha, known.sum(), priors).sum())}
        case _:
            assert_never(distribution)


def _of_term(term: BayesTerm, distribution: Distribution, priors: Floats) -> float:
    """Σ P(c) · the expectation within c of log P(x|c) − log P(x)."""
    total = 0.0
    for c in np.flatnonzero(priors).tolist():
        match term:
            case ByValue(_, logs):
                weights, under = np.exp(logs[:, c]), logs
            case Bell():
                assert isinstance(distribution, Gaussian)
                bells = bell_of(distribution)
                assert bells is not None, "a column with a term varied"
                weights = _NODES[1] / _NODES[1].sum()
                under = added(term, bells[0][c] + np.sqrt(bells[1][c]) * _NODES[0])
            case Hills(_, points, shares):
                weights, under = np.exp(shares[c]), added(term, points[c])
            case _:
                raise AssertionError(f"a term of {type(term).__name__} is of a bag or a text")
        known = weights > 0
        here = under[known]
        with np.errstate(divide="ignore"):
            mixed = np.logaddexp.reduce(here + np.log(priors), axis=1)
        total += float(priors[c] * np.dot(weights[known], here[:, c] - mixed))
    return total


def _of_things(counts: Floats, alpha: float, rows: float, priors: Floats) -> Floats:
    """[column] of one thing counted: is it this column's? Times the things in an average row."""
    smoothed = counts + alpha
    sizes = smoothed.sum(axis=1, keepdims=True)
    chances = np.divide(
        smoothed, sizes, out=np.full_like(smoothed, 1 / max(counts.shape[1], 1)), where=sizes > 0
    )
    return _of_chances(chances, priors) * (counts.sum() / rows if rows > 0 else 0.0)


def _of_presence(counts: Floats, known: Floats, alpha: float, priors: Floats) -> Floats:
    """[column] of its being there or not."""
    sizes = known + 2 * alpha
    chances = np.divide(counts + alpha, sizes, out=np.full_like(sizes, 0.5), where=sizes > 0)
    return _of_chances(chances, priors)


def _of_chances(chances: Floats, priors: Floats) -> Floats:
    """[column] the mutual information of the class and an event of these chances [class, column]."""
    mixed = priors @ chances
    with np.errstate(divide="ignore", invalid="ignore"):
        yes = np.where(chances > 0, chances * np.log(chances / mixed), 0.0)
        no = np.where(chances < 1, (1 - chances) * np.log((1 - chances) / (1 - mixed)), 0.0)
    information: Floats = priors @ (yes + no)
    return information
