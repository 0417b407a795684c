"""From splits and leaves as objects to the columns of a Tree."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import assert_never

import numpy as np

from clearwood.errors import SchemaError, no_such
from clearwood.formulas.conditions import (
    Above,
    AtLeast,
    AtMost,
    Below,
    Between,
    Condition,
    Equals,
    IsMissing,
    OneOf,
    bounds_of,
)
from clearwood.models.decision import Decision
from clearwood.models.kinds.tree.nodes import Nodes
from clearwood.models.kinds.tree.tree import Branch, Node, Split, Surrogate, Tree
from clearwood.models.lineage import Origin
from clearwood.table.attributes import Attribute, Nominal, Numeric, Ordinal
from clearwood.table.schema import Schema


def tree_of(
    schema: Schema,
    root: Node,
    *,
    score_names: tuple[str, ...] | None = None,
    decision: Decision | None = None,
    origin: Origin | None = None,
) -> Tree:
    """The tree whose `root` this is; the names of the scores are those of its splits unless given.

    >>> from clearwood.models.kinds.tree.tree import Leaf
    >>> schema = Schema((Numeric("Humidity"),), Nominal("Play", ("No", "Yes")))
    >>> dry = Branch(AtMost("Humidity", 75.0), 0.4, Leaf((0.0, 2.0)))
    >>> damp = Branch(Above("Humidity", 75.0), 0.6, Leaf((3.0, 0.0)))
    >>> tree = tree_of(schema, Split((3.0, 2.0), {"gain": 0.97}, (dry, damp)))
    >>> tree.size, tree.score_names, tree.root.branches[1].when
    (3, ('gain',), Above(name='Humidity', limit=75.0, or_missing=False))
    """
    if score_names is None:
        score_names = tuple(root.score) if isinstance(root, Split) else ()
    columns = _Columns(schema, score_names)
    waiting: list[tuple[int, Branch]] = [(-1, Branch(IsMissing(""), 1.0, root))]
    while waiting:
        parent, branch = waiting.pop()
        node = columns.add(parent, branch)
        if isinstance(branch.then, Split):
            waiting.extend((node, each) for each in reversed(branch.then.branches))
    return Tree(schema, columns.nodes(), score_names, decision or Decision(), origin or Origin("by hand"))


@dataclass
class _Columns:
    """The columns of `Nodes` as they grow, node by node in preorder."""

    schema: Schema
    score_names: tuple[str, ...]
    parent: list[int] = field(default_factory=list)
    counts: list[tuple[float, ...]] = field(default_factory=list)
    scores: list[list[float]] = field(default_factory=list)
    share: list[float] = field(default_factory=list)
    otherwise: list[int] = field(default_factory=list)
    attribute: list[int] = field(default_factory=list)
    low: list[float] = field(default_factory=list)
    high: list[float] = field(default_factory=list)
    or_missing: list[bool] = field(default_factory=list)
    set_start: list[int] = field(default_factory=lambda: [0])
    set_codes: list[int] = field(default_factory=list)
    s_start: list[int] = field(default_factory=lambda: [0])
    s_attribute: list[int] = field(default_factory=list)
    s_limit: list[float] = field(default_factory=list)
    s_branch: list[int] = field(default_factory=list)
    s_agreement: list[float] = field(default_factory=list)
    s_set_start: list[int] = field(default_factory=lambda: [0])
    s_set_split: list[int] = field(default_factory=list)
    s_set_codes: list[int] = field(default_factory=list)

    def add(self, parent: int, branch: Branch) -> int:
        node = branch.then
        self.parent.append(parent)
        self.counts.append(node.counts)
        self.share.append(branch.share)
        if parent < 0:
            self._condition(-1, -math.inf, math.inf, (), False)
        else:
            self._condition(*bounds(self.schema, branch.when))
        if isinstance(node, Split):
            self.scores.append([node.score[name] for name in self.score_names])
            self.otherwise.append(-1 if node.otherwise is None else node.otherwise)
            for each in node.surrogates:
                self._surrogate(each)
        else:
            self.scores.append([math.nan] * len(self.score_names))
            self.otherwise.append(-1)
        self.s_start.append(len(self.s_attribute))
        return len(self.parent) - 1

    def _condition(
        self, attribute: int, low: float, high: float, codes: tuple[int, ...], or_missing: bool
    ) -> None:
        self.attribute.append(attribute)
        self.low.append(low)
        self.high.append(high)
        self.or_missing.append(or_missing)
        self.set_codes.extend(codes)
        self.set_start.append(len(self.set_codes))

    def _surrogate(self, surrogate: Surrogate) -> None:
        attribute, _, high, codes, _ = bounds(self.schema, surrogate.when)
        self.s_attribute.append(attribute)
        self.s_branch.append(surrogate.then)
        self.s_agreement.append(surrogate.agreement)
        self.s_limit.append(0.0 if codes else high)
        self.s_set_codes.extend(codes)
        self.s_set_split.append(len(self.s_set_codes))
        if codes:
            self.s_set_codes.extend(bounds(self.schema, surrogate.otherwise)[3])
        self.s_set_start.append(len(self.s_set_codes))

    def nodes(self) -> Nodes:
        end = np.arange(1, len(self.parent) + 1, dtype=np.int32)
        for node in range(len(self.parent) - 1, 0, -1):
            end[self.parent[node]] = max(end[self.parent[node]], end[node])
        width = len(self.counts[0])
        if any(len(counts) != width for counts in self.counts):
            raise SchemaError(f"Every node of a tree must count the same {width} classes as its root.")
        return Nodes(
            end=end,
            counts=np.array(self.counts, dtype=np.float64).reshape(len(self.parent), width),
            scores=np.array(self.scores, dtype=np.float64).reshape(len(self.parent), len(self.score_names)),
            **{
                name: np.array(column)
                for name, column in vars(self).items()
                if name not in ("schema", "score_names", "counts", "scores")
            },
        )


def bounds(schema: Schema, condition: Condition) -> tuple[int, float, float, tuple[int, ...], bool]:
    """A condition as a branch's entries in `Nodes`: attribute, low, high, codes, or_missing."""
    name = condition.name
    if name not in schema.positions:
        raise SchemaError(no_such("column", name, schema.positions))
    attribute = schema[name]
    match condition:
        case Equals(_, value):
            return (schema.positions[name], -math.inf, math.inf, _codes(attribute, (value,)), False)
        case OneOf(_, values, or_missing):
            return (schema.positions[name], -math.inf, math.inf, _codes(attribute, values), or_missing)
        case AtMost() | Below() | Above() | AtLeast() | Between():
            (low, high), or_missing = bounds_of(condition), condition.or_missing
        case IsMissing():
            if not isinstance(attribute, Numeric):
                return (schema.positions[name], -math.inf, math.inf, (), True)
            low, high, or_missing = math.inf, math.inf, True
        case _:
            assert_never(condition)
    if not isinstance(attribute, Numeric):
        raise SchemaError(f"'{condition}' asks for a number, but the column '{name}' is not numeric.")
    return (schema.positions[name], low, high, (), or_missing)


def _codes(attribute: Attribute, values: tuple[str, ...]) -> tuple[int, ...]:
    if not isinstance(attribute, Nominal | Ordinal):
        raise SchemaError(
            f"The column '{attribute.name}' is {attribute.kind}:"
            " only a nominal or ordinal one has values to name."
        )
    known = {value: code for code, value in enumerate(attribute.values)}
    for value in values:
        if value not in known:
            raise SchemaError(no_such(f"value of '{attribute.name}' called", value, known, plural="values"))
    return tuple(known[value] for value in values)
