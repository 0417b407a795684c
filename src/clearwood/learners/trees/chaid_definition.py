"""CHAID's choice: the attribute whose merged groups are least likely to differ by chance alone."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from clearwood.arrays import Floats
from clearwood.counting.question import Question, Takes, cells_of_codes
from clearwood.counting.ties import better, enough
from clearwood.learners.discretising import quantile_ends
from clearwood.learners.trees import merging as bonferroni
from clearwood.learners.trees.counted import Region, TreeTask, sums
from clearwood.learners.trees.merging import (
    FAINT,
    Categories,
    CategoryGroup,
    GroupTest,
    Merging,
    MergingRound,
    absorb,
    less_alike,
    merge,
    more_alike,
)
from clearwood.measures import TESTS
from clearwood.measures.contingency import Verdict
from clearwood.measures.impurity import proportions
from clearwood.measures.scatter import f_test, row_effects
from clearwood.table.attributes import Nominal, Numeric, Ordinal

if TYPE_CHECKING:
    from clearwood.learners.trees.chaid import CHAID


@dataclass(frozen=True, slots=True, eq=False)
class PreparedChaid:
    """A learner at a task: the bins of numeric attributes are made once, on all training rows."""

    learner: CHAID
    task: TreeTask
    edges: Mapping[int, Floats]  # by attribute: where its bins end


@dataclass(frozen=True, slots=True, eq=False)
class ChaidCandidate:
    """An attribute's categories here, their merging, and the test of the groups that remain.

    Without `verdict` there are not two groups to test.
    """

    attribute: int
    steps: list[int]  # the codes or bins of the categories, missing left out
    categories: Categories
    merging: Merging | None = None
    verdict: Verdict | None = None
    ways: int = 1  # the Bonferroni factor
    adjusted_p: float = 1.0
    likeness: float = 1.0  # of the adjusted p

    @property
    def scores(self) -> tuple[float, float, float]:
        """Statistic, p and adjusted p."""
        assert self.verdict is not None
        return float(self.verdict.statistic), float(self.verdict.p), self.adjusted_p


def prepare_chaid(learner: CHAID, task: TreeTask) -> PreparedChaid:
    """What CHAID needs at every node."""
    return PreparedChaid(learner, task, _edges(learner, task))


def choose_split(prepared: PreparedChaid, region: Region) -> Question | None:
    if not large_enough(prepared.learner, region.counts):
        return None
    chosen = strongest(consider(prepared, region))
    if chosen is None or not significant(prepared.learner, chosen):
        return None
    groups, _ = absorbed(prepared, chosen)
    return None if len(groups) < 2 else question(prepared, chosen, groups)


def large_enough(learner: CHAID, counts: Floats) -> bool:
    """Has the node the rows that a question needs?"""
    return enough(float(counts.sum()), learner.min_rows)


def consider(prepared: PreparedChaid, region: Region) -> list[ChaidCandidate]:
    """What every attribute offers, in schema order."""
    return [_candidate(prepared, position, region) for position in prepared.task.usable]


def strongest(candidates: Sequence[ChaidCandidate]) -> ChaidCandidate | None:
    """The smallest adjusted p; of equals the larger statistic, then the first."""
    chosen: ChaidCandidate | None = None
    for each in candidates:
        if each.verdict is not None and (chosen is None or _stronger(each, chosen)):
            chosen = each
    return chosen


def significant(learner: CHAID, chosen: ChaidCandidate) -> bool:
    """Is its adjusted p at most `alpha_split`?"""
    return not more_alike(chosen.likeness, learner.alpha_split)


def absorbed(
    prepared: PreparedChaid, chosen: ChaidCandidate
) -> tuple[list[CategoryGroup], tuple[MergingRound, ...]]:
    """The groups once the small ones have joined others, and how they did."""
    assert chosen.merging is not None
    return absorb(chosen.categories, chosen.merging.groups, prepared.learner.min_leaf)


def _stronger(candidate: ChaidCandidate, best: ChaidCandidate) -> bool:
    if less_alike(candidate.likeness, best.likeness):
        return True
    tied = not less_alike(best.likeness, candidate.likeness)
    return tied and better(candidate.scores[0], best.scores[0], max(1.0, best.scores[0]))


def _candidate(prepared: PreparedChaid, position: int, region: Region) -> ChaidCandidate:
    learner, edges, test = prepared.learner, prepared.edges, _test(prepared.learner, region.task)
    attribute = prepared.task.schema.attributes[position]
    counted = region.columns[position]
    steps = counted.codes
    counts = counted.counts
    if position in edges:
        bins = np.searchsorted(edges[position], cells_of_codes(counted.column)[counted.codes])
        steps, first = np.unique(bins, return_index=True)
        counts = np.add.reduceat(counts, first, axis=0) if len(steps) else counts
    empty = bool(counted.missing.any())
    counts = np.vstack([counts, counted.missing]) if empty else counts
    categories = Categories(np.asfortranarray(counts), test, not isinstance(attribute, Nominal), empty)
    if len(categories.counts) < 2:
        return ChaidCandidate(position, steps.tolist(), categories)
    merging = merge(
        categories,
        alpha_merge=learner.alpha_merge,
        alpha_resplit=learner.alpha_resplit,
        exhaustive=learner.exhaustive,
    )
    if len(merging.groups) < 2:
        return ChaidCandidate(position, steps.tolist(), categories, merging)
    verdict = categories.verdict(merging.groups)
    ways = _ways(learner, categories, len(merging.groups)) if learner.bonferroni else 1
    adjusted_p, log = bonferroni.adjust(float(verdict.p), float(verdict.log_p), ways)
    alike = adjusted_p if adjusted_p >= FAINT else max(log, -1e300)
    return ChaidCandidate(position, steps.tolist(), categories, merging, verdict, ways, adjusted_p, alike)


def _ways(learner: CHAID, categories: Categories, groups: int) -> int:
    size = len(categories.counts)
    if learner.exhaustive:
        return bonferroni.ways_exhaustive(size, nominal=not categories.ordered)
    if categories.floats:
        return bonferroni.ways_floating(size, groups)
    return (bonferroni.ways_ordinal if categories.ordered else bonferroni.ways_nominal)(size, groups)


def question(prepared: PreparedChaid, chosen: ChaidCandidate, groups: list[CategoryGroup]) -> Question:
    """The groups as branches that leave no value out, and the largest for what is met only later."""
    attribute = prepared.task.schema.attributes[chosen.attribute]
    weights = chosen.categories.table(groups).sum(axis=1)
    largest = int(np.argmax(weights))
    missing = len(chosen.steps)
    members = [[chosen.steps[c] for c in group if c != missing] for group in groups]
    or_missing = [missing in group for group in groups]
    if isinstance(attribute, Nominal):
        sets = [list(each) for each in members]
        met = set(chosen.steps)
        sets[largest] += [code for code in range(len(attribute.values)) if code not in met]
        branches = [
            Takes(codes=tuple(sorted(s)), or_missing=m) for s, m in zip(sets, or_missing, strict=True)
        ]
    else:
        branches = _stretches(attribute, members, or_missing, prepared.edges.get(chosen.attribute))
    return Question(
        chosen.attribute, tuple(branches), chosen.scores, tuple(proportions(weights).tolist()), largest
    )


def _stretches(
    attribute: object, members: list[list[int]], or_missing: list[bool], edges: Floats | None
) -> list[Takes]:
    """Ordered groups without gaps: a step without rows goes to the nearer group, the lower if midway."""
    known = [steps for steps in members if steps]
    ends = [(low[-1] + high[0]) // 2 for low, high in pairwise(known)]
    last = (
        len(attribute.values) - 1
        if isinstance(attribute, Ordinal)
        else len(edges if edges is not None else ())
    )
    starts, ends = [0, *(end + 1 for end in ends)], [*ends, last]
    branches = []
    stretches = iter(zip(starts, ends, strict=True))
    for steps, missing in zip(members, or_missing, strict=True):
        if not steps:
            branches.append(Takes(or_missing=True))
            continue
        start, end = next(stretches)
        if edges is None:
            branches.append(Takes(codes=tuple(range(start, end + 1)), or_missing=missing))
        else:
            low = -math.inf if start == 0 else float(edges[start - 1])
            high = math.inf if end == last else float(edges[end])
            branches.append(Takes(low, high, or_missing=missing))
    return branches


def _edges(learner: CHAID, task: TreeTask) -> dict[int, Floats]:
    """By attribute: where its bins end; the schema's own cuts, if it has any."""
    numeric = [place for place, each in enumerate(task.coding.columns) if each.numeric]
    edges = {}
    for place, cells in zip(numeric, task.engine.values(task.engine.root(), numeric), strict=True):
        column = task.coding.columns[place]
        assert isinstance(column.attribute, Numeric)
        weights = sums(cells.code, cells.floats(), column.known + 1)
        given = np.asarray(column.attribute.cuts)
        free = quantile_ends(column.ladder, weights[: len(column.ladder)], learner.bins)
        edges[column.position] = given if len(given) else free
    return edges


def _test(learner: CHAID, task: TreeTask) -> GroupTest:
    """Analysis of variance for numbers, row effects for ordered classes, a contingency test for others."""
    if task.values is not None:
        return partial(f_test, task.values)
    if isinstance(task.schema.target, Ordinal):
        return row_effects
    return TESTS["chi_square" if learner.statistic == "pearson" else "likelihood_ratio"]
