"""Error-based pruning: a leaf, or the largest branch alone, where that is estimated to err no more."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from clearwood.arrays import Floats
from clearwood.counting.question import Question
from clearwood.counting.routing import send, taken_by
from clearwood.counting.task import Region, Task, sums
from clearwood.learners.trees.growing import Draft, preorder
from clearwood.measures.pessimistic import ConfidenceTable, extra_errors
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
    task: Task,
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
            branch = _through(task, node.children[largest], node.region, confidence, table)
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


def _through(task: Task, draft: Draft, region: Region, confidence: float, table: ConfidenceTable) -> float:
    """The errors of a subtree if these rows were sent through it."""
    total, waiting = 0.0, [(draft, region)]
    while waiting:
        node, rows = waiting.pop()
        if node.question is None:
            total += estimate(task.counts(rows), confidence, table)
        else:
            question = _reshared(task, node.question, rows)
            waiting.extend(zip(node.children, send(task, question, rows), strict=True))
    return total


def _send_again(task: Task, draft: Draft) -> None:
    """Send a node's rows through its subtree, whose counts and shares are then theirs."""
    waiting = [draft]
    while waiting:
        node = waiting.pop()
        node.counts = task.counts(node.region)
        if node.question is not None:
            node.question = _reshared(task, node.question, node.region)
            for child, region in zip(node.children, send(task, node.question, node.region), strict=True):
                child.region = region
            waiting.extend(node.children)


def _reshared(task: Task, question: Question, region: Region) -> Question:
    """The question with its shares taken anew from another region; even if no cell is known there."""
    branch = taken_by(task, question, region)
    known = branch >= 0
    weight = sums(branch[known], region.weights[known], len(question.branches))
    even = np.full(len(weight), 1 / len(weight))
    return replace(question, shares=tuple((weight / weight.sum() if weight.sum() > 0 else even).tolist()))
