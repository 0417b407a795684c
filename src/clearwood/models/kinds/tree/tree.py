"""A Tree: splits and leaves, with the schema it reads and its origin; its nodes' answers and paths."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field, replace
from typing import Any, ClassVar, TypeAlias

import numpy as np

from clearwood.arrays import Floats, Ints
from clearwood.formulas.conditions import (
    Above,
    AtMost,
    Condition,
    Equals,
    IsMissing,
    OneOf,
    OnNumbers,
    between_limits,
    high_bound,
    interval,
    limits_of,
    low_bound,
    never_holds,
    one_of,
    takes_missing,
)
from clearwood.models.decision import (
    Answers,
    Decision,
    ShareSmoothing,
    adjusted,
    cheapest,
    check_answers,
    check_smoothing,
    cost_matrix,
    decided,
    divided,
)
from clearwood.models.kinds.kind import BaseModel, Profile
from clearwood.models.kinds.tree.nodes import Nodes, weight_of
from clearwood.models.lineage import BY_HAND, Origin
from clearwood.records import dataclass
from clearwood.table.attributes import Nominal, Numeric, Ordinal
from clearwood.table.schema import Schema


@dataclass(frozen=True, slots=True)
class Surrogate:
    """Where a row goes whose cell of the split is empty: by `when` to branch `then`, else to the other."""

    when: Condition
    then: int
    otherwise: Condition
    agreement: float


@dataclass(frozen=True, slots=True)
class Leaf:
    """Row weights by class (or weight, value and error of a number)."""

    counts: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Branch:
    """One branch of a split: its condition, its share of the weight, and the node below."""

    when: Condition
    share: float
    then: Split | Leaf


@dataclass(frozen=True, slots=True)
class Split:
    """A row follows the first branch whose condition holds, else a surrogate, `otherwise`, or all."""

    counts: tuple[float, ...]
    score: dict[str, float]
    branches: tuple[Branch, ...]
    surrogates: tuple[Surrogate, ...] = ()
    otherwise: int | None = None
    _route: Any = field(default=None, init=False, repr=False, compare=False)  # kept by `models/routing.py`


Node: TypeAlias = Split | Leaf


@dataclass(frozen=True)
class Tree(BaseModel):
    """A tree stands alone: schema, origin, and its nodes as columns (`nodes`) or as objects (`root`).

    `answers` is what the numbers of a node mean: counts that give probabilities of classes, or a number,
    which is the mean or the median of its rows, or a step that an ensemble adds. `measure` names the impurity
    that its splits lowered, as `clearwood.measures` does; it is empty where no learner scored them.
    """

    kind: ClassVar = "tree"
    schema: Schema
    nodes: Nodes
    score_names: tuple[str, ...] = ()
    decision: Decision = field(default_factory=Decision)
    origin: Origin = field(default_factory=lambda: Origin(BY_HAND))
    answers: Answers = "shares"
    measure: str = ""
    profile: Profile | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "answers", check_answers(self.answers, self.schema))

    @property
    def root(self) -> Node:
        """The tree as plain objects, built on first use."""
        built = self.__dict__.get("_root")
        if built is None:
            built = self.__dict__["_root"] = _build(self)
        return built

    @property
    def weights(self) -> Floats:
        """[node] the weight of its training rows."""
        counts = self.nodes.counts
        return counts[:, 0] if self.is_numeric else counts.sum(axis=1)

    def weight(self, node: int) -> float:
        """The weight of a node's training rows."""
        return weight_of(self.nodes.counts[node].tolist(), numeric=self.is_numeric)

    @property
    def leaves(self) -> int:
        return int(self.nodes.is_leaf.sum())

    @property
    def size(self) -> int:
        """Leaves and splits together."""
        return len(self.nodes)

    @property
    def depth(self) -> int:
        """The most splits from the root to a leaf."""
        level = np.zeros(len(self.nodes), dtype=np.int64)
        for node, parent in enumerate(self.nodes.parent.tolist()):
            if parent >= 0:
                level[node] = level[parent] + 1
        return int(level.max(initial=0))

    def condition(self, node: int) -> Condition:
        """What the branch into a node asks."""
        n = self.nodes
        attribute = self.schema.attributes[int(n.attribute[node])]
        or_missing = bool(n.or_missing[node])
        match attribute:
            case Numeric(name):
                return interval(name, float(n.low[node]), float(n.high[node]), or_missing)
            case Nominal(name, values) | Ordinal(name, values):
                codes = n.set_codes[int(n.set_start[node]) : int(n.set_start[node + 1])].tolist()
                return one_of(name, tuple(values[code] for code in codes), or_missing)
            case _:
                raise TypeError(f"A branch cannot test the column '{attribute.name}'.")

    def surrogates(self, node: int) -> tuple[Surrogate, ...]:
        """What stands in for a split's attribute where it is empty, best first."""
        n = self.nodes
        surrogates = []
        for s in range(int(n.s_start[node]), int(n.s_start[node + 1])):
            attribute = self.schema.attributes[int(n.s_attribute[s])]
            if isinstance(attribute, Nominal | Ordinal):
                start, split, stop = int(n.s_set_start[s]), int(n.s_set_split[s]), int(n.s_set_start[s + 1])
                names = [attribute.values[code] for code in n.s_set_codes[start:stop].tolist()]
                when = one_of(attribute.name, tuple(names[: split - start]), False)
                other = one_of(attribute.name, tuple(names[split - start :]), False)
            else:
                when = AtMost(attribute.name, float(n.s_limit[s]))
                other = Above(attribute.name, float(n.s_limit[s]))
            surrogates.append(Surrogate(when, int(n.s_branch[s]), other, float(n.s_agreement[s])))
        return tuple(surrogates)

    def __getstate__(self) -> dict[str, object]:
        # Copies and pickles go without `root`: it is built anew, and a deep one could not be pickled.
        return {name: value for name, value in self.__dict__.items() if name != "_root"}

    def __iter__(self) -> Iterator[int]:
        """Node numbers in preorder."""
        return iter(range(len(self.nodes)))

    def __repr__(self) -> str:
        kind = f"{self.origin.title}: {self.leaves:,} {'leaf' if self.leaves == 1 else 'leaves'}"
        return f"<Tree {kind}, {self.size:,} {'node' if self.size == 1 else 'nodes'}, depth {self.depth}>"


