"""How far numbers scatter, and whether groups differ by more: squared and absolute errors, F, row effects."""

import numpy as np

from clearwood.arrays import Floats
from clearwood.measures.contingency import Verdict
from clearwood.measures.impurity import Counts, proportions, xlogy
from clearwood.measures.inference import chi2_log_sf, chi2_sf, f_log_sf, f_sf


def squared_error(values: Floats, counts: Counts) -> tuple[Floats, Floats]:
    """Values [value] and their weights [..., value] → the mean and Σ w · (y − mean)², both [...].

    >>> mean, error = squared_error(np.array([1.0, 2.0, 6.0]), np.array([1, 1, 1]))
    >>> float(mean), float(error)
    (3.0, 14.0)
    """
    counts = np.asarray(counts, dtype=np.float64)
    mean: Floats = (proportions(counts) * values).sum(axis=-1)
    error: Floats = (counts * (values - mean[..., None]) ** 2).sum(axis=-1)
    return mean, error


def absolute_error(values: Floats, counts: Counts) -> tuple[Floats, Floats]:
    """Ascending values [value], their weights [..., value] → the median and Σ w · |y − median|, both [...].

    Where exactly half of the weight lies at or below a value, the median is midway to the next one.

    >>> median, error = absolute_error(np.array([1.0, 2.0, 6.0]), np.array([[1, 1, 1], [1, 0, 1]]))
    >>> median.tolist(), error.tolist()
    ([2.0, 3.5], [5.0, 5.0])
    """
    counts = np.asarray(counts, dtype=np.float64)
    below = counts.cumsum(axis=-1)
    half = below[..., -1:] / 2
    # Sums of weights that are no whole numbers carry rounding; half is half within it.
    slack = 1e-12 * half
    lower = values[np.argmax(below >= half - slack, axis=-1)]
    upper = values[np.argmax((below > half + slack) | (below >= below[..., -1:]), axis=-1)]
    median: Floats = np.where(below[..., -1] > 0, (lower + upper) / 2, 0.0)
    error: Floats = (counts * np.abs(values - median[..., None])).sum(axis=-1)
    return median, error


def f_test(values: Floats, counts: Counts) -> Verdict:
    """One-way analysis of variance of values [value] with weights [..., group, value]; `df` is the groups'.

    Groups (1, 2, 3) and (2, 4, 6): means 2 and 4, F = 6 ÷ (10 ÷ 4).

    >>> verdict = f_test(np.array([1.0, 2, 3, 4, 6]), np.array([[1, 1, 1, 0, 0], [0, 1, 0, 1, 1]]))
    >>> float(verdict.statistic), float(verdict.p.round(4))
    (2.4, 0.1963)
    """
    counts = np.asarray(counts, dtype=np.float64)
    weight = counts.sum(axis=-1)
    groups = (weight > 0).sum(axis=-1)
    mean, error = squared_error(values, counts)
    grand, total = squared_error(values, counts.sum(axis=-2))
    between = (weight * (mean - grand[..., None]) ** 2).sum(axis=-1)
    within = error.sum(axis=-1)
    # What is left of a sum of squares that should be 0 is rounding, not scatter.
    rounding = np.maximum(1e-14 * total, 1e-28 * weight.sum(axis=-1) * grand**2)
    between = np.where(between > rounding, between, 0.0)
    within = np.where(within > rounding, within, 0.0)
    df = np.maximum(groups - 1.0, 0.0)
    rest = weight.sum(axis=-1) - groups
    testable = (df > 0) & (rest > 0) & (between > 0)
    with np.errstate(divide="ignore"):
        f = np.where(testable, between / np.where(df > 0, df, 1.0), 0.0) / np.where(
            testable, within / np.where(rest > 0, rest, 1.0), 1.0
        )
    tail = f, np.maximum(df, 1.0), np.where(rest > 0, rest, 1.0)
    return Verdict(f, df, np.where(testable, f_sf(*tail), 1.0), np.where(testable, f_log_sf(*tail), 0.0))


