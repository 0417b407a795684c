"""A simplification step by step, from its ledger: each test, the order, each rule that went, the default."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cached_property, partial
from typing import Final

import numpy as np

from clearwood.arrays import Bools, Floats, Ints
from clearwood.deriving.rules.two_by_two import tested
from clearwood.deriving.trees.leaves import interval_figures
from clearwood.formulas.expressions import Sum
from clearwood.learners.rules.covering import covered_by
from clearwood.learners.rules.simplifying.condition_tests import rows_and_truth
from clearwood.learners.rules.simplifying.ledger import ConditionTest, RuleRecord, RulesLedger
from clearwood.models.kinds.rules.rule_list import Answer, Rule, RuleList
from clearwood.predicting.columns import table_for
from clearwood.table.table import Table
from clearwood.words.numbers import number
from clearwood.working.derivation import Became, Defaulted, Kept, Ordered, Step
from clearwood.working.figures import Figure, Grid, GridCell, Rows, plain

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
    title = f"Rule {record.number}: does {test.condition} matter for {record.before.then}{rows}?"
    decision = f"{test.condition} {verdict}, {test.why} (p = {p:.4g})."
    outcome = Kept() if test.kept else Became(rule, after)
    return Step(_TESTING, title, tested(test, ledger.how), decision, outcome, alone=True)


def _order_step(ledger: RulesLedger, rules_in_order: RulesInOrder) -> Step:
    order = ", ".join(map(str, ledger.order[:20])) + (", …" if len(ledger.order) > 20 else "")
    decision = f"Shortened rules may overlap, and the first that holds decides: their order is {order}."
    given, default = sorted(ledger.order), ledger.otherwise_before
    figures = (
        rules_in_order.sureness(ledger.order),
        rules_in_order.errors("training errors in the order given", given, default),
        rules_in_order.errors("training errors in this order", ledger.order, default),
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
    decision = f"It {'goes' if record.after is None else 'stays'}: {record.why}."
    outcome = Became(shortened, record.after)
    return Step(_DROPPING, f"Rule {record.number}: {shortened}", figures, decision, outcome)


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
    outcome = Defaulted(ledger.otherwise_after)
    return Step(_DROPPING, "The prediction where no rule holds", (before, after), decision + errors, outcome)


def _shortened(record: RuleRecord) -> Rule:
    rule = record.before
    for test in record.tests:
        rule = rule if test.kept else _without(rule, test)
    return rule


def _without(rule: Rule, test: ConditionTest) -> Rule:
    return replace(rule, when=tuple(each for each in rule.when if each != test.condition))


# Rules tried in turn: how sure each is on its own rows, and what a list of them gets wrong.


class RulesInOrder:
    """Shortened rules [rule] of a list, and the rows, counted again on demand."""

    def __init__(self, given: RuleList, rules: Sequence[Rule], table: Table) -> None:
        self.given = given
        self.rules = tuple(rules)
        self.table = table

    def sureness(self, order: Sequence[int]) -> Figure:
        """Each rule in this order (numbers from 1): its rows, those it is right about, Wilson's lower end."""
        counts = [self._right(number - 1) for number in order]

        def figure_of(place: int) -> Figure:
            rows, right = counts[place]
            none = Figure("", None, is_interval=True)
            low = interval_figures(right, rows)[0] if rows > 0 else none
            return replace(low, name=f"interval from, rule {order[place]}")

        lines = [
            (number, str(self.rules[number - 1]), *counts[place], figure_of(place).value)
            for place, number in enumerate(order)
        ]
        columns = ("number", "rule", "rows", "right", "interval from")
        grid = Grid("The surest first", columns, lines, figure_of=figure_of)
        because = "Ordered by the lower end of the interval of its accuracy, on all rows it covers."
        return Figure("how sure each rule is", None, because=because, grids=(grid,))

    def errors(self, name: str, order: Sequence[int], otherwise: Answer | None) -> Figure:
        """The training errors of the rules tried in this order, rule by rule, and of the default."""
        rules = [number - 1 for number in order]
        taken = self._taken(rules)
        paid = self._paid(self._predicted(taken, rules, otherwise))
        parts = [float(paid[taken == place].sum()) for place in (*range(len(rules)), -1)]
        names = [*(str(self.rules[rule]) for rule in rules), f"OTHERWISE {otherwise or 'nothing'}"]
        lines: list[tuple[GridCell, ...]] = [
            (what, float(self._weights[taken == place].sum()), part)
            for what, place, part in zip(names, (*range(len(rules)), -1), parts, strict=True)
        ]
        grid = Grid("Errors", ("rule", "rows it predicts", "errors"), lines)
        put_in, rows = Sum(tuple(map(plain, parts))), Rows(float(self._weights.sum()))
        return Figure(name, float(sum(parts)), put_in=put_in, rows=rows, grids=(grid,))

    @cached_property
    def _rows(self) -> Table:
        return rows_and_truth(self.given, table_for(self.given, self.table, with_target=True))[0]

    @cached_property
    def _costs(self) -> Floats:
        return rows_and_truth(self.given, self._rows)[1].costs

    @cached_property
    def _weights(self) -> Floats:
        return np.ones(len(self._rows)) if self._rows.weights is None else self._rows.weights

    @cached_property
    def _cover(self) -> list[Bools]:
        covers = []
        for rule in self.rules:
            cover = np.zeros(len(self._rows), dtype=np.bool_)
            cover[covered_by(self._rows, rule.when)] = True
            covers.append(cover)
        return covers

    def _code(self, then: object) -> int:
        return -1 if then is None else self.given.schema.classes.index(str(then))

    def _right(self, rule: int) -> tuple[float, float]:
        cover = self._cover[rule]
        right = cover & (self._rows.target == self._code(self.rules[rule].then))
        return float(self._weights[cover].sum()), float(self._weights[right].sum())

    def _taken(self, rules: Sequence[int]) -> Ints:
        """[row] the place of the first of these rules that holds; −1 where none does."""
        taken = np.full(len(self._rows), -1, dtype=np.int32)
        for place in reversed(range(len(rules))):
            taken[self._cover[rules[place]]] = place
        return taken

    def _predicted(self, taken: Ints, rules: Sequence[int], otherwise: Answer | None) -> Ints:
        """[row] the predicted class; −1 for none."""
        codes = [self._code(self.rules[rule].then) for rule in rules]
        return np.array([*codes, self._code(otherwise)], dtype=np.int32)[taken]

    def _paid(self, predicted: Ints) -> Floats:
        paid: Floats = self._weights * self._costs[self._rows.target, predicted]
        return paid
