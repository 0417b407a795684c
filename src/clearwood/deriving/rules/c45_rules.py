"""C4.5rules step by step: rules shortened by their pessimistic error, each class's subset, the order."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

import numpy as np

from clearwood.arrays import Bools
from clearwood.deriving.trees.pessimistic_errors import ERRORS, ROWS, Charge, more_errors
from clearwood.formulas.conditions import Condition, all_of
from clearwood.formulas.expressions import Applied, Binomial, Expression, Log, Number, Sum, Symbol
from clearwood.learners.rules.c45_rules import C45Rules, ClassSubset, LeafRule, ledger_of
from clearwood.learners.rules.covering import covered_by
from clearwood.learners.training import usable_rows
from clearwood.measures.description_length import choice_bits, exception_bits, factorial_bits
from clearwood.measures.inference import extra_errors
from clearwood.models.kinds.rules.rule_list import Rule, RuleList
from clearwood.models.kinds.tree.tree import merged_conditions
from clearwood.table.table import Table
from clearwood.words.numbers import many
from clearwood.working.derivation import Became, Defaulted, Kept, Ordered, Outcome, Step, Taken
from clearwood.working.figures import Figure, Grid, Rows, named, plain

_READING: Final = "Reading rules"
_SHORTENING: Final = "Dropping conditions"
_CHOOSING: Final = "Choosing rules"
_WHY_GONE: Final = {
    "double": "Another leaf's rule became the same.",
    "empty": "No condition is left of it.",
    "left out": "It does not make its class's description shorter.",
    "harmful": "Without it more training rows are predicted correctly.",
}


def rules_and_steps(learner: C45Rules, rows: Table) -> tuple[RuleList, list[Callable[[], Step]]]:
    """The rules learned again, and how they came about."""
    rules = learner.learn(rows)
    return rules, c45_rules_steps(learner, rules, rows)


def c45_rules_steps(learner: C45Rules, rules: RuleList, table: Table) -> list[Callable[[], Step]]:
    """From the leaves of the unpruned tree to the list."""
    work = _Work(learner, rules, table)
    search, makers = work.search, list[Callable[[], Step]]()
    leaves = range(len(search.leaf))
    makers += [partial(work.read, number) for number in leaves]
    makers += [partial(work.shorten, number, turn) for number in leaves for turn in range(work.turns(number))]
    fates = [each.fate for each in work.leaves]
    makers += [partial(work.drop, i) for i, fate in enumerate(fates) if fate in ("double", "empty")]
    for place, subset in enumerate(work.subsets):
        makers.append(partial(work.choose, place))
        makers += [partial(work.drop, i) for i in subset.rules if fates[i] == "left out"]
    makers += [partial(work.drop, i) for i, fate in enumerate(fates) if fate == "harmful"]
    return [*makers, work.order, work.otherwise]


@dataclass(eq=False)
class _Work:
    """The tree, the rules read from it, and the rows to count again."""

    learner: C45Rules
    rules: RuleList
    table: Table

    def __post_init__(self) -> None:
        self.rows = usable_rows(self.learner, self.table)
        self.tree, self.search = self.learner.leaf_rules(self.table)
        ledger = ledger_of(self.tree, self.search)
        self.leaves: tuple[LeafRule, ...] = ledger.rules
        self.subsets: tuple[ClassSubset, ...] = ledger.classes
        self.weights = np.ones(len(self.rows)) if self.rows.weights is None else self.rows.weights
        self.holding: dict[Condition, Bools] = {}  # [row] does it hold? Leaves share most conditions.
        self.charge = Charge(self.learner.confidence, self.learner.confidence_table)

    def turns(self, number: int) -> int:
        """A look for each condition dropped, and one more if conditions are left."""
        leaf = self.leaves[number]
        return len(leaf.dropped) + (len(leaf.dropped) < len(leaf.way))

    def read(self, number: int) -> Step:
        leaf = self.leaves[number]
        rule = self._rule(number, leaf.way)
        title = f"Leaf {number + 1}: {rule}"
        decision = "Its way down the unpruned tree, conditions on one attribute merged."
        return Step(_READING, title, (), decision, Taken(rule))

    def shorten(self, number: int, turn: int) -> Step:
        leaf = self.leaves[number]
        when = self._left(leaf, turn)
        then = leaf.rule.then
        own = self._error(when, then)
        without = [tuple(each for each in when if each != out) for out in when]
        counts = [self._counts(each, then) for each in without]
        errors = [self._share(*each) for each in counts]
        dropped = leaf.dropped[turn].condition if turn < len(leaf.dropped) else None
        grid = Grid(
            "Without each condition",
            ("without", "rows", "wrong", "pessimistic error"),
            [(str(out), *each, error) for out, each, error in zip(when, counts, errors, strict=True)],
            chosen=None if dropped is None else when.index(dropped),
            figure_of=lambda place: self._error(without[place], then),
        )
        table = Figure("conditions that could go", float(len(when)), grids=(grid,))
        before = self._rule(number, when)
        outcome: Outcome = Kept()
        decision = f"Without any of them the error would rise above {own.number:.4g}: all stay."
        if dropped is not None:
            lowest = errors[when.index(dropped)]
            decision = f"{dropped} goes: without it the error is {lowest:.4g}, not above {own.number:.4g}."
            outcome = Became(before, self._rule(number, self._left(leaf, turn + 1)))
        return Step(_SHORTENING, f"Leaf {number + 1}: {before}", (own, table), decision, outcome, alone=True)

    def drop(self, number: int) -> Step:
        leaf = self.leaves[number]
        rule = self._rule(number, self._left(leaf, len(leaf.dropped)))
        shortening = leaf.fate in ("double", "empty")
        chapter = _SHORTENING if shortening else _CHOOSING
        decision = f"{_WHY_GONE[leaf.fate]} It goes."
        title = f"Leaf {number + 1}: {rule}"
        return Step(chapter, title, (), decision, Became(rule, None), alone=shortening)

    def choose(self, place: int) -> Step:
        """A class's subset, by the bits that encode its rules and its errors."""
        subset = self.subsets[place]
        names = {i: f"bits of rule {i + 1}" for i in subset.rules}
        rules = tuple(Figure(names[i], float(self.search.bits[i])) for i in subset.rules)
        sizes = (
            ("no rule", (), subset.bits_of_none),
            ("all its rules", subset.rules, subset.bits_of_all),
            ("those chosen", subset.kept, subset.bits),
        )
        totals = tuple(self._length(place, what, chosen, bits) for what, chosen, bits in sizes)
        kept = ", ".join(str(i + 1) for i in subset.kept) or "none"
        decision = f"The description is shortest with {kept} of its {many(len(subset.rules), 'rule')}."
        title = f"{subset.name}: which rules describe it in the fewest bits?"
        return Step(_CHOOSING, title, (*rules, *totals), decision)

    def order(self) -> Step:
        decision = "Classes by fewest rows of others among those not yet taken; in one the surest rule first."
        return Step(_CHOOSING, "In which order are the rules tried?", (), decision, Ordered(self.rules.rules))

    def otherwise(self) -> Step:
        default, classes = self.rules.otherwise, self.tree.schema.classes
        rows, chosen = list(zip(classes, default.counts, strict=True)), classes.index(str(default.then))
        grid = Grid("Rows that no rule takes", ("class", "rows"), rows, chosen)
        figure = Figure("rows left", math.fsum(default.counts), grids=(grid,))
        decision = f"OTHERWISE {default.then}, the class with most of the rows left."
        title, outcome = "The prediction where no rule holds", Defaulted(default.then)
        return Step(_CHOOSING, title, (figure,), decision, outcome)

    def _rule(self, number: int, when: Sequence[Condition]) -> Rule:
        return Rule(merged_conditions(list(when)), self.leaves[number].rule.then)

    def _left(self, leaf: LeafRule, turn: int) -> tuple[Condition, ...]:
        gone = {each.condition for each in leaf.dropped[:turn]}
        return tuple(each for each in leaf.way if each not in gone)

    def _cover(self, when: Sequence[Condition]) -> Bools:
        taken = np.ones(len(self.rows), dtype=np.bool_)
        for condition in when:
            if condition not in self.holding:
                self.holding[condition] = np.zeros_like(taken)
                self.holding[condition][covered_by(self.rows, (condition,))] = True
            taken &= self.holding[condition]
        return taken

    def _counts(self, when: Sequence[Condition], then: object) -> tuple[float, float]:
        cover = self._cover(when)
        wrong = cover & (self.rows.target != self.tree.schema.classes.index(str(then)))
        return float(self.weights[cover].sum()), float(self.weights[wrong].sum())

    def _share(self, n: float, e: float) -> float:
        """The pessimistic share of errors; 1 where no row is."""
        if n <= 0:
            return 1.0
        return (e + extra_errors(n, e, self.charge.confidence, self.charge.table)) / n

    def _error(self, when: Sequence[Condition], then: object) -> Figure:
        """(e + U(e, N)) ÷ N over all rows that satisfy the conditions."""
        conditions = all_of(tuple(when)) or "no condition"
        n, e = self._counts(when, then)
        name, rows = f"error({conditions})", Rows(n, tuple(when))
        if n <= 0:
            return Figure(name, 1.0, put_in=Number(1), rows=rows, because="No row satisfies it.")
        errors = self.charge.expected_errors(f"expected errors({conditions})", n, e)
        formula, put_in = (ERRORS + more_errors(ERRORS, ROWS)) / ROWS, named(errors) / plain(n)
        return Figure(name, self._share(n, e), formula, put_in, rows, under=(errors,))

    def _length(self, place: int, what: str, chosen: Sequence[int], bits: float) -> Figure:
        """W · (Σ bits − log₂ r!) + the bits that encode which rows are answered wrongly."""
        name = self.subsets[place].name
        cover = np.zeros(len(self.rows), dtype=np.bool_)
        for i in chosen:
            cover |= self._cover(self.leaves[i].rule.when)
        right = self.rows.target == place
        counts = [float(self.weights[each].sum()) for each in (cover, cover & ~right, ~cover, ~cover & right)]
        exceptions = exceptions_figure(f"exceptions of {name} with {what}", counts)
        parts = [Number(float(self.search.bits[i])) for i in chosen]
        order = Number(factorial_bits(len(chosen)))
        theory = plain(self.learner.theory_weight) * Sum((Sum(tuple(parts)), -order))
        put_in = theory + named(exceptions) if chosen else named(exceptions)
        return Figure(f"bits of {name} with {what}", bits, _LENGTH, put_in, under=(exceptions,))


