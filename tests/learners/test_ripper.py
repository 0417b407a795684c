"""RIPPER: what its rules say, how it came to them, and tables that leave little to learn."""

from __future__ import annotations

import json
from dataclasses import FrozenInstanceError

import numpy as np
import pytest

import clearwood as cw
from clearwood.errors import LearningError, SettingError
from clearwood.formulas.conditions import Above, AtMost, Between, Condition, Equals
from clearwood.learners.rules.ripper import RIPPER
from clearwood.learners.rules.ripper_definition import foil_gain
from clearwood.models.kinds.rules.rule_list import RuleList
from clearwood.table.attributes import Nominal, Numeric, Ordinal
from clearwood.table.schema import Schema
from clearwood.table.table import MISSING, UNSEEN, Column, Table


def table_of(target: list[int], weights: list[float] | None = None, **columns: Column) -> Table:
    """Whole numbers are codes of values v0, v1, …; others are numbers."""
    cells: dict[str, Column] = {}
    attributes: list[Nominal | Numeric] = []
    for name, column in columns.items():
        if column.dtype.kind == "i":
            values = tuple(f"v{i}" for i in range(max(1, int(column.max(initial=0)) + 1)))
            attributes.append(Nominal(name, values))
            cells[name] = column.astype(np.int32)
        else:
            attributes.append(Numeric(name))
            cells[name] = column
    classes = tuple(f"c{i}" for i in range(max(target) + 1))
    cells["y"] = np.array(target, dtype=np.int32)
    given = None if weights is None else np.array(weights)
    return Table(Schema(tuple(attributes), Nominal("y", classes)), cells, given)


def holds(condition: Condition, table: Table) -> Column:
    cells = table.columns[condition.name]
    attribute = table.schema[condition.name]
    match condition:
        case Equals(_, value):
            assert isinstance(attribute, Nominal | Ordinal)
            return np.asarray(cells == attribute.values.index(value))
        case AtMost(_, limit, _):
            return np.asarray(cells.astype(np.float64) <= limit)
        case Above(_, limit, _):
            return np.asarray(cells.astype(np.float64) > limit)
        case Between(_, above, at_most, _):
            return np.asarray((cells > above) & (cells <= at_most))
    raise AssertionError(condition)


def check_counts(rules: RuleList, table: Table) -> None:
    """Every rule's counts are those of the rows it is the first to take."""
    left = np.ones(len(table), dtype=np.bool_)
    weights = np.ones(len(table)) if table.weights is None else table.weights
    width = len(table.schema.classes)
    for rule in rules:
        rows = left & np.logical_and.reduce([holds(condition, table) for condition in rule.when])
        assert rule.counts == pytest.approx(np.bincount(table.target[rows], weights[rows], width))
        left &= ~rows
    assert rules.otherwise.counts == pytest.approx(np.bincount(table.target[left], weights[left], width))


def two_rules(rows: int = 600, seed: int = 0) -> Table:
    """c1 where a = v2, and where 3 < x ≤ 5; the rest is c0."""
    random = np.random.default_rng(seed)
    a, b = random.integers(0, 4, rows), random.integers(0, 5, rows)
    x = random.uniform(0, 10, rows).round(2)
    return table_of(((a == 2) | ((x > 3) & (x <= 5))).astype(int).tolist(), a=a, b=b, x=x)


def test_rules_that_are_in_the_data_are_found() -> None:
    table = two_rules()
    rules = RIPPER().learn(table)
    assert rules.otherwise.then == "c0"
    assert rules.matching == "first"
    assert {rule.then for rule in rules} == {"c1"}
    assert (Equals("a", "v2"),) in {rule.when for rule in rules}
    (between,) = [rule.when[0] for rule in rules if isinstance(rule.when[0], Between)]
    assert between.low == pytest.approx(3, abs=0.1)
    assert between.high == pytest.approx(5, abs=0.1)
    assert rules.otherwise.counts[1] <= 3
    check_counts(rules, table)


def test_classes_go_from_the_rarest_to_the_most_common() -> None:
    a = np.repeat([0, 1, 2, 3], [40, 10, 100, 20])
    table = table_of(a.tolist(), a=a)
    rules = RIPPER().learn(table)
    assert [(rule.when, rule.then) for rule in rules] == [
        ((Equals("a", "v1"),), "c1"),
        ((Equals("a", "v3"),), "c3"),
        ((Equals("a", "v0"),), "c0"),
    ]
    assert rules.otherwise.then == "c2"
    assert rules.otherwise.counts == (0, 0, 100, 0)


