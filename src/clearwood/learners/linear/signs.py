"""Signs: a weight that may not be negative, or not positive, is held at 0 where it would be.

The likelihood has one maximum within such limits. A weight of the wrong sign is held at 0 and the others are
found anew, until none is wrong. A held weight is freed where the likelihood rises into the side that is
allowed: at the maximum it does not (the conditions of Karush, Kuhn and Tucker). If freeing one makes another
wrong, the way from the last weights to the new ones ends where that one is 0, as in the active sets of Lawson
and Hanson (Solving Least Squares Problems, 1974): each round is higher than the one before, so one is last.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from clearwood.arrays import Floats
from clearwood.learners.linear.likelihood import Likelihood
from clearwood.learners.linear.newton import NewtonFit
from clearwood.learners.linear.terms import DesignMatrix
from clearwood.models.kinds.linear.linear_model import Term

_FAR: Final = 100.0  # steps along a separation: what runs away has its last sign there
_GAIN: Final = 1e-9  # of the log-likelihood: a held weight that promises less stays


@dataclass(frozen=True, slots=True, eq=False)
class Found:
    """The terms that have weights, their likelihood, where the iterations ended, and what is held at 0."""

    design: DesignMatrix
    likelihood: Likelihood
    fit: NewtonFit
    held: tuple[Term, ...] = ()

    @property
    def log_likelihood(self) -> float:
        return self.fit.log_likelihoods[-1]


def found_within(
    design: DesignMatrix,
    likelihood: Likelihood,
    signs: Mapping[Term, int],
    reasons: Mapping[Term, str],
    fit_of: Callable[[DesignMatrix], Found],
) -> Found:
    """The best weights of two classes with these signs; what is held at 0 is left out, with its reason.

    `likelihood` is that of all terms of the design, `fit_of` finds the weights of a part of them.
    """
    places = {term: i + 1 for i, term in enumerate(design.terms) if term in signs}

    def without(held: set[Term]) -> tuple[Found, Floats, set[Term]]:
        """The weights without these, [0, then all terms], and which of them have the wrong sign."""
        left = tuple(term for term in design.terms if term in held)
        found = replace(fit_of(design.without({term: reasons[term] for term in left})), held=left)
        weights = _of_all(design, found)
        return found, weights, {term for term, at in places.items() if signs[term] * weights[at] < 0}

    held = set[Term]()
    found, weights, wrong = without(held)
    while wrong:
        held |= wrong
        found, weights, wrong = without(held)
    while True:
        freed = _rising(design, likelihood, {term: signs[term] for term in held}, weights)
        if freed is None:
            return found
        trial, way = held - {freed}, weights
        higher, aim, wrong = without(trial)
        while wrong:
            parts = {term: way[places[term]] / (way[places[term]] - aim[places[term]]) for term in wrong}
            part = min(parts.values())
            way = way + part * (aim - way)
            trial |= {term for term in wrong if parts[term] == part}
            way[[places[term] for term in trial]] = 0.0
            higher, aim, wrong = without(trial)
        if higher.log_likelihood <= found.log_likelihood:  # it rose by rounding alone
            return found
        held, found, weights = trial, higher, aim


def _of_all(design: DesignMatrix, found: Found) -> Floats:
    """[0, then all terms] the weights, 0 where there is none; far out where classes are separated."""
    at = {term: i + 1 for i, term in enumerate(design.terms)}
    end = found.fit.theta[0]
    if found.fit.apart is not None:
        end = end + _FAR * found.fit.apart[0]
    weights = np.zeros(1 + len(design.terms))
    weights[[0, *(at[term] for term in found.design.terms)]] = end
    return weights


def _rising(
    design: DesignMatrix, likelihood: Likelihood, signs: Mapping[Term, int], weights: Floats
) -> Term | None:
    """The held term that promises the most where its sign is allowed; None where none promises anything."""
    if not signs:
        return None
    slope = likelihood.sloped(weights[None, :])[1]
    squares = design.squares()
    gains: dict[Term, float] = {}
    for place, term in enumerate(design.terms, 1):
        if term in signs:
            rise = max(0.0, signs[term] * float(slope[place]) - float(likelihood.lasso[place]))
            gains[term] = 2 * rise**2 / max(float(squares[place]), 1e-300)  # a curvature of ¼ at the most
    best = max(gains, key=gains.__getitem__)
    return best if gains[best] > _GAIN else None
