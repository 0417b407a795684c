"""What a fit gives beside its weights: standard errors in the user's units, tests, and separated classes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, Literal, TypeAlias

import numpy as np

from clearwood import _native
from clearwood.arrays import Floats
from clearwood.learners.linear.likelihood import Likelihood
from clearwood.learners.linear.newton import Climb
from clearwood.learners.linear.runaway import runaway_of
from clearwood.learners.linear.separation import separation_of
from clearwood.learners.linear.terms import DesignMatrix
from clearwood.learners.linear.weight_tests import by_likelihood, by_wald
from clearwood.models.linear_model import AttributeTest, Fit, Term

Errors: TypeAlias = tuple[tuple[float | None, ...], ...]

_COVARIANCE: Final = 100  # weights whose covariances a model keeps


def fit_of(
    design: DesignMatrix,
    likelihood: Likelihood,
    top: Climb,
    *,
    test: Literal["wald", "likelihood ratio"] | None,
    height_without: Callable[[tuple[Term, ...]], float],
) -> Fit:
    """The figures of a finished climb; `test` None, where a penalty held the weights, leaves errors out."""
    separation, runaway = None, None
    if top.apart is not None:
        met = np.bincount(design.rows.target, minlength=len(design.rows.schema.classes)) > 0
        classes = tuple(
            name for name, any_row in zip(design.rows.schema.classes, met, strict=True) if any_row
        )
        runaway = runaway_of(design, likelihood, top)
        separation = separation_of(design, runaway.signs, top.complete, classes)
    height = likelihood.alone(top.theta) if test is None else top.heights[-1]
    errors: Errors = ()
    covariance: tuple[float, ...] = ()
    tests: tuple[AttributeTest, ...] = ()
    spread = None
    free = np.ones(likelihood.size, dtype=bool)
    if runaway is not None:
        spread, free = runaway.covariance, runaway.settled.ravel()
    elif test is not None and top.curvature is not None:
        inverse = _native.invert_symmetric(top.curvature, 0.0)
        spread = None if inverse is None else likelihood.covariance(top.theta, inverse)
    if spread is not None:
        errors, covariance = _in_user_units(design, spread, free, likelihood.vectors)
        if test == "wald":
            tests = by_wald(design.terms, top.theta, spread, free)
    if test == "likelihood ratio" and separation is None:
        tests = by_likelihood(design.terms, likelihood.vectors, height, height_without)
    return Fit(
        rows=len(design.rows),
        weight=float(likelihood.by_class.sum()),
        log_likelihood=height,
        null_log_likelihood=likelihood.null_height(),
        iterations=top.heights,
        converged=top.converged,
        errors=errors,
        covariance=covariance,
        tests=tests,
        separation=separation,
        robust=likelihood.robust and test is not None,
    )


def _in_user_units(
    design: DesignMatrix, covariance: Floats, free: Any, vectors: int
) -> tuple[Errors, tuple[float, ...]]:
    """Standard errors [contrast][0, then terms] and the covariances' lower triangle, in the user's units."""
    centres, scales = design.units()
    # The intercept is that of a row of zeros: it is as unsure as every weight it is taken from.
    start = -centres / scales
    start[0] = 1.0
    width = len(scales)
    converted = np.empty_like(covariance)
    for c in range(vectors):
        for d in range(vectors):
            here = (slice(c * width, (c + 1) * width), slice(d * width, (d + 1) * width))
            block = covariance[here]
            turned = np.vstack([start @ block, block[1:] / scales[1:, None]])
            converted[here] = np.column_stack([turned @ start, turned[:, 1:] / scales[1:]])
    variances = converted.diagonal().reshape(vectors, width)
    known = free.reshape(vectors, width)
    errors = tuple(
        tuple(float(np.sqrt(v)) if k and v > 0 else None for v, k in zip(row, ok, strict=True))
        for row, ok in zip(variances, known, strict=True)
    )
    if len(converted) > _COVARIANCE or not free.all():
        return errors, ()
    return errors, tuple(converted[np.tril_indices(len(converted))].tolist())
