"""A Draft: a tree while it grows and is pruned, every node with its rows."""

from __future__ import annotations

from dataclasses import dataclass, field

from clearwood.arrays import Floats
from clearwood.counting.question import Question, condition
from clearwood.counting.task import Region, Task, narrowed
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
    drafts, waiting = [], [draft]
    while waiting:
        each = waiting.pop()
        drafts.append(each)
        waiting.extend(reversed(each.children))
    return drafts


def _node(task: Task, draft: Draft, score_names: tuple[str, ...], built: dict[int, Node]) -> Node:
    counts = _summary(task, draft)
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
        surrogates=surrogates_of(task, question),
        otherwise=None if question.otherwise < 0 else question.otherwise,
    )


def _summary(task: Task, draft: Draft) -> tuple[float, ...]:
    """What a node keeps of its counts; of numbers taken from near by, for the sake of the last digits."""
    if task.numbers is None:
        return task.summary(draft.counts)
    near = narrowed(task, draft.region)
    return near.summary(near.counts(draft.region))


def surrogates_of(task: Task, question: Question) -> tuple[Surrogate, ...]:
    """A question's surrogates as the tree keeps them."""
    return tuple(
        Surrogate(
            condition(task.schema.attributes[s.attribute], s.when),
            s.then,
            condition(task.schema.attributes[s.attribute], s.other),
            min(s.agreement, 1.0),
        )
        for s in question.surrogates
    )
