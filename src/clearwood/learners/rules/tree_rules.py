"""TreeRules: grow a tree, read it as rules, simplify them by tests."""

from dataclasses import dataclass, field, replace
from typing import Annotated, Any, ClassVar, TypeAlias

import numpy as np

from clearwood.bounds import Checked
from clearwood.errors import Advice, SettingError
from clearwood.learners.class_order import classes_in_turn
from clearwood.learners.learner import Learner, check_learner
from clearwood.learners.rules.rules_of import rules_of
from clearwood.learners.rules.simplifying import condition_tests as settings
from clearwood.learners.rules.simplifying.by_tests import SimplifiedRules, simplify_rules
from clearwood.learners.rules.simplifying.ledger import RulesLedger
from clearwood.learners.training import origin_of
from clearwood.learners.trees.c45 import C45
from clearwood.models.kinds.rules.rule_list import RuleList
from clearwood.models.kinds.tree.tree import Tree
from clearwood.registry import Costs, OnlyWith, check
from clearwood.table.attributes import Numeric, Text
from clearwood.table.table import Table, empty_cells, missing_cells

OfTrees: TypeAlias = Annotated[
    Learner[Tree],
    Checked(lambda name, value: check_learner(name, value, "a learner of trees")),
    "The learner of the tree, with its settings: LEARNER:NAME=VALUE,….",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class TreeRules:
    """One rule for each leaf of a tree, shortened by tests of independence, as in textbooks.

    `tree` is any learner of trees. Its leaves become rules, each with the conditions on the way down, two
    on one attribute merged to one. With `simplify` each condition is tested against the class and goes
    where chance explains it, then the rules that no training row needs go (`simplify_rules` says how, and
    what the other settings mean). `learn_with_ledger` gives the tables and tests that decided as well.

    Testing over all rows (`tables="marginal"`) is what the textbooks do by hand. It can cost accuracy where
    attributes matter only together; `tables="conditional"` tests each condition among the rows that reach it.

    An empty cell follows the heaviest branch in those columns that have one in training. `costs` are given
    to the learner of the tree.

    >>> from clearwood import datasets, read_table
    >>> table = read_table(datasets.path("tennis_numeric"), target="Play")
    >>> print(TreeRules().learn(table.take(np.tile(np.arange(14), 4))))
    IF Outlook = Overcast THEN Play = Play  (16 rows, 100 %)
    IF Outlook = Sunny AND Humidity > 75 THEN Play = Don't Play  (12 rows, 100 %)
    IF Wind = Strong THEN Play = Don't Play  (8 rows, 100 %)
    OTHERWISE Play = Play  (20 rows, 100 %)
    """

    learns_shares: ClassVar[bool] = False  # its tree is pruned by errors

    tree: OfTrees = field(default_factory=C45)
    simplify: Annotated[bool, "Drop conditions and rules by tests; no: one rule for every leaf."] = True
    alpha: Annotated[settings.Alpha, OnlyWith("simplify", (True,), at_the_shell=True)] = 0.05
    tables: Annotated[settings.Tables, OnlyWith("simplify", (True,), at_the_shell=True)] = "marginal"
    choose_by: Annotated[settings.ChosenBy, OnlyWith("simplify", (True,), at_the_shell=True)] = "largest"
    test: Annotated[settings.OneTest, OnlyWith("simplify", (True,), at_the_shell=True)] = None
    against: Annotated[settings.Against, OnlyWith("simplify", (True,), at_the_shell=True)] = "class"
    adjust: settings.Adjust = None
    drop_conditions: settings.DropConditions = True
    drop_rules: settings.DropRules = True
    order: settings.InOrder = "fewest_errors"
    costs: Costs = None

    def __post_init__(self) -> None:
        check(self)
        if self.costs is not None and not hasattr(self.tree, "costs"):
            raise SettingError(f"costs: {type(self.tree).__name__} takes none. Leave them out.")

    @property
    def tree_learner(self) -> Any:
        """The learner of the tree, with the costs of the whole where these are given."""
        tree: Any = self.tree
        return tree if self.costs is None else replace(tree, costs=self.costs)

    @classes_in_turn
    def learn(self, table: Table) -> RuleList:
        """The rules, simplified unless `simplify` is False."""
        if self.simplify:
            return self.learn_with_ledger(table)[0]
        return replace(self._rules(table), origin=origin_of(self, table))

    @classes_in_turn
    def learn_with_ledger(self, table: Table) -> tuple[RuleList, RulesLedger]:
        """The simplified rules, and every test and decision on the way to them."""
        if not self.simplify:
            raise SettingError(
                "Nothing is tested with simplify=False. Use learn, or ",
                Advice("simplify", True, setting=True),
                ".",
            )
        target = getattr(table, "schema", None) and table.schema.target
        if isinstance(target, Numeric):
            raise SettingError(
                f"Conditions are tested against a class, and '{target.name}' is a number. Use ",
                Advice("simplify", False, setting=True),
                ".",
            )
        simplified = self.simplified(self._rules(table), table)
        return replace(simplified.rules, origin=origin_of(self, table)), simplified.ledger

    def simplified(self, rules: RuleList, table: Table) -> SimplifiedRules:
        """The rules, simplified by these settings."""
        chosen: dict[str, Any] = {name: getattr(self, name) for name in settings.HowTested.__slots__}
        chosen |= {name: getattr(self, name) for name in ("drop_conditions", "drop_rules", "order")}
        return simplify_rules(rules, table, **chosen)

    def _rules(self, table: Table) -> RuleList:
        tree = self.tree_learner.learn(table)
        if not isinstance(tree, Tree):
            raise SettingError(
                f"tree must be a learner of trees; {type(self.tree).__name__} gave a {type(tree).__name__}."
            )
        return rules_of(tree, may_be_empty=columns_with_empty_cells(table))


def columns_with_empty_cells(table: Table) -> set[str]:
    """The inputs with a cell that is not known, in rows that can be learned from: with weight and target."""
    usable = np.ones(len(table), dtype=np.bool_) if table.weights is None else table.weights > 0
    target = table.schema.target
    if target is not None and target.name in table.columns:
        usable &= ~empty_cells(table.target)
    names = (each.name for each in table.schema.inputs if not isinstance(each, Text))
    return {name for name in names if (missing_cells(table.columns[name]) & usable).any()}
