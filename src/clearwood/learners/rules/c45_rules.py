"""C4.5rules: the rules of an unpruned tree, each generalised, the fewest bits of them kept for each class."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Annotated, ClassVar, Final

import numpy as np

from clearwood import _native
from clearwood.arrays import Bools, Floats, Ints, Longs
from clearwood.bounds import Least, Whole
from clearwood.errors import LearningError
from clearwood.formulas.conditions import Condition, all_of
from clearwood.learners.rules.costs_of_mistakes import classes_at_cost
from clearwood.learners.training import native_settings, origin_of, usable_rows
from clearwood.learners.trees.c45 import C45
from clearwood.learners.trees.growing import Confidence, GroupValues, OrdinalAs, QuantileTable
from clearwood.measures.inference import deviate
from clearwood.models.kinds.rules.rule_list import Otherwise, Rule, RuleList
from clearwood.models.kinds.tree.tree import Tree, merged_conditions, node_codes
from clearwood.predicting.columns import cells_for
from clearwood.records import JsonRecord
from clearwood.registry import CheckedSettings, Costs, Letter
from clearwood.table.attributes import Nominal, Numeric, Ordinal
from clearwood.table.table import Table
from clearwood.words.numbers import part_of, with_noun

MOST_BYTES: Final = 4 * 2**30  # of sets of rows, one bit per row: a set for each condition and each rule


@dataclass(frozen=True, slots=True, kw_only=True)
class C45Rules(CheckedSettings):
    """Rules that no longer form one tree: each has only the conditions that its class needs.

    1. **A rule for each leaf** of the unpruned C4.5 tree (`min_rows`, `group_values` and `ordinal` are the
       tree's). A leaf without rows gives none.
    2. **Generalised.** Over all training rows a rule covers n and gets e wrong; its pessimistic error is the
       upper bound of e/n at `confidence` (`clearwood.measures.inference`), and 1 where n = 0. The
       condition without which it is lowest is dropped, while it does not rise; of equals the one tested
       last. The two bounds of a number are two conditions until they are printed. Rules left without
       conditions go, and so do doubles.
    3. **A subset for each class**, of least description length: `theory_weight` × the bits of its rules + the
       bits that name its exceptions. A condition costs log2(attributes) + log2(values), or for a number
       1 + log2(cuts), or for a set of values a bit for each. A rule of n conditions costs log2 n! less, and
       k rules log2 k! less, since order has no meaning. Exceptions are the false positives among the rows
       covered and the false negatives among the others: log2 C(covered, fp) + log2 C(rest, fn). Up to
       `exhaustive` rules every subset is tried; of more, two climbs, from none and from all, take in or leave
       out the rule that shortens most, and the shorter result stands (from none where they are equal).
    4. **Order.** First the class whose rules have the fewest false positives, then of the rest the fewest
       among the rows still free, and so on; in a class, the lower pessimistic error first. What no rule
       takes is answered by the class with most rows left over; of equals, and where none are left, by the
       more frequent.
    5. With `drop_harmful`, a step of ours: while there is a rule without which more training rows are
       answered right, the one without which most are is taken out. It helps on large noisy tables (adult:
       0.860 of the test rows instead of 0.844).

    Quinlan's book (C4.5, 1993, chapter 5) leaves open, and we chose: what a condition costs to encode,
    the climbs (the book anneals), "tested last", and the order within a class.

    A missing cell satisfies no condition, here as in every rule list. A row of weight w acts as w rows.
    Memory is a bit for each row and condition or rule; above 4 GiB the table is refused. With `costs` a row
    weighs what mistakes about its class cost in the search; rules print the rows as they are, and answer the
    class of least expected cost.

    >>> import clearwood as cw
    >>> table = cw.read_table(cw.datasets.path("tennis"), target="PlayTennis")
    >>> for rule in C45Rules().learn(table):
    ...     print(rule)
    IF Outlook = Sunny AND Humidity = High THEN No
    IF Outlook = Rainy AND Wind = Strong THEN No
    IF Outlook = Overcast THEN Yes
    IF Humidity = Normal THEN Yes
    IF Outlook = Rainy AND Wind = Weak THEN Yes
    """

    learns_numbers: ClassVar[bool] = False
    learns_shares: ClassVar[bool] = False  # its rules are pruned by their errors

    confidence: Annotated[
        Confidence, "Smaller drops more conditions: the confidence in the training errors."
    ] = 0.25
    min_rows: Annotated[
        float,
        Least(0),
        Letter("min_rows"),
        "Least weight of rows in at least two branches of the tree's splits.",
    ] = 2
    group_values: GroupValues = False
    ordinal: OrdinalAs = "values"
    confidence_table: QuantileTable = "normal"
    theory_weight: Annotated[
        float,
        Least(0),
        Letter("theory_weight"),
        "Weight of the bits of rules against those of exceptions: more keeps fewer rules.",
    ] = 0.5
    exhaustive: Annotated[
        int, Whole(0, 20), "Every subset is tried if a class has at most this many rules."
    ] = 10
    drop_harmful: Annotated[
        bool, "Delete rules without which more training rows are predicted correctly."
    ] = False
    costs: Costs = None

    @classes_at_cost
    def learn(self, table: Table) -> RuleList:
        tree, fates = self.leaf_rules(table)
        return self._rule_list(table, tree, fates)

    @classes_at_cost
    def learn_with_ledger(self, table: Table) -> tuple[RuleList, C45RulesLedger]:
        """The rules, and what was dropped from each leaf's and chosen for each class, with the numbers."""
        tree, fates = self.leaf_rules(table)
        return self._rule_list(table, tree, fates), ledger_of(tree, fates)

    def unpruned_tree(self, rows: Table) -> Tree:
        """The tree the rules start from."""
        learner = C45(
            prune=False,
            collapse=False,
            min_rows=self.min_rows,
            group_values=self.group_values,
            ordinal=self.ordinal,
        )
        return Tree(rows.schema, learner.grow_nodes(rows, np.empty(0)), learner.score_names)

    def leaf_rules(self, table: Table) -> tuple[Tree, LeafRules]:
        """The unpruned tree, and what became of each of its leaves, as columns."""
        rows = usable_rows(self, table)
        tree = self.unpruned_tree(rows)
        classes, bits = leaf_classes(tree), condition_bits(tree, rows)
        cells, values = cells_for(tree, rows)
        try:
            columns = _native.c45_rules(
                tree.nodes,
                cells,
                values,
                np.ascontiguousarray(rows.target),
                None if rows.weights is None else np.ascontiguousarray(rows.weights, dtype=np.float64),
                len(rows.schema.classes),
                classes,
                bits,
                z=deviate(self.confidence, self.confidence_table),
                quinlan=self.confidence_table == "quinlan",
                most_bytes=MOST_BYTES,
                **native_settings(self, "confidence", "theory_weight", "exhaustive", "drop_harmful"),
            )
        except _native.TooManyConditionsError as error:
            raise LearningError(
                f"The unpruned tree has {tree.leaves:,} leaves and asks {error.conditions:,} different "
                f"conditions; their sets of {len(rows):,} rows would take over {MOST_BYTES / 2**30:g} GiB. "
                "Raise min_rows, or learn from a sample of the rows."
            ) from None
        return tree, LeafRules(**columns)

    def _rule_list(self, table: Table, tree: Tree, fates: LeafRules) -> RuleList:
        classes = tree.schema.classes
        counts = [tuple(row) for row in fates.counts.tolist()]
        rules = [
            Rule(
                merged_conditions([tree.condition(node) for node in fates.kept(rule)]),
                classes[fates.answer[rule]],
                counts[place],
            )
            for place, rule in enumerate(fates.order.tolist())
        ]
        otherwise = Otherwise(classes[fates.otherwise], counts[-1])
        return RuleList(tree.schema, tuple(rules), otherwise, origin=origin_of(self, table))


def leaf_classes(tree: Tree) -> Ints:
    """[node] the class of a leaf with rows; −1 elsewhere."""
    met: Floats = tree.nodes.counts.sum(axis=1)
    classes = np.where(tree.nodes.is_leaf & (met > 0), node_codes(tree), -1)
    return np.ascontiguousarray(classes, dtype=np.int32)


# The ledger of C4.5rules: what each leaf's rule lost and why, and which rules each class kept.


@dataclass(frozen=True, slots=True)
class DroppedCondition(JsonRecord):
    """A condition left out, and the rule's pessimistic error with and without it."""

    condition: Condition
    before: float
    after: float

    def __str__(self) -> str:
        return f"drop {self.condition}: {self.before:.4f} → {self.after:.4f}"


@dataclass(frozen=True, slots=True)
class LeafRule(JsonRecord):
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
class C45RulesLedger(JsonRecord):
    """Every leaf's rule in the tree's order, and every class in the schema's."""

    rules: tuple[LeafRule, ...]
    classes: tuple[ClassSubset, ...]

    def __str__(self) -> str:
        return "\n".join(map(str, (*self.rules, *self.classes)))


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
