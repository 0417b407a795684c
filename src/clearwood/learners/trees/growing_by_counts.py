"""The loop all four tree learners share, level by level: count, choose, divide, and again."""

from __future__ import annotations

import warnings
from dataclasses import field, replace
from typing import Final

import numpy as np

from clearwood.arrays import Floats
from clearwood.counting.engine import CountingEngine
from clearwood.counting.in_memory import engine_in_memory
from clearwood.counting.question import Question, condition
from clearwood.errors import ClearwoodWarning, LearningError
from clearwood.learners.directions import MonotoneLimits, monotone_limits
from clearwood.learners.learner import SplitChooser, TreeLearner
from clearwood.learners.training import check_target, decision_of, scoring_factors
from clearwood.learners.trees.counted import (
    BySums,
    Region,
    TreeTask,
    WeightByValue,
    per_row,
    regions_at,
    with_columns,
)
from clearwood.learners.trees.growing import steering_of
from clearwood.learners.trees.offers import bounds_below
from clearwood.measures import ERRORS, IMPURITIES
from clearwood.measures.impurity import ImpurityOf
from clearwood.models.kinds.tree.build import tree_of
from clearwood.models.kinds.tree.nodes import Nodes
from clearwood.models.kinds.tree.tree import Branch, Leaf, Node, Split, Surrogate, Tree
from clearwood.models.lineage import Origin
from clearwood.records import dataclass
from clearwood.table.table import Table

MANY_CELLS: Final = 100_000  # of a table, from which the slower way is worth a note


def nodes_by_counts(learner: TreeLearner, rows: Table) -> Nodes:
    """The nodes that a learner's definition grows, for a measure that the native code does not know.

    >>> from clearwood.learners.trees.id3 import ID3
    >>> from clearwood.table.attributes import Nominal
    >>> from clearwood.table.schema import Schema
    >>> import numpy as np
    >>> schema = Schema((Nominal("Wind", ("Weak", "Strong")),), Nominal("Play", ("No", "Yes")))
    >>> columns = {"Wind": np.array([0, 0, 1], np.int32), "Play": np.array([1, 1, 0], np.int32)}
    >>> int(nodes_by_counts(ID3(), Table(schema, columns)).is_leaf.sum())
    2
    """
    if len(rows) * len(rows.schema.inputs) > MANY_CELLS:
        measure = learner.measure_for(rows.schema)
        warnings.warn(
            f"The native code does not know the measure '{measure}': this tree is grown by "
            "its definition in Python, which takes about a hundred times as long.",
            ClearwoodWarning,
            stacklevel=2,
        )
    task = task_of(learner, rows)
    draft = grow_draft(task, learner.split_chooser(task), learner.max_depth)
    return finish(task, draft, learner.score_names, Origin(type(learner).__name__)).nodes


def task_of(learner: TreeLearner, table: Table) -> TreeTask:
    """The table as this learner measures it."""
    check_target(learner, table)
    return task_at(learner, engine_in_memory(table), monotone_limits(learner, table))


def task_at(learner: TreeLearner, engine: CountingEngine, limits: MonotoneLimits | None = None) -> TreeTask:
    """What an engine counts, as this learner measures it."""
    schema, totals = engine.schema, engine.totals(engine.root())
    if not len(totals.units):
        raise LearningError("No row has both a weight and a target, so there is nothing to learn from.")
    classes, measure = len(schema.classes), learner.measure_for(schema)
    weights = totals.table(1, classes)[0] if engine.numbers is None else np.empty(0)
    decision = decision_of(schema, weights, learner.priors, learner.costs)
    numbers: WeightByValue | BySums | None = None
    if engine.numbers is None:
        impurity: ImpurityOf = IMPURITIES[measure]
        factors = scoring_factors(steering_of(learner, decision), weights)
        if not (factors == 1.0).all():
            engine = engine.scaled(factors)
    else:
        by_sums = learner.sums_numbers and measure == "squared"
        numbers = (
            BySums(engine.numbers, 0.0)
            if by_sums
            else WeightByValue(engine.numbers, ERRORS[measure], engine.numbers)
        )
        impurity, factors = per_row(numbers), np.ones(3 if by_sums else len(engine.numbers))
    root = engine.root()
    total = float(engine.totals(root).floats().sum())
    known = {column.position: column.known for column in engine.coding.columns}
    counted = dict(zip(known, engine.values(root, range(len(known))), strict=True))
    has_missing = tuple(
        position in known and bool((counted[position].code == known[position]).any())
        for position in range(len(schema.attributes))
    )
    name = measure if numbers is None else ""
    return TreeTask(engine, numbers, impurity, factors, decision, name, total, has_missing, limits)