def test_of_equally_common_classes_the_first_answers_otherwise() -> None:
    a = np.repeat([0, 1, 2], 30)
    rules = RIPPER().learn(table_of(a.tolist(), a=a))
    assert [rule.then for rule in rules] == ["c2", "c1"]
    assert rules.otherwise.then == "c0"


def test_growing_ends_when_the_best_condition_takes_too_few_rows() -> None:
    # Of the nine rows with k = v0, seven of the class, a = v0 takes 4 and 1 and b = v0 the better 3 and 0.
    k = np.repeat([0, 1], [9, 20])
    a = np.array([0, 0, 0, 0, 1, 1, 1, 0, 1] + [2] * 20)
    b = np.array([0, 0, 1, 1, 0, 1, 1, 1, 1] + [2] * 20)
    table = table_of([1] * 7 + [0] * 22, k=k, a=a, b=b)
    three, four = (RIPPER(prune=False, min_rows=weight).learn(table).rules[0].when for weight in (3, 4))
    assert three == (Equals("k", "v0"), Equals("b", "v0"))
    assert four == (Equals("k", "v0"),)


def test_a_limit_lies_midway_and_given_cuts_are_the_only_limits() -> None:
    x = np.repeat(np.arange(10.0), 20)
    table = table_of((x >= 7).astype(int).tolist(), x=x)
    assert [rule.when for rule in RIPPER().learn(table)] == [(Above("x", 6.5),)]
    cut = Table(Schema((Numeric("x", (2.0, 6.2, 8.0)),), table.schema.target), table.columns)
    assert [rule.when for rule in RIPPER().learn(cut)] == [(Above("x", 6.2),)]


def test_an_empty_cell_satisfies_no_condition() -> None:
    table = two_rules()
    a = table.columns["a"].copy()
    a[::3], a[1::7] = MISSING, UNSEEN
    x = table.columns["x"].copy()
    x[::4] = np.nan
    holed = Table(table.schema, {**table.columns, "a": a, "x": x})
    rules = RIPPER().learn(holed)
    assert len(rules) > 0
    check_counts(rules, holed)


def test_the_same_seed_gives_the_same_rules_and_another_may_not() -> None:
    random = np.random.default_rng(1)
    x = random.normal(size=400)
    table = table_of((x + random.normal(size=400) > 1).astype(int).tolist(), x=x, z=random.normal(size=400))
    assert RIPPER(seed=3).learn(table) == RIPPER(seed=3).learn(table)
    assert len({RIPPER(seed=seed).learn(table).rules for seed in range(8)}) > 1


def test_a_row_without_weight_is_absent_and_the_scale_of_a_class_counts() -> None:
    table = two_rules()
    weights = np.where(np.arange(len(table)) % 5 == 0, 0.0, 1.0)
    weighted = Table(table.schema, table.columns, weights)
    assert RIPPER().learn(weighted).rules == RIPPER().learn(table.take(weights > 0)).rules
    heavy = Table(table.schema, table.columns, np.where(table.target == 1, 5.0, 1.0))
    assert RIPPER().learn(heavy).otherwise.then == "c1"
    check_counts(RIPPER().learn(heavy), heavy)


def test_unpruned_rules_leave_no_row_of_a_consistent_table_wrong() -> None:
    table = two_rules(200)
    rules = RIPPER(prune=False, min_rows=1).learn(table)
    assert rules.otherwise.counts[1] == 0
    for rule in rules:
        assert rule.counts[0] == 0


def test_the_steps_tell_the_gain_of_each_condition() -> None:
    a = np.repeat([0, 1], [60, 30])
    rules, steps = RIPPER().learn_with_steps(table_of(a.tolist(), a=a))
    first = steps.steps[0]
    assert (first.answer, first.round, first.rule, first.action) == ("c1", 0, 1, "added")
    # A third of each class is held back: 20 rows of the class and 40 others grow the rule.
    assert first.drafts[0].gains == pytest.approx((foil_gain(20, 40, 20, 0),))
    assert first.drafts[0].value == pytest.approx(11 / 12)
    assert first.drafts[0].when == rules.rules[0].when
    assert first.bits_after < first.bits_before
    assert [step.action for step in steps] == ["added", "kept", "kept"]


