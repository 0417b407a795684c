"""Groups merged by test: categories whose classes do not differ become one (Kass 1980)."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache
from math import comb
from typing import TypeAlias

import numpy as np

from clearwood.arrays import Floats
from clearwood.counting.ties import TIE, better
from clearwood.measures.contingency import Verdict

GroupTest: TypeAlias = Callable[[Floats], Verdict]  # [..., group, level] → [...]


@dataclass(frozen=True, slots=True, eq=False)
class Categories:
    """The categories met in a node: in order or not, and perhaps a last one for the empty cells.

    The empty cells of an ordered attribute *float*: they may join any group.
    """

    counts: Floats  # [category, level]
    test: GroupTest  # of tables of groups
    ordered: bool
    has_missing: bool
    _known: dict[tuple[CategoryGroup, CategoryGroup], tuple[float, ...]] = field(
        default_factory=dict, repr=False
    )

    @property
    def floats(self) -> bool:
        return self.ordered and self.has_missing

    def table(self, groups: list[CategoryGroup]) -> Floats:
        """[group, level]"""
        return np.array([self.counts[list(group)].sum(axis=0) for group in groups])

    def verdict(self, groups: list[CategoryGroup]) -> Verdict:
        """The test of the whole table of these groups."""
        return self.test(self.table(groups))

    def compare(self, groups: list[CategoryGroup], pairs: list[tuple[int, int]]) -> Verdict:
        """[pair] The tests of the pairs' two-row tables; a pair is tested once, however often it is met."""
        named = [(groups[i], groups[j]) for i, j in pairs]
        new = [place for place, pair in enumerate(named) if pair not in self._known]
        if new:
            verdict = self.test(self.table(groups)[np.array([pairs[place] for place in new])])
            columns = (verdict.statistic, verdict.df, verdict.p, verdict.log_p)
            tested = zip(*(column.tolist() for column in columns), strict=True)
            self._known.update(zip((named[place] for place in new), tested, strict=True))
        return Verdict(*np.array([self._known[pair] for pair in named]).reshape(-1, 4).T)


def merge(
    categories: Categories, *, alpha_merge: float, alpha_resplit: float | None, exhaustive: bool
) -> Merging:
    """The groups that remain, and how they came about."""
    last = len(categories.counts) - 1
    groups: list[CategoryGroup] = [(i,) for i in range(last + 1)]
    if categories.floats:
        groups.pop()
    if exhaustive:
        merging = _best_stage(categories, groups)
    else:
        merging = _merge_alike(categories, groups, alpha_merge, alpha_resplit)
    return _place_missing(categories, merging, (last,)) if categories.floats else merging


def absorb(
    categories: Categories, groups: list[CategoryGroup], min_leaf: float
) -> tuple[list[CategoryGroup], tuple[MergingRound, ...]]:
    """The groups after those below `min_leaf`, the smallest first, have joined the group most like them."""
    rounds: list[MergingRound] = []
    while len(groups) > 1:
        weights = categories.table(groups).sum(axis=1)
        small = int(np.argmin(weights))
        if not better(min_leaf, float(weights[small]), max(1.0, min_leaf)):
            break
        pairs = [pair for pair in _allowable(categories, groups) if small in pair]
        rounds.append(_compared(categories, groups, pairs))
        groups = _join(groups, *rounds[-1].pair)
    return groups, tuple(rounds)


def _merge_alike(
    categories: Categories, groups: list[CategoryGroup], alpha_merge: float, alpha_resplit: float | None
) -> Merging:
    """While more than two groups remain, join the most similar pair if its p exceeds `alpha_merge`."""
    seen = {tuple(groups)}
    rounds: list[MergingRound | Resplit] = []
    while len(groups) > 2:
        met = _compared(categories, groups, _allowable(categories, groups), alpha_merge)
        rounds.append(met)
        if not met.joined:
            break
        groups = _join(groups, *met.pair)
        joined = tuple(sorted(met.pair[0] + met.pair[1]))
        if alpha_resplit is not None and len(joined) >= 3:
            tried = _resplit(categories, joined, alpha_resplit)
            again = sorted([*(each for each in groups if each != joined), *tried.halves[tried.least_alike]])
            # A grouping met before would go round in circles.
            if not tried.parted or tuple(again) in seen:
                tried = Resplit(joined, tried.halves, tried.verdicts, tried.least_alike, parted=False)
            else:
                groups = again
            rounds.append(tried)
        seen.add(tuple(groups))
    return Merging(groups, tuple(rounds))


def _best_stage(categories: Categories, groups: list[CategoryGroup]) -> Merging:
    """Join the most similar pair down to two groups, and keep the stage whose table has the smallest p."""
    stages = [Stage(groups, categories.verdict(groups))]
    rounds: list[MergingRound | Resplit] = []
    while len(groups) > 2:
        met = _compared(categories, groups, _allowable(categories, groups))
        rounds.append(met)
        groups = _join(groups, *met.pair)
        stages.append(Stage(groups, categories.verdict(groups)))
    chosen, *later = stages
    for stage in later:
        if less_alike(float(likeness(stage.verdict)), float(likeness(chosen.verdict))):
            chosen = stage
    return Merging(chosen.groups, tuple(rounds), tuple(stages))


def _place_missing(categories: Categories, merging: Merging, missing: CategoryGroup) -> Merging:
    """The empty cells with the group most like them, or apart: what gives the whole table the smaller p."""
    groups = merging.groups
    apart = [*groups, missing]
    if not groups:
        return Merging(apart)
    met = _compared(categories, apart, [(i, len(groups)) for i in range(len(groups))])
    together = _join(apart, *met.pair)
    both = (Stage(each, categories.verdict(each)) for each in (together, apart))
    placing = Placing(met, *both)
    if_apart, if_together = (float(likeness(each.verdict)) for each in (placing.apart, placing.together))
    chosen = apart if less_alike(if_apart, if_together) else together
    return Merging(chosen, merging.rounds, merging.stages, placing)


