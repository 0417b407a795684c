"""The loop all four tree learners share: count, ask, send the rows down, and again."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from functools import partial
from typing import TypeAlias

from clearwood.errors import LearningError
from clearwood.learners.by_counts import c45, cart, chaid, id3
from clearwood.learners.by_counts.collapse import collapse
from clearwood.learners.by_counts.drafts import Draft, finish
from clearwood.learners.by_counts.error_pruning import prune_by_error
from clearwood.learners.by_counts.question import Question
from clearwood.learners.by_counts.routing import send
from clearwood.learners.by_counts.task import Region, Task, make_task
from clearwood.learners.c45 import C45
from clearwood.learners.cart import CART
from clearwood.learners.chaid import CHAID
from clearwood.learners.decision import decision_of, scoring_factors
from clearwood.learners.id3 import ID3
from clearwood.measures import ERRORS, IMPURITIES
from clearwood.measures.counts import Floats
from clearwood.models.origin import Origin
from clearwood.models.tree import Decision, Tree
from clearwood.table.attributes import Numeric
from clearwood.table.table import Table

TreeLearner: TypeAlias = ID3 | C45 | CART | CHAID
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
    ask, score_names = _asker(learner, task)
    draft = _grow(task, ask, learner.max_depth)
    if isinstance(learner, C45):
        if learner.collapse:
            collapse(draft)
        if learner.prune:
            prune_by_error(
                task,
                draft,
                confidence=learner.confidence,
                table=learner.confidence_table,
                raise_subtrees=learner.raise_subtrees,
            )
    settings = {each.name: getattr(learner, each.name) for each in fields(learner)}
    return finish(task, draft, score_names, Origin(type(learner).__name__, settings, rows=len(table)))


def task_of(learner: TreeLearner, table: Table) -> Task:
    """The table as this learner measures it."""
    is_number = isinstance(table.schema.target, Numeric)
    if is_number and isinstance(learner, ID3 | C45):
        raise LearningError(
            f"{type(learner).__name__} learns classes, and '{table.schema.target.name}' is a number. "  # type: ignore[union-attr]
            "Use CART or CHAID, or declare the target nominal."
        )
    measure = getattr(learner, "measure", "auto")
    if measure == "auto":
        measure = "squared" if is_number else "gini" if isinstance(learner, CART) else "entropy"
    if measure in (IMPURITIES if is_number else ERRORS):
        wanted, known = ("a number", ERRORS) if is_number else ("classes", IMPURITIES)
        raise LearningError(
            f"The measure '{measure}' does not fit a target of {wanted}. Use: {', '.join(known)}."
        )

    def decide(weights: Floats) -> tuple[Decision, Floats]:
        decision = decision_of(table.schema, weights, learner.priors, learner.costs)
        # Priors weigh the rows for every learner; costs choose the splits of CART alone.
        altered = decision if isinstance(learner, CART) else Decision(decision.factors)
        return decision, scoring_factors(altered, weights)

    if is_number:
        return make_task(table, decide, IMPURITIES["gini"], ERRORS[measure])
    return make_task(table, decide, IMPURITIES[measure])


def _grow(task: Task, ask: Ask, max_depth: int | None) -> Draft:
    root = Draft(task.everything(), task.counts(task.everything()))
    waiting = [root]
    while waiting:
        node = waiting.pop()
        deep = max_depth is not None and node.region.depth >= max_depth
        if deep or task.is_pure(node.counts):
            continue
        question = ask(node.region, node.counts)
        if question is not None:
            node.question = question
            node.children = [
                Draft(region, task.counts(region)) for region in send(task, question, node.region)
            ]
            waiting.extend(node.children)
    return root


def _asker(learner: TreeLearner, task: Task) -> tuple[Ask, tuple[str, ...]]:
    """How this learner asks, and the names of the scores its questions carry."""
    match learner:
        case ID3():
            return partial(id3.ask, learner, task), ("gain",)
        case C45():
            return partial(c45.ask, learner, task), ("gain", "gain_ratio")
        case CART():
            return partial(cart.ask, learner, task), ("decrease",)
        case CHAID():
            return chaid.asker(learner, task), ("statistic", "p", "adjusted_p")
