"""Growth: a tree grown again without pruning, and the rows of each of its nodes when they are asked for."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Final, TypeAlias

import numpy as np

from clearwood.arrays import Floats
from clearwood.counting.engine import Frontier
from clearwood.counting.question import Question, SurrogateQuestion, Takes
from clearwood.errors import ClearwoodWarning, LearningError
from clearwood.formulas.conditions import Condition
from clearwood.learners.directions import UNBOUNDED, Bounds
from clearwood.learners.learner import TreeLearner
from clearwood.learners.trees.counted import Region, TreeTask, WeightByValue, regions_at, with_columns
from clearwood.learners.trees.growing_by_counts import task_of
from clearwood.learners.trees.offers import Offer, Ways, bounds_below
from clearwood.models.kinds.tree.tree import Tree, merged_conditions, path_to
from clearwood.registry import set_otherwise
from clearwood.table.attributes import Nominal, Numeric, Ordinal
from clearwood.table.table import Table
from clearwood.working.figures import Figure, Rows

PathConditions: TypeAlias = tuple[Condition, ...]

_MOST_COUNTED: Final = 20_000_000  # cuts × values of a numeric target


@dataclass(frozen=True, slots=True, eq=False)
class _Waiting:
    """A node's region alone, and what it must keep to."""

    frontier: Frontier
    bounds: Bounds
    path: PathConditions


@dataclass(frozen=True, slots=True, eq=False)
class Growth:
    """The grown tree, the task it was grown for, and the places that wait to be looked at."""

    learner: TreeLearner
    task: TreeTask
    tree: Tree
    _waiting: dict[int, _Waiting] = field(default_factory=dict, repr=False)

    def place(self, node: int) -> TreePlace:
        """A node with its rows.

        Looked at from the first node to the last, each node is counted from its parent once, and no more
        regions are kept than hold every row once; any other order goes down from the root again.
        """
        if node not in self._waiting:
            self._waiting.clear()
            self._waiting[node] = self._from_the_root(node)
        here = self._waiting.pop(node)
        (region,) = regions_at(self.task, here.frontier, [here.bounds])
        self._waiting.update(self._below(node, here, region))
        (region,) = with_columns(here.frontier, [region])
        task, counts = region.task, region.counts
        rows = Rows(float(task.rows(counts)), here.path)
        return TreePlace(task, here.frontier, region, counts, float(task.impurity(counts)), rows)

    def _below(self, node: int, here: _Waiting, region: Region) -> dict[int, _Waiting]:
        """The node's branches, divided from its rows."""
        below = self.tree.nodes.children(node)
        if not below:
            return {}
        engine, question = self.task.engine, question_at(self.tree, node)
        frontier = engine.divide(here.frontier, {0: question})
        bounds = [here.bounds] * len(below)
        if self.task.limits is not None:
            bounds = bounds_below(region, question, regions_at(self.task, frontier))
        return {
            child: _Waiting(
                engine.only(frontier, [branch]),
                bounds[branch],
                merged_conditions([*here.path, self.tree.condition(child)]),
            )
            for branch, child in enumerate(below)
        }

    def check_size(self, node: int) -> None:
        """Refuse a tree of absolute errors where every cut against every value fills the memory."""
        if not isinstance(self.task.numbers, WeightByValue) or not self.learner.sums_numbers:
            return  # what never sums numbers counts them in few bins, not at every cut
        frontier = self._from_the_root(node).frontier
        totals = self.task.engine.totals(frontier)
        rows, values = float(totals.floats().sum()), len(totals.level)
        cut = sum(isinstance(each, Numeric | Ordinal) for each in self.task.schema.attributes)
        if rows * values * cut > _MOST_COUNTED:
            raise LearningError(
                "The derivation of a tree by absolute errors counts every cut against every value of the "
                f"target, and {rows:,.0f} rows with {values:,} values are too many for "
                "that. Derive a place with fewer rows: at=…, a tree of a part of the rows, or one by squared "
                "errors."
            )

    def _from_the_root(self, node: int) -> _Waiting:
        way = _way_up(self.tree, node)
        here = _Waiting(self.task.engine.root(), UNBOUNDED, ())
        for above, below in pairwise(reversed(way)):
            (region,) = regions_at(self.task, here.frontier, [here.bounds])
            here = self._below(above, here, region)[below]
        return replace(here, path=path_to(self.tree, node))


def grown_again(learner: TreeLearner, table: Table) -> Growth:
    """What the learner grows from a table before it prunes."""
    with warnings.catch_warnings():
        # The learner warned of whatever it left out when the model was learned.
        warnings.simplefilter("ignore", ClearwoodWarning)
        return Growth(learner, task_of(learner, table), learner.grow(table))