def _build(tree: Tree) -> Node:
    """Children before parents: preorder read backwards, so that no tree is too deep."""
    n = tree.nodes
    counts = n.counts.tolist()
    scores = n.scores.tolist()
    built: list[Node] = [Leaf(())] * len(n)
    for node in range(len(n) - 1, -1, -1):
        below = n.children(node)
        if not below:
            built[node] = Leaf(tuple(counts[node]))
            continue
        otherwise = int(n.otherwise[node])
        built[node] = Split(
            counts=tuple(counts[node]),
            score=dict(zip(tree.score_names, scores[node], strict=True)),
            branches=tuple(Branch(tree.condition(c), float(n.share[c]), built[c]) for c in below),
            surrogates=tree.surrogates(node),
            otherwise=None if otherwise < 0 else otherwise,
        )
    return built[0]


# From a node's counts to its answer: class shares, the class of least cost, or a number.


def node_shares(tree: Tree, smoothing: ShareSmoothing = None) -> Floats:
    """[node, class] every node's class shares: counts × the decision's factors, smoothed, over their sum.

    `"laplace"` adds 1 to each class, a number m adds m × the root's shares (the m-estimate; both
    after the factors). A node without weight answers as the nearest node above it that has some.
    """
    check_smoothing(smoothing, tree.origin)
    counts = weighted_counts(tree)
    if smoothing == "laplace":
        counts = counts + 1.0
    elif smoothing is not None:
        counts = counts + smoothing * divided(counts[:1])
    return divided(counts)


