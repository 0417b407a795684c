"""Tests of a whole attribute: would the model do as well without all of its weights?"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from clearwood import _native
from clearwood.arrays import Floats
from clearwood.measures.p_values import chi2_sf
from clearwood.models.linear_model import AttributeTest, Term


def by_wald(
    terms: tuple[Term, ...], theta: Floats, covariance: Floats, free: Any
) -> tuple[AttributeTest, ...]:
    """b' C⁻¹ b of the attribute's weights b and their covariances C; none where a weight has no estimate."""
    tests = []
    for name, places in _by_attribute(terms).items():
        vectors, width = theta.shape
        flat = np.array([c * width + place for c in range(vectors) for place in places])
        if not free[flat].all():
            continue
        b = theta.ravel()[flat]
        solved = _native.solve_symmetric(np.ascontiguousarray(covariance[np.ix_(flat, flat)]), b, 0.0)
        if solved is not None:
            statistic = float(b @ solved)
            p = float(chi2_sf(statistic, len(flat)))
            tests.append(AttributeTest(name, "wald", statistic, len(flat), p))
    return tuple(tests)


def by_likelihood(
    terms: tuple[Term, ...],
    vectors: int,
    height: float,
    height_without: Callable[[tuple[Term, ...]], float],
) -> tuple[AttributeTest, ...]:
    """Twice the log-likelihood that is lost when the attribute's terms are left out."""
    tests = []
    for name, places in _by_attribute(terms).items():
        fewer = height_without(tuple(terms[place - 1] for place in places))
        statistic, df = max(0.0, 2 * (height - fewer)), vectors * len(places)
        tests.append(AttributeTest(name, "likelihood ratio", statistic, df, float(chi2_sf(statistic, df))))
    return tuple(tests)


def _by_attribute(terms: tuple[Term, ...]) -> dict[str, list[int]]:
    """Each attribute's places among the terms, the intercept being 0."""
    places: dict[str, list[int]] = {}
    for place, term in enumerate(terms, 1):
        places.setdefault(term.name, []).append(place)
    return places
