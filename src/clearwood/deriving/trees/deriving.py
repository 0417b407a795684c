"""The derivation of a tree: its growing, then each of its prunings; or the steps of one place."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import fields, replace
from functools import partial
from typing import Any, Final, assert_never

import numpy as np

from clearwood.catalogue import PRUNERS, learner_of, pruner_called
from clearwood.deriving.deriving import counted_rows
from clearwood.deriving.pruning import PruningChapter, ended_as, placed_steps, steps_of_pruner
from clearwood.deriving.trees.growing import growing_steps, is_same_outcome, outcome_at
from clearwood.deriving.trees.growth import Growth, grown_again, grown_as_far
from clearwood.deriving.trees.leaves import leaf_figures
from clearwood.errors import LearningError, SettingError
from clearwood.formulas.conditions import Condition, IsMissing, all_of, bounds_of, values_of
from clearwood.learners.learner import OwnPruning, TreeLearner
from clearwood.learners.training import fingerprint
from clearwood.learners.trees.pruning.own import own_pruner
from clearwood.learners.trees.pruning.pruner import CHAPTER as OWN
from clearwood.learners.trees.pruning.pruner import PruningSteps, StepAt, TreeUnderPruning, cutting
from clearwood.models import lineage
from clearwood.models.decision import Decision
from clearwood.models.in_words import in_words
from clearwood.models.kinds.rules.rule_conditions import condition_at
from clearwood.models.kinds.rules.rule_cursor import Cursor, RuleSource, tokens_of
from clearwood.models.kinds.tree.nodes import Nodes
from clearwood.models.kinds.tree.tree import Tree, merged_conditions, path_to
from clearwood.models.lineage import Pruned
from clearwood.registry import imported, settings_of
from clearwood.table.table import Table
from clearwood.working.derivation import BecameLeaf, Derivation, Step
from clearwood.working.figures import Rows, chained, each_by


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
    title = f"{tree.origin.learner} on {tree.schema.predicted.name}"
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


# All prunings of a tree, each judged once: its learner's own, then those in its lineage.


def rounds_of(
    growth: Growth,
    after: Sequence[lineage.Done],
    decision: Decision,
    rows: Table,
    others: Sequence[Table] = (),
) -> list[PruningChapter]:
    """Every pruning of a grown tree: the learner's own, then those done `after`, in the order they were done.

    `decision` is that of the tree in the end; `others` are tables whose rows may have decided a pruning.
    """
    learner, now = growth.learner, growth.tree
    rounds: list[PruningChapter] = []
    for own in learner.prunings():
        rounds.append(PruningChapter(OWN, own_steps(own, learner, now, rows)))
        now = rounds[-1].pruning.tree
    for done in after:
        match done:
            case lineage.Pruned():
                rounds.append(
                    PruningChapter(f"{CHAPTER}: {done.pruner}", _steps_since(done, now, rows, others))
                )
                now = rounds[-1].pruning.tree
            case lineage.Calibrated() | lineage.Decided():
                now = replace(now, decision=decision)
            case lineage.Distilled():
                # Whose answers the rows have changes nothing; how the tree was cut back then does.
                if done.alpha is not None:
                    how = {"alpha": done.alpha, "risk": done.risk}
                    steps = steps_of_pruner("cost-complexity", now, rows, how)
                    rounds.append(PruningChapter(f"{CHAPTER}: cost-complexity", steps))
                    now = steps.tree
            case (
                lineage.EndedEarly()
                | lineage.Selected()
                | lineage.Balanced()
                | lineage.Tuned()
                | lineage.Chosen()
            ):
                pass  # says how learning began or ended, and changes nothing
            case (
                lineage.Edited()
                | lineage.Imported()
                | lineage.CurveEdited()
                | lineage.Joined()
                | lineage.LearnedMore()
                | lineage.ReadAsRules()
                | lineage.Simplified()
                | lineage.AsWeights()
            ):
                raise LearningError(
                    f"This tree was changed after {type(learner).__name__} had learned it: {in_words(done)}. "
                    "Derive the tree as it was before."
                )
            case _:
                assert_never(done)
    return rounds


def check_came_of(growth: Growth, rounds: Sequence[PruningChapter], tree: Tree) -> None:
    """Refuse a tree that is not what growing and pruning gave."""
    last = rounds[-1].pruning.tree if rounds else growth.tree
    if not _same(last.nodes, tree.nodes):
        by_folds = (
            " If it was fitted with groups or by time, its folds kept to them, which this table does not "
            "tell: the report of that run derives it."
        )
        raise LearningError(
            f"{tree.origin.title} makes another tree of this table: this one was changed otherwise, and its "
            "lineage does not say how. Learn it again."
            f"{by_folds if tree.origin.settings.get('alpha') == 'cv' else ''}"
        )


def own_steps(own: OwnPruning, learner: TreeLearner, tree: Tree, rows: Table) -> PruningSteps:
    """The steps of what a learner itself does to the tree it grew."""
    if home := own_pruner(own.pruner).steps:
        steps: PruningSteps = imported(home)(tree, rows, learner.grow, own.settings)
        return steps
    usual = settings_of(PRUNERS[pruner_called(own.pruner)].prune).values()
    settings = {each.name: each.default for each in usual} | dict(own.settings)
    return steps_of_pruner(own.pruner, tree, rows, settings)


def _steps_since(done: lineage.Pruned, tree: Tree, rows: Table, others: Sequence[Table]) -> PruningSteps:
    if done.rows != "fresh":
        return steps_of_pruner(done.pruner, tree, rows, done.settings)
    decided = next((each for each in others if fingerprint(each) == done.fingerprint), None)
    if decided is not None:
        return steps_of_pruner(done.pruner, tree, decided, done.settings)
    if not done.cuts and done.nodes_before != done.nodes_after:
        raise LearningError(
            f"This tree was pruned by {done.pruner} with other rows than those it was learned from, and "
            "branches were raised by them. Derive the tree as it was before, and then its pruning: "
            "cw.derive_pruning."
        )
    return steps_without_rows(tree, done)


def _same(one: Nodes, other: Nodes) -> bool:
    return len(one) == len(other) and all(
        _alike(getattr(one, each.name), getattr(other, each.name)) for each in fields(Nodes)
    )


def _alike(one: np.ndarray, other: np.ndarray) -> bool:
    if one.shape != other.shape:
        return False
    if one.dtype.kind == "f":
        return bool(np.allclose(one, other, rtol=1e-6, equal_nan=True))
    return bool(np.array_equal(one, other))


# Pruned by rows that are not at hand: a step for each split that became a leaf, as the lineage has them.


CHAPTER: Final = "Pruned afterwards"
_NUMBERS: Final = "The numbers are in the pruner's ledger: cw.derive_pruning, clearwood prune … --work."


def steps_without_rows(tree: Tree, done: Pruned) -> PruningSteps:
    """The cuts of a pruning whose rows are not at hand, without the numbers that decided."""
    cut = np.zeros(tree.size, dtype=np.bool_)
    cut[list(done.cuts)] = True
    places = TreeUnderPruning(tree)
    return cutting(tree, cut, [StepAt(node, partial(_step, places, node)) for node in done.cuts])


def _step(places: TreeUnderPruning, node: int) -> Step:
    tree, where = places.tree, places.conditions(node)
    counts = tuple(tree.nodes.counts[node].tolist())
    rows = Rows(counts[0] if tree.is_numeric else sum(counts), where)
    title = places.split(node)
    return Step(
        CHAPTER,
        title[0].upper() + title[1:],
        leaf_figures(tree, counts, rows),
        f"Rows that the tree was not learned from made it a leaf, and they are not here. {_NUMBERS}",
        BecameLeaf(node),
        rows,
    )
