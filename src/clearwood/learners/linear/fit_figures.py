"""What a fit gives beside its weights: standard errors in the user's units, tests, and separated classes."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from clearwood import _native
from clearwood.arrays import Floats
from clearwood.learners.linear.likelihood import Likelihood
from clearwood.learners.linear.newton import NewtonFit
from clearwood.learners.linear.terms import DesignMatrix
from clearwood.measures.inference import chi2_sf
from clearwood.models.kinds.linear.linear_model import (
    AttributeTest,
    Fit,
    MissingTerm,
    NumberTerm,
    Separation,
    Term,
    ValueTerm,
    WeightSign,
)
from clearwood.table.attributes import Nominal, Numeric, Ordinal
from clearwood.table.table import missing_cells
from clearwood.words.numbers import number

Errors: TypeAlias = tuple[tuple[float | None, ...], ...]

_COVARIANCE: Final = 100  # weights whose covariances a model keeps


def fit_of(
    design: DesignMatrix,
    likelihood: Likelihood,
    fit: NewtonFit,
    *,
    test: Literal["wald", "likelihood ratio"] | None,
    without: Callable[[tuple[Term, ...]], float],
) -> Fit:
    """The figures of a finished fit; `test` None, where a penalty held the weights, leaves errors out."""
    separation, runaway = None, None
    if fit.apart is not None:
        met = np.bincount(design.rows.target, minlength=len(design.rows.schema.classes)) > 0
        classes = tuple(
            name for name, any_row in zip(design.rows.schema.classes, met, strict=True) if any_row
        )
        runaway = runaway_of(design, likelihood, fit)
        separation = separation_of(design, runaway.signs, fit.complete, classes)
    log_likelihood = likelihood.alone(fit.theta) if test is None else fit.log_likelihoods[-1]
    errors: Errors = ()
    covariance: tuple[float, ...] = ()
    tests: tuple[AttributeTest, ...] = ()
    spread = None
    free = np.ones(likelihood.size, dtype=bool)
    if runaway is not None:
        spread, free = runaway.covariance, runaway.settled.ravel()
    elif test is not None and fit.curvature is not None:
        inverse = _native.invert_symmetric(fit.curvature, 0.0)
        spread = None if inverse is None else likelihood.covariance(fit.theta, inverse)
    if spread is not None:
        errors, covariance = _in_user_units(design, spread, free, likelihood.vectors)
        if test == "wald":
            tests = by_wald(design.terms, fit.theta, spread, free)
    if test == "likelihood ratio" and separation is None:
        tests = by_likelihood(design.terms, likelihood.vectors, log_likelihood, without)
    return Fit(
        rows=len(design.rows),
        weight=float(likelihood.by_class.sum()),
        log_likelihood=log_likelihood,
        null_log_likelihood=likelihood.null_log_likelihood(),
        iterations=fit.log_likelihoods,
        converged=fit.converged,
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


# Tests of a whole attribute: would the model do as well without all of its weights?


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
    terms: tuple[Term, ...], vectors: int, log_likelihood: float, without: Callable[[tuple[Term, ...]], float]
) -> tuple[AttributeTest, ...]:
    """Twice the log-likelihood that is lost when the attribute's terms are left out."""
    tests = []
    for name, places in _by_attribute(terms).items():
        fewer = without(tuple(terms[place - 1] for place in places))
        statistic, df = max(0.0, 2 * (log_likelihood - fewer)), vectors * len(places)
        tests.append(AttributeTest(name, "likelihood ratio", statistic, df, float(chi2_sf(statistic, df))))
    return tuple(tests)


def _by_attribute(terms: tuple[Term, ...]) -> dict[str, list[int]]:
    """Each attribute's places among the terms, the intercept being 0."""
    places: dict[str, list[int]] = {}
    for place, term in enumerate(terms, 1):
        places.setdefault(term.name, []).append(place)
    return places


# Far out along a separation: which weights run away, and which the rows that stay behind still settle.
#
# Rows that run away have, in the end, shares of 0 and 1, and no curvature. So the curvature far out is that
# of the rows that stay; what it leaves flat is settled by no row.


_FAR: Final = 100.0  # steps of about 1 in the log-odds: what is left of a share is e⁻¹⁰⁰ at the most
_FLAT: Final = 1e-11  # a curvature, by size of the column: below is rounding, or rows that run away
_STILL: Final = 1e-4  # of the largest move: below, a weight stays
_SETTLED: Final = 1e-6  # of a weight that flat directions may move, as rounding


@dataclass(frozen=True, slots=True, eq=False)
class Runaway:
    """`signs` [vector, 0 then terms], in the user's units, of what runs away; `settled` of what is known.

    `covariance` [·, ·] is that of the standardised weights; without a matrix there is none.
    """

    signs: npt.NDArray[np.int64]
    settled: npt.NDArray[np.bool_]
    covariance: Floats | None


