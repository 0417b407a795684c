"""All prunings of a tree, each judged once: its learner's own, then those in its lineage."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields, replace
from functools import partial
from typing import Final, assert_never

import numpy as np

from clearwood.catalogue import PRUNERS, pruner_called
from clearwood.deriving.pruning import PruningChapter, steps_of_pruner
from clearwood.deriving.trees.growth import Growth
from clearwood.deriving.trees.leaves import leaf_figures
from clearwood.errors import LearningError
from clearwood.learners.learner import OwnPruning, TreeLearner
from clearwood.learners.training import fingerprint
from clearwood.learners.trees.pruning.own import own_pruner
from clearwood.learners.trees.pruning.pruner import CHAPTER as OWN
from clearwood.learners.trees.pruning.pruner import PruningSteps, StepAt, TreeUnderPruning, cutting
from clearwood.models import lineage
from clearwood.models.decision import Decision
from clearwood.models.kinds.tree.nodes import Nodes
from clearwood.models.kinds.tree.tree import Tree
from clearwood.models.lineage import Pruned
from clearwood.models.lineage_words import in_words
from clearwood.registry import imported, settings_of
from clearwood.table.table import Table
from clearwood.working.derivation import BecameLeaf, Step
from clearwood.working.figures import Rows


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
