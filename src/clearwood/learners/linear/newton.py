"""Newton's method with step halving: to the weights of greatest likelihood, free or of given signs.

Where the curvature's matrix is of modest size it is built and solved (iteratively reweighted least squares),
with a lasso by coordinates in turn; beyond, each step is found by conjugate gradients, which need only
products of the curvature with a direction.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from clearwood import _native
from clearwood.arrays import Bools, Floats
from clearwood.learners.linear.likelihood import Likelihood
from clearwood.learners.linear.terms import DesignMatrix
from clearwood.models.kinds.linear.linear_model import Term

MOST_IN_A_MATRIX: Final = 1500  # weights: a matrix of 18 MB, solved in about a second

MOST_UNDER_A_LASSO: Final = 4000  # which needs the matrix, but solves it by coordinates

_PIVOT: Final = 1e-13  # of its diagonal: below, a column is taken to follow from others
_ROUNDING: Final = 1e-12  # of the log-likelihood: a fall by less is no fall
_HALVINGS: Final = 30
_SEARCHES: Final = 500  # products for one step
_FLAT: Final = 1e-5  # a gain by less, from a long step: the likelihood is level, as where classes are apart
_LONG: Final = 0.005  # of the weights, or of 1: where classes are apart, they grow by one part in many steps
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

    def look(theta: Floats) -> tuple[float, Floats, Floats | None]:
        return likelihood.curved(theta) if by_matrix else (*likelihood.sloped(theta), None)

    theta, before = start, start
    log_likelihoods: list[float] = []
    matrix: Floats | None = None
    gain = np.inf
    searched = False
    for _ in range(max_iterations):
        log_likelihood, gradient, matrix = first or look(theta)
        first = None
        for _ in range(_HALVINGS):
            last = log_likelihoods[-1] if log_likelihoods else -np.inf
            if not log_likelihoods or log_likelihood >= last - _ROUNDING * abs(last):
                break
            theta = (theta + before) / 2
            log_likelihood, gradient, matrix = look(theta)
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


# Separation, exactly: the direction in which weights can grow without end and no row falls back.
#
# A row's lead over a class is how much its own class's score gains on that class's. The classes are
# separated if some direction has no lead below 0 and one above. Newton's last step only comes near it,
# since rows that are far ahead already may fall back a little. So the leads below 0 are squared, added up
# and brought to a minimum while the sum of all leads is held: it is 0 where there is such a direction, and
# only there.


_MOST: Final = 50_000_000  # numbers of all leads together
_BEHIND: Final = 1e-10  # of the largest lead: below 0 by less is rounding
_RUNS_AWAY: Final = 1e-6  # of the largest lead: above, a row runs away
_STEPS: Final = 60
_LEVEL: Final = 1e-9  # of the sum: no step makes it smaller
_FIRM: Final = 1e-9  # of the curvature, at first: where no row is behind, a step stays short
_LEAST_FIRM: Final = 1e-15


def recession(likelihood: Likelihood, towards: Floats) -> tuple[Floats, bool] | None:
    """The direction [vector, 0 then terms] in which all that can run away does, by a lead of 1 at least, and
    whether every row does; None where there is none, or the table is too large to ask. `towards` is where to
    look first."""
    if len(likelihood.target) * likelihood.classes * likelihood.width > _MOST:
        return None
    leads = Leads(likelihood)
    direction = np.zeros_like(towards)
    staying = leads.every()
    while any(each.any() for each in staying):
        further = _held(leads, towards, staying)
        if further is None:
            break
        direction = direction + further
        ahead = leads.along(further)
        enough = _RUNS_AWAY * max(
            float(each[own].max(initial=0.0)) for own, each in zip(staying, ahead, strict=True)
        )
        staying = [own & (each <= enough) for own, each in zip(staying, ahead, strict=True)]
    if not direction.any():
        return None
    running = zip(leads.every(), leads.along(direction), staying, strict=True)
    shortest = min(float(each[own & ~still].min(initial=np.inf)) for own, each, still in running)
    return direction / shortest, not any(each.any() for each in staying)


class Leads:
    """The leads of the rows, class by class: [row, other class] as a linear function of a direction."""

    def __init__(self, likelihood: Likelihood) -> None:
        width, classes = likelihood.width, likelihood.classes
        values = _native.linear_scores(likelihood.columns, len(likelihood.target), np.eye(width))
        self.shape = (likelihood.vectors, width)
        self.classes = classes
        # How long a row is does not matter for the sign of its leads, nor how often it comes.
        values /= np.linalg.norm(values, axis=1, keepdims=True)
        self.rows = [np.unique(values[likelihood.target == c], axis=0) for c in range(classes)]

    def every(self) -> list[Bools]:
        """[class][row, other class] all of them; a class has no lead over itself."""
        leads = []
        for own, rows in enumerate(self.rows):
            chosen = np.ones((len(rows), self.classes), dtype=bool)
            chosen[:, own] = False
            leads.append(chosen)
        return leads

    def along(self, direction: Floats) -> list[Floats]:
        """[class][row, other class] the leads that a direction gives."""
        all_scores = np.zeros((self.classes, self.shape[1]))
        all_scores[: self.shape[0]] = direction
        leads = []
        for own, rows in enumerate(self.rows):
            scores = rows @ all_scores.T
            leads.append(scores[:, own, None] - scores)
        return leads

    def pulled(self, by: list[Floats]) -> Floats:
        """[·] Σ by · lead as a vector of the direction's factors."""
        pull = np.zeros((self.classes, self.shape[1]))
        for own, (rows, each) in enumerate(zip(self.rows, by, strict=True)):
            pull -= each.T @ rows
            pull[own] += each.sum(axis=1) @ rows
        return pull[: self.shape[0]].ravel()

    def curvature(self, chosen: list[Bools]) -> Floats:
        """[·, ·] of half the sum of the chosen leads' squares."""
        vectors, width = self.shape
        hessian = np.zeros((vectors, width, vectors, width))
        for own, (rows, each) in enumerate(zip(self.rows, chosen, strict=True)):
            for other in np.flatnonzero(each.any(axis=0)).tolist():
                part = rows[each[:, other]]
                gram = part.T @ part
                for c in (own, other):
                    if c < vectors:
                        hessian[c, :, c] += gram
                if own < vectors and other < vectors:
                    hessian[own, :, other] -= gram
                    hessian[other, :, own] -= gram
        return hessian.reshape(vectors * width, vectors * width)


