"""Rules of a tree, step by step: its growing, its leaves read as rules, and their simplification."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from clearwood.derive.rules.simplifying import simplification_steps
from clearwood.learners.rules.rules_of import rules_of
from clearwood.learners.rules.tree_rules import TreeRules, columns_with_empty_cells
from clearwood.models.rule_list import Rule, RuleList
from clearwood.models.tree import Tree
from clearwood.table.table import Table
from clearwood.working.derivation import Step
from clearwood.working.outcomes import Taken


def rules_and_steps(learner: TreeRules, rows: Table) -> tuple[RuleList, list[Callable[[], Step]]]:
    """The rules learned again, and how they came about."""
    tree = learner.tree.learn(rows)
    found = rules_of(tree, may_be_empty=columns_with_empty_cells(rows))
    steps = reading_steps(tree, found, rows)
    if not learner.simplify:
        return found, steps
    rules, ledger = learner.learn_with_ledger(rows)
    return rules, [*steps, *simplification_steps(ledger, found, rows)]


def reading_steps(tree: Tree, rules: RuleList, rows: Table) -> list[Callable[[], Step]]:
    """The growing of a tree, and a step for each leaf that was read as a rule."""
    read = [partial(_leaf_step, number, rule) for number, rule in enumerate(rules, 1)]
    return [*_tree_steps(tree, rows), *read]


def _tree_steps(tree: Tree, rows: Table) -> list[Callable[[], Step]]:
    from clearwood.derive.trees.deriving import derive_tree

    steps = derive_tree(tree, rows, None).steps
    return [partial(steps.__getitem__, place) for place in range(len(steps))]


def _leaf_step(number: int, rule: Rule) -> Step:
    decision = "Its way down, conditions on one attribute merged."
    return Step("Reading rules", f"Leaf {number}: {rule}", (), decision, Taken(rule))
