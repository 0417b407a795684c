"""More trees for a forest: is it the forest of these rows and settings, and what did its trees answer?"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from clearwood.errors import LearningError
from clearwood.learners.ensembles.forest_task import ForestTask
from clearwood.learners.ensembles.native_forest import times_drawn_by_trees
from clearwood.learners.ensembles.out_of_bag import OutOfBagAnswers
from clearwood.models.ensemble import Ensemble
from clearwood.models.kinds import check_kind
from clearwood.models.origin import Origin
from clearwood.models.reading_size import refuse_balanced
from clearwood.models.tree import Tree
from clearwood.predict.of_trees import member_codes, member_numbers, member_shares
from clearwood.table.table import Table

_MAY_DIFFER = {"trees", "out_of_bag"}


def check_more(forest: Ensemble, origin: Origin) -> None:
    """Refuse a forest of other rows or settings."""
    check_kind("learn_more", forest, Ensemble)
    if forest.origin.learner != origin.learner or forest.trees is None:
        raise LearningError(
            f"learn_more adds trees to a forest; this is an ensemble of {forest.origin.learner}. "
            "Learn a forest from all rows."
        )
    refuse_balanced(forest.origin, "Adding trees")
    given, kept = dict(origin.settings), dict(forest.origin.settings)
    for name, value in given.items():
        if name not in _MAY_DIFFER and kept.get(name) != value:
            raise LearningError(
                f"This forest was grown with {name} = {kept.get(name)!r}, not {value!r}. Trees of one forest "
                "are grown alike: give the same settings, or learn again."
            )
    if forest.origin.fingerprint != origin.fingerprint:
        raise LearningError(
            "This forest was grown from other rows. Trees of one forest learn from the same table: give that "
            "one, or learn again."
        )


def forest_answers(forest: Ensemble, rows: Table, task: ForestTask) -> OutOfBagAnswers:
    """What each tree answers the rows that it did not draw, added up in the order of the trees."""
    width = task.classes or 1
    sums, size = np.zeros((len(rows), width)), np.zeros(len(rows), dtype=np.int32)
    for member, drawn in zip(forest.members, times_drawn_by_trees(task, forest.size), strict=True):
        assert isinstance(member, Tree)
        tree = replace(member, decision=replace(forest.decision, costs=()))
        out = np.flatnonzero(drawn == 0)
        if not len(out):
            continue
        left = rows.take(out)
        if not task.classes:
            sums[out, 0] += member_numbers(tree, left)
        elif forest.combined_by == "votes":
            sums[out, member_codes(tree, left)] += 1.0
        else:
            sums[out] += member_shares(tree, left)
        size[out] += 1
    return OutOfBagAnswers(sums.ravel(), size)