def _held(leads: Leads, start: Floats, moving: list[Bools]) -> Floats | None:
    """A direction in which the `moving` leads are 1 on the average and none is below 0, or None."""
    total = leads.pulled([each.astype(np.float64) for each in moving])
    many = sum(int(each.sum()) for each in moving)
    size = float(total @ total)
    if not size > 0:
        return None
    direction = start.ravel().copy()
    along = float(total @ direction)
    direction = direction * (many / along) if along > 0 else total * (many / size)
    firm = _FIRM
    for _ in range(_STEPS):
        ahead = leads.along(direction.reshape(leads.shape))
        behind = [np.minimum(each, 0.0) for each in ahead]
        least = min(float(each.min(initial=0.0)) for each in behind)
        # Of the moving leads: along what runs away already the others may grow as they like.
        largest = max(float(each[own].max(initial=0.0)) for own, each in zip(moving, ahead, strict=True))
        if least >= -_BEHIND * largest:
            return direction.reshape(leads.shape)
        height = _height(behind)
        slope = leads.pulled(behind)
        matrix = leads.curvature([each < 0 for each in behind])
        matrix += np.diag(firm * (matrix.diagonal() + matrix.diagonal().max()))
        # The step that brings the parabola to its minimum and leaves the sum of the moving leads as it is.
        down = _native.solve_symmetric(matrix, slope, 0.0)
        along_total = _native.solve_symmetric(matrix, total, 0.0)
        if down is None or along_total is None:
            return None
        step = along_total * (float(total @ down) / float(total @ along_total)) - down
        fall = float(slope @ step)
        if fall >= -_LEVEL * height:
            return None
        length = 1.0
        while length > 1e-6:
            tried = leads.along((direction + length * step).reshape(leads.shape))
            if _height([np.minimum(each, 0.0) for each in tried]) <= height + 0.1 * length * fall:
                break
            length /= 2
        direction = direction + length * step
        firm = max(firm / 10, _LEAST_FIRM) if length == 1.0 else min(firm * 10, _FIRM)
    return None


def _height(behind: list[Floats]) -> float:
    return 0.5 * sum(float((each * each).sum()) for each in behind)


# Signs: a weight that may not be negative, or not positive, is held at 0 where it would be.
#
# The likelihood has one maximum within such limits. A weight of the wrong sign is held at 0 and the others
# are found anew, until none is wrong. A held weight is freed where the likelihood rises into the side that is
# allowed: at the maximum it does not (the conditions of Karush, Kuhn and Tucker). If freeing one makes
# another wrong, the way from the last weights to the new ones ends where that one is 0, as in the active sets
# of Lawson and Hanson (Solving Least Squares Problems, 1974): each round is higher than the one before, so
# one is last.


_FAR_OUT: Final = 100.0  # steps along a separation: what runs away has its last sign there
_LEAST_GAIN: Final = 1e-9  # of the log-likelihood: a held weight that promises less stays


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
        end = end + _FAR_OUT * found.fit.apart[0]
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
    return best if gains[best] > _LEAST_GAIN else None
