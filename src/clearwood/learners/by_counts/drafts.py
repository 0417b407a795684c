"""A Draft: a tree while it grows and is pruned, every node with its rows."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from clearwood.learners.by_counts.question import Question, StandIn, Takes, condition
from clearwood.learners.by_counts.routing import send
from clearwood.learners.by_counts.task import Region, Task
from clearwood.measures.counts import Floats
from clearwood.models.build import tree_of
from clearwood.models.origin import Origin
from clearwood.models.tree import Branch, Leaf, Node, Split, Surrogate, Tree


@dataclass(slots=True, eq=False)
class Draft:
    """A node: its rows, their counts by level, and what it asks (None at a leaf)."""

    region: Region
    counts: Floats
    question: Question | None = None
    children: list[Draft] = field(default_factory=list)

    def become_leaf(self) -> None:
        self.question = None
        self.children = []


def finish(task: Task, draft: Draft, score_names: tuple[str, ...], origin: Origin) -> Tree:
    """The tree a draft stands for."""
    built: dict[int, Node] = {}
    for each in reversed(preorder(draft)):
        built[id(each)] = _node(task, each, score_names, built)
    return tree_of(
        task.schema, built[id(draft)], score_names=score_names, decision=task.decision, origin=origin
    )


def preorder(draft: Draft) -> list[Draft]:
    """Every node, parents first; a stack, so that no tree is too deep."""
    found, waiting = [], [draft]
    while waiting:
        each = waiting.pop()
        found.append(each)
        waiting.extend(reversed(each.children))
    return found


def draft_of(task: Task, tree: Tree) -> Draft:
    """A finished tree as a draft, the task's rows sent down it, its shares as they are."""
    root = Draft(task.everything(), np.empty(0))
    waiting = [(0, root)]
    while waiting:
        node, draft = waiting.pop()
        draft.counts = task.counts(draft.region)
        below = tree.nodes.children(node)
        if not below:
            continue
        draft.question = _question(tree, node, below)
        draft.children = [Draft(region, np.empty(0)) for region in send(task, draft.question, draft.region)]
        waiting.extend(zip(below, draft.children, strict=True))
    return root


def _node(task: Task, draft: Draft, score_names: tuple[str, ...], built: dict[int, Node]) -> Node:
    counts = task.summary(draft.counts)
    question = draft.question
    if question is None:
        return Leaf(counts)
    attribute = task.schema.attributes[question.attribute]
    return Split(
        counts=counts,
        score=dict(zip(score_names, question.scores, strict=True)),
        branches=tuple(
            Branch(condition(attribute, branch), share, built[id(child)])
            for branch, share, child in zip(question.branches, question.shares, draft.children, strict=True)
        ),
        surrogates=tuple(
            Surrogate(
                condition(task.schema.attributes[s.attribute], s.when),
                s.then,
                condition(task.schema.attributes[s.attribute], s.other),
                s.agreement,
            )
            for s in question.stand_ins
        ),
        otherwise=None if question.otherwise < 0 else question.otherwise,
    )


def _question(tree: Tree, node: int, below: list[int]) -> Question:
    n = tree.nodes
    branches = tuple(
        Takes(
            float(n.low[c]),
            float(n.high[c]),
            tuple(n.set_codes[int(n.set_start[c]) : int(n.set_start[c + 1])].tolist()),
            bool(n.or_missing[c]),
        )
        for c in below
    )
    stand_ins = []
    for s in range(int(n.s_start[node]), int(n.s_start[node + 1])):
        start, split, stop = int(n.s_set_start[s]), int(n.s_set_split[s]), int(n.s_set_start[s + 1])
        limit, codes = float(n.s_limit[s]), n.s_set_codes
        when = Takes(-np.inf, limit, tuple(codes[start:split].tolist()))
        other = Takes(limit, np.inf, tuple(codes[split:stop].tolist()))
        stand_ins.append(
            StandIn(int(n.s_attribute[s]), when, int(n.s_branch[s]), other, float(n.s_agreement[s]))
        )
    return Question(
        attribute=int(n.attribute[below[0]]),
        branches=branches,
        scores=tuple(n.scores[node].tolist()),
        shares=tuple(float(n.share[c]) for c in below),
        otherwise=int(n.otherwise[node]),
        stand_ins=tuple(stand_ins),
    )
