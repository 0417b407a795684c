"""Simplifying by tests as the description says it, one row at a time: what the fast way must equal."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from clearwood.formulas.conditions import Condition, holds
from clearwood.learners.rules.simplifying.condition_tests import HowTested
from clearwood.measures import ADJUSTMENTS, TESTS
from clearwood.measures.contingency import expected
from clearwood.models.kinds.rules.rule_list import Otherwise, Rule, RuleList
from clearwood.table.attributes import Nominal, Ordinal
from clearwood.table.table import Table
from tests.rule_lists import Row, answer_of, covers, rows_of

Labelled = list[tuple[Row, str, float]]


def labelled(table: Table) -> Labelled:
    weights = np.ones(len(table)) if table.weights is None else table.weights
    classes = [table.schema.classes[code] for code in table.target]
    cells = zip(rows_of(table), classes, weights.tolist(), strict=True)
    return [(row, name, weight) for row, name, weight in cells if weight > 0]


def log_p(rows: Labelled, condition: Condition, rule: Rule, classes: Sequence[str], how: HowTested) -> float:
    columns = [[name] for name in classes]
    if how.against == "class" or len(classes) <= 2:
        columns = [[str(rule.then)], [name for name in classes if name != rule.then]]
    table = np.array(
        [
            [
                sum(w for row, c, w in rows if c in some and holds(condition, row[condition.name]) is side)
                for some in columns
            ]
            for side in (True, False)
        ]
    )
    m = expected(table).max() if how.choose_by == "largest" else expected(table).min()
    name = "chi_square" if m >= 10 - 1e-9 else "yates" if m >= 5 - 1e-9 else "fisher"
    if len(columns) > 2:
        name = "chi_square"
    return float(TESTS[how.test or name](table).log_p)


def adjusted(logs: Sequence[float], how: HowTested) -> list[float]:
    p = [math.exp(each) for each in logs]
    return p if how.adjust is None else ADJUSTMENTS[how.adjust](p).tolist()


def shortened(rules: RuleList, table: Table, how: HowTested) -> list[Rule]:
    return (_marginal if how.tables == "marginal" else _conditional)(rules, labelled(table), how)


def _marginal(rules: RuleList, rows: Labelled, how: HowTested) -> list[Rule]:
    classes = rules.schema.classes
    logs = {(c, rule.then): log_p(rows, c, rule, classes, how) for rule in rules for c in rule.when}
    p = dict(zip(logs, adjusted(list(logs.values()), how), strict=True))
    actual = []
    for rule in rules:
        kept = [c for c in rule.when if p[c, rule.then] <= how.alpha * (1 + 1e-10)]
        if not kept and rule.when:
            least = min(logs[c, rule.then] for c in rule.when)
            kept = [next(c for c in rule.when if logs[c, rule.then] <= least + 1e-10)]
        actual.append(replace(rule, when=tuple(kept)))
    return actual


def _conditional(rules: RuleList, rows: Labelled, how: HowTested) -> list[Rule]:
    classes = rules.schema.classes
    actual = list(rules)
    while True:
        logs: list[list[float]] = []
        for rule in actual:
            logs.append([])
            for i, condition in enumerate(rule.when):
                others = replace(rule, when=rule.when[:i] + rule.when[i + 1 :])
                among = [each for each in rows if covers(others, each[0])]
                logs[-1].append(log_p(among, condition, rule, classes, how))
        p = iter(adjusted([each for some in logs for each in some], how))
        by_rule = [[next(p) for _ in some] for some in logs]
        before = list(actual)
        for r, rule in enumerate(before):
            if len(rule.when) < 2:
                continue
            worst = max(i for i, each in enumerate(logs[r]) if each >= max(logs[r]) - 1e-10)
            if by_rule[r][worst] > how.alpha * (1 + 1e-10):
                actual[r] = replace(rule, when=rule.when[:worst] + rule.when[worst + 1 :])
        if actual == before:
            return actual


def needed(rules: RuleList, table: Table) -> tuple[list[Rule], str | None]:
    """Step two: the rules that stay, without counts, and the default."""
    rows = labelled(table)
    keep = [
        i
        for i, rule in enumerate(rules)
        if not any(set(o.when) == set(rule.when) and o.then == rule.then for o in rules.rules[:i])
    ]
    for i in reversed(list(keep)):
        rule = rules.rules[i]
        for j in keep:
            other = rules.rules[j]
            between = rules.rules[i:j] if j > i else ()
            near = j != i and all(o.then == rule.then for o in (other, *between))
            if near and all(any(_implies(c, d, table) for c in rule.when) for d in other.when):
                keep.remove(i)
                break
    for i in reversed(list(keep)):
        without = [j for j in keep if j != i]
        if _answers(rules, keep, rows) == _answers(rules, without, rows):
            keep = without
    return _with_default(rules, keep, rows)


def _with_default(rules: RuleList, keep: list[int], rows: Labelled) -> tuple[list[Rule], str | None]:
    before = _errors(rules, keep, rows)
    best: tuple[tuple[int, float, float, int], list[int], str] | None = None
    for position, name in enumerate(rules.schema.classes):
        trial, left = replace(rules, otherwise=Otherwise(name)), list(keep)
        for i in reversed(keep):
            without = [j for j in left if j != i]
            if rules.rules[i].then == name and _errors(trial, without, rows) <= _errors(trial, left, rows):
                left = without
        errors = _errors(trial, left, rows)
        common = sum(w for _, c, w in rows if c == name)
        rank = (len(keep) - len(left), -errors, common, -position)
        if len(left) < len(keep) and errors <= before and (best is None or rank > best[0]):
            best = rank, left, name
    if best is not None:
        return [rules.rules[i] for i in best[1]], best[2]
    return [rules.rules[i] for i in keep], rules.otherwise.then  # type: ignore[return-value]


def _answers(rules: RuleList, keep: list[int], rows: Labelled) -> list[str | float | None]:
    chosen = replace(rules, rules=tuple(rules.rules[i] for i in keep))
    return [answer_of(chosen, row) for row, _, _ in rows]


def _errors(rules: RuleList, keep: list[int], rows: Labelled) -> float:
    answers = _answers(rules, keep, rows)
    return sum(w * _cost(rules, c, texts) for texts, (_, c, w) in zip(answers, rows, strict=True))


def _cost(rules: RuleList, truth: str, answers: object) -> float:
    classes, decision = rules.schema.classes, rules.decision
    i = classes.index(truth)
    costs = decision.costs[i] if decision.costs else [float(name != truth) for name in classes]
    factor = decision.factors[i] if decision.factors else 1.0
    dearest = max(costs) if len(classes) > 1 else 1.0
    return factor * (dearest if answers is None else costs[classes.index(str(answers))])


def _implies(one: Condition, two: Condition, table: Table) -> bool:
    """By trying every cell that could tell them apart."""
    if one.name != two.name:
        return False
    attribute = table.schema[one.name]
    cells: list[str | float | None] = [None]
    if isinstance(attribute, Nominal | Ordinal):
        cells += attribute.values
    else:
        marks = {getattr(c, n) for c in (one, two) for n in ("limit", "low", "high") if hasattr(c, n)}
        cells += [x + step for x in marks for step in (-1e-9, 0.0, 1e-9)]
    return all(holds(two, cell) for cell in cells if holds(one, cell))
