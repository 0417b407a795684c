"""The account of Bayes tables: what each column adds to the log of each class, worked out of its sums."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Final, assert_never

import numpy as np

from clearwood.arrays import Floats
from clearwood.models.account.account import (
    Account,
    AccountTerm,
    ColumnPlaces,
    KernelDensity,
    NormalDensity,
    PerCount,
    Places,
    Presence,
    side_of,
)
from clearwood.models.kinds.bayes.bayes_tables import BayesTables
from clearwood.models.kinds.bayes.distributions import (
    Bag,
    Categorical,
    Cuts,
    Distribution,
    Exact,
    Gaussian,
    Kernel,
    Smoothing,
    Sums,
    Words,
)
from clearwood.models.kinds.bayes.word_terms import by_word
from clearwood.models.model import kept
from clearwood.table.attributes import Nominal, Ordinal
from clearwood.table.schema import Schema

ROUNDING: Final = 1e-12  # of 1 + a sum's size: classes that are equal but for it are equal, natively too


@kept
def account_of_bayes(model: BayesTables) -> Account:
    """From the log of each prior, every column's term in the model's order; one that can say nothing has
    none."""
    terms = (term for distribution in model.distributions for term in _terms(model.schema, distribution))
    return Account(log_priors(model), tuple(terms), tuple(range(len(model.classes))))


def log_priors(model: BayesTables) -> Floats:
    """[class] the log of each prior; −∞ for a class that never occurred, or is given none."""
    if model.priors == "equal":
        priors = np.full(len(model.classes), 1 / len(model.classes))
    elif model.priors == "estimated":
        priors = floats(model.classes) / float(sum(model.classes))
    else:
        priors = np.array(model.priors, dtype=np.float64)
    return log_of(priors)


def value_chances(
    counts: Floats, smoothing: Smoothing, prior: Floats | None = None
) -> tuple[Floats, Floats, Floats]:
    """P(value|c) [class, value], P of a value never met [class], and N + m [class], of counts [class, value].

    P = (n + m·p) ÷ (N + m), where p is 1/k unless given; of a value never met n is 0 and p the smallest of
    them. A class without rows, unsmoothed, answers p.

    >>> likely, unseen, _ = value_chances(np.array([[2.0, 4.0, 3.0]]), "laplace")
    >>> likely.tolist()[0][0] == (2 + 1) / (9 + 3), unseen.tolist()[0] == 1 / 12
    (True, True)
    """
    values = counts.shape[1]
    m = float(values) if smoothing == "laplace" else float(smoothing)
    p = np.full(values, 1 / max(values, 1)) if prior is None else prior
    sizes = counts.sum(axis=1) + m
    with np.errstate(invalid="ignore", divide="ignore"):
        chances = np.where(sizes[:, None] > 0, (counts + m * p) / sizes[:, None], p)
        least = p.min(initial=1.0)
        unseen = np.where(sizes > 0, m * least / sizes, least)
    return chances, unseen, sizes


def floats(values: Sequence[Exact]) -> Floats:
    """Exact numbers, each rounded once."""
    return np.array([float(each) for each in values], dtype=np.float64)


def matrix(sums: Sums, width: int) -> Floats:
    """[class, ·] exact sums, each rounded once."""
    return np.array([[float(each) for each in row] for row in sums], dtype=np.float64).reshape(
        len(sums), width
    )


def _terms(schema: Schema, distribution: Distribution) -> list[AccountTerm]:
    match distribution:
        case Categorical(name):
            chances, unseen, sizes = categorical_chances(schema, distribution)
            return [_places(side_of(schema, name), chances, unseen, sizes)]
        case Cuts(name, cuts, counts, smoothing):
            chances, unseen, sizes = value_chances(matrix(counts, len(cuts) + 1), smoothing)
            return [_places(ColumnPlaces(name, cuts, None), chances, unseen, sizes)]
        case Gaussian(name):
            bells = bell_of(distribution)
            if bells is None:
                return []
            means, variances = bells
            return [NormalDensity(name, -0.5 * np.log(2 * np.pi * variances), means, 0.5 / variances)]
        case Kernel(name, points):
            widths = widths_of(distribution)
            if widths is None:
                return []
            # A class without points says what all classes together say.
            everyone = tuple(sorted(point for each in points for point in each))
            each = [_kernel_density(of_class or everyone) for of_class in points]
            return [
                KernelDensity(name, tuple(at for at, _ in each), tuple(share for _, share in each), widths)
            ]
        case Bag():
            return _bag(distribution)
        case Words():
            return [by_word(distribution)]
        case _:
            assert_never(distribution)


def _places(side: ColumnPlaces, chances: Floats, unseen: Floats, sizes: Floats) -> Places:
    return Places((side,), log_of(np.vstack([chances.T, np.ones_like(unseen), unseen])), sizes)


def categorical_chances(schema: Schema, distribution: Categorical) -> tuple[Floats, Floats, Floats]:
    """`value_chances` of a nominal or ordinal column, with the prior it names."""
    attribute = schema[distribution.name]
    assert isinstance(attribute, Nominal | Ordinal)
    counts = matrix(distribution.counts, len(attribute.values))
    return value_chances(counts, distribution.smoothing, value_priors(distribution, counts))


def value_priors(distribution: Categorical, counts: Floats) -> Floats | None:
    """[value] The prior guess of its probability; None where all values have the same."""
    match distribution.prior:
        case "equal":
            return None
        case "overall":
            together = counts.sum(axis=0)
            return together / together.sum() if together.sum() > 0 else None
        case given:
            return np.array(given, dtype=np.float64)


def bell_of(gaussian: Gaussian) -> tuple[Floats, Floats] | None:
    """Mean and variance by class; None where the column never varied and so cannot tell classes apart.

    A class without known cells has those of the whole column. One whose cells are all equal tells nothing of
    its spread, and has the variance within the classes together; no variance is below the floor.
    """
    by_class = list(zip(gaussian.weights, gaussian.sums, gaussian.squares, strict=True))
    weight = sum(gaussian.weights)
    mean, variance = _moments(weight, sum(gaussian.sums), sum(gaussian.squares))
    if not variance > 0:
        return None
    each = [_moments(*sums) if sums[0] > 0 else (mean, variance) for sums in by_class]
    means, variances = np.array(each).T
    within = _sum(floats(gaussian.weights) * variances) / float(weight)
    return np.ascontiguousarray(means), _at_least(
        np.where(variances > 0, variances, within), gaussian.floor * variance
    )


GAPS: Final = 6  # by the range, no bell is narrower than this part of the gap between neighbouring numbers


def widths_of(kernel: Kernel) -> tuple[float, ...] | None:
    """The width of each class's bells; None where the column never varied. Spreads are as in `bell_of`."""
    everyone = tuple(sorted(point for points in kernel.points for point in points))
    weight, variance = _point_moments(everyone)
    if not variance > 0:
        return None
    within = _sum(np.array([w * v for w, v in map(_point_moments, kernel.points)])) / weight
    least = gap_of(kernel) / GAPS
    widths = [
        max(_range_width(points or everyone), least)
        if kernel.bandwidth == "range"
        else _width(points or everyone, kernel.bandwidth, within if points else variance)
        for points in kernel.points
    ]
    return tuple(np.sqrt(_at_least(np.square(widths), kernel.floor * variance)).tolist())