def node_codes(tree: Tree, shares: Floats | None = None) -> Ints:
    """[node] the class that every node stands for; ties go to the first class.

    `shares` are those before any adjustment. A node whose rows would be referred still stands for its class.
    """
    shares = node_shares(tree) if shares is None else shares
    if tree.decision.is_plain:
        return cheapest(shares, cost_matrix(tree.decision))
    decision = replace(tree.decision, refer=None)
    return decided(adjusted(shares, decision), decision, tree.schema.classes)


def shown_shares(tree: Tree) -> Floats:
    """[node, class] every node's shares as its rows get them: adjusted by the decision."""
    return adjusted(node_shares(tree), tree.decision)


def node_values(tree: Tree) -> Floats:
    """[node] the number every node of a numeric tree answers."""
    return weighted_counts(tree)[:, 1]


def weighted_counts(tree: Tree, *, factors: bool = True) -> Floats:
    """[node, class] counts × the decision's factors; an empty node's are of the nearest above with weight."""
    counts = tree.nodes.counts
    empty = np.flatnonzero((tree.weights <= 0) & (tree.nodes.parent >= 0))
    if empty.size:
        counts = counts.copy()
        for node in empty.tolist():
            counts[node] = counts[tree.nodes.parent[node]]
    return counts * np.array(tree.decision.factors) if factors and tree.decision.factors else counts


# The way to a node: its conditions from the top, with what is said twice of an attribute said once.


def path_to(tree: Tree, node: int) -> tuple[Condition, ...]:
    """The conditions on the way to a node, merged by attribute, in the order they were first asked."""
    steps: list[Condition] = []
    while node > 0:
        steps.append(tree.condition(node))
        node = int(tree.nodes.parent[node])
    return merged_conditions(steps[::-1])


def merged_conditions(conditions: list[Condition]) -> tuple[Condition, ...]:
    """The same said shorter: of two upper bounds the tighter, of two sets the common part.

    >>> from clearwood.formulas.conditions import Above, AtMost
    >>> [str(c) for c in merged_conditions([Above("Age", 30.0), Equals("Sex", "F"), AtMost("Age", 50.0)])]
    ['30 < Age ≤ 50', 'Sex = F']
    """
    by_name: dict[str, Condition] = {}
    for condition in conditions:
        add_condition(by_name, condition)
    return tuple(by_name.values())


def add_condition(by_name: dict[str, Condition], condition: Condition) -> None:
    """Add a condition to those of a way, merged with what is said there of its attribute."""
    before = by_name.get(condition.name)
    by_name[condition.name] = condition if before is None else _both(before, condition)


def _both(one: Condition, two: Condition) -> Condition:
    if never_holds(one) or never_holds(two):
        return one if never_holds(one) else two
    missing = takes_missing(one) and takes_missing(two)
    if isinstance(one, IsMissing) or isinstance(two, IsMissing):
        # Nothing but a missing cell satisfies one of them: it is what satisfies both, or nothing does.
        return IsMissing(one.name) if missing else OneOf(one.name, ())
    if isinstance(one, Equals | OneOf) and isinstance(two, Equals | OneOf):
        others = set(_values(two))
        common = tuple(value for value in _values(one) if value in others)
        return one_of(one.name, common, missing) if common or missing else OneOf(one.name, ())
    assert isinstance(one, OnNumbers)
    assert isinstance(two, OnNumbers)
    (low, high), (low_too, high_too) = limits_of(one), limits_of(two)
    both = between_limits(
        one.name, max(low, low_too, key=low_bound), min(high, high_too, key=high_bound), missing
    )
    return IsMissing(one.name) if missing and never_holds(replace(both, or_missing=False)) else both


def _values(condition: Equals | OneOf) -> tuple[str, ...]:
    return (condition.value,) if isinstance(condition, Equals) else condition.values
