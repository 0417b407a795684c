"""Where trees part: the first place at which they do not send the same rows the same ways."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

from clearwood.counting.routing import send
from clearwood.counting.task import Region, Task
from clearwood.derive.trees.growth import question_at
from clearwood.learners.learner import TreeLearner
from clearwood.learners.trees.growing_by_counts import task_of
from clearwood.models.tree import Tree
from clearwood.table.table import Table

NodeByLearner: TypeAlias = dict[str, int]  # by learner: a node of its tree
_Key: TypeAlias = tuple[bytes, bytes]  # the rows that go one way, and the weight of each


def where_they_part(
    learners: Mapping[str, TreeLearner], models: Mapping[str, Tree], table: Table
) -> NodeByLearner | None:
    """The node of each tree at the first place, from the top down, where they differ; None if they never do.

    They differ where one asks and another does not, where they ask about other attributes, and where rows
    go other ways. A threshold elsewhere between the same two values, a branch without rows, and another
    order of the branches are no difference.
    """
    tasks = {name: task_of(learner, table) for name, learner in learners.items()}
    waiting: list[dict[str, tuple[int, Region]]] = [
        {name: (0, task.everything()) for name, task in tasks.items()}
    ]
    for here in waiting:
        ways = {name: _ways(tasks[name], models[name], *here[name]) for name in here}
        first = next(iter(ways.values()))
        if any(each[0] != first[0] or set(each[1]) != set(first[1]) for each in ways.values()):
            return {name: node for name, (node, _) in here.items()}
        waiting.extend({name: ways[name][1][key] for name in here} for key in first[1])
    return None


def _ways(task: Task, tree: Tree, node: int, region: Region) -> tuple[int, dict[_Key, tuple[int, Region]]]:
    """The attribute a node asks about (−1: a leaf), and where the rows that follow each branch go."""
    below = tree.nodes.children(node)
    if not below:
        return -1, {}
    question = question_at(tree, node)
    branches = {}
    for child, rows in zip(below, send(task, question, region), strict=True):
        if len(rows.rows):
            branches[rows.rows.tobytes(), rows.weights.round(9).tobytes()] = child, rows
    return question.attribute, branches