def grow_draft(task: TreeTask, choose: SplitChooser, max_depth: int | None) -> Draft:
    """The tree before any pruning, every node with its region."""
    engine = task.engine
    frontier = engine.root()
    level = [Draft(each) for each in regions_at(task, frontier)]
    root = level[0]
    while True:
        deep = max_depth is not None and level[0].region.depth >= max_depth
        places = [place for place, each in enumerate(level) if not (deep or each.region.pure)]
        if not places:
            return root
        nodes, frontier = [level[place] for place in places], engine.only(frontier, places)
        regions = with_columns(frontier, [each.region for each in nodes])
        chosen = enumerate(choose(frontier, regions))
        questions = {place: question for place, question in chosen if question is not None}
        if not questions:
            return root
        frontier = engine.divide(frontier, questions)
        below = iter(regions_at(task, frontier))
        level = []
        for place, question in questions.items():
            branches = [next(below) for _ in question.branches]
            bounds = bounds_below(regions[place], question, branches)
            nodes[place].question = question
            nodes[place].children = [
                Draft(replace(each, bounds=own)) for each, own in zip(branches, bounds, strict=True)
            ]
            level += nodes[place].children


# A Draft: a tree while it grows and is pruned, every node with its region.


@dataclass(slots=True, eq=False)
class Draft:
    """A node: its region, and what it asks (None at a leaf)."""

    region: Region
    question: Question | None = None
    children: list[Draft] = field(default_factory=list)

    @property
    def counts(self) -> Floats:
        """[level], as the region measures them."""
        return self.region.counts


def finish(task: TreeTask, draft: Draft, score_names: tuple[str, ...], origin: Origin) -> Tree:
    """The tree a draft stands for."""
    built: dict[int, Node] = {}
    for each in reversed(preorder(draft)):
        built[id(each)] = _node(task, each, score_names, built)
    return tree_of(
        task.schema, built[id(draft)], score_names=score_names, decision=task.decision, origin=origin
    )


def preorder(draft: Draft) -> list[Draft]:
    """Every node, parents first; a stack, so that no tree is too deep."""
    drafts, waiting = [], [draft]
    while waiting:
        each = waiting.pop()
        drafts.append(each)
        waiting.extend(reversed(each.children))
    return drafts


def _node(task: TreeTask, draft: Draft, score_names: tuple[str, ...], built: dict[int, Node]) -> Node:
    counts = draft.region.task.summary(draft.counts)
    question = draft.question
    if question is None:
        return Leaf(counts)
    attribute = task.schema.attributes[question.attribute]
    return Split(
        counts=counts,
        score=dict(zip(score_names, question.scores, strict=True)),
        branches=tuple(
            Branch(condition(attribute, branch), share, built[id(child)])
            for branch, share, child in zip(question.branches, question.shares, draft.children, strict=True)
        ),
        surrogates=surrogates_of(task, question),
        otherwise=None if question.otherwise < 0 else question.otherwise,
    )


def surrogates_of(task: TreeTask, question: Question) -> tuple[Surrogate, ...]:
    """A question's surrogates as the tree keeps them."""
    return tuple(
        Surrogate(
            condition(task.schema.attributes[s.attribute], s.when),
            s.then,
            condition(task.schema.attributes[s.attribute], s.other),
            min(s.agreement, 1.0),
        )
        for s in question.surrogates
    )
