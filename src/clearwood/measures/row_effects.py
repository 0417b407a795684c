"""Row effects: do the rows differ in where on an ordered scale they lie?"""

from __future__ import annotations

import numpy as np

from clearwood.arrays import Floats
from clearwood.measures.contingency import Verdict
from clearwood.measures.counts import Counts, xlogy
from clearwood.measures.p_values import chi2_log_sf, chi2_sf


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
