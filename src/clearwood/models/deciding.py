"""Deciding: from a model's shares to its answer, by the parts of its decision, in one place for all models.

Shares are adjusted by calibration, then moved to another prevalence; a row whose best share is below `refer`
gets no answer; a cutoff or costs choose the class, otherwise the largest share does. Of rules of which the
first that holds answers, the answer is what the rule says, and where none holds what the list
says otherwise: only a cutoff and `refer` go before them.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final, Literal, TypeAlias, assert_never

import numpy as np

from clearwood.arrays import Floats, Ints
from clearwood.errors import SettingError
from clearwood.models.decision import Calibrator, Cutoff, Decision, Isotonic, Platt
from clearwood.models.origin import Origin

NOTHING: Final = -1  # the code of a row without an answer
BY_SHARES: Final = -2  # no rule names this row's class


def adjusted(shares: Floats, decision: Decision) -> Floats:
    """[row, class] the shares by calibration and prevalence; where nothing is said (all 0) they stay so.

    >>> moved = Decision(prevalence=(0.2, 0.8), trained_at=(0.5, 0.5))
    >>> adjusted(np.array([[0.5, 0.5], [0.0, 0.0]]), moved).tolist()
    [[0.2, 0.8], [0.0, 0.0]]
    """
    if not decision.adjusts:
        return shares
    silent = ~(shares > 0).any(axis=1)
    if decision.calibration is not None:
        shares = _divided(_calibrated(shares, decision.calibration), shares)
    if decision.prevalence:
        new, old = np.array(decision.prevalence), np.array(decision.trained_at)
        factors = np.divide(new, old, out=np.zeros_like(new), where=old > 0)
        shares = _divided(shares * factors, np.broadcast_to(new, shares.shape))
    shares = shares.copy()
    shares[silent] = 0.0
    return shares


def decided(shares: Floats, decision: Decision, classes: Sequence[str], named: Ints | None = None) -> Ints:
    """[row] the position of each row's class by its adjusted shares; −1: no answer.

    `named` has the classes that rules name themselves: −1 where they say nothing, −2 where they vote.

    >>> shares = np.array([[0.6, 0.4], [0.8, 0.2]])
    >>> decided(shares, Decision(cutoff=Cutoff("Yes", 0.3)), ("No", "Yes")).tolist()
    [1, 0]
    """
    if decision.cutoff is not None:
        codes = _by_cutoff(shares, decision.cutoff, classes)
    else:
        codes = cheapest(shares, np.array(decision.costs) if decision.costs else None)
        if named is not None:
            codes = np.where(named == BY_SHARES, codes, named).astype(np.int32)
    silent = ~(shares > 0).any(axis=1)
    if named is not None:
        silent |= named == NOTHING
    if decision.refer is not None:
        silent |= shares.max(axis=1, initial=0.0) < decision.refer
    return np.where(silent, np.int32(NOTHING), codes)


def cheapest(shares: Floats, costs: Floats | None) -> Ints:
    """[·] the class of least expected cost for each line of shares [·, class]; the first of equals."""
    if costs is None:
        return np.asarray(shares.argmax(axis=1), dtype=np.int32)
    # Term by term, in the order the native walk adds them: rounding must not decide between the two.
    expected = np.zeros_like(shares)
    for truth in range(shares.shape[1]):
        expected += shares[:, truth, None] * costs[truth]
    return np.asarray(expected.argmin(axis=1), dtype=np.int32)


def cheapest_of_one(shares: Sequence[float], decision: Decision) -> int:
    """The same of one line, in plain Python.

    >>> cheapest_of_one((0.6, 0.4), Decision((), ((0.0, 1.0), (3.0, 0.0))))
    1
    """
    paid: Sequence[float] = [-share for share in shares]
    if decision.costs:
        paid = [
            sum(share * row[called] for share, row in zip(shares, decision.costs, strict=True))
            for called in range(len(shares))
        ]
    return paid.index(min(paid))


def _calibrated(shares: Floats, calibration: Calibrator) -> Floats:
    match calibration:
        case Platt(slopes, intercepts, least):
            odds = held_log_odds(shares, least)
            with np.errstate(over="ignore"):
                by_class: Floats = 1.0 / (1.0 + np.exp(-(np.array(slopes) * odds + np.array(intercepts))))
            return by_class
        case Isotonic(at, share):
            pairs = zip(shares.T, at, share, strict=True)
            return np.stack([np.interp(column, places, steps) for column, places, steps in pairs], axis=1)
        case _:
            assert_never(calibration)


def held_log_odds(shares: Floats, least: float) -> Floats:
    """[·] ln(share ÷ (1 − share)), of shares held as far from 0 and 1 as `least`."""
    held = np.clip(shares, least, 1.0 - least)
    odds: Floats = np.log(held) - np.log1p(-held)
    return odds


def _divided(parts: Floats, instead: Floats) -> Floats:
    """Shares of a row's sum; `instead` where there is nothing to divide."""
    total = parts.sum(axis=1, keepdims=True)
    shares: Floats = np.where(total > 0, parts / np.where(total > 0, total, 1.0), instead)
    return shares


def _by_cutoff(shares: Floats, cutoff: Cutoff, classes: Sequence[str]) -> Ints:
    positive = classes.index(cutoff.positive)
    others = shares.copy()
    others[:, positive] = -1.0
    best = positive if shares.shape[1] == 1 else others.argmax(axis=1)
    return np.where(shares[:, positive] >= cutoff.at, np.int32(positive), best).astype(np.int32)


ShareSmoothing: TypeAlias = Literal["laplace"] | float | None


def check_smoothing(smoothing: object, origin: Origin | None = None) -> None:
    """Refuse what is neither None, "laplace" nor a number m ≥ 0, and any of a model with directions."""
    number = math.nan if isinstance(smoothing, bool) or not isinstance(smoothing, int | float) else smoothing
    if smoothing is not None and smoothing != "laplace" and not 0 <= number < math.inf:
        raise SettingError(f"smoothing must be None, 'laplace' or a number m ≥ 0, not {smoothing!r}.")
    if smoothing and origin is not None and origin.directed:
        raise SettingError(
            "The model keeps to directions (monotone), and smoothed probabilities might not: leaves of few "
            "rows are moved farther than others. Leave smoothing out."
        )


def divided(counts: Floats) -> Floats:
    """Shares of a row's sum; equal ones where there is nothing to divide."""
    total = counts.sum(axis=1, keepdims=True)
    shares: Floats = np.divide(
        counts, total, out=np.full_like(counts, 1.0 / max(1, counts.shape[1])), where=total > 0
    )
    return shares


def cost_matrix(decision: Decision) -> Floats | None:
    """[true class, called class] the decision's costs; None: every mistake costs the same."""
    return np.array(decision.costs, dtype=np.float64) if decision.costs else None
