"""Costs of mistakes in learners of rules: they weigh rows while rules are searched, and decide their answers.

A row weighs what mistakes about its class cost together, as in CART's altered priors (Breiman et al. 1984):
so rules for a class whose mistakes are dear take more, and earlier. What a rule prints are the rows as they
are, and its answer is the class of least expected cost among them. Rules that vote add up these counts, and
the sum decides in the same way.
"""

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import wraps
from typing import Any, TypeAlias, TypeVar

import numpy as np

from clearwood.arrays import Floats
from clearwood.counting.ties import most_common
from clearwood.formulas.conditions import holds
from clearwood.learners.class_order import as_declared, by_name
from clearwood.learners.rules.rules_of import or_missing
from clearwood.learners.training import class_weights, decision_of, origin_of, scoring_factors, usable_rows
from clearwood.models.decision import Decision
from clearwood.models.kinds.rules.rule_list import Otherwise, Rule, RuleList, by_shares
from clearwood.predicting.of_rules import rule_counts
from clearwood.registry import Costs
from clearwood.table.attributes import Nominal, Numeric, Ordinal
from clearwood.table.schema import times_factors
from clearwood.table.table import MISSING, Table

L = TypeVar("L")
R = TypeVar("R")


def classes_at_cost(learn: Callable[[L, Table], R]) -> Callable[[L, Table], R]:
    """A learner's method that gives rules, or rules and more: it sees the classes in turn by their names and,
    where the learner has `costs`, rows that weigh by them, as a learner without any."""

    @wraps(learn)
    def learned(learner: L, table: Table) -> R:
        ordered = by_name(table) if isinstance(table, Table) else table
        costs: Costs = getattr(learner, "costs", None)
        made: Any = learn(learner, ordered) if costs is None else _at_cost(learner, ordered, costs, learn)
        declared: R = as_declared(made, ordered, table)
        return declared

    return learned


def _at_cost(learner: Any, table: Table, costs: Costs, learn: Callable[[Any, Table], Any]) -> Any:
    rows = usable_rows(learner, table, reads_text=True)  # the learner itself warns of text
    made = learn(replace(learner, costs=None), weighed_by_costs(rows, costs))
    rules, *more = made if isinstance(made, tuple) else (made,)
    rules = replace(answers_at_cost(rules, rows, costs), origin=origin_of(learner, table))
    return (rules, *more) if more else rules


def weighed_by_costs(rows: Table, costs: Costs) -> Table:
    """The rows, each with what mistakes about its class cost as a factor, on the scale of Kish's effective
    number of rows."""
    decision, totals = _decision(rows, costs)
    weights = times_factors(rows.weights, scoring_factors(decision, totals)[rows.target])
    return replace(rows, weights=weights, weights_are="counts", checked=True)


def answers_at_cost(rules: RuleList, rows: Table, costs: Costs) -> RuleList:
    """The rules with the counts of these rows as they are, and the answers of least expected cost."""
    covered, first = rule_counts(rules.schema, rules, rows)
    counts = first if rules.matching == "first" else np.concatenate([covered, first[-1:]])
    counted = tuple(
        replace(rule, counts=tuple(each)) for rule, each in zip(rules, counts.tolist(), strict=False)
    )
    left = _left(rules, rows, tuple(counts[-1].tolist()))
    decided = replace(rules, rules=counted, otherwise=left, decision=_decision(rows, costs)[0])
    return by_shares(decided) if rules.matching == "first" else decided


def _left(rules: RuleList, rows: Table, counts: tuple[float, ...]) -> Otherwise:
    """The default with its counts: of the rows that no rule takes, of all where rules vote, none where it
    abstains or had none."""
    default = rules.otherwise
    if default.then is None or not any(default.counts):
        return default
    whole = tuple(class_weights(rows).tolist())
    return replace(default, counts=whole if rules.matching == "vote" else counts)


def _decision(rows: Table, costs: Costs) -> tuple[Decision, Floats]:
    totals = class_weights(rows)
    return decision_of(rows.schema, totals, None, costs), totals


# Filling: an empty cell stands for its column's most common value or mean, and the rules learned show it.


Fillings: TypeAlias = dict[str, str | float]  # what the empty cells of a column stand for


def filled(rows: Table) -> tuple[Table, Fillings]:
    """The table without empty cells, and what was put there. A column that is empty throughout stays so."""
    columns, fillings = dict(rows.columns), Fillings()
    for attribute in rows.schema.inputs:
        name, cells = attribute.name, columns[attribute.name]
        if isinstance(attribute, Nominal | Ordinal):
            empty, known = cells == MISSING, cells >= 0
        elif isinstance(attribute, Numeric):
            empty, known = np.isnan(cells), np.isfinite(cells)
        else:
            continue
        if not (empty.any() and known.any()):
            continue
        weights = None if rows.weights is None else rows.weights[known]
        if isinstance(attribute, Numeric):
            numbers = cells[known].astype(np.float64)
            mean = np.average(numbers, weights=weights)
            # Rounding can put a mean beside the number that it is.
            nearest = numbers[np.abs(numbers - mean).argmin()]
            mean = cells.dtype.type(nearest if math.isclose(nearest, mean, rel_tol=1e-12) else mean)
            fillings[name], columns[name] = float(mean), np.where(empty, mean, cells)
        else:
            code = int(most_common(np.bincount(cells[known], weights)))
            fillings[name] = attribute.values[code]
            columns[name] = np.where(empty, np.int32(code), cells).astype(np.int32)
    return replace(rows, columns=columns), fillings


def with_or_missing(rules: Iterable[Rule], fillings: Mapping[str, str | float]) -> list[Rule]:
    """The rules, with `or missing` wherever what an empty cell stands for satisfies a condition.

    >>> from clearwood.formulas.conditions import AtMost, Equals
    >>> rule = Rule((Equals("Wind", "Weak"), AtMost("Humidity", 75.0)), "Yes", (0.0, 5.0))
    >>> print(with_or_missing([rule], {"Wind": "Weak", "Humidity": 80.0})[0])
    IF (Wind = Weak or missing) AND Humidity ≤ 75 THEN Yes
    """
    return [
        replace(
            rule,
            when=tuple(
                or_missing(each) if each.name in fillings and holds(each, fillings[each.name]) else each
                for each in rule.when
            ),
        )
        for rule in rules
    ]
