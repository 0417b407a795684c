"""A decision: what stands between a model's counts and its answer, in one place for all models.

Shares are adjusted by calibration, then moved to another prevalence; a row whose best share is below `refer`
gets no answer; a cutoff or costs choose the class, otherwise the largest share does. Of rules of which the
first that holds answers, the answer is what the rule says, and where none holds what the list
says otherwise: only a cutoff and `refer` go before them.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import Final, Literal, TypeAlias, assert_never, get_args

import numpy as np

from clearwood.arrays import Floats, Ints
from clearwood.bounds import LARGEST_COST
from clearwood.errors import SchemaError, SettingError, check_known, no_such
from clearwood.models.lineage import Origin
from clearwood.records import dataclass
from clearwood.table.attributes import Numeric
from clearwood.table.schema import Schema


@dataclass(frozen=True, slots=True)
class Cutoff:
    """Predict this class where its probability is at least `at`; elsewhere the best of the others.

    `costs` [true class, predicted class] are those that it was chosen by, and that its model is evaluated by;
    none where it was given, or chosen for a recall or a precision.
    """

    positive: str
    at: float
    costs: tuple[tuple[float, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class Platt:
    """Calibrated probabilities by Platt: 1 / (1 + exp(−(slope · log odds + intercept))), a pair for each
    class.

    A share of 0 or 1 has no log odds: shares nearer to them than `least` are taken to be so far away.
    """

    slopes: tuple[float, ...]
    intercepts: tuple[float, ...]
    least: float = 1e-15


@dataclass(frozen=True, slots=True)
class Isotonic:
    """Calibrated probabilities by steps: a class's `at[k]` becomes its `share[k]`, between them a straight
    line."""

    at: tuple[tuple[float, ...], ...]
    share: tuple[tuple[float, ...], ...]


Calibrator: TypeAlias = Platt | Isotonic


@dataclass(frozen=True, slots=True)
class Decision:
    """How counts become a prediction, in this order.

    Counts are multiplied by a factor for each class (from priors); shares are adjusted (`calibration`), then
    moved to other class frequencies (`prevalence`, one number per class; `trained_at` are those of the
    training rows). A row whose best share is below `refer` gets no answer. `costs` [true class, predicted
    class] or a `cutoff` choose the class; otherwise it is the one of the largest share.
    """

    factors: tuple[float, ...] = ()
    costs: tuple[tuple[float, ...], ...] = ()
    cutoff: Cutoff | None = None
    refer: float | None = None
    calibration: Calibrator | None = None
    prevalence: tuple[float, ...] = ()
    trained_at: tuple[float, ...] = ()

    @property
    def by(self) -> Literal["share", "costs", "cutoff"]:
        """What chooses the class."""
        if self.cutoff is not None:
            return "cutoff"
        return "costs" if self.costs else "share"

    @property
    def costs_kept(self) -> tuple[tuple[float, ...], ...]:
        """The costs that choose the class, or that its cutoff was chosen by; none where nobody gave any."""
        return self.costs if self.cutoff is None else self.cutoff.costs

    @property
    def adjusts(self) -> bool:
        """Are shares changed on their way to an answer?"""
        return self.calibration is not None or bool(self.prevalence)

    @property
    def is_plain(self) -> bool:
        """Does the class of the largest share, or of least cost, answer for the shares as they are?"""
        return not self.adjusts and self.cutoff is None and self.refer is None


_NEARLY: Final = 1e-9


def check_decision(decision: Decision, classes: Sequence[str]) -> None:
    """Refuse a decision that these classes cannot have; a model of numbers has none, and decides nothing.

    >>> check_decision(Decision(cutoff=Cutoff("Ja", 0.3)), ("No", "Yes"))
    Traceback (most recent call last):
    clearwood.errors.SchemaError: decision.cutoff.positive: No class 'Ja'. Classes: No, Yes.
    """
    width = len(classes)
    if decision.factors and len(decision.factors) != width:
        raise _refusal("factors", f"must be one number per class ({width}), or none", decision.factors)
    if not all(_is_finite(each) and each >= 0 for each in decision.factors):
        raise _refusal("factors", "must be finite numbers ≥ 0", decision.factors)
    _check_costs("costs", decision.costs, width)
    cutoff = decision.cutoff
    if cutoff is not None:
        if cutoff.positive not in classes:
            called = no_such("class", str(cutoff.positive), classes, plural="classes")
            raise SchemaError(f"decision.cutoff.positive: {called}")
        if not _is_part(cutoff.at):
            raise _refusal("cutoff.at", "must be a probability from 0 to 1", cutoff.at)
        _check_costs("cutoff.costs", cutoff.costs, width)
        if decision.costs:
            raise SchemaError("decision: costs and a cutoff both choose the class; give one of them.")
    if decision.refer is not None and (not width or not _is_part(decision.refer)):
        raise _refusal("refer", "must be a probability from 0 to 1, for a target of classes", decision.refer)
    if bool(decision.prevalence) != bool(decision.trained_at):
        raise SchemaError("decision: prevalence and trained_at go together; give both or neither.")
    for name, parts in (("prevalence", decision.prevalence), ("trained_at", decision.trained_at)):
        if parts and (len(parts) != width or not all(map(_is_part, parts)) or abs(sum(parts) - 1) > _NEARLY):
            raise _refusal(name, f"must be {width} probabilities that sum to 1", parts)
    for new, old in zip(decision.prevalence, decision.trained_at, strict=True):
        if new > 0 and not old > 0:
            raise SchemaError(
                "decision.prevalence: a class that no training row had cannot be given a probability."
            )
    if decision.calibration is not None:
        _check_calibration(decision.calibration, width)


def _check_costs(name: str, costs: tuple[tuple[float, ...], ...], width: int) -> None:
    if costs and (len(costs) != width or any(len(row) != width for row in costs)):
        raise _refusal(name, f"must be a table of {width} by {width} numbers, or empty", costs)
    for i, row in enumerate(costs):
        if not all(_is_finite(each) and each >= 0 for each in row):
            raise _refusal(f"{name}[{i}]", "must be finite numbers ≥ 0", row)
        if max(row) > LARGEST_COST:
            demand = f"must be at most {LARGEST_COST:g}: sums of more are no numbers"
            raise _refusal(f"{name}[{i}]", demand, row)


def _check_calibration(calibration: Calibrator, width: int) -> None:
    match calibration:
        case Platt(slopes, intercepts, least):
            if not (_is_finite(least) and 0 < least < 0.5):
                raise _refusal("calibration.least", "must be a probability above 0 and below 0.5", least)
            for name, row in (("slopes", slopes), ("intercepts", intercepts)):
                if len(row) != width or not all(map(_is_finite, row)) or not width:
                    raise _refusal(f"calibration.{name}", f"must be {width} numbers, one per class", row)
        case Isotonic(at, share):
            if len(at) != width or len(share) != width or not width:
                raise _refusal("calibration", f"must have steps of {width} classes", len(at))
            for c, (places, shares) in enumerate(zip(at, share, strict=True)):
                where = f"calibration.at[{c}]"
                if not places or len(places) != len(shares):
                    raise _refusal(where, "must have as many places as probabilities, at least one", places)
                if not all(map(_is_part, (*places, *shares))) or not all(a < b for a, b in pairwise(places)):
                    raise _refusal(where, "must increase, from 0 to 1, like its probabilities", places)
                if any(a > b for a, b in pairwise(shares)):
                    raise _refusal(f"calibration.share[{c}]", "must not fall", shares)
        case _:
            assert_never(calibration)


def _refusal(name: str, demand: str, given: object) -> SchemaError:
    text = repr(given)
    return SchemaError(f"decision.{name} {demand}, not {text if len(text) <= 60 else text[:57] + '…'}.")


def _is_finite(value: float) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def _is_part(value: float) -> bool:
    return _is_finite(value) and 0 <= value <= 1


# What the numbers of a leaf or rule mean: shares of classes, a mean, a median, or a step of an ensemble.

Answers: TypeAlias = Literal["shares", "mean", "median", "step"]
ANSWERS: Final[tuple[Answers, ...]] = get_args(Answers)


def check_answers(answers: Answers, schema: Schema) -> Answers:
    """What fits the target: where nothing else is said, numbers are means; medians are of numbers only.

    >>> from clearwood.table.attributes import Nominal
    >>> check_answers("shares", Schema((), Numeric("price")))
    'mean'
    >>> check_answers("shares", Schema((), Nominal("Play", ("No", "Yes"))))
    'shares'
    """
    check_known("meaning of predictions called", answers, ANSWERS, plural="meanings", error=SchemaError)
    numeric = isinstance(schema.target, Numeric)
    if numeric and answers == "shares":
        return "mean"
    if not numeric and answers in ("mean", "median"):
        raise SchemaError(f"Leaves of classes hold probabilities, not a {answers}.")
    return answers


# From shares to the answer.

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
