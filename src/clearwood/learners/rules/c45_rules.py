"""C4.5rules: the rules of an unpruned tree, each generalised, the fewest bits of them kept for each class."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar, Final

import numpy as np

from clearwood import _native
from clearwood.arrays import Floats, Ints
from clearwood.bounds import Least, Whole
from clearwood.errors import LearningError
from clearwood.learners.rules.c45_rules_ledger import C45RulesLedger, LeafRules, condition_bits, ledger_of
from clearwood.learners.rules.costs_of_mistakes import classes_at_cost
from clearwood.learners.training import native_settings, origin_of, usable_rows
from clearwood.learners.trees.c45 import C45
from clearwood.learners.trees.growing import Confidence, GroupValues, OrdinalAs, QuantileTable
from clearwood.measures.pessimistic import deviate
from clearwood.models.kinds.rules.rule_list import Otherwise, Rule, RuleList
from clearwood.models.kinds.tree.node_answers import node_codes
from clearwood.models.kinds.tree.paths import merged_conditions
from clearwood.models.kinds.tree.tree import Tree
from clearwood.predicting.columns import cells_for
from clearwood.registry import Costs, Letter, check
from clearwood.table.table import Table

MOST_BYTES: Final = 4 * 2**30  # of sets of rows, one bit per row: a set for each condition and each rule


@dataclass(frozen=True, slots=True, kw_only=True)
class C45Rules:
    """Rules that no longer form one tree: each has only the conditions that its class needs.

    1. **A rule for each leaf** of the unpruned C4.5 tree (`min_rows`, `group_values` and `ordinal` are the
       tree's). A leaf without rows gives none.
    2. **Generalised.** Over all training rows a rule covers n and gets e wrong; its pessimistic error is the
       upper bound of e/n at `confidence` (`clearwood.measures.pessimistic`), and 1 where n = 0. The
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

    def __post_init__(self) -> None:
        check(self)

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