_THEORY: Final = Symbol("W", means="the weight of the theory") * (
    Symbol("Σ bits") - Log(Symbol("r!", means="the number of orders of the r rules"))
)
_LENGTH: Final = _THEORY + Symbol("exceptions")


# Exceptions: the bits that encode which rows a class's rules take falsely, and which they miss.


_LARGEST: Final = 1000  # things whose ways to be chosen a float can hold


def exceptions_figure(name: str, counts: Sequence[float]) -> Figure:
    """log₂ of the ways in which the false ones can lie among the covered, the missed among the rest."""
    covered, false, rest, missed = counts
    formula = Log(Binomial(Symbol("covered"), Symbol("false"))) + Log(
        Binomial(Symbol("rest"), Symbol("missed"))
    )
    value = exception_bits(covered, false, rest, missed)
    because = f"{covered:g} covered, {false:g} of them falsely; {rest:g} not, {missed:g} of them missed."
    pairs = ((covered, false), (rest, missed))
    put_in: Expression
    if any(each != int(each) or each > _LARGEST for each in counts):
        put_in = Sum(tuple(Applied("log₂ C", (plain(n), plain(k)), choice_bits(n, k)) for n, k in pairs))
        because = f"{because} By the gamma function, for weights that are not whole or large."
    else:
        put_in = Sum(tuple(Log(Binomial(plain(n), plain(k))) for n, k in pairs))
    return Figure(name, value, formula, put_in, because=because)
