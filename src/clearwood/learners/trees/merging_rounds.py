"""Rounds: what a merging of categories looked at and did, for its derivation."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from clearwood.measures.contingency import Verdict

CategoryGroup: TypeAlias = tuple[int, ...]  # categories, ascending


@dataclass(frozen=True, slots=True, eq=False)
class MergingRound:
    """Pairs of groups, compared by the tests of their two-row tables; was the most alike pair joined?"""

    groups: list[CategoryGroup]
    pairs: list[tuple[int, int]]
    verdicts: Verdict  # [pair]
    most_alike: int
    joined: bool

    @property
    def pair(self) -> tuple[CategoryGroup, CategoryGroup]:
        """The pair most alike."""
        i, j = self.pairs[self.most_alike]
        return self.groups[i], self.groups[j]


@dataclass(frozen=True, slots=True, eq=False)
class Resplit:
    """The ways to part a merged group in two; the one whose halves differ most, and whether it was taken."""

    group: CategoryGroup
    halves: list[tuple[CategoryGroup, CategoryGroup]]
    verdicts: Verdict  # [way]
    least_alike: int
    parted: bool


@dataclass(frozen=True, slots=True, eq=False)
class Stage:
    """Groups, and the test of their whole table."""

    groups: list[CategoryGroup]
    verdict: Verdict


@dataclass(frozen=True, slots=True, eq=False)
class Placing:
    """Where the empty cells went: the group most like them, and both tables, with them in it and apart."""

    round: MergingRound
    together: Stage
    apart: Stage


@dataclass(frozen=True, slots=True, eq=False)
class Merging:
    """All of it, and the groups that remain, in order of their lowest category.

    `stages` are those exhaustive CHAID chose from, `placing` is where empty cells float.
    """

    groups: list[CategoryGroup]
    rounds: tuple[MergingRound | Resplit, ...] = ()
    stages: tuple[Stage, ...] = ()
    placing: Placing | None = None
