"""Groups merged by test: categories whose classes do not differ become one (Kass 1980)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from clearwood.learners.by_counts.questions.likeness import less_alike, likeness, more_alike
from clearwood.learners.by_counts.ties import TIE, better
from clearwood.measures import Verdict
from clearwood.measures.counts import Floats

Group: TypeAlias = tuple[int, ...]  # categories, ascending
Test: TypeAlias = Callable[[Floats], Verdict]  # [..., group, level] → [...]


@dataclass(frozen=True, slots=True, eq=False)
class Categories:
    """The categories met in a node: in order or not, and perhaps a last one for the empty cells.

    The empty cells of an ordered attribute *float*: they may join any group.
    """

    counts: Floats  # [category, level]
    ordered: bool
    has_missing: bool

    @property
    def floats(self) -> bool:
        return self.ordered and self.has_missing

    def table(self, groups: list[Group]) -> Floats:
        """[group, level]"""
        return np.array([self.counts[list(group)].sum(axis=0) for group in groups])


def merge(
    categories: Categories, test: Test, *, alpha_merge: float, alpha_resplit: float | None, exhaustive: bool
) -> list[Group]:
    """The groups that remain, in order of their lowest category."""
    last = len(categories.counts) - 1
    groups: list[Group] = [(i,) for i in range(last + 1)]
    if categories.floats:
        groups.pop()
    if exhaustive:
        groups = _best_stage(categories, groups, test)
    else:
        groups = _merge_alike(categories, groups, test, alpha_merge, alpha_resplit)
    return _place_missing(categories, groups, (last,), test) if categories.floats else groups


def absorb(categories: Categories, groups: list[Group], test: Test, min_leaf: float) -> list[Group]:
    """The groups after those below `min_leaf`, the smallest first, have joined the group most like them."""
    while len(groups) > 1:
        weights = categories.table(groups).sum(axis=1)
        small = int(np.argmin(weights))
        if not better(min_leaf, float(weights[small]), max(1.0, min_leaf)):
            break
        pairs = [pair for pair in _allowable(categories, groups) if small in pair]
        groups = _join(groups, *_most_alike(categories, groups, pairs, test)[0])
    return groups


def _merge_alike(
    categories: Categories, groups: list[Group], test: Test, alpha_merge: float, alpha_resplit: float | None
) -> list[Group]:
    """While more than two groups remain, join the most similar pair if its p exceeds `alpha_merge`."""
    seen = {tuple(groups)}
    while len(groups) > 2:
        pair, alike = _most_alike(categories, groups, _allowable(categories, groups), test)
        if not more_alike(alike, alpha_merge):
            break
        joined = groups[pair[0]] + groups[pair[1]]
        groups = _join(groups, *pair)
        if alpha_resplit is not None and len(joined) >= 3:
            again = _resplit(categories, groups, tuple(sorted(joined)), test, alpha_resplit)
            # A grouping met before would go round in circles.
            if again is not None and tuple(again) not in seen:
                groups = again
        seen.add(tuple(groups))
    return groups


def _best_stage(categories: Categories, groups: list[Group], test: Test) -> list[Group]:
    """Join the most similar pair down to two groups, and keep the stage whose table has the smallest p."""
    stages = [groups]
    while len(groups) > 2:
        groups = _join(groups, *_most_alike(categories, groups, _allowable(categories, groups), test)[0])
        stages.append(groups)
    least, chosen = float(likeness(test(categories.table(stages[0])))), stages[0]
    for stage in stages[1:]:
        found = float(likeness(test(categories.table(stage))))
        if less_alike(found, least):
            least, chosen = found, stage
    return chosen


def _place_missing(categories: Categories, groups: list[Group], missing: Group, test: Test) -> list[Group]:
    """The empty cells with the group most like them, or apart: what gives the whole table the smaller p."""
    apart = [*groups, missing]
    if not groups:
        return apart
    pairs = [(i, len(groups)) for i in range(len(groups))]
    together = _join(apart, *_most_alike(categories, apart, pairs, test)[0])
    if_apart, if_together = (float(likeness(test(categories.table(each)))) for each in (apart, together))
    return apart if less_alike(if_apart, if_together) else together


def _allowable(categories: Categories, groups: list[Group]) -> list[tuple[int, int]]:
    """The pairs that may be joined: any if nominal, neighbours if ordered, missing with any."""
    last = (len(categories.counts) - 1,)
    pairs = [(i, j) for i in range(len(groups)) for j in range(i + 1, len(groups))]
    if not categories.ordered:
        return pairs
    return [(i, j) for i, j in pairs if j == i + 1 or (categories.floats and groups[j] == last)]


def _most_alike(
    categories: Categories, groups: list[Group], pairs: list[tuple[int, int]], test: Test
) -> tuple[tuple[int, int], float]:
    """The pair with the largest p of its two-row table, the first of equals, and how alike it is."""
    alike = likeness(test(categories.table(groups)[np.array(pairs)]))
    best = float(alike.max())
    chosen = int(np.argmax(alike >= best - TIE * abs(best)))
    return pairs[chosen], float(alike[chosen])


def _join(groups: list[Group], i: int, j: int) -> list[Group]:
    rest = [group for k, group in enumerate(groups) if k not in (i, j)]
    return sorted([*rest, tuple(sorted(groups[i] + groups[j]))])


def _resplit(
    categories: Categories, groups: list[Group], group: Group, test: Test, alpha: float
) -> list[Group] | None:
    """The groups with one of them parted in the two that differ most, if they do at `alpha`."""
    if categories.ordered:
        halves = [(group[:i], group[i:]) for i in range(1, len(group))]
    elif len(group) <= 10:
        ways = range(2 ** (len(group) - 1) - 1)
        firsts = [(group[0], *(c for i, c in enumerate(group[1:]) if way >> i & 1)) for way in ways]
        halves = [(first, tuple(c for c in group if c not in first)) for first in firsts]
    else:
        # There are too many ways: one category against the rest.
        halves = [((c,), tuple(d for d in group if d != c)) for c in group]
    alike = likeness(test(np.array([categories.table(list(pair)) for pair in halves])))
    least = float(alike.min())
    if more_alike(least, alpha):
        return None
    parted = halves[int(np.argmax(alike <= least + TIE * abs(least)))]
    return sorted([*(each for each in groups if each != group), *parted])
