"""A decision: what stands between a model's counts and its answer."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import Final, Literal, TypeAlias, assert_never

from clearwood.bounds import LARGEST_COST
from clearwood.errors import SchemaError, no_such
from clearwood.records import dataclass


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
