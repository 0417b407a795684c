"""Rules of a tree, step by step: its growing, its leaves read as rules, and their simplification."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from clearwood.derive.rounds import ended_as, placed_steps
from clearwood.derive.rules.simplifying import simplification_steps
from clearwood.derive.trees.growing import growing_steps
from clearwood.derive.trees.growth import grown_again
from clearwood.derive.trees.pruning import rounds_of
from clearwood.learners.learner import TreeLearner
from clearwood.learners.rules.rules_of import rules_of
from clearwood.learners.rules.tree_rules import TreeRules, columns_with_empty_cells
from clearwood.models.decision import Decision
from clearwood.models.lineage import Done, ReadAsRules
from clearwood.models.rule_list import Rule, RuleList
from clearwood.table.table import Table
from clearwood.working.derivation import Step, Taken


def rules_and_steps(learner: TreeRules, rows: Table) -> tuple[RuleList, list[Callable[[], Step]]]:
    """The rules learned again, and how they came about."""
    read = ReadAsRules(tuple(sorted(columns_with_empty_cells(rows))))
    tree = learner.tree_learner
    rules, steps = read_as_rules(tree, (), Decision(), read, rows)
    if not learner.simplify:
        return rules, steps
    shorter = learner.simplified(rules, rows)
    return shorter.rules, [*steps, *simplification_steps(shorter.ledger, rules, rows)]


def read_as_rules(
    learner: TreeLearner, before: tuple[Done, ...], decision: Decision, read: ReadAsRules, rows: Table
) -> tuple[RuleList, list[Callable[[], Step]]]:
    """The rules that the leaves of a tree are, and the steps of the tree, which is grown and pruned again."""
    growth = grown_again(learner, rows)
    rounds = rounds_of(growth, before, decision, rows)
    tree = rounds[-1].pruning.tree if rounds else growth.tree
    growing = growing_steps(growth, ended_as(growth.tree, rounds).tolist())
    rules = rules_of(tree, may_be_empty=read.may_be_empty)
    return rules, [
        *(partial(growing.__getitem__, place) for place in range(len(growing))),
        *(each.make for steps in placed_steps(growth.tree.size, rounds) for each in steps),
        *(partial(_leaf_step, number, rule) for number, rule in enumerate(rules, 1)),
    ]


def _leaf_step(number: int, rule: Rule) -> Step:
    decision = "Its way down, conditions on one attribute merged."
    return Step("Reading rules", f"Leaf {number}: {rule}", (), decision, Taken(rule))
