"""The derivation of a rule list: its learner's own steps, and those of its simplification."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Final

from clearwood.derive.rules.c45_rules import c45_rules_steps
from clearwood.derive.rules.cn2 import cn2_steps
from clearwood.derive.rules.ila import ila_steps
from clearwood.derive.rules.prism import prism_steps
from clearwood.derive.rules.ripper import ripper_steps
from clearwood.derive.rules.simplifying import simplification_steps
from clearwood.derive.same_table import check_same_table
from clearwood.errors import LearningError, SettingError
from clearwood.learners.made_by import made_by
from clearwood.learners.rules.c45_rules import C45Rules
from clearwood.learners.rules.cn2 import CN2
from clearwood.learners.rules.ila import ILA
from clearwood.learners.rules.prism import PRISM
from clearwood.learners.rules.ripper import RIPPER
from clearwood.learners.rules.rules_of import rules_of
from clearwood.learners.rules.simplifying.by_tests import simplify_rules
from clearwood.learners.rules.tree_rules import TreeRules, columns_with_empty_cells
from clearwood.models.origin import Origin
from clearwood.models.rule_list import Rule, RuleList
from clearwood.models.tree import Tree
from clearwood.table.table import Table
from clearwood.working.derivation import Derivation, Step
from clearwood.working.lazy import each_by
from clearwood.working.outcomes import Taken

_OF_A_TREE: Final = "rules of "


@dataclass(frozen=True, slots=True)
class Made:
    """A rule list made again, and the steps that led there."""

    rules: RuleList
    steps: list[Callable[[], Step]]


def derive_rules(rules: RuleList, table: Table | None) -> Derivation:
    """Every step by which a rule list was learned, and simplified.

    >>> import clearwood as cw
    >>> table = cw.read_table(cw.datasets.path("objects"), target="Decision")
    >>> found = derive_rules(cw.ILA().learn(table), table)
    >>> found[0].decision
    'IF Color = Green THEN Yes: the best of 5, first of 2 equals. It marks rows 5, 7; 2 left.'
    """
    settings = dict(rules.origin.settings)
    simplified = settings.pop("simplified", None)
    origin = replace(rules.origin, settings=settings)
    if origin.learner == "by hand":
        raise SettingError("These rules were written by hand: no learner's steps led to them.")
    rows = check_same_table(rules, table)
    made = _made(origin, rows)
    if isinstance(simplified, Mapping):
        found = simplify_rules(made.rules, rows, **dict(simplified))  # type: ignore[arg-type]
        made = Made(found.rules, [*made.steps, *simplification_steps(found.ledger, made.rules, rows)])
    if (made.rules.rules, made.rules.otherwise) != (rules.rules, rules.otherwise):
        raise LearningError(
            f"{origin.learner} makes other rules of this table than these: they were changed since, or made "
            "by another version. Learn them again."
        )
    assert rules.schema.target is not None
    return Derivation(f"{origin.learner} on {rules.schema.target.name}", each_by(made.steps))


def _made(origin: Origin, rows: Table) -> Made:
    if origin.learner == "TreeRules":
        return _tree_rules(origin, rows)
    if origin.learner.startswith(_OF_A_TREE):
        tree = made_by(replace(origin, learner=origin.learner.removeprefix(_OF_A_TREE))).learn(rows)
        found = rules_of(tree)
        return Made(found, [*_tree_steps(tree, rows), *_reading_steps(found)])
    match made_by(origin):
        case ILA() as learner:
            rules, looks = learner.learn_with_steps(rows)
            return Made(rules, ila_steps(learner, rules, looks))
        case PRISM() as learner:
            rules, choices = learner.learn_with_steps(rows)
            return Made(rules, prism_steps(rules, choices))
        case CN2() as learner:
            rules, levels = learner.learn_with_steps(rows)
            return Made(rules, cn2_steps(learner, rules, levels))
        case C45Rules() as learner:
            rules = learner.learn(rows)
            return Made(rules, c45_rules_steps(learner, rules, rows))
        case RIPPER() as learner:
            rules = learner.learn(rows)
            return Made(rules, ripper_steps(learner, rules, rows))
        case _:
            raise SettingError(f"Rules of {origin.learner} have no steps to tell.")


def _tree_rules(origin: Origin, rows: Table) -> Made:
    learner = TreeRules(**{**origin.settings, "tree": _said(str(origin.settings["tree"]))})
    tree = learner.tree.learn(rows)
    found = rules_of(tree, may_be_empty=columns_with_empty_cells(rows))
    steps = [*_tree_steps(tree, rows), *_reading_steps(found)]
    if not learner.simplify:
        return Made(found, steps)
    rules, ledger = learner.learn_with_ledger(rows)
    return Made(rules, [*steps, *simplification_steps(ledger, found, rows)])


def _said(text: str) -> Any:
    """A learner from what it prints as: C45(min_rows=2, …), literals only."""
    call = ast.parse(text, mode="eval").body
    assert isinstance(call, ast.Call)
    assert isinstance(call.func, ast.Name)
    kind = type(made_by(Origin(call.func.id)))
    return kind(**{str(each.arg): ast.literal_eval(each.value) for each in call.keywords})


def _tree_steps(tree: Tree, rows: Table) -> list[Callable[[], Step]]:
    from clearwood.derive.trees.deriving import derive_tree

    steps = derive_tree(tree, rows, None).steps
    return [partial(steps.__getitem__, place) for place in range(len(steps))]


def _reading_steps(rules: RuleList) -> list[Callable[[], Step]]:
    return [partial(_leaf_step, number, rule) for number, rule in enumerate(rules, 1)]


def _leaf_step(number: int, rule: Rule) -> Step:
    decision = "Its way down, conditions on one attribute merged."
    return Step("Reading rules", f"Leaf {number}: {rule}", (), decision, Taken(rule))
