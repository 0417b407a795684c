"""The ledger of C4.5rules: what each leaf's rule lost and why, and which rules each class kept."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from clearwood.learners.rules.leaf_rules import LeafRules
from clearwood.models.conditions import Condition, all_of
from clearwood.models.paths import merged_conditions
from clearwood.models.rule_list import Rule
from clearwood.models.tree import Tree
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
        return {"condition": str(self.condition), "before": self.before, "after": self.after}


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
        return {
            "way": [str(each) for each in self.way],
            "error": self.error,
            "dropped": [each.to_json() for each in self.dropped],
            "rule": str(self.rule),
            "covered": self.covered,
            "wrong": self.wrong,
            "bits": self.bits,
            "fate": self.fate,
        }


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
        return {
            "rules": [each.to_json() for each in self.rules],
            "classes": [asdict(each) for each in self.classes],
        }


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