def row_effects(counts: Counts) -> Verdict:
    """The likelihood ratio of the row-effects model against independence, over [..., row, class in order].

    The model gives row i the shares ∝ b_j · exp(g_i · j): one tilt g per row, so rows − 1 degrees of
    freedom (Magidson 1993; CHAID's test for an ordinal target).

    >>> verdict = row_effects(np.array([[10, 20, 30], [30, 20, 10]]))
    >>> float(verdict.statistic.round(4)), float(verdict.df)
    (20.9299, 1.0)
    """
    counts = np.asarray(counts, dtype=np.float64)
    tables = counts.reshape(-1, *counts.shape[-2:])
    tests = np.array([_row_effects(table) for table in tables]).reshape(-1, 2)
    statistic, df = (tests[:, i].reshape(counts.shape[:-2]) for i in (0, 1))
    return Verdict(statistic, df, chi2_sf(statistic, df), chi2_log_sf(statistic, df))


def _row_effects(counts: Floats) -> tuple[float, float]:
    """The statistic and its degrees of freedom, for one table."""
    counts = counts[counts.sum(axis=1) > 0]
    place = np.flatnonzero(counts.sum(axis=0) > 0).astype(np.float64)
    counts = counts[:, counts.sum(axis=0) > 0]
    rows, classes = counts.shape
    if rows < 2 or classes < 2:
        return 0.0, 0.0
    place = (place - place.mean()) / (place[-1] - place[0])
    independent = float(xlogy(counts.sum(axis=0), counts.sum(axis=0) / counts.sum()).sum())
    statistic = 2 * (_best_likelihood(counts, place) - independent)
    # What is left of a statistic that should be 0 is rounding.
    return statistic if statistic > 1e-12 * counts.sum() else 0.0, rows - 1.0


def _best_likelihood(counts: Floats, place: Floats) -> float:
    """The largest log-likelihood of the model, by Newton's method; row 0 and class 0 are the reference."""
    rows = len(counts)
    weight = counts.sum(axis=1)
    tilt, log_base = np.zeros(rows), np.log(counts.sum(axis=0))
    best, shares = _likelihood(counts, place, tilt, log_base)
    for _ in range(200):
        mean = shares @ place
        slope = np.concatenate(
            [(counts @ place - weight * mean)[1:], (counts.sum(axis=0) - weight @ shares)[1:]]
        )
        tilted = weight * (shares @ place**2 - mean**2)
        mixed = weight[:, None] * shares * (place - mean[:, None])
        plain = np.diag(weight @ shares) - (shares * weight[:, None]).T @ shares
        curve = np.block([[np.diag(tilted[1:]), mixed[1:, 1:]], [mixed[1:, 1:].T, plain[1:, 1:]]])
        # A row wholly at one end would tilt without end on a flat curve: a hair of ridge bounds the step.
        curve[np.diag_indices_from(curve)] += 1e-12 * weight.sum()
        step = np.linalg.solve(curve, slope)
        fraction, likelihood = 1.0, -np.inf
        while fraction > 1e-6 and not likelihood >= best:
            new_tilt = tilt + fraction * np.concatenate([[0.0], step[: rows - 1]])
            new_base = log_base + fraction * np.concatenate([[0.0], step[rows - 1 :]])
            likelihood, new_shares = _likelihood(counts, place, new_tilt, new_base)
            fraction /= 2
        if not likelihood >= best:
            break
        rise, best, tilt, log_base, shares = likelihood - best, likelihood, new_tilt, new_base, new_shares
        if rise <= 1e-14 * (1 + abs(best)):
            break
    return best


def _likelihood(counts: Floats, place: Floats, tilt: Floats, log_base: Floats) -> tuple[float, Floats]:
    power = log_base + tilt[:, None] * place
    power = power - power.max(axis=1, keepdims=True)
    log_shares = power - np.log(np.exp(power).sum(axis=1, keepdims=True))
    return float(np.where(counts > 0, counts * log_shares, 0.0).sum()), np.exp(log_shares)
