"""From a node's counts to its answer: class shares, the class of least cost, or a number."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import Literal, TypeAlias

import numpy as np

from clearwood.arrays import Floats, Ints
from clearwood.errors import SettingError
from clearwood.measures.p_values import normal_quantile
from clearwood.models.decision import Decision
from clearwood.models.kinds.rules.rule_list import RuleList
from clearwood.models.kinds.tree.tree import Tree
from clearwood.models.origin import Origin
from clearwood.predict.deciding import adjusted, cheapest, decided

ShareSmoothing: TypeAlias = Literal["laplace"] | float | None


def node_shares(tree: Tree, smoothing: ShareSmoothing = None) -> Floats:
    """[node, class] every node's class shares: counts × the decision's factors, smoothed, over their sum.

    `"laplace"` adds 1 to each class, a number m adds m × the root's shares (the m-estimate; both
    after the factors). A node without weight answers as the nearest node above it that has some.
    """
    check_smoothing(smoothing, tree.origin)
    counts = weighted_counts(tree)
    if smoothing == "laplace":
        counts = counts + 1.0
    elif smoothing is not None:
        counts = counts + smoothing * divided(counts[:1])
    return divided(counts)


def check_smoothing(smoothing: object, origin: Origin | None = None) -> None:
    """Refuse what is neither None, "laplace" nor a number m ≥ 0, and any of a model with directions."""
    number = math.nan if isinstance(smoothing, bool) or not isinstance(smoothing, int | float) else smoothing
    if smoothing is not None and smoothing != "laplace" and not 0 <= number < math.inf:
        raise SettingError(f"smoothing must be None, 'laplace' or a number m ≥ 0, not {smoothing!r}.")
    if smoothing and origin is not None and origin.directed:
        raise SettingError(
            "The model keeps to directions (monotone), and smoothed probabilities might not: leaves of few "
            "rows are moved farther than others. Leave smoothing out."
        )


def node_codes(tree: Tree, shares: Floats | None = None) -> Ints:
    """[node] the class that every node stands for; ties go to the first class.

    `shares` are those before any adjustment. A node whose rows would be referred still stands for its class.
    """
    shares = node_shares(tree) if shares is None else shares
    if tree.decision.is_plain:
        return cheapest(shares, cost_matrix(tree.decision))
    decision = replace(tree.decision, refer=None)
    return decided(adjusted(shares, decision), decision, tree.schema.classes)


def shown_shares(tree: Tree) -> Floats:
    """[node, class] every node's shares as its rows get them: adjusted by the decision."""
    return adjusted(node_shares(tree), tree.decision)


def cheapest_of_one(shares: Mapping[str, float], decision: Decision) -> str:
    """The same for one row, its shares by class.

    >>> costs = ((0.0, 1.0), (3.0, 0.0))
    >>> cheapest_of_one({"No": 0.6, "Yes": 0.4}, Decision((), costs))
    'Yes'
    """
    if not decision.costs:
        return max(shares, key=shares.__getitem__)
    paid = {
        called: sum(share * decision.costs[truth][j] for truth, share in enumerate(shares.values()))
        for j, called in enumerate(shares)
    }
    return min(paid, key=paid.__getitem__)


def node_values(tree: Tree) -> Floats:
    """[node] the number every node of a numeric tree answers."""
    return weighted_counts(tree)[:, 1]


def cost_matrix(decision: Decision) -> Floats | None:
    """[true class, called class] the decision's costs; None: every mistake costs the same."""
    return np.array(decision.costs, dtype=np.float64) if decision.costs else None


def weighted_counts(tree: Tree, *, factors: bool = True) -> Floats:
    """[node, class] counts × the decision's factors; an empty node's are of the nearest above with weight."""
    counts = tree.nodes.counts
    empty = np.flatnonzero((tree.weights <= 0) & (tree.nodes.parent >= 0))
    if empty.size:
        counts = counts.copy()
        for node in empty.tolist():
            counts[node] = counts[tree.nodes.parent[node]]
    return counts * np.array(tree.decision.factors) if factors and tree.decision.factors else counts


def divided(counts: Floats) -> Floats:
    """Shares of a row's sum; equal ones where there is nothing to divide."""
    total = counts.sum(axis=1, keepdims=True)
    shares: Floats = np.divide(
        counts, total, out=np.full_like(counts, 1.0 / max(1, counts.shape[1])), where=total > 0
    )
    return shares


def holds_medians(model: Tree | RuleList) -> bool:
    """Whether the numbers are medians and the errors absolute, not means and squares."""
    return model.answers == "median"


def reach_of(spread: Floats, weight: Floats, confidence: float) -> Floats:
    """How far a mean's interval reaches to each side, given the variance and weight of its rows."""
    reach: Floats = normal_quantile(0.5 + confidence / 2) * np.sqrt(spread / weight)
    return reach
