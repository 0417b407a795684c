"""Ranks over many tables: a noun for all learners, and one for each pair."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from clearwood import shown
from clearwood.arrays import Floats
from clearwood.scoring.differences.bayes import Posterior
from clearwood.scoring.differences.ranks import Friedman, SignedRanks
from clearwood.scoring.score import Better
from clearwood.words.numbers import many, with_and


@dataclass(frozen=True, slots=True)
class RankDifference:
    """Two learners over all tables: on how many each is better, and what the tests say.

    `adjusted_p` is the signed ranks' p by Holm over all pairs; `nemenyi_p` needs no adjustment.
    """

    first: str
    second: str
    wins: int
    ties: int
    losses: int
    mean_difference: float
    ranks_apart: float
    nemenyi_p: float
    signed_ranks: SignedRanks
    adjusted_p: float
    posterior: Posterior

    def to_json(self) -> dict[str, Any]:
        """Plain values, ready for `json.dumps`."""
        return {
            "first": self.first,
            "second": self.second,
            "wins": self.wins,
            "ties": self.ties,
            "losses": self.losses,
            "mean_difference": self.mean_difference,
            "ranks_apart": self.ranks_apart,
            "nemenyi_p": self.nemenyi_p,
            "wilcoxon": self.signed_ranks.to_json(),
            "adjusted_p": self.adjusted_p,
            "bayes": self.posterior.to_json(),
        }


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class RankComparison:
    """The learners' mean ranks over the tables (1 is best), the tests of all and of every pair.

    `groups` are the learners, best first, whose mean ranks lie within the `critical_difference`.
    """

    learners: tuple[str, ...]
    tables: tuple[str, ...]
    scores: Floats  # [table, learner]
    better: Better
    alpha: float
    friedman: Friedman
    critical_difference: float
    groups: tuple[tuple[str, ...], ...]
    differences: tuple[RankDifference, ...]
    notes: tuple[str, ...] = ()

    @property
    def mean_ranks(self) -> dict[str, float]:
        """By learner, best first."""
        ranks = dict(zip(self.learners, self.friedman.mean_ranks, strict=True))
        return dict(sorted(ranks.items(), key=lambda each: each[1]))

    @property
    def conclusions(self) -> tuple[str, ...]:
        """What may be concluded, and what may not."""
        from clearwood.study.comparing.rank_conclusions import rank_conclusions  # which are of this noun

        return tuple(rank_conclusions(self))

    def __str__(self) -> str:
        return shown.text(self)

    def __repr__(self) -> str:
        return f"<RankComparison of {with_and(self.learners)} on {many(len(self.tables), 'table')}>"

    def _repr_html_(self) -> str:
        return shown.html(self)

    def to_json(self) -> dict[str, Any]:
        """Plain values, ready for `json.dumps`."""
        return {
            "learners": list(self.learners),
            "tables": list(self.tables),
            "scores": self.scores.tolist(),
            "better": self.better,
            "alpha": self.alpha,
            "friedman": self.friedman.to_json(),
            "critical_difference": self.critical_difference,
            "groups": [list(each) for each in self.groups],
            "differences": [each.to_json() for each in self.differences],
            "conclusions": list(self.conclusions),
            "notes": list(self.notes),
        }
