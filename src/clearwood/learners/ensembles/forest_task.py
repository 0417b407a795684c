"""A forest's task, with every default filled in, and the native code that grows its trees."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final, Literal

import numpy as np

from clearwood import _native
from clearwood.arrays import Floats, Longs
from clearwood.counting.chance import bootstrap, chance_key, draws
from clearwood.counting.coding import CodedColumns
from clearwood.errors import LearningError
from clearwood.learners.ensembles.members import OutOfBag, OutOfBagAnswers, ended_early, keep_out_of_bag
from clearwood.learners.progress import Progress, is_enough, native_watch
from clearwood.learners.training import native_settings
from clearwood.learners.trees.growing import by_schema_position
from clearwood.models.decision import Decision
from clearwood.models.kinds.ensemble.ensemble import Ensemble, LearningCurve
from clearwood.models.kinds.ensemble.many_trees import Trees
from clearwood.models.kinds.tree.nodes import Nodes
from clearwood.models.lineage import EndedEarly, Origin
from clearwood.models.model import check_kind, refuse_balanced
from clearwood.records import dataclass
from clearwood.table.table import Column, Table

if TYPE_CHECKING:
    from clearwood.learners.ensembles.forest import Forest

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

    settings: Forest
    coded: CodedColumns
    class_names: tuple[str, ...]  # none: the target is a number
    target: Column
    weights: Floats | None
    order: Longs  # [place] the rows by what is in them, in which they are drawn from
    factors: Floats  # [class] from priors and costs; empty: 1 each
    measure: str
    drawn_columns: int

    @property
    def part(self) -> float:
        """Of the rows, without replacement; 0: as many as there are, with replacement."""
        return 0.0 if isinstance(self.settings.rows, str) else float(self.settings.rows)

    @property
    def classes(self) -> int:
        """How many there are; 0 of a number."""
        return len(self.class_names)


def drawn_weights(task: ForestTask, tree: int) -> Floats:
    """[row] what a row weighs in a tree: how often it was drawn, or its weight where rows are a part.

    With replacement: weights that are whole are counts, each unit is a row of its own, and as many are
    drawn as there are; of other weights a row's is its chance in each of as many draws as there are rows.
    """
    key, rows = chance_key(task.settings.seed, tree, ROWS), len(task.target)
    weights = None if task.weights is None else task.weights[task.order]
    drawn = np.empty(rows)
    if task.part > 0:
        drawn[task.order] = _part(rows, weights, task.part, key)
    else:
        drawn[task.order] = bootstrap(key, rows, weights, MOST_DRAWS)
    return drawn


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


@dataclass(frozen=True, slots=True, eq=False)
class Grown:
    """The trees, the out-of-bag error by their number, and why there are fewer than asked for, if so."""

    trees: Trees
    curves: tuple[LearningCurve, ...]
    ended: tuple[EndedEarly, ...]


def grow(
    task: ForestTask, decision: Decision, *, first: int = 0, before: OutOfBagAnswers | None = None
) -> Grown:
    """So many trees from number `first` on; `before` is of those before."""
    how, trees = task.settings, task.settings.trees
    out_of_bag = how.out_of_bag and task.part < 1
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
        measure=task.measure,
        drawn_columns=task.drawn_columns,
        part=task.part,
        random_cuts=how.cuts == "random",
        out_of_bag=out_of_bag,
        by_votes=how.combine == "votes",
        priors=list(decision.factors),
        costs=[cost for row in decision.costs for cost in row],
        sums_before=None if before is None else before.sums,
        size_before=None if before is None else before.size,
        watch=native_watch(progress),
        **native_settings(how, "trees", "max_depth", "min_rows", "min_leaf", "min_value", "seed"),
    )
    start, wrong, whole = grown.pop("start"), grown.pop("wrong"), grown.pop("all")
    answers = OutOfBagAnswers(grown.pop("sums"), grown.pop("size"), task.class_names)
    if out_of_bag:
        keep_out_of_bag(answers)
    done, curves = len(start) - 1, _curves(wrong, whole, score)
    is_enough(replace(progress, done=first + done, value=curves[0].error if curves else None))
    answer: Literal["shares", "mean"] = "shares" if task.classes else "mean"
    nodes = nodes_without_scores(by_schema_position(grown, task.coded.coding.positions))
    return Grown(
        Trees(nodes, start, np.zeros(done, dtype=np.int32), answer, measure=task.measure),
        curves,
        ended_early(first + done, first + trees, "tree"),
    )


def nodes_without_scores(columns: dict[str, Any]) -> Nodes:
    """The nodes of these columns, that have no scores and no surrogates."""
    size = len(columns["parent"])
    surrogates = ("s_attribute", "s_limit", "s_branch", "s_agreement", "s_set_split", "s_set_codes")
    without: dict[str, Any] = dict.fromkeys(surrogates, np.empty(0))
    without |= {"s_start": np.zeros(size + 1), "s_set_start": np.zeros(1), "scores": np.empty((size, 0))}
    return Nodes(**columns, **without)


def times_drawn_by_trees(task: ForestTask, trees: int) -> Iterator[Longs]:
    """[row] how often each of the first trees drew it: computed again, for nothing of it is kept."""
    order = task.order.astype(np.uint32)
    for tree in range(trees):
        times = _native.forest_draws(order, task.weights, part=task.part, seed=task.settings.seed, tree=tree)
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
    out_of_bag = OutOfBag(rows, forest.decision, votes=forest.combined_by == "votes")
    decision = replace(forest.decision, costs=())
    for member, drawn in zip(forest.members, times_drawn_by_trees(task, forest.size), strict=True):
        out_of_bag.hear(replace(member, decision=decision), drawn == 0)
    return out_of_bag.answers()
