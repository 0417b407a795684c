"""The derivation of a rule list: its learner's own steps, then those of what was done to it since."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, assert_never

from clearwood.derive.prunings.rounds import ended_as, placed_steps
from clearwood.derive.rules.c45_rules import c45_rules_steps
from clearwood.derive.rules.cn2 import cn2_steps
from clearwood.derive.rules.ila import ila_steps
from clearwood.derive.rules.prism import prism_steps
from clearwood.derive.rules.ripper import ripper_steps
from clearwood.derive.rules.simplifying import simplification_steps
from clearwood.derive.same_table import check_same_table
from clearwood.derive.trees.growing import growing_steps
from clearwood.derive.trees.growth import grown_again
from clearwood.derive.trees.pruning import rounds_of
from clearwood.errors import LearningError, SettingError
from clearwood.learners.learner import TreeLearner
from clearwood.learners.made_by import made_by
from clearwood.learners.rules.c45_rules import C45Rules
from clearwood.learners.rules.cn2 import CN2
from clearwood.learners.rules.ila import ILA
from clearwood.learners.rules.prism import PRISM
from clearwood.learners.rules.ripper import RIPPER
from clearwood.learners.rules.rules_of import rules_of
from clearwood.learners.rules.simplifying.by_tests import SimplifiedRules, simplify_rules
from clearwood.learners.rules.tree_rules import TreeRules, columns_with_empty_cells
from clearwood.models.decision import Decision
from clearwood.models.lineage import (
    AsWeights,
    Calibrated,
    Decided,
    Done,
    Edited,
    Joined,
    LearnedMore,
    Pruned,
    ReadAsRules,
    Simplified,
)
from clearwood.models.lineage_words import in_words
from clearwood.models.origin import BY_HAND
from clearwood.models.rule_list import Rule, RuleList
from clearwood.table.table import Table
from clearwood.working.derivation import Derivation, Step
from clearwood.working.lazy import each_by
from clearwood.working.outcomes import Taken


@dataclass(frozen=True, slots=True)
class MadeAgain:
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
    origin = rules.origin
    if origin.learner == BY_HAND:
        raise SettingError("These rules were written by hand: no learner's steps led to them.")
    rows = check_same_table(rules, table)
    learner = made_by(origin)
    before, read, since = _parted(origin.after)
    if read is None:
        made = _learned(learner, rows)
    else:
        made = _read_as_rules(learner, before, rules.decision, read, rows)
    for done in since:
        made = _after(made, done, rows)
    if not _same(made.rules, rules):
        raise LearningError(
            f"{origin.title} makes other rules of this table than these: they were changed since, or made "
            "by another version. Learn them again."
        )
    assert rules.schema.target is not None
    return Derivation(f"{origin.title} on {rules.schema.target.name}", each_by(made.steps))


def _learned(learner: Any, rows: Table) -> MadeAgain:
    match learner:
        case ILA() as learner:
            rules, looks = learner.learn_with_steps(rows)
            return MadeAgain(rules, ila_steps(learner, rules, looks))
        case PRISM() as learner:
            rules, choices = learner.learn_with_steps(rows)
            return MadeAgain(rules, prism_steps(rules, choices))
        case CN2() as learner:
            rules, levels = learner.learn_with_steps(rows)
            return MadeAgain(rules, cn2_steps(learner, rules, levels))
        case C45Rules() as learner:
            rules = learner.learn(rows)
            return MadeAgain(rules, c45_rules_steps(learner, rules, rows))
        case RIPPER() as learner:
            rules = learner.learn(rows)
            return MadeAgain(rules, ripper_steps(learner, rules, rows))
        case TreeRules() as learner:
            read = ReadAsRules(tuple(sorted(columns_with_empty_cells(rows))))
            tree: Any = learner.tree
            made = _read_as_rules(tree, (), Decision(), read, rows)
            return _simplified(made, learner.simplified(made.rules, rows), rows) if learner.simplify else made
        case _:
            raise SettingError(f"Rules of {type(learner).__name__} have no steps to derive.")


def _parted(after: tuple[Done, ...]) -> tuple[tuple[Done, ...], ReadAsRules | None, tuple[Done, ...]]:
    """What was done to a tree before it was read as rules, the reading, and what was done to the rules."""
    for place, done in enumerate(after):
        if isinstance(done, ReadAsRules):
            return after[:place], done, after[place + 1 :]
    return (), None, after


def _read_as_rules(
    learner: TreeLearner, before: tuple[Done, ...], decision: Decision, read: ReadAsRules, rows: Table
) -> MadeAgain:
    """The steps of the tree, which is grown and pruned again, and the rules that its leaves are."""
    growth = grown_again(learner, rows)
    rounds = rounds_of(growth, before, decision, rows)
    tree = rounds[-1].found.tree if rounds else growth.tree
    growing = growing_steps(growth, ended_as(growth.tree, rounds).tolist())
    rules = rules_of(tree, may_be_empty=read.may_be_empty)
    return MadeAgain(
        rules,
        [
            *(partial(growing.__getitem__, place) for place in range(len(growing))),
            *(each.make for steps in placed_steps(growth.tree.size, rounds) for each in steps),
            *_reading_steps(rules),
        ],
    )


def _after(made: MadeAgain, done: Done, rows: Table) -> MadeAgain:
    """What was done to the rules once they were there."""
    match done:
        case Simplified(settings):
            return _simplified(made, simplify_rules(made.rules, rows, **dict(settings)), rows)  # type: ignore[arg-type]
        case Calibrated() | Decided() | Edited("recount"):
            return made
        case Edited() | Joined() | LearnedMore() | Pruned() | ReadAsRules() | AsWeights():
            raise LearningError(
                f"These rules were changed since they were learned: {in_words(done)}. No learner's steps led "
                "to that. Derive the rules as they were before."
            )
        case _:
            assert_never(done)


def _simplified(made: MadeAgain, found: SimplifiedRules, rows: Table) -> MadeAgain:
    return MadeAgain(found.rules, [*made.steps, *simplification_steps(found.ledger, made.rules, rows)])


def _same(made: RuleList, rules: RuleList) -> bool:
    """Are they the same rules, counts included, unless they were counted again?"""
    recounted = any(isinstance(done, Edited) for done in rules.origin.after)
    one, other = (_uncounted(made), _uncounted(rules)) if recounted else (made, rules)
    return (one.rules, one.otherwise) == (other.rules, other.otherwise)


def _uncounted(rules: RuleList) -> RuleList:
    bare = tuple(replace(rule, counts=()) for rule in rules)
    return replace(rules, rules=bare, otherwise=replace(rules.otherwise, counts=()))


def _reading_steps(rules: RuleList) -> list[Callable[[], Step]]:
    return [partial(_leaf_step, number, rule) for number, rule in enumerate(rules, 1)]


def _leaf_step(number: int, rule: Rule) -> Step:
    decision = "Its way down, conditions on one attribute merged."
    return Step("Reading rules", f"Leaf {number}: {rule}", (), decision, Taken(rule))
