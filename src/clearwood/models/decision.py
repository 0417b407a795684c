"""A decision: what stands between a model's counts and its answer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias


@dataclass(frozen=True, slots=True)
class Cutoff:
    """Answer this class where its share is at least `at`; elsewhere the best of the others."""

    positive: str
    at: float


@dataclass(frozen=True, slots=True)
class Platt:
    """Mended shares by Platt: 1 / (1 + exp(−(slope · log odds + intercept))), a pair for each class."""

    slopes: tuple[float, ...]
    intercepts: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Isotonic:
    """Mended shares by steps: a class's share `at[k]` becomes `share[k]`, between them a straight line."""

    at: tuple[tuple[float, ...], ...]
    share: tuple[tuple[float, ...], ...]


Calibration: TypeAlias = Platt | Isotonic


@dataclass(frozen=True, slots=True)
class Decision:
    """How counts become an answer, in this order.

    Counts are multiplied by a factor for each class (from priors); shares are mended (`calibration`), then
    moved to other class frequencies (`prevalence`, one number per class; `trained_at` are those of the
    training rows). A row whose best share is below `refer` gets no answer. `costs` [true class, predicted
    class] or a `cutoff` choose the class; otherwise it is the one of the largest share.
    """

    factors: tuple[float, ...] = ()
    costs: tuple[tuple[float, ...], ...] = ()
    cutoff: Cutoff | None = None
    refer: float | None = None
    calibration: Calibration | None = None
    prevalence: tuple[float, ...] = ()
    trained_at: tuple[float, ...] = ()

    @property
    def by(self) -> Literal["share", "costs", "cutoff"]:
        """What chooses the class."""
        if self.cutoff is not None:
            return "cutoff"
        return "costs" if self.costs else "share"
