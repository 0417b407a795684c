"""Error-based pruning: a leaf, or the largest branch alone, where that is estimated to err no more."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from clearwood.arrays import Floats
from clearwood.counting.engine import CountingEngine, Frontier, Path
from clearwood.counting.question import Question, branch_of_code
from clearwood.learners.trees.counted import TreeTask, regions_at
from clearwood.learners.trees.growing_by_counts import Draft, preorder
from clearwood.measures.inference import ConfidenceTable, extra_errors
from tests.definitions.collapse import become_leaf, errors


@dataclass(frozen=True, slots=True)
class Estimates:
    """The errors expected of a node as a leaf, as it is, and as its largest branch; and what it became."""

    node: Draft
    leaf: float
    subtree: float
    branch: float
    became: Literal["leaf", "branch", "subtree"]


def prune_by_error(
    task: TreeTask,
    draft: Draft,
    *,
    confidence: float,
    table: ConfidenceTable = "normal",
    raise_subtrees: bool = True,
) -> list[Estimates]:
    """Bottom up, in place (Quinlan 1993, ch. 4); the estimates that decided, in order of the decisions."""
    ledger: list[Estimates] = []
    # Every node after its children; a raised branch is looked at again, node by node, with its new rows.
    waiting = list(preorder(draft))
    while waiting:
        node = waiting.pop()
        if node.question is None:
            continue
        largest = _largest(node)
        leaf = estimate(node.counts, confidence, table)
        subtree = sum(
            estimate(each.counts, confidence, table) for each in preorder(node) if each.question is None
        )
        branch = np.inf
        if raise_subtrees:
            branch = _through(task, node.children[largest], _rows_of(task, node), confidence, table)
        became: Literal["leaf", "branch", "subtree"] = "subtree"
        if leaf <= subtree + 0.1 and leaf <= branch + 0.1:
            became = "leaf"
        elif branch <= subtree + 0.1:
            became = "branch"
        ledger.append(Estimates(node, leaf, subtree, branch, became))
        if became == "leaf":
            become_leaf(node)
        elif became == "branch":
            raised = node.children[largest]
            node.question, node.children = raised.question, raised.children
            _send_again(task, node)
            waiting.extend(preorder(node))
    return ledger


def estimate(counts: Floats, confidence: float, table: ConfidenceTable) -> float:
    """The errors of a leaf with these counts, and the extra ones it is charged."""
    weight = float(counts.sum())
    wrong = errors(counts)
    return wrong + extra_errors(weight, wrong, confidence, table) if weight > 0 else 0.0


def _largest(node: Draft) -> int:
    """The branch with most weight, the last of equals, as in J48."""
    weights = [float(child.counts.sum()) for child in node.children]
    return max(i for i, weight in enumerate(weights) if weight >= max(weights) - 1e-6)


def _rows_of(task: TreeTask, node: Draft) -> Frontier:
    """The node's region alone."""
    return frontier_at(task.engine, node.region.path)


def _branches(task: TreeTask, question: Question, here: Frontier) -> list[Frontier]:
    below = task.engine.divide(here, {0: question})
    return [task.engine.only(below, [branch]) for branch in range(len(below))]


def _through(
    task: TreeTask, draft: Draft, here: Frontier, confidence: float, table: ConfidenceTable
) -> float:
    """The errors of a subtree if these rows were sent through it."""
    total, waiting = 0.0, [(draft, here)]
    while waiting:
        node, rows = waiting.pop()
        if node.question is None:
            total += estimate(regions_at(task, rows)[0].counts, confidence, table)
        else:
            question = _reshared(task, node.question, rows)
            waiting.extend(zip(node.children, _branches(task, question, rows), strict=True))
    return total


def _send_again(task: TreeTask, draft: Draft) -> None:
    """Send a node's rows through its subtree, whose counts and shares are then theirs."""
    waiting = [(draft, _rows_of(task, draft))]
    while waiting:
        node, here = waiting.pop()
        (node.region,) = regions_at(task, here)
        if node.question is not None:
            node.question = _reshared(task, node.question, here)
            waiting.extend(zip(node.children, _branches(task, node.question, here), strict=True))


def _reshared(task: TreeTask, question: Question, here: Frontier) -> Question:
    """The question with its shares taken anew from another region; even if no cell is known there."""
    place = task.place(question.attribute)
    (cells,) = task.engine.values(here, [place])
    branch = branch_of_code(task.coding.columns[place], question)[cells.code]
    known = branch >= 0
    weight = np.bincount(branch[known], cells.floats()[known], len(question.branches))
    even = np.full(len(weight), 1 / len(weight))
    return replace(question, shares=tuple((weight / weight.sum() if weight.sum() > 0 else even).tolist()))


def frontier_at(engine: CountingEngine, path: Path) -> Frontier:
    """The region at the end of a path, from the root down."""
    here = engine.root()
    for step in path:
        here = engine.only(engine.divide(here, {0: step.question}), [step.branch])
    return here
