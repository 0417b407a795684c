"""Rules counted anew: the rows each one answers, on another table or after an edit."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from clearwood.learners.fingerprint import fingerprint
from clearwood.models.kinds import check_kind
from clearwood.models.lineage import Balanced, Edited
from clearwood.models.rule_list import RuleList
from clearwood.predict.columns import table_for
from clearwood.predict.matching import first_rule, rule_counts
from clearwood.scoring.evaluation import true_answers
from clearwood.table.table import Table


def recounted(rules: RuleList, table: Any) -> RuleList:
    """The same rules with the counts of this table's rows: of those each rule answers, or if rules vote, of
    those it covers. `table` is a Table, or anything a table can be made of."""
    check_kind("recounted", rules, RuleList)
    table = table_for(rules, table, with_target=True)
    counts = _number_counts(rules, table) if rules.is_numeric else _class_counts(rules, table)
    counted = tuple(replace(rule, counts=each) for rule, each in zip(rules, counts, strict=False))
    origin = rules.origin.then(Edited("recount", text=fingerprint(table)))
    otherwise = replace(rules.otherwise, counts=counts[-1])
    decision = rules.decision
    if any(isinstance(done, Balanced) for done in rules.origin.after):
        # These counts are of rows as they come: there is nothing to correct any more.
        decision = replace(decision, prevalence=(), trained_at=())
    return replace(rules, rules=counted, otherwise=otherwise, decision=decision, origin=origin)


def _class_counts(rules: RuleList, table: Table) -> list[tuple[float, ...]]:
    """[rule + 1] row weight by class, the last for rows that no rule takes."""
    covered, first = rule_counts(rules.schema, rules, table)
    if rules.matching == "vote":
        first[:-1] = covered
    return [tuple(row) for row in first.tolist()]


def _number_counts(rules: RuleList, table: Table) -> list[tuple[float, ...]]:
    """[rule + 1] weight, mean, and the sum of squares about it."""
    y = np.asarray(true_answers(rules, table), dtype=np.float64)
    known = ~np.isnan(y)
    n = len(rules) + 1
    place = np.where((taken := first_rule(rules, table)) < 0, n - 1, taken)[known]
    w = (np.ones(len(table)) if table.weights is None else table.weights)[known]
    weight = np.bincount(place, w, minlength=n)
    sums = np.bincount(place, w * y[known], minlength=n)
    mean = np.divide(sums, weight, out=np.zeros(n), where=weight > 0)
    error = np.bincount(place, w * (y[known] - mean[place]) ** 2, minlength=n)
    return [tuple(row) for row in np.stack([weight, mean, error], axis=1).tolist()]