def grown_as_far(learner: TreeLearner, table: Table, tree: Tree, node: int) -> Growth | None:
    """A tree that nothing pruned, grown again no deeper than what lies above a node of it; None where it has
    to be grown in full, since it was pruned, or is not what the learner grows there. What the node itself
    asks, its step works out."""
    way = _way_up(tree, node)[1:]
    if learner.prunings():
        return None
    if not way:
        return Growth(learner, task_of(learner, table), tree)
    grown = grown_again(set_otherwise(learner, max_depth=len(way)), table)
    place = 0
    for above, below in pairwise([*reversed(way), None]):
        assert above is not None
        if _node(tree, above) != _node(grown.tree, place):
            return None
        if below is not None:
            place = grown.tree.nodes.children(place)[tree.nodes.children(above).index(below)]
    return Growth(learner, grown.task, tree)


def _way_up(tree: Tree, node: int) -> list[int]:
    """The node, the one above it, and so on up to the root."""
    way = [node]
    while way[-1] > 0:
        way.append(int(tree.nodes.parent[way[-1]]))
    return way


def _node(tree: Tree, node: int) -> tuple[object, ...]:
    """What is known of a node by itself: its counts, and what it asks."""
    counts = tuple(tree.nodes.counts[node].tolist())
    return counts, question_at(tree, node) if tree.nodes.children(node) else None


def question_at(tree: Tree, node: int) -> Question:
    """What a split of a tree asks, as the growers have it."""
    n = tree.nodes
    below = n.children(node)
    surrogates = range(int(n.s_start[node]), int(n.s_start[node + 1]))
    return Question(
        attribute=int(n.attribute[below[0]]),
        branches=tuple(_takes(tree, child) for child in below),
        scores=tuple(n.scores[node].tolist()),
        shares=tuple(n.share[below].tolist()),
        otherwise=int(n.otherwise[node]),
        surrogates=tuple(_surrogate(tree, each) for each in surrogates),
    )


def _takes(tree: Tree, node: int) -> Takes:
    n = tree.nodes
    codes = n.set_codes[int(n.set_start[node]) : int(n.set_start[node + 1])]
    return Takes(float(n.low[node]), float(n.high[node]), tuple(codes.tolist()), bool(n.or_missing[node]))


def _surrogate(tree: Tree, place: int) -> SurrogateQuestion:
    n = tree.nodes
    attribute = int(n.s_attribute[place])
    if isinstance(tree.schema.attributes[attribute], Nominal | Ordinal):
        start, stop = n.s_set_start[place : place + 2].tolist()
        split = int(n.s_set_split[place])
        when = Takes(codes=tuple(n.s_set_codes[start:split].tolist()))
        other = Takes(codes=tuple(n.s_set_codes[split:stop].tolist()))
    else:
        limit = float(n.s_limit[place])
        when, other = Takes(-np.inf, limit), Takes(limit, np.inf)
    return SurrogateQuestion(attribute, when, int(n.s_branch[place]), other, float(n.s_agreement[place]))


# A Place: a node of the grown tree with its rows counted, where a learner's choice is derived.


@dataclass(frozen=True, slots=True, eq=False)
class TreePlace:
    """The rows here, their counts by level as the learner weighs them, and the conditions above."""

    task: TreeTask  # narrowed to them
    frontier: Frontier  # of this region alone
    region: Region
    counts: Floats  # [level], times the factors
    mixed: float  # how impure they are, by the task's measure
    rows: Rows  # what its figures rest on: as they came, without the factors


@dataclass(frozen=True, slots=True)
class Worked:
    """What a learner computed at a place, what it decided, and the question it asks (None: a leaf)."""

    figures: tuple[Figure, ...]
    decision: str
    question: Question | None = None


# A learner's way to work out a place; made once for a task, as its way to ask is.
WorkOut: TypeAlias = Callable[[TreePlace], Worked]


# Parted: the branches of one way to part a node's rows, each with its counts, weight and impurity.


@dataclass(frozen=True, slots=True, eq=False)
class Parted:
    """As plain numbers: a derivation has tens of thousands of these, of two or three branches each."""

    counts: list[list[float]]  # [branch][level]
    weights: list[float]  # [branch]
    mixed: list[float]  # [branch] impurity
    missing: float  # weight of the empty cells that no branch takes


def parted(place: TreePlace, chosen: Sequence[tuple[Ways, int]]) -> list[Parted]:
    """Several ways, measured all at once."""
    if not chosen:
        return []
    tables = [ways.counts[way] for ways, way in chosen]
    every = np.concatenate(tables)
    counts = every.tolist()
    weights = [each for ways, way in chosen for each in ways.weights[way].tolist()]
    mixed = place.task.impurity(every).tolist()
    measured, start = [], 0
    for table, (ways, _) in zip(tables, chosen, strict=True):
        here = slice(start, start + len(table))
        measured.append(Parted(counts[here], weights[here], mixed[here], ways.missing))
        start = here.stop
    return measured


def parted_by_offers(place: TreePlace, offers: Sequence[Offer]) -> list[Parted | None]:
    """The best way of each offer that has one."""
    chosen = [(each.ways, each.best) for each in offers if each.ways is not None and each.best >= 0]
    measured = iter(parted(place, chosen))
    return [next(measured) if each.ways is not None and each.best >= 0 else None for each in offers]