def test_the_steps_are_frozen_readable_and_plain() -> None:
    random = np.random.default_rng(2)
    table = two_rules(300)
    noisy = np.where(random.random(300) < 0.2, 1 - table.target, table.target).astype(np.int32)
    noisy_table = Table(table.schema, {**table.columns, "y": noisy})
    rules, steps = RIPPER().learn_with_steps(noisy_table)
    assert rules == RIPPER().learn(noisy_table)
    data = json.loads(json.dumps(steps.to_json(), allow_nan=False))["steps"]
    assert len(data) == len(steps)
    assert {step["action"] for step in data} >= {"added", "stopped", "kept"}
    assert "gain" in str(steps)
    assert "bits" in str(steps)
    with pytest.raises(FrozenInstanceError):
        steps.steps[0].action = "deleted"  # type: ignore[misc]


def test_what_is_added_and_deleted_is_what_is_left() -> None:
    rules, steps = RIPPER(optimizations=0).learn_with_steps(two_rules(seed=4))
    actions = [step.action for step in steps]
    assert actions.count("added") - actions.count("deleted") == len(rules)


NOTHING_TO_LEARN = {
    "one row": table_of([0], a=np.array([0])),
    "two rows": table_of([0, 1], a=np.array([0, 1])),
    "one class": table_of([0] * 9, a=np.arange(9) % 3),
    "constant columns": table_of([0, 1] * 20, a=np.zeros(40, dtype=np.int64), x=np.full(40, 2.5)),
    "everything missing": table_of([0, 1] * 20, a=np.full(40, -1), x=np.full(40, np.nan)),
    "contradictory rows": table_of([0, 1] * 20, a=np.arange(40) // 2 % 5),
}


@pytest.mark.parametrize("name", list(NOTHING_TO_LEARN))
def test_where_nothing_can_be_learned_the_majority_answers(name: str) -> None:
    table = NOTHING_TO_LEARN[name]
    rules, steps = RIPPER().learn_with_steps(table)
    assert len(rules) == 0
    weights = np.bincount(table.target, minlength=len(table.schema.classes))
    assert rules.otherwise.counts == tuple(weights)
    assert weights[table.schema.classes.index(str(rules.otherwise.then))] == weights.max()
    assert str(steps)


def test_no_columns_at_all_leave_the_majority() -> None:
    table = Table(Schema((), Nominal("y", ("no", "yes"))), {"y": np.array([0, 1, 1], dtype=np.int32)})
    assert RIPPER().learn(table).otherwise.then == "yes"


def test_thousands_of_values_and_duplicates_and_a_class_of_one_row_are_no_trouble() -> None:
    rows = 6000
    name = np.arange(rows) % 4000
    x = np.arange(rows, dtype=np.float64) % 3000
    target = (x > 2000).astype(int)
    target[17] = 2
    table = table_of(target.tolist(), name=name, x=x)
    rules = RIPPER().learn(table)
    check_counts(rules, table)
    assert Above("x", 2000.5) in {rule.when[0] for rule in rules}


def test_floats_of_half_the_width_are_cut_where_they_part() -> None:
    x = np.repeat(np.array([0.1, 0.2, 0.3], dtype=np.float32), 30)
    table = table_of((x > 0.15).astype(int).tolist(), x=x)
    (rule,) = RIPPER().learn(table)
    check_counts(RIPPER().learn(table), table)
    assert rule.counts == (30, 0)


def test_infinite_numbers_are_numbers() -> None:
    x = np.repeat([-np.inf, np.inf], 30)
    table = table_of((x > 0).astype(int).tolist(), x=x)
    check_counts(RIPPER().learn(table), table)


@pytest.mark.parametrize(
    "wrong", [{"folds": 1}, {"min_rows": -1}, {"optimizations": 1.5}, {"prune": "yes"}, {"seed": -1}]
)
def test_a_wrong_setting_is_refused_when_made(wrong: dict[str, object]) -> None:
    with pytest.raises(SettingError, match=next(iter(wrong))):
        RIPPER(**wrong)  # type: ignore[arg-type]


def test_a_number_is_no_class() -> None:
    table = Table(Schema((), Numeric("y")), {"y": np.array([1.0, 2.0])})
    with pytest.raises(LearningError, match="RIPPER learns classes"):
        RIPPER().learn(table)


def test_the_rules_know_where_they_came_from() -> None:
    rules = cw.RIPPER(folds=4).learn(two_rules())
    assert rules.origin.learner == "RIPPER"
    assert rules.origin.settings["folds"] == 4
