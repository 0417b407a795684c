"""A simplification step by step, from its ledger: each test, the order, each rule that went, the default."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Final

from clearwood.derive.rules.rules_in_order import RulesInOrder
from clearwood.derive.rules.two_by_two import tested
from clearwood.learners.rules.simplifying.ledger import ConditionTest, RuleRecord, RulesLedger
from clearwood.models.rule_list import Rule, RuleList
from clearwood.table.table import Table
from clearwood.words.numbers import number
from clearwood.working.derivation import Became, Defaulted, Kept, Ordered, Step
from clearwood.working.figures import Figure, Rows

_TESTING: Final = "Testing conditions"
_DROPPING: Final = "Dropping rules"
_IN_TURN: Final = ("duplicate", "subsumed", "redundant", "default", "kept", "not asked")


def simplification_steps(ledger: RulesLedger, given: RuleList, table: Table) -> list[Callable[[], Step]]:
    """From the rules as given to the rules that are left; each step is made when it is asked for."""
    makers: list[Callable[[], Step]] = []
    for record in ledger.records:
        rule = record.before
        for test in record.tests:
            shorter = rule if test.kept else _without(rule, test)
            makers.append(partial(_test_step, ledger, record, test, rule, shorter))
            rule = shorter
    shortened = {record.number: _shortened(record) for record in ledger.records}
    rules_in_order = RulesInOrder(given, [shortened[record.number] for record in ledger.records], table)
    if list(ledger.order) != sorted(ledger.order):
        makers.append(partial(_order_step, ledger, rules_in_order))
    in_order = [ledger.records[number - 1] for number in ledger.order]
    for reason in _IN_TURN:
        makers += [
            partial(_rule_step, record, shortened[record.number])
            for record in in_order
            if record.reason == reason
        ]
    makers.append(partial(_default_step, ledger, RulesInOrder(given, given.rules, table), rules_in_order))
    return makers


def _test_step(ledger: RulesLedger, record: RuleRecord, test: ConditionTest, rule: Rule, after: Rule) -> Step:
    p = test.p if test.adjusted_p is None else test.adjusted_p
    verdict = "stays" if test.kept else "goes"
    rows = "" if ledger.how.tables == "marginal" else ", among the rows of the rule's other conditions"
    return Step(
        _TESTING,
        f"Rule {record.number}: does {test.condition} matter for {record.before.then}{rows}?",
        tested(test, ledger.how),
        f"{test.condition} {verdict}, {test.why} (p = {p:.4g}).",
        Kept() if test.kept else Became(rule, after),
        alone=True,
    )


def _order_step(ledger: RulesLedger, rules_in_order: RulesInOrder) -> Step:
    order = ", ".join(map(str, ledger.order[:20])) + (", …" if len(ledger.order) > 20 else "")
    decision = f"Shortened rules may overlap, and the first that holds decides: their order is {order}."
    figures = (
        rules_in_order.sureness(ledger.order),
        rules_in_order.errors(
            "training errors in the order given", sorted(ledger.order), ledger.otherwise_before
        ),
        rules_in_order.errors("training errors in this order", ledger.order, ledger.otherwise_before),
    )
    rules = tuple(rules_in_order.rules[number - 1] for number in ledger.order)
    return Step("Order", "In which order are the rules tried?", figures, decision, Ordered(rules))


def _rule_step(record: RuleRecord, shortened: Rule) -> Step:
    figures: tuple[Figure, ...] = ()
    if record.reason in ("redundant", "kept", "default"):
        reaching = Rows(record.rows, shortened.when, "taken by no rule before it")
        changed = Rows(record.changed, shortened.when, "predicted differently without it")
        reach = Figure("rows that reach it", record.rows, rows=reaching)
        lost = Figure("rows predicted differently without it", record.changed, rows=changed)
        figures = (reach,) if record.reason == "default" else (reach, lost)
    verdict = "goes" if record.after is None else "stays"
    return Step(
        _DROPPING,
        f"Rule {record.number}: {shortened}",
        figures,
        f"It {verdict}: {record.why}.",
        Became(shortened, record.after),
    )


def _default_step(ledger: RulesLedger, given: RulesInOrder, shortened: RulesInOrder) -> Step:
    was, now = (
        "nothing" if each is None else str(each) for each in (ledger.otherwise_before, ledger.otherwise_after)
    )
    numbers = range(1, len(ledger) + 1)
    before = given.errors("training errors before", numbers, ledger.otherwise_before)
    left = [number for number in ledger.order if ledger.records[number - 1].after is not None]
    after = shortened.errors("training errors after", left, ledger.otherwise_after)
    same = was == now
    decision = f"OTHERWISE {now}" + ("." if same else f", where it was {was}.")
    what, beside = "Training errors", ""
    if ledger.weighed:
        what = "Training errors, by their costs"
        beside = f"; always predicting {ledger.constant}: {number(ledger.errors_constant)}"
    errors = f" {what}: {number(ledger.errors_before)} before, {number(ledger.errors_after)} after{beside}."
    return Step(
        _DROPPING,
        "The prediction where no rule holds",
        (before, after),
        decision + errors,
        Defaulted(ledger.otherwise_after),
    )


def _shortened(record: RuleRecord) -> Rule:
    rule = record.before
    for test in record.tests:
        rule = rule if test.kept else _without(rule, test)
    return rule


def _without(rule: Rule, test: ConditionTest) -> Rule:
    return replace(rule, when=tuple(each for each in rule.when if each != test.condition))
