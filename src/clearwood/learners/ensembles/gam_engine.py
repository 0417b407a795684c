"""The two engines that boost an additive model: the native code, and the definition it is held to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Protocol

import numpy as np

from clearwood import _native
from clearwood.arrays import Longs
from clearwood.learners.ensembles import gam_definition
from clearwood.learners.ensembles.gam_curves import curves
from clearwood.learners.ensembles.gam_task import (
    Bags,
    Boosted,
    GamRows,
    GamSettings,
    GamTerm,
    Start,
    WatchRounds,
)


class Boost(Protocol):
    """Rounds of all bags; fewer where `watch`, which hears how many are done and the loss, says: enough."""

    def __call__(
        self,
        rows: GamRows,
        bags: Bags,
        start: Start,
        terms: Sequence[GamTerm],
        settings: GamSettings,
        watch: WatchRounds | None = None,
    ) -> Boosted: ...


class Rank(Protocol):
    def __call__(
        self, rows: GamRows, residuals: Longs, terms: Sequence[GamTerm], places: Sequence[Sequence[int]]
    ) -> list[float]: ...


@dataclass(frozen=True, slots=True)
class Engine:
    """How terms are boosted, and pairs ranked."""

    boost: Boost
    rank: Rank


def _boost(
    rows: GamRows,
    bags: Bags,
    start: Start,
    terms: Sequence[GamTerm],
    settings: GamSettings,
    watch: WatchRounds | None = None,
) -> Boosted:
    points, best, losses, interrupted = _native.gam_boost(
        rows.native(),
        (bags.bags, bags.draws, bags.seed),
        curves(),
        [term.native() for term in start.terms],
        None if start.points is None else np.ascontiguousarray(start.points).ravel(),
        [term.native() for term in terms],
        settings.native(),
        watch,
    )
    return Boosted(points, best, losses, interrupted)


def _rank(
    rows: GamRows, residuals: Longs, terms: Sequence[GamTerm], places: Sequence[Sequence[int]]
) -> list[float]:
    gains = _native.gam_rank(
        rows.native(), residuals, [term.native() for term in terms], [list(at) for at in places]
    )
    return [float(gain) for gain in gains]


NATIVE: Final = Engine(_boost, _rank)
DEFINITION: Final = Engine(gam_definition.boost, gam_definition.rank)
