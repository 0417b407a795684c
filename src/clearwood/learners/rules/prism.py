"""PRISM: for each class rules of the most precise values, until every row of it is covered."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import ClassVar, TypeAlias

import numpy as np

from clearwood import _native
from clearwood.arrays import Longs
from clearwood.counting.coding import on_ladders
from clearwood.formulas.conditions import Condition, Equals
from clearwood.learners.discretising import (
    CutsByColumn,
    cut_table,
    cuts_for,
    interval_condition,
    interval_names,
)
from clearwood.learners.rules.beam_search import ClassWeights, QualityScore, weights_of
from clearwood.learners.rules.costs_of_mistakes import classes_at_cost
from clearwood.learners.rules.covering import (
    BinsBeforeRules,
    CutsBeforeRules,
    IfNoRuleHolds,
    PrismCandidate,
    PrismStep,
    Steps,
    covered_by,
    rule_list,
    rules_of_native,
)
from clearwood.learners.training import usable_rows
from clearwood.models.kinds.rules.rule_list import Rule, RuleList
from clearwood.registry import CheckedSettings, Costs
from clearwood.table.attributes import Nominal, Ordinal
from clearwood.table.table import Table


@dataclass(frozen=True, slots=True, kw_only=True)
class PRISM(CheckedSettings):
    """Cendrowska's PRISM (1987): modular rules, as pure as the table allows.

    For each class in turn, beginning with all rows: add the `attribute = value` of the highest precision
    p ÷ t (t rows satisfy it, p of them have the class; among equals the larger p, then schema order, then the
    order of values) until only the class is left or every attribute has been used; take away the rows that
    the rule covers; go on until no row of the class is left. The first rule that holds answers, so where
    rules of two classes hold, the class that comes first in the schema does. On tables of values without
    empty cells these are the rules of WEKA's Prism.

    Rows that contradict each other leave a rule that is not pure. It answers the class it was made for, as
    WEKA's does, though the shares of its rows, and so those of a prediction, may favour another. An
    empty cell satisfies no condition, so a row whose cells are all empty is covered by none. Where only rows
    of one class are left, as in a table of one class or after rules that were not pure, its last rule always
    holds.
    Numbers are cut into intervals beforehand by `cuts`: "mdl" (Fayyad and Irani), "width" or "frequency" with
    `bins` intervals; cuts given in the schema stand. A number without a cut that is worth making is left out,
    with a warning.

    What no rule takes gets the majority of such rows (of all rows, if there are none), or with
    `otherwise="abstain"` no answer. With `costs` a row weighs what mistakes about its class cost in the
    search; rules print the rows as they are, and answer the class of least expected cost.

    >>> from clearwood import datasets
    >>> from clearwood.table import read_table
    >>> print(PRISM().learn(read_table(datasets.path("tennis"), target="PlayTennis")))
    IF Outlook = Sunny AND Humidity = High THEN PlayTennis = No  (3 rows, 100 %)
    IF Outlook = Rainy AND Wind = Strong THEN PlayTennis = No  (2 rows, 100 %)
    IF Outlook = Overcast THEN PlayTennis = Yes  (4 rows, 100 %)
    IF Humidity = Normal AND Wind = Weak THEN PlayTennis = Yes  (3 rows, 100 %)
    IF Temperature = Mild AND Humidity = Normal THEN PlayTennis = Yes  (1 row, 100 %)
    IF Outlook = Rainy AND Wind = Weak THEN PlayTennis = Yes  (1 row, 100 %)
    OTHERWISE PlayTennis = Yes  (0 rows)
    """

    learns_numbers: ClassVar[bool] = False
    learns_shares: ClassVar[bool] = False  # a rule is to be pure

    cuts: CutsBeforeRules = "mdl"
    bins: BinsBeforeRules = 10
    otherwise: IfNoRuleHolds = "majority"
    costs: Costs = None

    @classes_at_cost
    def learn(self, table: Table) -> RuleList:
        rows, cuts = self._cut(table)
        coded, classes = on_ladders(rows), rows.schema.classes
        target = np.ascontiguousarray(rows.target)
        learned = _native.learn_prism(coded.native(), len(classes), target, rows.weights)
        rules = rules_of_native(learned, coded.coding, classes)
        return self._rule_list(table, rules, learned["otherwise"].tolist(), cuts)

    @classes_at_cost
    def learn_with_steps(self, table: Table) -> tuple[RuleList, Steps[PrismStep]]:
        """The same rules by the slower definition in Python, and every choice with all it was chosen from."""
        rows, cuts = self._cut(table)
        steps: list[PrismStep] = []
        rules, otherwise = prism_by_counts(rows, steps)
        numbers = _numbers(cuts)
        return self._rule_list(table, rules, otherwise, cuts), Steps(
            tuple(_step_on_numbers(step, numbers) for step in steps)
        )

    def _cut(self, table: Table) -> tuple[Table, CutsByColumn]:
        """The table without numbers, and where they were cut."""
        rows = usable_rows(self, table)
        cuts = cuts_for(rows, self.cuts, self.bins)
        return cut_table(rows, cuts=cuts), cuts

    def _rule_list(
        self, table: Table, rules: list[Rule], otherwise: list[float], cuts: CutsByColumn
    ) -> RuleList:
        numbers = _numbers(cuts)
        on_numbers = [replace(rule, when=_on_numbers(rule.when, numbers)) for rule in rules]
        return rule_list(self, table, on_numbers, otherwise)


# By an interval under its name: the condition on the number.
ConditionByInterval: TypeAlias = Mapping[Condition, Condition]


def _numbers(cuts: CutsByColumn) -> ConditionByInterval:
    return {
        Equals(name, name_of_interval): interval_condition(name, ends, code)
        for name, ends in cuts.items()
        if ends
        for code, name_of_interval in enumerate(interval_names(ends))
    }


def _on_numbers(when: tuple[Condition, ...], numbers: ConditionByInterval) -> tuple[Condition, ...]:
    return tuple(numbers.get(each, each) for each in when)


def _step_on_numbers(step: PrismStep, numbers: ConditionByInterval) -> PrismStep:
    def plain(each: PrismCandidate) -> PrismCandidate:
        return replace(each, condition=numbers.get(each.condition, each.condition))

    return replace(
        step,
        when=_on_numbers(step.when, numbers),
        candidates=tuple(map(plain, step.candidates)),
        chosen=plain(step.chosen),
    )


# PRISM, the definition: rules for each class that add the most precise value until the class is alone.


PrismSteps = list[PrismStep]  # where each choice is written down


def prism_by_counts(rows: Table, steps: PrismSteps) -> tuple[list[Rule], ClassWeights]:
    """The rules for a table without numbers, and the class weights behind the default rule."""
    classes = rows.schema.classes
    drafts = [(when, goal) for goal in range(len(classes)) for when in _for_one_class(rows, goal, steps)]
    rules: list[Rule] = []
    left = every = np.arange(len(rows))
    for when, goal in drafts:
        taken = np.intersect1d(left, covered_by(rows, when))
        rules.append(Rule(when, classes[goal], tuple(weights_of(rows, rows.target, taken, len(classes)))))
        left = np.setdiff1d(left, taken)
    return rules, weights_of(rows, rows.target, left if len(left) else every, len(classes))


def _for_one_class(table: Table, goal: int, steps: PrismSteps) -> Iterator[tuple[Condition, ...]]:
    """Every class begins with all rows; a rule takes away those it covers, of whatever class."""
    left, number = np.arange(len(table)), 1
    while (table.target[left] == goal).any():
        when: tuple[Condition, ...] = ()
        rows = left
        while not (table.target[rows] == goal).all():
            candidates = tuple(_candidates(table, rows, goal, {condition.name for condition in when}))
            chosen = _most_precise(candidates)
            if chosen is None:
                break
            steps.append(PrismStep(table.schema.classes[goal], number, when, candidates, chosen))
            when = (*when, chosen.condition)
            rows = np.intersect1d(rows, covered_by(table, (chosen.condition,)))
        if not when and len(rows) and not (table.target[rows] == goal).all():
            return  # the cells of the rows left are all empty
        yield when
        left = np.setdiff1d(left, rows)
        number += 1


def _candidates(table: Table, rows: Longs, goal: int, tested: set[str]) -> Iterator[PrismCandidate]:
    weights = np.ones(len(rows)) if table.weights is None else table.weights[rows]
    positive = table.target[rows] == goal
    for attribute in table.schema.inputs:
        if isinstance(attribute, Nominal | Ordinal) and attribute.name not in tested:
            cells = table.columns[attribute.name][rows]
            for code in np.unique(cells[cells >= 0]).tolist():
                right = float(weights[(cells == code) & positive].sum())
                taken = float(weights[cells == code].sum())
                yield PrismCandidate(Equals(attribute.name, attribute.values[code]), right, taken)


def _most_precise(candidates: tuple[PrismCandidate, ...]) -> PrismCandidate | None:
    """The highest share of the class, then the more rows of it, then the first; None if all have 0."""
    best: PrismCandidate | None = None
    most: QualityScore | None = None
    for each in candidates:
        if each.right > 0:
            precision = QualityScore(each.right / each.taken, each.right)
            if most is None or precision.beats(most):
                best, most = each, precision
    return best