def gap_of(kernel: Kernel) -> float:
    """How far neighbouring numbers of the column lie apart, on average."""
    values = {value for points in kernel.points for value, _ in points}
    return (max(values) - min(values)) / (len(values) - 1) if len(values) > 1 else 0.0


def _range_width(points: tuple[tuple[float, Exact], ...]) -> float:
    ends = [value for value, _ in points]
    return (max(ends) - min(ends)) / math.sqrt(_point_moments(points)[0])


def _at_least(variances: Floats, floor: float) -> Floats:
    return np.maximum(variances, max(floor, np.finfo(np.float64).tiny))


def _width(points: tuple[tuple[float, Exact], ...], rule: str, otherwise: float) -> float:
    n, variance = _point_moments(points)
    if not variance > 0:
        spread = math.sqrt(otherwise)
    else:
        spread = math.sqrt(variance * n / (n - 1)) if n > 1 else math.sqrt(variance)
    return spread / _fifth_root(0.75 * n if rule == "silverman" else n)


def _point_moments(points: tuple[tuple[float, Exact], ...]) -> tuple[float, float]:
    """Weight and variance.

    Counted from the first value, so that equal ones have no variance at all: their mean, rounded, need not
    be their value, and a variance of 1e-34 would make the narrowest of curves.
    """
    if not points:
        return 0.0, 0.0
    away = np.array([value for value, _ in points]) - points[0][0]
    weights = floats(tuple(weight for _, weight in points))
    weight = _sum(weights)
    rest = away - _sum(away * weights) / weight
    return weight, _sum(rest * rest * weights) / weight


