"""A forest's task, with every default filled in, and the native code that grows its trees."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Final, Protocol

import numpy as np

from clearwood import _native
from clearwood.arrays import Floats, Longs
from clearwood.counting.chance import (
    chance_key,
    drawn_with_replacement,
    draws,
    units_drawn_with_replacement,
    weights_are_units,
)
from clearwood.counting.coding import CodedColumns
from clearwood.errors import LearningError
from clearwood.learners.ensembles.members import OutOfBagAnswers, keep_out_of_bag
from clearwood.learners.progress import Progress, is_enough, native_watch
from clearwood.models.decision import Decision
from clearwood.models.kept import check_kind
from clearwood.models.kinds.ensemble.ensemble import Ensemble, LearningCurve
from clearwood.models.kinds.ensemble.many_trees import Trees
from clearwood.models.kinds.tree.nodes import Nodes
from clearwood.models.kinds.tree.tree import Tree
from clearwood.models.lineage import EndedEarly
from clearwood.models.origin import Origin
from clearwood.models.reading_size import refuse_balanced
from clearwood.predicting.of_trees import member_codes, member_numbers, member_shares
from clearwood.records import dataclass
from clearwood.table.table import Column, Table

# What random numbers are for. A key is made of the seed, the tree, the branches (0 or 1) from the root to the
# node, and one of these.
ROWS: Final = 2
COLUMNS: Final = 3
CUTS: Final = 4

ONE_BY_ONE: Final = 3  # a nominal column of so many values has none that is too rare
MOST_DRAWS: Final = 2**26  # up to this weight, squares of counts are exact


@dataclass(frozen=True, slots=True, eq=False)
class ForestTask:
    """What every tree of a forest is grown from."""

    coded: CodedColumns
    class_names: tuple[str, ...]  # none: the target is a number
    target: Column
    weights: Floats | None
    order: Longs  # [place] the rows by what is in them, in which they are drawn from
    factors: Floats  # [class] from priors and costs; empty: 1 each
    measure: str
    drawn_columns: int
    part: float  # of the rows, without replacement; 0: as many as there are, with replacement
    random_cuts: bool
    max_depth: int  # −1: no limit
    min_rows: float
    min_leaf: float
    min_value: float
    seed: int

    @property
    def classes(self) -> int:
        """How many there are; 0 of a number."""
        return len(self.class_names)


def drawn_weights(task: ForestTask, tree: int) -> Floats:
    """[row] what a row weighs in a tree: how often it was drawn, or its weight where rows are a part.

    With replacement: weights that are whole are counts, each unit is a row of its own, and as many are
    drawn as there are; of other weights a row's is its chance in each of as many draws as there are rows.
    """
    key, rows, order = chance_key(task.seed, tree, ROWS), len(task.target), task.order
    weights = None if task.weights is None else task.weights[order]
    drawn = np.empty(rows)
    drawn[order] = (
        _part(rows, weights, task.part, key) if task.part > 0 else _with_replacement(rows, weights, key)
    )
    return drawn


def _with_replacement(rows: int, weights: Floats | None, key: int) -> Floats:
    ends = None if weights is None else np.cumsum(weights)
    if ends is not None and weights is not None and ends[-1] <= MOST_DRAWS and weights_are_units(weights):
        return units_drawn_with_replacement(key, ends).astype(np.float64)
    return drawn_with_replacement(key, rows, rows, ends).astype(np.float64)


def _part(rows: int, weights: Floats | None, part: float, key: int) -> Floats:
    """Row after row is taken with the chance (still needed) ÷ (still there): each set is as likely."""
    needed = max(1, int(np.ceil(part * rows)))
    taken = np.zeros(rows)
    for row, bits in enumerate(draws(key, rows).tolist()):
        if (bits * (rows - row)) >> 64 < needed:
            taken[row] = 1.0 if weights is None else weights[row]
            needed -= 1
    return taken


# The way to the native forest and back: columns and settings out, the columns of its trees in.


class Grows(Protocol):
    """What of a forest's settings is about all of its trees."""

    @property
    def combine(self) -> str: ...
    @property
    def out_of_bag(self) -> bool: ...


@dataclass(frozen=True, slots=True, eq=False)
class Grown:
    """The trees, the out-of-bag error by their number, and why there are fewer than asked for, if so."""

    trees: Trees
    curves: tuple[LearningCurve, ...]
    ended: tuple[EndedEarly, ...]


