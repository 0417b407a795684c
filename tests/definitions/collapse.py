"""Collapse: a subtree that makes no fewer training errors than a leaf would becomes one."""

from __future__ import annotations

from clearwood.arrays import Floats
from clearwood.learners.trees.growing_by_counts import Draft, preorder


def collapse(draft: Draft) -> None:
    """Top down, in place; fewer by 0.001 is not fewer."""
    waiting = [draft]
    while waiting:
        node = waiting.pop()
        if node.question is None:
            continue
        below = sum(errors(each.counts) for each in preorder(node) if each.question is None)
        if below >= errors(node.counts) - 0.001:
            become_leaf(node)
        waiting.extend(node.children)


def become_leaf(node: Draft) -> None:
    node.question = None
    node.children = []


def errors(counts: Floats) -> float:
    """The weight that is not of the most common class."""
    return float(counts.sum() - counts.max())