def _sum(values: Floats) -> float:
    """From the first to the last, as a report's page adds: then its curves are the same to the bit."""
    return float(np.add.accumulate(values)[-1])


def _fifth_root(number: float) -> float:
    """Two steps of Newton's from a root in single precision: powers differ in the last bit between programs.

    >>> _fifth_root(32.0), round(_fifth_root(2.0), 12) == round(2**0.2, 12)
    (2.0, True)
    """
    root = float(np.float32(number**0.2))
    for _ in range(2):
        fourth = root * root * root * root
        root -= (fourth * root - number) / (5.0 * fourth)
    return root


def _moments(weight: Exact, once: Exact, twice: Exact) -> tuple[float, float]:
    """Mean and variance, each rounded once: the sums are exact, so that nothing cancels."""
    if not weight:
        return 0.0, 0.0
    mean = Fraction(once) / Fraction(weight)
    return float(mean), float(Fraction(twice) / Fraction(weight) - mean * mean)


def _kernel_density(points: tuple[tuple[float, Exact], ...]) -> tuple[Floats, Floats]:
    weights = floats(tuple(weight for _, weight in points))
    return np.array([value for value, _ in points]), np.log(weights / _sum(weights))


def _bag(bag: Bag) -> list[AccountTerm]:
    counts = matrix(bag.counts, len(bag.names))
    if bag.event == "bernoulli":
        known = matrix(bag.known, len(bag.names))
        sizes = known + 2 * bag.alpha
        # A class without known cells, unsmoothed, has no preference.
        chances = np.divide(counts + bag.alpha, sizes, out=np.full_like(sizes, 0.5), where=sizes > 0)
        # Not 1 − P, which is not 0 for a P that is 1 but for rounding.
        rest = np.divide(known - counts + bag.alpha, sizes, out=np.full_like(sizes, 0.5), where=sizes > 0)
        return [
            Presence(name, log_of(chances[:, j]), log_of(rest[:, j]), sizes[:, j])
            for j, name in enumerate(bag.names)
        ]
    logs, sizes_of = bag_logs(bag, counts)
    return [PerCount(name, np.ascontiguousarray(logs[:, j]), sizes_of) for j, name in enumerate(bag.names)]


def bag_logs(bag: Bag, counts: Floats) -> tuple[Floats, Floats]:
    """The log of each column for each class [class, column], and what its probabilities divide by [class]."""
    if bag.event == "complement":
        counts = counts.sum(axis=0) - counts
    smoothed = counts + bag.alpha
    sizes = smoothed.sum(axis=1)
    even = 1 / counts.shape[1]
    chances = np.divide(smoothed, sizes[:, None], out=np.full_like(smoothed, even), where=sizes[:, None] > 0)
    return (-log_of(chances) if bag.event == "complement" else log_of(chances)), sizes


def apart(logs: Floats) -> Floats:
    """[·, class] logs less the largest of each line: what is left of a cell when what all classes share is
    taken out, which changes no share.

    Far from every curve each class has a log of -500,000,000; added to, it would swallow what the other
    columns say. Where every class is impossible nothing is shared.

    >>> apart(np.array([[-5e8, -5e8 - 2], [-np.inf, -1.0], [-np.inf, -np.inf]])).tolist()
    [[0.0, -2.0], [-inf, 0.0], [-inf, -inf]]
    """
    most = logs.max(axis=-1, keepdims=True)
    left: Floats = logs - np.where(np.isneginf(most), 0.0, most)
    return left


def log_of(chances: Floats) -> Floats:
    """The natural log; −∞ of 0."""
    with np.errstate(divide="ignore"):
        return np.ascontiguousarray(np.log(chances))
