"""Pruning, step by step: every split that was looked at again once the tree was grown."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

import numpy as np

from clearwood.derive.trees.collapsing import collapse_steps
from clearwood.derive.trees.cost_complexity import link_steps, pricing
from clearwood.derive.trees.error_based import error_based_steps, moves_of
from clearwood.derive.trees.pessimistic_errors import Charge
from clearwood.derive.trees.price_of_a_leaf import price_of, price_step
from clearwood.errors import LearningError
from clearwood.learners.learner import TreeLearner
from clearwood.learners.trees.c45 import C45
from clearwood.learners.trees.cart import CART
from clearwood.learners.trees.pruning.collapse import collapse, idle_splits
from clearwood.learners.trees.pruning.cross_validated_alpha import CrossValidatedAlpha
from clearwood.learners.trees.pruning.judgements import judge_with_raising, judge_without_raising
from clearwood.learners.trees.pruning.places import Places, kept_by, numbered
from clearwood.models.cutting import below
from clearwood.models.nodes import Bools
from clearwood.models.tree import Tree
from clearwood.table.table import Table
from clearwood.working.derivation import Step
from clearwood.working.on_demand import OnDemand


def pruning_steps(
    learner: TreeLearner,
    grown: Tree,
    table: Table,
    final: Tree,
    only: Bools | None = None,
    tried: CrossValidatedAlpha | None = None,
) -> Sequence[Step]:
    """What the learner did to its grown tree until it was the final one; nothing for one that never prunes.

    The numbers are all there at once, each step is put in words when it is asked for. The outcomes name
    splits by their number in the grown tree: done to it in order, they give the final one. `Only` the
    steps of these nodes [node] of the final tree are told, where given. `tried` are the prices of a leaf
    that were cross-validated, if that is done already.
    """
    match learner:
        case C45():
            return OnDemand(_by_c45(learner, grown, table, final, only))
        case CART() if learner.alpha is not None:
            priced = pricing(grown, price_of(learner, grown, final))
            check_fits(final, int(priced.places.after.max()) + 1)
            return OnDemand([partial(price_step, learner, grown, table, tried), *link_steps(priced, only)])
        case _:
            return ()


def _by_c45(
    learner: C45, grown: Tree, table: Table, final: Tree, only: Bools | None
) -> list[Callable[[], Step]]:
    """Collapse, then error-based pruning."""
    idle = idle_splits(grown) if learner.collapse else np.zeros(grown.size, dtype=np.bool_)
    kept = np.flatnonzero(~below(grown.nodes, idle))
    collapsed = collapse(grown) if learner.collapse else grown
    after = np.arange(collapsed.size)
    makers: list[Callable[[], Step]] = []
    if learner.prune:
        how = learner.confidence, learner.confidence_table
        judged = (
            judge_with_raising(collapsed, table, *how)
            if learner.raise_subtrees
            else judge_without_raising(collapsed, *how)
        )
        after = numbered(kept_by(collapsed.nodes, judged.node, judged.became))
        places = Places(collapsed, kept, after, moves_of(judged))
        makers = error_based_steps(places, judged, Charge(*how), only)
    check_fits(final, int(after.max()) + 1)
    if not learner.collapse:
        return makers
    ended = np.full(grown.size, -1)
    ended[kept] = after
    return [*collapse_steps(Places(grown, np.arange(grown.size), ended), idle, only), *makers]


def check_fits(final: Tree, size: int) -> None:
    """Refuse a tree that cannot have come of these decisions."""
    if final.size != size:
        raise LearningError(
            f"The table and the settings give a tree of {size:,} nodes, and this one has {final.size:,}: it "
            "was learned from other rows, or changed since. Derive the tree the learner gives for this table."
        )
