"""OneR's choice as steps: what each column alone predicts, which of them has the fewest errors, its rules."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final

from clearwood.formulas.expressions import Sum, Symbol
from clearwood.learners.rules.one_r import ColumnRules, OneR, best_column, rules_by_column
from clearwood.learners.training import usable_rows
from clearwood.models.kinds.rules.rule_list import Rule, RuleList
from clearwood.table.attributes import Numeric
from clearwood.table.table import Table
from clearwood.words.numbers import number
from clearwood.working.derivation import Defaulted, Step, Taken
from clearwood.working.figures import Figure, Grid, Rows, named, plain

_CHAPTER: Final = "One column"
_RIGHT: Final = Symbol(
    "rows predicted right", means="the rows of the most common class of each value, added up"
)
_ACCURACY: Final = _RIGHT / Symbol("n", means="the number of rows")


def rules_and_steps(learner: OneR, rows: Table) -> tuple[RuleList, list[Callable[[], Step]]]:
    """The rules learned again, and how they came about."""
    rules = learner.learn(rows)
    columns = rules_by_column(usable_rows(learner, rows), learner.min_bucket)
    best = best_column(columns)
    steps: list[Callable[[], Step]] = [partial(_predicts, each, rows, learner) for each in columns]
    if best is not None:
        steps.append(partial(_chosen, columns, best, rows, learner))
    return rules, [
        *steps,
        *(partial(_rule, place, rule) for place, rule in enumerate(rules, 1)),
        partial(_otherwise, rules),
    ]


def _predicts(column: ColumnRules, rows: Table, learner: OneR) -> Step:
    figure = _accuracy(column, rows, learner)
    title = f"{column.name} alone: which class does each value predict?"
    decision = f"{number(column.right)} of {number(_weight(column))} rows are predicted correctly."
    return Step(_CHAPTER, title, (figure,), decision, rows=figure.rows, searches=True)


def _accuracy(column: ColumnRules, rows: Table, learner: OneR) -> Figure:
    """Σ rows of the most common class ÷ n, and the counts that they are the largest of."""
    classes = rows.schema.classes
    groups = [(str(rule.when[0]), rule.counts) for rule in column.rules]
    if any(column.rest):
        groups.append(("all others" if groups else "all", column.rest))
    grid = Grid(
        f"Rows by {column.name}",
        (column.name, *classes, "predicted", "correct"),
        [(when, *counts, classes[counts.index(max(counts))], max(counts)) for when, counts in groups],
    )
    because, total = "", _weight(column)
    if isinstance(rows.schema[column.name], Numeric):
        because = (
            f"An interval ends when {number(learner.min_bucket)} of its rows are of one class and the next "
            "value's most common class is another; neighbours that predict the same are joined."
        )
    put_in = Sum(tuple(plain(max(counts)) for _, counts in groups)) / plain(total)
    return Figure(
        f"accuracy({column.name})", column.right / total, _ACCURACY, put_in, Rows(total),
        because=because, grids=(grid,), each_has="accuracy",
    )  # fmt: skip


def _weight(column: ColumnRules) -> float:
    return float(sum(sum(counts) for counts in (*(rule.counts for rule in column.rules), column.rest)))


def _chosen(columns: list[ColumnRules], best: int, rows: Table, learner: OneR) -> Step:
    accuracies = [_accuracy(each, rows, learner) for each in columns]
    table = [(each.name, each.right, one.value) for each, one in zip(columns, accuracies, strict=True)]
    grid = Grid("Columns", ("column", "correct", "accuracy"), table, chosen=best)
    value, put_in = accuracies[best].value, named(accuracies[best])
    figure = Figure("largest accuracy", value, put_in=put_in, grids=(grid,), on_sheet="in key")
    decision = f"{columns[best].name} has the largest accuracy; of equals the first would be taken."
    return Step(_CHAPTER, "Which column?", (figure,), decision, searches=True)


def _rule(place: int, rule: Rule) -> Step:
    largest, weight = max(rule.counts), sum(rule.counts)
    decision = f"{rule}: {number(largest)} of the {number(weight)} rows are of this class."
    return Step(_CHAPTER, f"Rule {place}", (), decision, Taken(rule), searches=True)


def _otherwise(rules: RuleList) -> Step:
    then = rules.otherwise.then
    return Step(_CHAPTER, "Otherwise", (), f"Whatever no rule takes is predicted as {then}.", Defaulted(then))
