"""Before and after growing: what all tree learners do with a table first, and with the grown nodes last."""

from __future__ import annotations

from dataclasses import field
from typing import TYPE_CHECKING, Annotated, Literal, TypeAlias

import numpy as np

from clearwood.arrays import Floats
from clearwood.bounds import Least, OneWord, Whole, Within
from clearwood.counting.question import Question, condition
from clearwood.learners.decision import decision_of, scoring_factors
from clearwood.learners.fingerprint import origin_of
from clearwood.learners.learner import TreeLearner
from clearwood.learners.usable_rows import usable_rows
from clearwood.measures import IMPURITIES
from clearwood.measures.pessimistic import ConfidenceTable
from clearwood.models.decision import Decision
from clearwood.models.kinds.tree.build import tree_of
from clearwood.models.kinds.tree.nodes import Nodes
from clearwood.models.kinds.tree.tree import Branch, Leaf, Node, Split, Surrogate, Tree
from clearwood.models.origin import Origin
from clearwood.records import dataclass
from clearwood.registry import Letter
from clearwood.table.attributes import Numeric, Text
from clearwood.table.row_keys import in_order_of_content, order_of_sums
from clearwood.table.table import Table

if TYPE_CHECKING:  # only a definition counts: a native learner starts without its measures
    from clearwood.learners.trees.counted import Region, TreeTask


@dataclass(frozen=True, slots=True, eq=False)
class Prepared:
    """The rows that count, how counts become an answer, and what a class weighs while splits are scored.

    `factors` [class] is empty where nothing steers the splits.
    """

    rows: Table
    decision: Decision
    factors: Floats
    score_names: tuple[str, ...]
    measure: str
    origin: Origin

    def tree(self, nodes: Nodes) -> Tree:
        """The tree of the nodes that were grown from these rows."""
        return Tree(
            self.rows.schema,
            nodes,
            self.score_names,
            self.decision,
            self.origin,
            answers="median" if self.measure == "absolute" else "shares",
            measure=self.measure,
        )


def prepare(learner: TreeLearner, table: Table) -> Prepared:
    """What a learner grows its tree from."""
    rows = rows_to_add_up(usable_rows(learner, table))
    weights = _class_weights(rows)
    decision = decision_of(rows.schema, weights, learner.priors, learner.costs)
    steering = steering_of(learner, decision)
    factors = scoring_factors(steering, weights) if steering != Decision() else np.empty(0)
    measure = learner.measure_for(rows.schema)
    return Prepared(rows, decision, factors, learner.score_names, measure, origin_of(learner, table))


def rows_to_add_up(rows: Table) -> Table:
    """The rows in an order of their own where parts of rows may be added up, whose sum depends on the order
    in its last digit: parts by weight, or by an empty cell, which is divided among branches."""
    named = [each.name for each in rows.schema.inputs if not isinstance(each, Text)]
    columns = (np.asarray(rows.columns[name]) for name in named)
    divided = any((each < 0).any() if each.dtype == np.int32 else np.isnan(each).any() for each in columns)
    return in_order_of_content(rows) if divided else order_of_sums(rows)


def steering_of(learner: TreeLearner, decision: Decision) -> Decision:
    """The part of a decision that weighs rows while this learner's splits are scored."""
    return Decision(
        decision.factors if "priors" in learner.steered_by else (),
        decision.costs if "costs" in learner.steered_by else (),
    )


def _class_weights(table: Table) -> Floats:
    if isinstance(table.schema.target, Numeric):
        return np.empty(0)
    classes = len(table.schema.classes)
    return np.bincount(table.target, weights=table.weights, minlength=classes).astype(np.float64)


# A Draft: a tree while it grows and is pruned, every node with its region.


@dataclass(slots=True, eq=False)
class Draft:
    """A node: its region, and what it asks (None at a leaf)."""

    region: Region
    question: Question | None = None
    children: list[Draft] = field(default_factory=list)

    @property
    def counts(self) -> Floats:
        """[level], as the region measures them."""
        return self.region.counts


def finish(task: TreeTask, draft: Draft, score_names: tuple[str, ...], origin: Origin) -> Tree:
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


def _node(task: TreeTask, draft: Draft, score_names: tuple[str, ...], built: dict[int, Node]) -> Node:
    counts = draft.region.task.summary(draft.counts)
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


def surrogates_of(task: TreeTask, question: Question) -> tuple[Surrogate, ...]:
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


# Settings that tree learners share, each declared once with its bound and its meaning.


ImpurityName: TypeAlias = Annotated[str, OneWord(lambda: tuple(IMPURITIES)), "What makes a node impure."]
MaxDepth: TypeAlias = Annotated[
    int | None, Whole(0), Letter("max_depth"), "Most splits from the root to a leaf; none: no limit."
]
MinRows: TypeAlias = Annotated[
    float, Least(0), Letter("min_rows"), "Least weight of the rows of a node that is split."
]
MinLeaf: TypeAlias = Annotated[float, Least(0), Letter("min_leaf"), "Least weight of rows in a leaf."]
Confidence: TypeAlias = Annotated[
    float, Within(0, 1), Letter("CF"), "Smaller prunes more: the confidence in the training errors."
]
QuantileTable: TypeAlias = Annotated[
    ConfidenceTable, "normal: exact quantiles; quinlan: the table of his program."
]
RaiseSubtrees: TypeAlias = Annotated[bool, "In pruning, a branch may replace its parent."]
GroupValues: TypeAlias = Annotated[bool, "Let a branch have several values of a nominal column."]
OrdinalAs: TypeAlias = Annotated[
    Literal["values", "cut"], "values: a branch for each; cut: two branches, low and high."
]
