"""The way to the native forest and back: columns and settings out, the columns of its trees in."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Protocol

import numpy as np

from clearwood import _native
from clearwood.arrays import Floats, Longs
from clearwood.errors import LearningError
from clearwood.learners.ensembles.forest_task import ForestTask
from clearwood.learners.ensembles.out_of_bag import OutOfBagAnswers, keep_out_of_bag
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
from clearwood.predicting.batch import plain_codes, plain_numbers, plain_shares
from clearwood.records import dataclass
from clearwood.table.table import Table


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
    answers = OutOfBagAnswers(grown.pop("sums"), grown.pop("size"))
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
            sums[out, 0] += plain_numbers(tree, left)
        elif forest.combined_by == "votes":
            sums[out, plain_codes(tree, left)] += 1.0
        else:
            sums[out] += plain_shares(tree, left)
        size[out] += 1
    return OutOfBagAnswers(sums.ravel(), size)