def grow(
    learner: Grows,
    task: ForestTask,
    decision: Decision,
    trees: int,
    *,
    first: int = 0,
    before: OutOfBagAnswers | None = None,
) -> Grown:
    """So many trees from number `first` on; `before` is of those before."""
    out_of_bag = learner.out_of_bag and task.part < 1
    score = "error" if task.classes else "squared error"
    progress = Progress(first, first + trees, "tree", score, "out-of-bag rows")
    grown = _native.grow_forest(
        task.coded.native(),
        task.classes,
        task.target,
        task.weights,
        task.order.astype(np.uint32),
        task.factors.tolist(),
        first=first,
        trees=trees,
        measure=task.measure,
        drawn_columns=task.drawn_columns,
        part=task.part,
        random_cuts=task.random_cuts,
        max_depth=task.max_depth,
        min_rows=task.min_rows,
        min_leaf=task.min_leaf,
        min_value=task.min_value,
        seed=task.seed,
        out_of_bag=out_of_bag,
        by_votes=learner.combine == "votes",
        priors=list(decision.factors),
        costs=[cost for row in decision.costs for cost in row],
        sums_before=None if before is None else before.sums,
        size_before=None if before is None else before.size,
        watch=native_watch(progress),
    )
    start, wrong, whole = grown.pop("start"), grown.pop("wrong"), grown.pop("all")
    answers = OutOfBagAnswers(grown.pop("sums"), grown.pop("size"), task.class_names)
    if out_of_bag:
        keep_out_of_bag(answers)
    done, curves = len(start) - 1, _curves(wrong, whole, score)
    is_enough(replace(progress, done=first + done, value=curves[0].error if curves else None))
    ended = EndedEarly(first + done, first + trees, "tree", "interrupted")
    return Grown(
        Trees(
            _nodes(grown, task),
            start,
            np.zeros(done, dtype=np.int32),
            "shares" if task.classes else "mean",
            measure=task.measure,
        ),
        curves,
        (ended,) if done < trees else (),
    )


def _nodes(grown: dict[str, Any], task: ForestTask) -> Nodes:
    """The nodes that were grown: columns by their places in the schema, without scores and surrogates."""
    place = np.array([*task.coded.coding.positions, -1], dtype=np.int32)
    size = len(grown["parent"])
    surrogates = ("s_attribute", "s_limit", "s_branch", "s_agreement", "s_set_split", "s_set_codes")
    own = {
        **grown,
        "attribute": place[grown["attribute"]],
        "scores": np.empty((size, 0)),
        "s_start": np.zeros(size + 1, dtype=np.int64),
        "s_set_start": np.zeros(1, dtype=np.int64),
        **dict.fromkeys(surrogates, np.empty(0)),
    }
    return Nodes(**own)


def times_drawn_by_trees(task: ForestTask, trees: int) -> Iterator[Longs]:
    """[row] how often each of the first trees drew it: computed again, for nothing of it is kept."""
    order = task.order.astype(np.uint32)
    for tree in range(trees):
        times = _native.forest_draws(order, task.weights, part=task.part, seed=task.seed, tree=tree)
        yield times.astype(np.int64)


def _curves(wrong: Floats, whole: Floats, score: str) -> tuple[LearningCurve, ...]:
    """The error by number of trees; before a row was out of bag, that of the first tree that left one."""
    met = whole > 0
    if not met.any():
        return ()
    values = np.where(met, wrong / np.where(met, whole, 1.0), wrong[met][0] / whole[met][0])
    return (LearningCurve(score, "out-of-bag rows", tuple(values.tolist())),)


# More trees for a forest: is it the forest of these rows and settings, and what did its trees answer?


_MAY_DIFFER = {"trees", "out_of_bag"}


def check_more(forest: Ensemble, origin: Origin) -> None:
    """Refuse a forest of other rows or settings."""
    check_kind("learn_more", forest, Ensemble)
    if forest.origin.learner != origin.learner or forest.trees is None:
        raise LearningError(
            f"learn_more adds trees to a forest; this is an ensemble of {forest.origin.learner}. "
            "Learn a forest from all rows."
        )
    refuse_balanced(forest.origin, "Adding trees")
    given, kept = dict(origin.settings), dict(forest.origin.settings)
    for name, value in given.items():
        if name not in _MAY_DIFFER and kept.get(name) != value:
            raise LearningError(
                f"This forest was grown with {name} = {kept.get(name)!r}, not {value!r}. Trees of one forest "
                "are grown alike: give the same settings, or learn again."
            )
    if forest.origin.fingerprint != origin.fingerprint:
        raise LearningError(
            "This forest was grown from other rows. Trees of one forest learn from the same table: give that "
            "one, or learn again."
        )


def forest_answers(forest: Ensemble, rows: Table, task: ForestTask) -> OutOfBagAnswers:
    """What each tree answers the rows that it did not draw, added up in the order of the trees."""
    width = task.classes or 1
    sums, size = np.zeros((len(rows), width)), np.zeros(len(rows), dtype=np.int32)
    for member, drawn in zip(forest.members, times_drawn_by_trees(task, forest.size), strict=True):
        assert isinstance(member, Tree)
        tree = replace(member, decision=replace(forest.decision, costs=()))
        out = np.flatnonzero(drawn == 0)
        if not len(out):
            continue
        left = rows.take(out)
        if not task.classes:
            sums[out, 0] += member_numbers(tree, left)
        elif forest.combined_by == "votes":
            sums[out, member_codes(tree, left)] += 1.0
        else:
            sums[out] += member_shares(tree, left)
        size[out] += 1
    return OutOfBagAnswers(sums.ravel(), size, task.class_names)
