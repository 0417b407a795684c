"""CN2: rules learned one after another by beam search, in order or for each class alone."""

from dataclasses import dataclass
from typing import Annotated, ClassVar, Literal

import numpy as np

from clearwood import _native
from clearwood.bounds import Least, Whole
from clearwood.counting.coding import on_ladders
from clearwood.learners.rules.beam_search import RuleMeasure, cn2_by_counts, critical_value
from clearwood.learners.rules.costs_of_mistakes import Fillings, classes_at_cost, filled, with_or_missing
from clearwood.learners.rules.covering import (
    BeamStep,
    IfNoRuleHolds,
    MaxConditions,
    Steps,
    rule_list,
    rules_of_native,
)
from clearwood.learners.training import class_weights, native_settings, usable_rows
from clearwood.models.kinds.rules.rule_list import Rule, RuleList
from clearwood.registry import CheckedSettings, Costs, Letter, Proportion
from clearwood.table.table import Table


@dataclass(frozen=True, slots=True, kw_only=True)
class CN2(CheckedSettings):
    """Rules by separate and conquer (Clark and Niblett 1989; Clark and Boswell 1991).

    `rules="ordered"`: each rule is the best complex among the rows that no earlier rule covers and answers
    their majority; the first rule that holds answers. What no rule covers answers otherwise (all rows, if
    that weighs less than `min_rows`, as where every row is covered). `rules="unordered"`: for each class
    in turn rules against all others, each of which takes away only the rows of its own class; the class
    counts of all rules that hold are added up, and where none holds the classes of the whole table
    answer.

    A complex is searched from general to special: at every level each of the `beam` best so far gets one
    condition more, `attribute = value`, with `negations` also `≠`, or the best `≤` and the best `>` of a
    number; at most `max_conditions` levels (None: no limit). `≠` is written as the values that are left; the
    authors too take single values out of a selector. Best by `measure`: "laplace" (right + 1) ÷ (covered +
    classes), which replaced the "entropy" of 1989 for both orders in 1991, or "wracc", weighted relative
    accuracy: covered ÷ rows · (share − share before). Among equals the one that is right more often, then
    schema order. Where classes are many, Laplace takes five of six before four of four; "entropy" does not.

    A rule covers at least `min_rows` weight, makes its class likelier than it was among the rows searched,
    and passes a likelihood-ratio test at level `alpha` (1: no test; the authors' usual ones are 0.05
    and 0.01) against those rows, with one degree of freedom less than there are classes (one against the
    rest: 1). `missing="fill"`: an empty cell stands for the most common value of its column, or the mean of
    its numbers, and a condition that this satisfies has `or missing`; with "lost" it satisfies none.
    `otherwise="abstain"` leaves what no rule covers unanswered. With `costs` a row weighs what mistakes about
    its class cost in the search; rules print the rows as they are, and the least expected cost answers.

    Three things are readings of ours: the last rows of one class need no rule, they are the default; a
    complex that cannot beat the best any more leaves its place on the beam to another; of a number's many
    cuts only the best of each side are tried, since all of them would flood the beam, and those that could
    be a rule come first: for a rare class Laplace would prefer to cover little and none of it.

    >>> from clearwood import datasets
    >>> from clearwood.table import read_table
    >>> print(CN2().learn(read_table(datasets.path("tennis"), target="PlayTennis")))
    IF Outlook in {Overcast, Rainy} AND Wind = Weak THEN PlayTennis = Yes  (5 rows, 100 %)
    IF Humidity = High AND Outlook in {Rainy, Sunny} THEN PlayTennis = No  (4 rows, 100 %)
    IF Outlook in {Overcast, Sunny} THEN PlayTennis = Yes  (4 rows, 100 %)
    OTHERWISE PlayTennis = No  (1 row, 100 %)
    """

    learns_numbers: ClassVar[bool] = False

    rules: Annotated[
        Literal["ordered", "unordered"],
        "ordered: the first rule that holds decides; unordered: all that hold vote.",
    ] = "ordered"
    measure: Annotated[
        RuleMeasure, Letter("measure"), "What makes a rule good; wracc is weighted relative accuracy."
    ] = "laplace"
    beam: Annotated[
        int, Whole(1), Letter("beam"), "How many of the best complexes are kept at each level of the search."
    ] = 5
    max_conditions: MaxConditions = 5
    negations: Annotated[bool, "Conditions may also exclude a value (≠)."] = True
    min_rows: Annotated[float, Least(0), Letter("min_rows"), "Least weight of rows that a rule covers."] = 1
    alpha: Annotated[
        Proportion, Letter("alpha"), "Level of the likelihood-ratio test that a rule must pass; 1: no test."
    ] = 1.0
    missing: Annotated[
        Literal["fill", "lost"],
        "fill: a missing cell counts as the most common value or the mean; lost: it satisfies no condition.",
    ] = "fill"
    otherwise: IfNoRuleHolds = "majority"
    costs: Costs = None

    @classes_at_cost
    def learn(self, table: Table) -> RuleList:
        rows, fillings = self._rows(table)
        coded, classes = on_ladders(rows), rows.schema.classes
        present = len(np.unique(rows.target))
        learned = _native.learn_cn2(
            coded.native(),
            len(classes),
            np.ascontiguousarray(rows.target),
            rows.weights,
            ordered=self.rules == "ordered",
            critical=critical_value(self.alpha, present - 1 if self.rules == "ordered" else 1),
            **native_settings(self, "measure", "beam", "max_conditions", "negations", "min_rows"),
        )
        rules = with_or_missing(rules_of_native(learned, coded.coding, classes), fillings)
        return self._rule_list(table, rules, learned["otherwise"].tolist())

    @classes_at_cost
    def learn_with_steps(self, table: Table) -> tuple[RuleList, Steps[BeamStep]]:
        """The same rules by the slower definition in Python, and every level of every search."""
        rows, fillings = self._rows(table)
        steps: list[BeamStep] = []
        rules, otherwise = cn2_by_counts(self, rows, steps)
        return self._rule_list(table, with_or_missing(rules, fillings), otherwise), Steps(tuple(steps))

    def _rows(self, table: Table) -> tuple[Table, Fillings]:
        rows = usable_rows(self, table)
        return filled(rows) if self.missing == "fill" else (rows, {})

    def _rule_list(self, table: Table, rules: list[Rule], left: list[float]) -> RuleList:
        if self.rules == "unordered":
            return rule_list(self, table, rules, left, matching="vote")
        too_light = sum(left) < self.min_rows  # to answer for all that is still to come
        return rule_list(
            self, table, rules, class_weights(table).tolist() if too_light else left, of_all=too_light
        )
