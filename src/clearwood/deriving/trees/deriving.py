"""The derivation of a tree: its growing, then each of its prunings; or the steps of one place."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from functools import partial
from typing import Any

from clearwood.catalogue import learner_of
from clearwood.deriving.deriving import counted_rows
from clearwood.deriving.pruning import ended_as, placed_steps
from clearwood.deriving.trees.growing import growing_steps, is_same_outcome, outcome_at
from clearwood.deriving.trees.growth import grown_again, grown_as_far
from clearwood.deriving.trees.pruning import check_came_of, rounds_of
from clearwood.errors import SettingError
from clearwood.formulas.conditions import Condition, IsMissing, all_of, bounds_of, values_of
from clearwood.models.kinds.rules.rule_conditions import condition_at
from clearwood.models.kinds.rules.rule_cursor import Cursor, RuleSource, tokens_of
from clearwood.models.kinds.tree.paths import merged_conditions, path_to
from clearwood.models.kinds.tree.tree import Tree
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


# Finding a place in a tree: by its number, by the branches on the way, or by conditions in words.


def find_node(tree: Tree, at: Any) -> int:
    """The node meant by a number, branches (from 0), or conditions such as `Outlook=Sunny,Humidity<=75`."""
    match at:
        case bool():
            pass
        case int():
            if 0 <= at < len(tree.nodes):
                return at
            raise SettingError(f"No node {at}: this tree has the nodes 0 to {len(tree.nodes) - 1}.")
        case str():
            return _by_conditions(tree, _read(tree, at))
        case tuple() | list():
            if all(isinstance(each, int) for each in at):
                return _by_branches(tree, at)
            if all(isinstance(each, Condition) for each in at):
                return _by_conditions(tree, at)
        case _ if isinstance(at, Condition):
            return _by_conditions(tree, [at])
    raise SettingError(
        "at is a node's number, a tuple of branches, or conditions in words, as in 'Outlook = Sunny': "
        f"not {at!r}."
    )


def _by_branches(tree: Tree, branches: Sequence[int]) -> int:
    node = 0
    for place, branch in enumerate(branches):
        below = tree.nodes.children(node)
        if not 0 <= branch < len(below):
            raise SettingError(f"No branch {branch} at step {place + 1}. {_ends(tree, node)}")
        node = below[branch]
    return node


def _by_conditions(tree: Tree, conditions: Sequence[Condition]) -> int:
    """Down every branch that follows from the conditions; each of them must be tested on the way."""
    by_name = {each.name: each for each in merged_conditions(list(conditions))}
    node = 0
    while True:
        below = tree.nodes.children(node)
        following = [child for child in below if _follows(tree.condition(child), by_name)]
        if not following:
            break
        node = following[0]
    way = {each.name: each for each in path_to(tree, node)}
    for name, condition in by_name.items():
        if name not in way or _cells(way[name]) != _cells(condition):
            raise SettingError(f"The tree has no place for '{condition}'. {_ends(tree, node)}")
    return node


def _follows(branch: Condition, conditions: dict[str, Condition]) -> bool:
    """Does every known cell that satisfies the conditions satisfy the branch too?"""
    condition = conditions.get(branch.name)
    if condition is None or isinstance(branch, IsMissing) or isinstance(condition, IsMissing):
        return branch == condition
    return _cells(merged_conditions([condition, branch])[0]) == _cells(condition)


def _cells(condition: Condition) -> object:
    """The known cells that satisfy it; a condition that only empty cells satisfy stands for itself."""
    return condition if isinstance(condition, IsMissing) else (values_of(condition), bounds_of(condition))


def _ends(tree: Tree, node: int) -> str:
    """Where a way ends, and how it could go on."""
    where = all_of(path_to(tree, node))
    below = tree.nodes.children(node)
    if not below:
        return f"The way ends at the leaf {where}." if where else "The tree is one leaf."
    branches = ", ".join(str(tree.condition(child)) for child in below)
    return (
        f"The way ends at {where}, whose branches are: {branches}."
        if where
        else f"The first branches are: {branches}."
    )


def _read(tree: Tree, text: str) -> list[Condition]:
    """Conditions joined by AND, & or commas."""
    source = RuleSource(text, "")
    cursor = Cursor(source, list(tokens_of(source)), tree.schema)
    if cursor.skip_lines().kind == "end":
        return []
    conditions = [condition_at(cursor)]
    while cursor.joins() or cursor.take_mark(","):
        conditions.append(condition_at(cursor))
    if cursor.skip_lines().kind != "end":
        raise cursor.refusal(f"Conditions are joined by AND or a comma, not by {cursor.here}.")
    return conditions
