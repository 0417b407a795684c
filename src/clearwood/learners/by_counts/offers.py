"""Offers: what an attribute could ask at a node, every way of it with its score, before one is chosen."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np

from clearwood.learners.by_counts.question import Question, Takes
from clearwood.learners.by_counts.questions.cuts import Cuts
from clearwood.learners.by_counts.task import Longs
from clearwood.measures.counts import Floats, shares

# Why an attribute offers nothing: its value is known from above; its rows follow fewer than two branches
# that are large enough; too few of its cells are known; nothing is gained.
Out: TypeAlias = Literal["", "asked above", "too small", "too few known", "no gain"]


@dataclass(frozen=True, slots=True, eq=False)
class Ways:
    """Every way looked at to part an attribute's cells here."""

    counts: Floats  # [way, branch, level]
    missing: Floats  # [level] of the empty cells that no branch takes
    scores: Floats  # [way] by which the best is taken; NaN where its branches are too small
    branches: Callable[[int], tuple[Takes, ...]]  # of a way
    cuts: Cuts | None = None  # the ways, where they are cuts

    @property
    def allowed(self) -> Longs:
        """The ways whose branches are large enough."""
        return np.flatnonzero(~np.isnan(self.scores))


@dataclass(frozen=True, slots=True, eq=False)
class Offer:
    """An attribute's best way, with the scores by which attributes are compared; or why there is none."""

    attribute: int
    ways: Ways | None = None
    best: int = -1
    scores: tuple[float, ...] = ()
    out: Out = ""

    def question(self) -> Question:
        """The best way as a question."""
        assert self.ways is not None
        share = shares(self.ways.counts[self.best].sum(axis=1))
        return Question(self.attribute, self.ways.branches(self.best), self.scores, tuple(share.tolist()))


def scored(size: int, allowed: list[int], scores: Floats) -> Floats:
    """[way]: the scores of those allowed, NaN for the others."""
    found = np.full(size, np.nan)
    found[allowed] = scores
    return found