def runaway_of(design: DesignMatrix, likelihood: Likelihood, fit: NewtonFit) -> Runaway:
    """What becomes of the weights where the iterations ended on a separation."""
    assert fit.apart is not None
    if fit.complete:
        # Every row runs away: no weight is settled, and nothing is left that has a curvature.
        signs = _signs(design, fit.apart)
        return Runaway(signs, np.zeros(signs.shape, dtype=bool), np.zeros((signs.size, signs.size)))
    if fit.curvature is None:
        signs = _signs(design, fit.apart)
        return Runaway(signs, signs == 0, None)
    # By size: a rare value's curvature is small, but not flat.
    units = np.tile(1 / np.sqrt(np.maximum(design.squares(), 1e-300)), likelihood.vectors)
    sizes = np.outer(units, units)
    curves, axes = np.linalg.eigh(likelihood.curved(fit.theta + _FAR * fit.apart)[2] * sizes)
    level = axes[:, curves <= _FLAT]
    # The last step also moved the rows that stay, a little: this way leaves them where they are.
    way = (units * (level @ (level.T @ (fit.apart.ravel() / units)))).reshape(fit.apart.shape)
    end = fit.theta + _FAR * way
    matrix = likelihood.curved(end)[2] * sizes
    # Some curvature where there is none, so that it has an inverse; no weight that is settled feels it.
    inverse = _native.invert_symmetric(matrix + level @ level.T, 0.0)
    covariance = None if inverse is None else likelihood.covariance(end, inverse * sizes)
    # What makes standardised weights the user's: the intercept is that of a row of zeros.
    centres, scales = design.units()
    one = np.diag(1 / scales)
    one[0, 1:] = -centres[1:] / scales[1:]
    turned = np.kron(np.eye(likelihood.vectors), one) * units
    moved = np.linalg.norm(turned @ level, axis=1)
    settled = moved <= _SETTLED * np.linalg.norm(turned, axis=1)
    signs = np.where(settled.reshape(way.shape), 0, _signs(design, way))
    return Runaway(signs, settled.reshape(way.shape), covariance)


def _signs(design: DesignMatrix, way: Floats) -> npt.NDArray[np.int64]:
    centres, scales = design.units()
    parts = way[:, 1:] / scales[1:] * centres[1:]
    moves = way.copy()
    moves[:, 0] -= parts.sum(axis=1)
    sizes = np.full(way.shape, np.abs(way).max())
    # An intercept that all but cancels out stays: its parts are those of a row at the means.
    sizes[:, 0] = np.maximum(sizes[:, 0], np.abs(parts).max(axis=1, initial=0.0))
    return np.where(np.abs(moves) > _STILL * sizes, np.sign(moves), 0).astype(np.int64)


# Separation in words: which values or numbers leave a weight without a finite estimate.


_NAMED: Final = 5


def separation_of(
    design: DesignMatrix, signs: npt.NDArray[np.int64], complete: bool, classes: tuple[str, ...]
) -> Separation:
    """The separation in which signs [vector, 0 then terms] run away; `classes` are those that rows have."""
    directions: tuple[tuple[WeightSign, ...], ...] = tuple(map(tuple, signs.tolist()))
    moving = [term for j, term in enumerate(design.terms) if signs[:, j + 1].any()]
    names = list(dict.fromkeys(term.name for term in moving))
    reasons: list[str] = []
    for name in names:
        attribute = design.rows.schema[name]
        if isinstance(attribute, Nominal | Ordinal):
            reasons += _of_values(design, attribute, classes)
        elif isinstance(attribute, Numeric) and any(
            isinstance(t, NumberTerm) and t.name == name for t in moving
        ):
            reasons += _of_numbers(design, attribute, classes)
        if any(isinstance(term, MissingTerm) and term.name == name for term in moving):
            gap = missing_cells(design.rows.columns[name])
            reasons += _of_rows(design, gap, f"where {name} is missing", classes)
    if not reasons or (complete and not any("no other" in each for each in reasons)):
        shown = names if len(names) <= _NAMED else [*names[:_NAMED], f"{len(names) - _NAMED} more"]
        together = f"Together {', '.join(shown[:-1])} and {shown[-1]} tell"
        tell = f"{shown[0]} alone tells" if len(shown) == 1 else together
        reasons = [*reasons, f"{tell} classes apart without an error."]
    if len(reasons) > _NAMED:
        reasons = [*reasons[:_NAMED], f"{len(reasons) - _NAMED} more values or columns do the same."]
    return Separation(complete, directions, tuple(reasons))


def _of_values(design: DesignMatrix, attribute: Nominal | Ordinal, classes: tuple[str, ...]) -> list[str]:
    cells = design.rows.columns[attribute.name]
    own = {term.value for term in design.terms if isinstance(term, ValueTerm) and term.name == attribute.name}
    own.add(design.references[attribute.name])
    reasons = []
    for code, value in enumerate(attribute.values):
        if value in own:
            reasons += _of_rows(design, cells == code, f"with {attribute.name} = {value}", classes)
    return reasons


def _of_rows(
    design: DesignMatrix, chosen: npt.NDArray[np.bool_], where: str, classes: tuple[str, ...]
) -> list[str]:
    names = design.rows.schema.classes
    met = {names[code] for code in np.unique(design.rows.target[chosen]).tolist()}
    absent = [name for name in classes if name not in met]
    if not met or not absent:
        return []
    rows = f"{int(chosen.sum()):,}"
    if len(met) == 1:
        return [f"Every training row {where} ({rows}) is '{next(iter(met))}'."]
    return [f"No training row {where} ({rows}) is {' or '.join(repr(name) for name in absent)}."]


def _of_numbers(design: DesignMatrix, attribute: Numeric, classes: tuple[str, ...]) -> list[str]:
    """A number that by itself has a class on one side and the others on the other."""
    cells: Any = design.rows.columns[attribute.name]
    target, names = design.rows.target, design.rows.schema.classes
    known = ~np.isnan(cells)
    for name in classes:
        own = cells[known & (target == names.index(name))]
        others = cells[known & (target != names.index(name))]
        if not len(own) or not len(others):
            continue
        if own.min() >= others.max():
            return [_cut(attribute.name, float(others.max()), float(own.min()), "from", name)]
        if own.max() <= others.min():
            return [_cut(attribute.name, float(others.min()), float(own.max()), "up to", name)]
    return []


def _cut(column: str, others: float, own: float, word: str, name: str) -> str:
    if others == own:
        return f"{column} = {number(own)} alone keeps '{name}' and the other rows together."
    return f"Every training row with {column} {word} {number(own)}, and no other, is '{name}'."
