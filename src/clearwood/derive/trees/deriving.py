"""The derivation of a tree: its growing, then each of its prunings; or the steps of one place."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from functools import partial
from typing import Any

from clearwood.catalogue import learner_of
from clearwood.derive.rounds import ended_as, placed_steps
from clearwood.derive.same_table import counted_rows
from clearwood.derive.trees.finding import find_node
from clearwood.derive.trees.growing import growing_steps, is_same_outcome, outcome_at
from clearwood.derive.trees.growth import grown_again, grown_as_far
from clearwood.derive.trees.pruning import check_came_of, rounds_of
from clearwood.models.conditions import all_of
from clearwood.models.paths import path_to
from clearwood.models.tree import Tree
from clearwood.table.table import Table
from clearwood.working.derivation import Derivation, Step
from clearwood.working.figures import chained, each_by


def derive_tree(
    tree: Tree,
    table: Table | None,
    at: Any,
    nodes: Collection[int] | None = None,
    others: Sequence[Table] = (),
    whole: int = 0,
) -> Derivation:
    """Every step of a tree's making; with `at` those of one node, with `nodes` those of several.

    `others` are tables by whose rows the tree may have been pruned. With `nodes`, a pruning after learning
    is shown in full if it has at most `whole` steps, whatever became of its splits.
    """
    node = None if at is None else find_node(tree, at)
    learner = learner_of(tree.origin)
    rows = counted_rows(tree, table)
    assert tree.schema.target is not None
    title = f"{tree.origin.learner} on {tree.schema.target.name}"
    if node is not None and not tree.origin.after and (near := grown_as_far(learner, rows, tree, node)):
        near.check_size(node)
        step = growing_steps(near, range(tree.size))[node]
        if is_same_outcome(step.outcome, outcome_at(near, node)):
            return Derivation(f"{title}: {all_of(path_to(tree, node)) or 'the root'}", [step])
    growth = grown_again(learner, rows)
    rounds = rounds_of(growth, tree.origin.after, tree.decision, rows, others)
    check_came_of(growth, rounds, tree)
    ended = ended_as(growth.tree, rounds).tolist()
    growth.check_size(0 if node is None else ended.index(node))
    growing, pruning = growing_steps(growth, ended), placed_steps(growth.tree.size, rounds)
    if node is not None:
        here = [each.make() for steps in pruning for each in steps if each.node == node]
        here = [growing[ended.index(node)], *here]
        return Derivation(f"{title}: {all_of(path_to(tree, node)) or 'the root'}", here)
    if nodes is None:
        return Derivation(
            title, chained(growing, each_by([each.make for steps in pruning for each in steps]))
        )
    shown = set(nodes)
    makers: list[Callable[[], Step]] = [
        partial(growing.__getitem__, place) for place, end in enumerate(ended) if end in shown
    ]
    own = len(learner.prunings())
    for place, steps in enumerate(pruning):
        all_of_it = place >= own and len(steps) <= whole
        makers += [each.make for each in steps if all_of_it or each.node is None or each.node in shown]
    return Derivation(title, each_by(makers))