def _allowable(categories: Categories, groups: list[CategoryGroup]) -> list[tuple[int, int]]:
    """The pairs that may be joined: any if nominal, neighbours if ordered, missing with any."""
    last = (len(categories.counts) - 1,)
    pairs = [(i, j) for i in range(len(groups)) for j in range(i + 1, len(groups))]
    if not categories.ordered:
        return pairs
    return [(i, j) for i, j in pairs if j == i + 1 or (categories.floats and groups[j] == last)]


def _compared(
    categories: Categories,
    groups: list[CategoryGroup],
    pairs: list[tuple[int, int]],
    alpha: float | None = None,
) -> MergingRound:
    """A round: the pair with the largest p, the first of equals; it is joined if that exceeds `alpha`."""
    verdicts = categories.compare(groups, pairs)
    alike = likeness(verdicts)
    best = float(alike.max())
    chosen = int(np.argmax(alike >= best - TIE * abs(best)))
    joined = alpha is None or more_alike(float(alike[chosen]), alpha)
    return MergingRound(groups, pairs, verdicts, chosen, joined)


def _join(groups: list[CategoryGroup], one: CategoryGroup, other: CategoryGroup) -> list[CategoryGroup]:
    rest = [group for group in groups if group not in (one, other)]
    return sorted([*rest, tuple(sorted(one + other))])


def _resplit(categories: Categories, group: CategoryGroup, alpha: float) -> Resplit:
    """A group parted in the two that differ most, if they do at `alpha`."""
    if categories.ordered:
        halves = [(group[:i], group[i:]) for i in range(1, len(group))]
    elif len(group) <= 10:
        ways = range(2 ** (len(group) - 1) - 1)
        firsts = [(group[0], *(c for i, c in enumerate(group[1:]) if way >> i & 1)) for way in ways]
        halves = [(first, tuple(c for c in group if c not in first)) for first in firsts]
    else:
        # There are too many ways: one category against the rest.
        halves = [((c,), tuple(d for d in group if d != c)) for c in group]
    verdicts = categories.test(np.array([categories.table(list(pair)) for pair in halves]))
    alike = likeness(verdicts)
    least = float(alike.min())
    chosen = int(np.argmax(alike <= least + TIE * abs(least)))
    return Resplit(group, halves, verdicts, chosen, parted=not more_alike(least, alpha))


# Likeness: how alike are groups, by p-values that may be too small for a number?


FAINT = 1e-290  # below it p loses its digits, and then itself


def likeness(verdict: Verdict) -> Floats:
    """p, or its logarithm where p is too small: one scale, on which the larger is the more alike."""
    return np.where(verdict.p >= FAINT, verdict.p, np.maximum(verdict.log_p, -1e300))


def more_alike(one: float, other: float) -> bool:
    """By more than rounding; `other` may be a level such as 0.05.

    >>> more_alike(0.06, 0.05), more_alike(-3337.6, 0.05), more_alike(-3337.6, -3400.0)
    (True, False, True)
    """
    return better(one, other, abs(other))


def less_alike(one: float, other: float) -> bool:
    return better(-one, -other, abs(other))


# Rounds: what a merging of categories looked at and did, for its derivation.


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


# Bonferroni: in how many ways could the categories have been merged into as many groups?


def ways_ordinal(categories: int, groups: int) -> int:
    """Neighbours only.

    >>> ways_ordinal(4, 2), ways_ordinal(5, 3), ways_ordinal(10, 3)
    (3, 6, 36)
    """
    return comb(categories - 1, groups - 1)


def ways_nominal(categories: int, groups: int) -> int:
    """Any with any: the Stirling number of the second kind, by its recurrence.

    >>> ways_nominal(4, 2), ways_nominal(5, 3), ways_nominal(10, 3)
    (7, 25, 9330)
    """
    return _stirling(categories)[groups]


def ways_floating(categories: int, groups: int) -> int:
    """Neighbours, and one category (missing, it counts too) that may join any group or stand alone.

    >>> ways_floating(4, 2), ways_floating(5, 3), ways_floating(10, 3)
    (5, 12, 92)
    """
    return comb(categories - 2, groups - 2) + groups * comb(categories - 2, groups - 1)


def ways_exhaustive(categories: int, *, nominal: bool) -> int:
    """The tables looked at on the way from all categories down to two groups, as SPSS counts them."""
    return categories * (categories**2 - 1) // 2 if nominal else categories * (categories - 1) // 2


def adjust(p: float, log_p: float, ways: int) -> tuple[float, float]:
    """p × ways, at most 1, and its logarithm; either may be more, or less, than a float can hold.

    >>> adjust(0.01, math.log(0.01), 3)[0], adjust(0.5, math.log(0.5), 10**400), adjust(0.0, -3337.5, 1)
    (0.03, (1.0, 0.0), (0.0, -3337.5))
    """
    log = min(0.0, log_p + math.log(ways))
    return (min(1.0, p * ways) if p >= 1e-290 and ways < 10**300 else math.exp(log)), log


@lru_cache(maxsize=256)
def _stirling(categories: int) -> tuple[int, ...]:
    """S(categories, 0), S(categories, 1), …"""
    row = [1]
    for _ in range(categories):
        row = [0, *(row[k - 1] + k * (row[k] if k < len(row) else 0) for k in range(1, len(row) + 1))]
    return tuple(row)
