"""From a table and a learner to a tree: the steps all tree learners share."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any

import numpy as np

from clearwood import __version__
from clearwood.errors import LearningError
from clearwood.learners.decision import decision_of, scoring_factors
from clearwood.learners.learner import TreeLearner
from clearwood.learners.usable_rows import usable_rows
from clearwood.models.nodes import Floats
from clearwood.models.origin import Origin, Plain
from clearwood.models.tree import Decision, Tree
from clearwood.table.attributes import Numeric
from clearwood.table.table import Table


def grow(learner: TreeLearner, table: Table) -> Tree:
    """The learner's tree for a table, grown but not pruned."""
    if not isinstance(table, Table):
        raise LearningError(
            f"{type(learner).__name__} learns from a Table, not {type(table).__name__}. "
            "Make one: clearwood.read_table(…, target='…')."
        )
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


def origin_of(learner: Any, table: Table) -> Origin:
    """Who learned from what: the settings as plain values, and a fingerprint of the data."""
    from clearwood.learners.fingerprint import fingerprint

    settings = {each.name: _plain(getattr(learner, each.name)) for each in fields(learner)}
    return Origin(type(learner).__name__, settings, __version__, fingerprint(table), len(table))


def _class_weights(table: Table) -> Floats:
    if isinstance(table.schema.target, Numeric):
        return np.empty(0)
    classes = len(table.schema.classes)
    return np.bincount(table.target, weights=table.weights, minlength=classes).astype(np.float64)


def _plain(value: Any) -> Plain:
    """Settings as JSON has them; costs, whose keys are pairs, become a table of tables."""
    if isinstance(value, Mapping):
        if any(isinstance(key, tuple) for key in value):
            nested: dict[str, dict[str, Plain]] = {}
            for (true, called), cost in value.items():
                nested.setdefault(str(true), {})[str(called)] = _plain(cost)
            return nested
        return {str(key): _plain(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return tuple(_plain(each) for each in value)
    return value if value is None or isinstance(value, str | bool | int | float) else str(value)
