"""The ledger of C4.5rules: what each leaf's rule lost and why, and which rules each class kept."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from clearwood.arrays import Bools, Floats, Ints, Longs
from clearwood.formulas.conditions import Condition, all_of
from clearwood.models.kinds.rules.rule_list import Rule
from clearwood.models.kinds.tree.paths import merged_conditions
from clearwood.models.kinds.tree.tree import Tree
from clearwood.records import json_of
from clearwood.table.attributes import Nominal, Numeric, Ordinal
from clearwood.table.table import Table
from clearwood.words.numbers import part_of, with_noun


@dataclass(frozen=True, slots=True)
class DroppedCondition:
    """A condition left out, and the rule's pessimistic error with and without it."""

    condition: Condition
    before: float
    after: float

    def __str__(self) -> str:
        return f"drop {self.condition}: {self.before:.4f} → {self.after:.4f}"

    def to_json(self) -> dict[str, Any]:
        """Plain values, ready for `json.dumps`."""
        return json_of(self, condition=str(self.condition))


@dataclass(frozen=True, slots=True)
class LeafRule:
    """One leaf's rule: as the tree asks it, what was dropped, and what became of it.

    `fate` is "kept", "harmful" (dropped in the end), "left out" (of its class's subset), "double" or "empty"
    (no condition left).
    """

    way: tuple[Condition, ...]
    error: float
    dropped: tuple[DroppedCondition, ...]
    rule: Rule
    covered: float
    wrong: float
    bits: float
    fate: str

    def __str__(self) -> str:
        conditions = all_of(self.way)
        lines = [f"IF {conditions} THEN {self.rule.then}: error {self.error:.4f}"]
        lines += [f"    {each}" for each in self.dropped]
        covered = with_noun(f"{self.covered:g}", "row")
        return "\n".join([*lines, f"  → {self.rule} ({covered}, {self.wrong:g} wrong): {self.fate}"])

    def to_json(self) -> dict[str, Any]:
        """Plain values, ready for `json.dumps`."""
        return json_of(self, way=list(map(str, self.way)), rule=str(self.rule))


@dataclass(frozen=True, slots=True)
class ClassSubset:
    """A class's rules by their place in `C45RulesLedger.rules`, those it kept, and the bits they take."""

    name: str
    rules: tuple[int, ...]
    kept: tuple[int, ...]
    bits: float
    bits_of_none: float
    bits_of_all: float

    def __str__(self) -> str:
        return (
            f"{self.name}: {part_of(len(self.kept), len(self.rules), 'rule')}, {self.bits:.2f} bits"
            f" (none {self.bits_of_none:.2f}, all {self.bits_of_all:.2f})"
        )


@dataclass(frozen=True, slots=True)
class C45RulesLedger:
    """Every leaf's rule in the tree's order, and every class in the schema's."""

    rules: tuple[LeafRule, ...]
    classes: tuple[ClassSubset, ...]

    def __str__(self) -> str:
        return "\n".join(map(str, (*self.rules, *self.classes)))

    def to_json(self) -> dict[str, Any]:
        """Plain values, ready for `json.dumps`."""
        return json_of(self)


def ledger_of(tree: Tree, fates: LeafRules) -> C45RulesLedger:
    """The columns in the schema's terms."""
    conditions = {node: tree.condition(node) for node in range(1, len(tree.nodes))}
    rules = tuple(_leaf_rule(tree, fates, conditions, rule) for rule in range(len(fates.leaf)))
    firsts = [i for i, same in enumerate(fates.same_as.tolist()) if same == i]
    classes = []
    for code, name in enumerate(tree.schema.classes):
        mine = tuple(i for i in firsts if fates.answer[i] == code)
        kept = tuple(i for i in mine if fates.chosen[i])
        none, every, chosen = fates.class_bits[code].tolist()
        classes.append(ClassSubset(name, mine, kept, chosen, none, every))
    return C45RulesLedger(rules, tuple(classes))


def _leaf_rule(tree: Tree, fates: LeafRules, conditions: dict[int, Condition], rule: int) -> LeafRule:
    way, node = [], int(fates.leaf[rule])
    while node > 0:
        way.append(conditions[node])
        node = int(tree.nodes.parent[node])
    dropped, before = [], float(fates.first_error[rule])
    for node, after in fates.dropped(rule):
        dropped.append(DroppedCondition(conditions[node], before, after))
        before = after
    when = merged_conditions([conditions[node] for node in fates.kept(rule)])
    return LeafRule(
        tuple(way[::-1]),
        float(fates.first_error[rule]),
        tuple(dropped),
        Rule(when, tree.schema.classes[int(fates.answer[rule])]),
        float(fates.covered[rule]),
        float(fates.wrong[rule]),
        float(fates.bits[rule]),
        _fate(fates, rule),
    )


