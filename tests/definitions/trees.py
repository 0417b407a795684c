"""A tree as its learner's definition gives it: grown by counts and, for C4.5, pruned by counts as well."""

from clearwood.learners.learner import TreeLearner
from clearwood.learners.training import origin_of
from clearwood.learners.trees.c45 import C45
from clearwood.learners.trees.counted import TreeTask
from clearwood.learners.trees.growing_by_counts import Draft, finish, grow_draft, task_of
from clearwood.models.kinds.tree.tree import Tree
from clearwood.table.table import Table
from tests.definitions.collapse import collapse
from tests.definitions.error_pruning import prune_by_error


def learn_by_counts(learner: TreeLearner, table: Table) -> Tree:
    """The learner's tree, without CART's `alpha`, which prunes what is grown already."""
    task = task_of(learner, table)
    draft = grow_draft(task, learner.split_chooser(task), learner.max_depth)
    if isinstance(learner, C45):
        prune(learner, task, draft)
    return finish(task, draft, learner.score_names, origin_of(learner, table))


def prune(learner: C45, task: TreeTask, draft: Draft) -> None:
    """What C4.5 does to a grown tree, in place."""
    if learner.collapse:
        collapse(draft)
    if learner.prune:
        prune_by_error(
            task,
            draft,
            confidence=learner.confidence,
            table=learner.confidence_table,
            raise_subtrees=learner.raise_subtrees and not learner.monotone,
        )
