"""Newton's method with step halving: from weights to the weights of greatest likelihood.

Where the curvature's matrix is of modest size it is built and solved (iteratively reweighted least squares),
with a lasso by coordinates in turn; beyond, each step is found by conjugate gradients, which need only
products of the curvature with a direction.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from clearwood import _native
from clearwood.arrays import Floats
from clearwood.learners.linear.likelihood import Likelihood
from clearwood.learners.linear.separation import recession

MOST_IN_A_MATRIX: Final = 1500  # weights: a matrix of 18 MB, solved in about a second

MOST_UNDER_A_LASSO: Final = 4000  # which needs the matrix, but solves it by coordinates

_PIVOT: Final = 1e-13  # of its diagonal: below, a column is taken to follow from others
_ROUNDING: Final = 1e-12  # of the log-likelihood: a fall by less is no fall
_HALVINGS: Final = 30
_SEARCHES: Final = 500  # products for one step
_FLAT: Final = 1e-5  # a gain by less, from a long step: the likelihood is level, as where classes are apart
_LONG: Final = (
    0.005  # of the weights, or of 1: where classes are apart they grow by one part in so many steps
)
_AHEAD: Final = 0.3  # that the leading row's class gains by such a step, which is about 1
_BACK: Final = 1e-3  # that a row may fall back beside it
_GAIN_ELSEWHERE: Final = 1e-3  # for the rows that stay: where classes are separated they have nothing to gain
_SURE: Final = 1e-9  # of a weight: a step by less leaves the curvature as it is


@dataclass(frozen=True, slots=True, eq=False)
class NewtonFit:
    """Where the iterations ended: the weights, each log-likelihood, the curvature there if it was built.

    `apart` [vector, term] is a direction that separates the classes: there is no maximum.
    """

    theta: Floats
    log_likelihoods: tuple[float, ...]
    converged: bool
    curvature: Floats | None = None
    apart: Floats | None = None
    complete: bool = False


def newton_fit(
    likelihood: Likelihood,
    start: Floats,
    squares: Floats,
    *,
    tolerance: float,
    max_iterations: int,
    first: tuple[float, Floats, Floats] | None = None,
) -> NewtonFit:
    """Steps until none moves a weight by more than `tolerance` of it, or of 1; `first` is known already."""
    by_matrix = likelihood.size <= (MOST_UNDER_A_LASSO if likelihood.lasso.any() else MOST_IN_A_MATRIX)
    unheld = not likelihood.ridge.any() and not likelihood.lasso.any()
    theta, before = start, start
    log_likelihoods: list[float] = []
    matrix: Floats | None = None
    gain = np.inf
    searched = False
    for _ in range(max_iterations):
        if by_matrix:
            log_likelihood, gradient, matrix = first or likelihood.curved(theta)
        else:
            log_likelihood, gradient = likelihood.sloped(theta)
        first = None
        for _ in range(_HALVINGS):
            last = log_likelihoods[-1] if log_likelihoods else -np.inf
            if not log_likelihoods or log_likelihood >= last - _ROUNDING * abs(last):
                break
            theta = (theta + before) / 2
            if by_matrix:
                log_likelihood, gradient, matrix = likelihood.curved(theta)
            else:
                log_likelihood, gradient = likelihood.sloped(theta)
        log_likelihoods.append(log_likelihood)
        if matrix is not None:
            step = _step(likelihood, theta, gradient, matrix, tolerance)
        else:
            step = _searched(likelihood, theta, gradient, squares, min(0.1, gain))
        gain = float(gradient @ step)
        moved = np.abs(step) / np.maximum(1.0, np.abs(theta.ravel()))
        if unheld and gain < _FLAT and moved.max() > _LONG:
            least, largest, gain_elsewhere = likelihood.leads(theta, step, _AHEAD)
            # One row far out looks like separation, but the others gain elsewhere.
            if largest > _AHEAD and least >= -max(_BACK, 1e-9 * largest) and gain_elsewhere < _GAIN_ELSEWHERE:
                apart = step.reshape(theta.shape)
                return NewtonFit(theta, tuple(log_likelihoods), True, matrix, apart, bool(least > _AHEAD))
            if by_matrix and not searched:
                searched = True
                direction = recession(likelihood, step.reshape(theta.shape))
                if direction is not None:
                    return NewtonFit(theta, tuple(log_likelihoods), True, matrix, *direction)
        before, theta = theta, theta + step.reshape(theta.shape)
        if moved.max() <= tolerance:
            # The last step is taken but not looked at: its gain is half of what the gradient promises.
            log_likelihoods[-1] += gain / 2 if not likelihood.lasso.any() else 0.0
            if unheld and matrix is not None and moved.max() > _SURE:
                matrix = likelihood.curved(theta)[2]  # standard errors are those of the last weights
            return NewtonFit(theta, tuple(log_likelihoods), True, matrix)
    return NewtonFit(theta, tuple(log_likelihoods), False, matrix)


def _step(
    likelihood: Likelihood, theta: Floats, gradient: Floats, matrix: Floats, tolerance: float
) -> Floats:
    """To the maximum of the parabola that touches the likelihood here."""
    if likelihood.lasso.any():
        flat = theta.ravel()
        aim = _native.lasso(matrix, gradient + matrix @ flat, likelihood.held, flat, tolerance / 10, 10_000)
        return aim - flat
    firmness = 1e-10
    step = _native.solve_symmetric(matrix, gradient, _PIVOT)
    while step is None:
        # So far up that rounding has made the matrix flat: hold the step a little, then more.
        held = matrix + np.diag(firmness * np.maximum(matrix.diagonal(), 1e-300))
        step = _native.solve_symmetric(held, gradient, _PIVOT)
        firmness *= 10
    return step


def _searched(
    likelihood: Likelihood, theta: Floats, gradient: Floats, squares: Floats, precision: float
) -> Floats:
    """The same step by conjugate gradients, to the given part of the gradient."""
    scale = 1.0 / likelihood.typical_curve(squares)
    step = np.zeros_like(gradient)
    rest = gradient.copy()
    way = scale * rest
    size = float(rest @ way)
    goal = max(precision, 1e-8) ** 2 * size
    spreads = likelihood.spreads(theta)
    for _ in range(_SEARCHES):
        if size <= goal or size == 0:
            break
        curved = likelihood.curve(theta, way, spreads)
        bend = float(way @ curved)
        if not bend > 0:
            break
        step += size / bend * way
        rest -= size / bend * curved
        scaled = scale * rest
        size, before = float(rest @ scaled), size
        way = scaled + size / before * way
    return step
