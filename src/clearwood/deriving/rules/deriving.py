"""The derivation of a rule list: its learner's own steps, then those of what was done to it since."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, assert_never

from clearwood.catalogue import entry_of, learner_of
from clearwood.deriving.deriving import counted_rows
from clearwood.deriving.pruning import ended_as, placed_steps
from clearwood.deriving.rules.simplifying import simplification_steps
from clearwood.deriving.trees.deriving import rounds_of
from clearwood.deriving.trees.growing import growing_steps
from clearwood.deriving.trees.growth import grown_again
from clearwood.errors import LearningError, SettingError
from clearwood.learners.class_order import by_name, in_order, order_of_classes, with_classes_of
from clearwood.learners.learner import TreeLearner
from clearwood.learners.rules.costs_of_mistakes import answers_at_cost, weighed_by_costs
from clearwood.learners.rules.rules_of import rules_of
from clearwood.learners.rules.simplifying.by_tests import SimplifiedRules, simplify_rules
from clearwood.learners.rules.tree_rules import TreeRules, columns_with_empty_cells
from clearwood.learners.training import usable_rows
from clearwood.models import lineage
from clearwood.models.decision import Decision
from clearwood.models.in_words import in_words
from clearwood.models.kinds.rules.rule_list import Rule, RuleList, by_shares
from clearwood.models.lineage import BY_HAND, Done, ReadAsRules
from clearwood.registry import imported
from clearwood.table.table import Table
from clearwood.working.derivation import (
    Answered,
    Became,
    BecameLeaf,
    BecameSplit,
    Defaulted,
    Derivation,
    Kept,
    Ordered,
    Raised,
    Step,
    Stopped,
    Taken,
)
from clearwood.working.figures import each_by


@dataclass(frozen=True, slots=True)
class MadeAgain:
    """A rule list made again, and the steps that led there."""

    rules: RuleList
    steps: list[Callable[[], Step]]


def derive_rules(rules: RuleList, table: Table | None) -> Derivation:
    """Every step by which a rule list was learned, and simplified.

    >>> import clearwood as cw
    >>> table = cw.read_table(cw.datasets.path("objects"), target="Decision")
    >>> derivation = derive_rules(cw.ILA(class_order=("Yes",)).learn(table), table)
    >>> derivation[0].decision
    'IF Color = Green THEN Yes: the best of 5, first of 2 equals. It marks rows 5, 7; 2 left.'
    """
    origin = rules.origin
    if origin.learner == BY_HAND:
        raise SettingError("These rules were written by hand: no learner's steps led to them.")
    rows = counted_rows(rules, table)
    learner = learner_of(origin)
    before, read, since = _parted(origin.after)
    if read is None:
        made = _learned(learner, rows)
    else:
        made = MadeAgain(*read_as_rules(learner, before, rules.decision, read, rows))
    for done in since:
        made = _after(made, done, rows)
    likeliest = by_shares(made.rules)
    if not _same(made.rules, rules) and _same(likeliest, rules):
        made = MadeAgain(likeliest, [*made.steps, partial(_answers_by_shares, made.rules, likeliest)])
    if not _same(made.rules, rules):
        raise LearningError(
            f"{origin.title} makes other rules of this table than these: they were changed since, or made "
            "by another version. Learn them again."
        )
    return Derivation(f"{origin.title} on {rules.schema.predicted.name}", each_by(made.steps))


def _answers_by_shares(learned: RuleList, likeliest: RuleList) -> Step:
    """What an estimator changes at last: it answers what the rows behind a rule make most probable."""
    changed = _changed_answers(learned, likeliest)
    decision = f"Every prediction is the most common class of the rows behind it: {'; '.join(changed)}."
    return Step("Predictions", "Predictions by the shares of the rows", (), decision)


def _changed_answers(before: RuleList, after: RuleList) -> list[str]:
    return [
        f"{f'rule {place}' if place <= len(before) else 'otherwise'}, {one.then} to {other.then}"
        for place, (one, other) in enumerate(zip(before.entries, after.entries, strict=True), 1)
        if one.then != other.then
    ]


def _learned(learner: Any, table: Table) -> MadeAgain:
    entry, rows = entry_of(learner), by_name(table)
    if entry is None or not entry.steps:
        raise SettingError(f"Rules of {type(learner).__name__} have no steps to derive.")
    costs = None if isinstance(learner, TreeRules) else getattr(learner, "costs", None)
    if costs is None:
        rules, steps = imported(entry.steps)(learner, rows)
        return MadeAgain(with_classes_of(rules, table.schema), _told(steps, rows, table))
    usable = usable_rows(learner, rows, reads_text=True)
    weighed = weighed_by_costs(usable, costs)
    rules, steps = imported(entry.steps)(replace(learner, costs=None), weighed)
    decided = with_classes_of(answers_at_cost(rules, usable, costs), table.schema)
    return MadeAgain(decided, [*_told(steps, rows, table), partial(_answers_at_cost, rules, decided)])


def _told(steps: list[Callable[[], Step]], rows: Table, table: Table) -> list[Callable[[], Step]]:
    """The steps, what comes of each counted in the order of classes that the table declares."""
    if rows.schema.classes == table.schema.classes:
        return steps
    order = order_of_classes(rows.schema, table.schema)
    return [partial(_step_told, make, order) for make in steps]


def _step_told(make: Callable[[], Step], order: list[int]) -> Step:
    def told(rule: Rule) -> Rule:
        return replace(rule, counts=in_order(rule.counts, order))

    step = make()
    match step.outcome:
        case Taken(rule):
            return replace(step, outcome=Taken(told(rule)))
        case Became(before, after):
            return replace(step, outcome=Became(told(before), after and told(after)))
        case Ordered(rules):
            return replace(step, outcome=Ordered(tuple(map(told, rules))))
        case BecameSplit() as split:
            return replace(step, outcome=replace(split, counts=in_order(split.counts, order)))
        case Stopped(counts):
            return replace(step, outcome=Stopped(in_order(counts, order)))
        case Kept() | BecameLeaf() | Raised() | Defaulted() | Answered() | None:
            return step
        case _:
            assert_never(step.outcome)


def _answers_at_cost(learned: RuleList, decided: RuleList) -> Step:
    """Where costs decide, the steps before this one count rows by what their mistakes cost."""
    changed = _changed_answers(learned, decided)
    votes = decided.matching == "vote"
    how = "the sum of their votes decides by costs" if votes else "predict the class of lowest expected cost"
    decision = (
        "Until here a row counted by what mistakes about its class cost. The rules count the rows as they "
        f"are, and {how}{': ' + '; '.join(changed) if changed else ''}."
    )
    return Step("Predictions", "Counts and predictions by cost", (), decision)


def _parted(
    after: tuple[lineage.Done, ...],
) -> tuple[tuple[lineage.Done, ...], lineage.ReadAsRules | None, tuple[lineage.Done, ...]]:
    """What was done to a tree before it was read as rules, the reading, and what was done to the rules."""
    for place, done in enumerate(after):
        if isinstance(done, lineage.ReadAsRules):
            return after[:place], done, after[place + 1 :]
    return (), None, after


def _after(made: MadeAgain, done: lineage.Done, rows: Table) -> MadeAgain:
    """What was done to the rules once they were there."""
    match done:
        case lineage.Simplified(settings):
            given: dict[str, Any] = dict(settings)
            return _simplified(made, simplify_rules(made.rules, rows, **given), rows)
        case (
            lineage.Calibrated()
            | lineage.Decided()
            | lineage.Distilled()
            | lineage.EndedEarly()
            | lineage.Edited("recount")
        ):
            return made
        case lineage.Selected() | lineage.Balanced() | lineage.Tuned() | lineage.Chosen():
            return made  # done to the rows, before
        case (
            lineage.Edited()
            | lineage.Imported()
            | lineage.CurveEdited()
            | lineage.Joined()
            | lineage.LearnedMore()
            | lineage.Pruned()
            | lineage.ReadAsRules()
            | lineage.AsWeights()
        ):
            raise LearningError(
                f"These rules were changed since they were learned: {in_words(done)}. No learner's steps led "
                "to that. Derive the rules as they were before."
            )
        case _:
            assert_never(done)


def _simplified(made: MadeAgain, simplified: SimplifiedRules, rows: Table) -> MadeAgain:
    return MadeAgain(
        simplified.rules, [*made.steps, *simplification_steps(simplified.ledger, made.rules, rows)]
    )


def _same(made: RuleList, rules: RuleList) -> bool:
    """Are they the same rules, counts included, unless they were counted again?"""
    recounted = any(isinstance(done, lineage.Edited) for done in rules.origin.after)
    one, other = (_uncounted(made), _uncounted(rules)) if recounted else (made, rules)
    return (one.rules, one.otherwise) == (other.rules, other.otherwise)


def _uncounted(rules: RuleList) -> RuleList:
    bare = tuple(replace(rule, counts=()) for rule in rules)
    return replace(rules, rules=bare, otherwise=replace(rules.otherwise, counts=()))


# Rules of a tree, step by step: its growing, its leaves read as rules, and their simplification.


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
