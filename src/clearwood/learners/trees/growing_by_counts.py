"""The loop all four tree learners share: count, ask, send the rows down, and again."""

from __future__ import annotations

import warnings
from typing import Final

from clearwood.arrays import Floats
from clearwood.counting.routing import send
from clearwood.counting.task import Task, make_task
from clearwood.errors import ClearwoodWarning
from clearwood.learners.decision import decision_of, scoring_factors
from clearwood.learners.directions import monotone_limits
from clearwood.learners.learner import SplitChooser, TreeLearner
from clearwood.learners.trees.growing import Draft, finish, steering_of
from clearwood.learners.usable_rows import check_target
from clearwood.measures import ERRORS, IMPURITIES
from clearwood.models.decision import Decision
from clearwood.models.kinds.tree.nodes import Nodes
from clearwood.models.origin import Origin
from clearwood.table.attributes import Numeric
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
        warnings.warn(
            f"The native code does not know the measure '{learner.measure_for(rows)}': this tree is grown by "
            "its definition in Python, which takes about a hundred times as long.",
            ClearwoodWarning,
            stacklevel=2,
        )
    task = task_of(learner, rows)
    draft = grow_draft(task, learner.split_chooser(task), learner.max_depth)
    return finish(task, draft, learner.score_names, Origin(type(learner).__name__)).nodes


def task_of(learner: TreeLearner, table: Table) -> Task:
    """The table as this learner measures it."""
    check_target(learner, table)
    measure = learner.measure_for(table)

    def decide(weights: Floats) -> tuple[Decision, Floats]:
        decision = decision_of(table.schema, weights, learner.priors, learner.costs)
        return decision, scoring_factors(steering_of(learner, decision), weights)

    limits = monotone_limits(learner, table)
    if isinstance(table.schema.target, Numeric):
        by_sums = learner.sums_numbers and measure == "squared"
        return make_task(table, decide, IMPURITIES["gini"], ERRORS[measure], by_sums=by_sums, limits=limits)
    return make_task(table, decide, IMPURITIES[measure], limits=limits)


def grow_draft(task: Task, choose_split: SplitChooser, max_depth: int | None) -> Draft:
    """The tree before any pruning, every node with its rows."""
    root = Draft(task.everything(), task.counts(task.everything()))
    waiting = [root]
    while waiting:
        node = waiting.pop()
        deep = max_depth is not None and node.region.depth >= max_depth
        if deep or task.is_pure(node.region, node.counts):
            continue
        question = choose_split(node.region, node.counts)
        if question is not None:
            node.question = question
            node.children = [
                Draft(region, task.counts(region)) for region in send(task, question, node.region)
            ]
            waiting.extend(node.children)
    return root
