"""OneR: a class for each value of one column, that whose rules have the fewest errors."""

from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np

from clearwood.arrays import Floats, Longs
from clearwood.bounds import Least
from clearwood.counting.coding import ALL_MIDPOINTS, ColumnCoding, codes_of, coding_of
from clearwood.counting.ties import first_best, first_enough, most_common
from clearwood.formulas.conditions import Condition, Equals, IsMissing
from clearwood.learners.discretising import interval_condition
from clearwood.learners.rules.costs_of_mistakes import classes_at_cost
from clearwood.learners.rules.covering import rule_list
from clearwood.learners.training import class_weights, usable_rows
from clearwood.models.kinds.rules.rule_list import Rule, RuleList
from clearwood.registry import CheckedSettings, Costs, Letter
from clearwood.table.attributes import Numeric
from clearwood.table.table import Table, missing_cells


@dataclass(frozen=True, slots=True, kw_only=True)
class OneR(CheckedSettings):
    """Holte's 1R (1993): the rules of a single column, the first of those with the fewest errors.

    Each value predicts the most common class of its rows, and so do missing cells. Numbers are cut into
    intervals: from low to high, values are put together until `min_bucket` rows are of one class, and then
    for as long as the next value has that class most often; neighbours that predict the same are joined.
    What no rule takes, such as a value never seen, gets the most common class of all rows.

    >>> from clearwood import datasets, read_table
    >>> print(OneR().learn(read_table(datasets.path("tennis"), target="PlayTennis")))
    IF Outlook = Overcast THEN PlayTennis = Yes  (4 rows, 100 %)
    IF Outlook = Rainy THEN PlayTennis = Yes  (5 rows, 60 %)
    IF Outlook = Sunny THEN PlayTennis = No  (5 rows, 60 %)
    OTHERWISE PlayTennis = Yes  (0 rows)
    """

    learns_numbers: ClassVar[bool] = False
    learns_shares: ClassVar[bool] = False  # a row is right or wrong

    min_bucket: Annotated[
        float, Least(0), Letter("B"), "Least weight of the most common class in an interval of numbers."
    ] = 6
    costs: Costs = None

    @classes_at_cost
    def learn(self, table: Table) -> RuleList:
        rows = usable_rows(self, table)
        columns = rules_by_column(rows, self.min_bucket)
        best = best_column(columns)
        rules, rest = ((), ()) if best is None else (columns[best].rules, columns[best].rest)
        return rule_list(self, table, rules, rest if any(rest) else class_weights(rows).tolist())


@dataclass(frozen=True, slots=True)
class ColumnRules:
    """What one column alone predicts: a rule for each value or interval that occurs."""

    name: str
    rules: tuple[Rule, ...]
    rest: tuple[float, ...]  # [class] the rows that no rule takes: a number of one interval needs no rule

    @property
    def right(self) -> float:
        """The weight of the training rows whose class is predicted."""
        return sum(max(rule.counts) for rule in self.rules) + max(self.rest)


def best_column(columns: list[ColumnRules]) -> int | None:
    """The first of those that are right for most rows; None where there is no column."""
    best = first_best([each.right for each in columns], max((each.right for each in columns), default=1.0))
    return None if best < 0 else best


def rules_by_column(rows: Table, min_bucket: float) -> list[ColumnRules]:
    """For each column what it alone predicts, in schema order."""
    coded = codes_of(rows, coding_of(rows, ALL_MIDPOINTS))
    classes = rows.schema.classes
    made = []
    for column, codes in zip(coded.coding.columns, coded.columns, strict=True):
        missing = missing_cells(rows.columns[column.attribute.name])
        place = np.where(missing, column.known + 1, codes).astype(np.int64) * len(classes) + rows.target
        size = (column.known + 2) * len(classes)  # values, any that the schema does not list, and missing
        counts = np.bincount(place, rows.weights, size).astype(np.float64).reshape(-1, len(classes))
        made.append(_rules_of(column, counts, classes, min_bucket))
    return made


def _rules_of(
    column: ColumnCoding, counts: Floats, classes: tuple[str, ...], min_bucket: float
) -> ColumnRules:
    """The rules of one column by its counts [code, class]."""
    name, by_value, rest = column.attribute.name, counts[: column.known], counts[column.known]
    conditions: list[Condition]
    if isinstance(column.attribute, Numeric):
        ends = interval_ends(by_value, min_bucket)
        cuts = tuple(column.cuts[ends].tolist())
        if cuts:
            conditions = [interval_condition(name, cuts, place) for place in range(len(cuts) + 1)]
            by_value = np.add.reduceat(by_value, [0, *(ends + 1)])
        else:
            conditions, by_value, rest = [], by_value[:0], by_value.sum(axis=0)
    else:
        conditions = [Equals(name, value) for value in column.attribute.values]
    counted = np.concatenate([by_value, counts[-1:]])
    answers = most_common(counted).tolist()
    rules = tuple(
        Rule((when,), classes[then], tuple(each.tolist()))
        for when, each, then in zip([*conditions, IsMissing(name)], counted, answers, strict=True)
        if each.any()
    )
    return ColumnRules(name, rules, tuple(rest.tolist()))


def interval_ends(by_value: Floats, min_bucket: float) -> Longs:
    """The values of a number, by their counts [value, class], after which an interval ends; not the last.

    >>> counts = np.array([[0.0, 3.0], [0.0, 2.0], [1.0, 0.0], [2.0, 0.0], [0.0, 1.0]])
    >>> interval_ends(counts, 3).tolist()
    [1, 3]
    """
    values = np.flatnonzero(by_value.any(axis=1))
    most = most_common(by_value[values])
    changes = np.append(np.flatnonzero(most[1:] != most[:-1]) + 1, len(values))
    below = np.zeros((by_value.shape[1], len(values) + 1))  # [class, value] the weight of all values before
    np.cumsum(by_value[values].T, axis=1, out=below[:, 1:])
    ends, predicted, start = [], [], 0
    while start < len(values):
        full = min(first_enough(each, each[start] + min_bucket) for each in below)
        end = min(max(full, start + 1), len(values))
        predicted.append(int(most_common(below[:, end] - below[:, start])))
        if end < len(values) and most[end] == predicted[-1]:
            end = int(changes[np.searchsorted(changes, end, side="right")])
        ends.append(end - 1)
        start = end
    differ = np.flatnonzero(np.diff(predicted))
    return values[np.array(ends, np.int64)[differ]]
