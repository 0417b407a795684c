"""The loop all four tree learners share: count, ask, send the rows down, and again."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields
from functools import partial
from typing import Any, Final, TypeAlias

from clearwood.counting.question import Question
from clearwood.counting.routing import send
from clearwood.counting.task import Region, Task, make_task
from clearwood.learners.decision import decision_of, scoring_factors
from clearwood.learners.learner import TreeLearner
from clearwood.learners.trees import c45_definition as c45
from clearwood.learners.trees import cart_definition as cart
from clearwood.learners.trees import chaid_definition as chaid
from clearwood.learners.trees import id3_definition as id3
from clearwood.learners.trees.c45 import C45
from clearwood.learners.trees.cart import CART
from clearwood.learners.trees.chaid import CHAID
from clearwood.learners.trees.drafts import Draft, finish
from clearwood.learners.trees.growing import steering_of
from clearwood.learners.trees.id3 import ID3
from clearwood.learners.usable_rows import check_target
from clearwood.measures import ERRORS, IMPURITIES
from clearwood.measures.counts import Floats
from clearwood.models.decision import Decision
from clearwood.models.origin import Origin
from clearwood.models.tree import Tree
from clearwood.table.attributes import Numeric
from clearwood.table.table import Table

Ask: TypeAlias = Callable[[Region, Floats], Question | None]


def grow_by_counts(learner: TreeLearner, table: Table) -> Tree:
    """The tree a learner's definition gives for a table; CART's `alpha` is for the pruning that comes after.

    >>> from clearwood.table.attributes import Nominal
    >>> from clearwood.table.schema import Schema
    >>> import numpy as np
    >>> schema = Schema((Nominal("Wind", ("Weak", "Strong")),), Nominal("Play", ("No", "Yes")))
    >>> columns = {"Wind": np.array([0, 0, 1], np.int32), "Play": np.array([1, 1, 0], np.int32)}
    >>> grow_by_counts(ID3(), Table(schema, columns)).leaves
    2
    """
    task = task_of(learner, table)
    draft = grow_draft(task, ASKERS[type(learner)](learner, task), learner.max_depth)
    if type(learner) in PRUNERS:
        PRUNERS[type(learner)](learner, task, draft)
    settings = {each.name: getattr(learner, each.name) for each in fields(learner)}  # type: ignore[arg-type]
    origin = Origin(type(learner).__name__, settings, rows=len(table))
    return finish(task, draft, learner.score_names, origin)


def task_of(learner: TreeLearner, table: Table) -> Task:
    """The table as this learner measures it."""
    check_target(learner, table)
    measure = learner.measure_for(table)

    def decide(weights: Floats) -> tuple[Decision, Floats]:
        decision = decision_of(table.schema, weights, learner.priors, learner.costs)
        return decision, scoring_factors(steering_of(learner, decision), weights)

    if isinstance(table.schema.target, Numeric):
        by_sums = isinstance(learner, CART) and measure == "squared"
        return make_task(table, decide, IMPURITIES["gini"], ERRORS[measure], by_sums=by_sums)
    return make_task(table, decide, IMPURITIES[measure])


def grow_draft(task: Task, ask: Ask, max_depth: int | None) -> Draft:
    """The tree before any pruning, every node with its rows."""
    root = Draft(task.everything(), task.counts(task.everything()))
    waiting = [root]
    while waiting:
        node = waiting.pop()
        deep = max_depth is not None and node.region.depth >= max_depth
        if deep or task.is_pure(node.region, node.counts):
            continue
        question = ask(node.region, node.counts)
        if question is not None:
            node.question = question
            node.children = [
                Draft(region, task.counts(region)) for region in send(task, question, node.region)
            ]
            waiting.extend(node.children)
    return root


# How each learner asks, and what it does when the tree is grown.
ASKERS: Final[Mapping[type[Any], Callable[[Any, Task], Ask]]] = {
    ID3: lambda learner, task: partial(id3.ask, learner, task),
    C45: lambda learner, task: partial(c45.ask, learner, task),
    CART: lambda learner, task: partial(cart.ask, learner, task),
    CHAID: chaid.asker,
}
PRUNERS: Final[Mapping[type[Any], Callable[[Any, Task, Draft], None]]] = {C45: c45.prune}
