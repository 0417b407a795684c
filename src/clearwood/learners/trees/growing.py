"""From a table and a learner to a tree: the steps all tree learners share."""

from __future__ import annotations

import numpy as np

from clearwood.learners.decision import decision_of, scoring_factors
from clearwood.learners.learner import TreeLearner
from clearwood.learners.origin_of import origin_of
from clearwood.learners.usable_rows import usable_rows
from clearwood.models.decision import Decision
from clearwood.models.nodes import Floats
from clearwood.models.tree import Tree
from clearwood.table.attributes import Numeric
from clearwood.table.table import Table


def grow(learner: TreeLearner, table: Table) -> Tree:
    """The learner's tree for a table, grown but not pruned."""
    rows = usable_rows(learner, table)
    weights = _class_weights(rows)
    decision = decision_of(rows.schema, weights, learner.priors, learner.costs)
    steering = steering_of(learner, decision)
    factors = scoring_factors(steering, weights) if steering != Decision() else np.empty(0)
    nodes = learner.grow_nodes(rows, factors)
    return Tree(rows.schema, nodes, learner.score_names, decision, origin_of(learner, table))


def steering_of(learner: TreeLearner, decision: Decision) -> Decision:
    """The part of a decision that weighs rows while this learner's splits are scored."""
    return Decision(
        decision.factors if "priors" in learner.steered_by else (),
        decision.costs if "costs" in learner.steered_by else (),
    )


def _class_weights(table: Table) -> Floats:
    if isinstance(table.schema.target, Numeric):
        return np.empty(0)
    classes = len(table.schema.classes)
    return np.bincount(table.target, weights=table.weights, minlength=classes).astype(np.float64)
