"""The derivation of a rule list: its learner's own steps, and those of its simplification."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Final

from clearwood.catalogue import entry_of, learner_of
from clearwood.derive.rules.simplifying import simplification_steps
from clearwood.derive.rules.tree_rules import reading_steps
from clearwood.derive.same_table import check_same_table
from clearwood.errors import LearningError, SettingError
from clearwood.learners.rules.rules_of import rules_of
from clearwood.learners.rules.simplifying.by_tests import simplify_rules
from clearwood.models.origin import Origin
from clearwood.models.rule_list import RuleList
from clearwood.registry import named
from clearwood.table.table import Table
from clearwood.working.derivation import Derivation, Step
from clearwood.working.on_demand import OnDemand

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
    return Derivation(f"{origin.learner} on {rules.schema.target.name}", OnDemand(made.steps))


def _made(origin: Origin, rows: Table) -> Made:
    if origin.learner.startswith(_OF_A_TREE):
        tree = learner_of(replace(origin, learner=origin.learner.removeprefix(_OF_A_TREE))).learn(rows)
        found = rules_of(tree)
        return Made(found, reading_steps(tree, found, rows))
    learner = learner_of(origin)
    entry = entry_of(learner)
    if entry is None or not entry.steps:
        raise SettingError(f"Rules of {origin.learner} have no steps to derive.")
    return Made(*named(entry.steps)(learner, rows))