def _fate(fates: LeafRules, rule: int) -> str:
    same = int(fates.same_as[rule])
    if same != rule:
        return "empty" if same < 0 else "double"
    if not fates.chosen[rule]:
        return "left out"
    return "kept" if rule in fates.order else "harmful"


# The results of C4.5rules as columns: every leaf's rule on its way to a place in the list.
#
# This is the form the native code writes and the definition too. A condition is named by the first node of
# the tree whose branch tests it.
#
#     leaf        int32   [rule]         the leaf a rule comes from, in preorder
#     answer      int32   [rule]         its class
#     first_error float64 [rule]         its pessimistic error with every condition on the way to the leaf
#     drop_start  int64   [rule + 1]     dropped, in that order: drop_node[drop_start[i] : drop_start[i + 1]]
#     drop_node   int32   [drop]
#     drop_error  float64 [drop]         the rule's pessimistic error without it
#     kept_start  int64   [rule + 1]     the conditions left, from the top of the tree: kept_node[…] likewise
#     kept_node   int32   [·]
#     error       float64 [rule]         its pessimistic error now, of …
#     covered     float64 [rule]         … the weight of all rows it covers now, …
#     wrong       float64 [rule]         … and of those that are of another class
#     same_as     int32   [rule]         the first rule of this class and these conditions; −1: none left
#     bits        float64 [rule]         to encode it; 0 where same_as is another
#     chosen      bool    [rule]         in its class's subset
#     class_bits  float64 [class, 3]     description length of none of its rules, of all, of those chosen
#     order       int32   [place]        the chosen rules as they answer
#     counts      float64 [place + 1, class]  the rows each answers; last those that no rule takes
#     otherwise   int                    the class of rows that no rule takes


@dataclass(frozen=True, slots=True, eq=False)
class LeafRules:
    """The columns; see the glossary above."""

    leaf: Ints
    answer: Ints
    first_error: Floats
    drop_start: Longs
    drop_node: Ints
    drop_error: Floats
    kept_start: Longs
    kept_node: Ints
    error: Floats
    covered: Floats
    wrong: Floats
    same_as: Ints
    bits: Floats
    chosen: Bools
    class_bits: Floats
    order: Ints
    counts: Floats
    otherwise: int

    def kept(self, rule: int) -> list[int]:
        """The conditions left of a rule, by node."""
        nodes: list[int] = self.kept_node[self.kept_start[rule] : self.kept_start[rule + 1]].tolist()
        return nodes

    def dropped(self, rule: int) -> list[tuple[int, float]]:
        """What was dropped from a rule, by node, and its pessimistic error after each."""
        these = slice(int(self.drop_start[rule]), int(self.drop_start[rule + 1]))
        return list(zip(self.drop_node[these].tolist(), self.drop_error[these].tolist(), strict=True))


# How many bits encode a condition: which attribute, and then which value, values or cut of it.


def condition_bits(tree: Tree, rows: Table) -> Floats:
    """[node] bits for the condition into each node; 0 at the root.

    log2(attributes) to name one. Then log2(values) for one of its values, a bit for each value for a set of
    them; for a number 1 bit for the side, and log2 of how many cuts its different training values allow.
    """
    n = tree.nodes
    tested = np.flatnonzero(np.bincount(n.attribute[1:])).tolist() if len(n) > 1 else []
    inputs = sum(isinstance(each, Nominal | Ordinal | Numeric) for each in tree.schema.attributes)
    single, several = np.zeros(len(tree.schema.attributes)), np.zeros(len(tree.schema.attributes))
    for position in tested:
        attribute = tree.schema.attributes[position]
        if isinstance(attribute, Nominal | Ordinal):
            single[position] = math.log2(max(1, len(attribute.values)))
            several[position] = len(attribute.values)
        elif isinstance(attribute, Numeric):  # NaN last; np.unique loads more of NumPy than it is worth
            column = np.sort(rows.columns[attribute.name])
            cuts = len(attribute.cuts) or int(np.count_nonzero(column[1:] > column[:-1]))
            single[position] = several[position] = 1 + math.log2(max(1, cuts))
    one = np.diff(n.set_start) == 1
    bits = np.where(one, single[n.attribute], several[n.attribute]) + math.log2(max(1, inputs))
    bits[0] = 0.0
    return np.asarray(bits, dtype=np.float64)
