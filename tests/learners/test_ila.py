"""ILA: the book's rules, figures of an independent program, and what holds for every table."""

from __future__ import annotations

import json
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clearwood import datasets, read_table
from clearwood.errors import ClearwoodWarning, SettingError
from clearwood.formulas.conditions import Condition, Equals, holds
from clearwood.learners.rules.ila import ILA, ILA2, ILA3
from clearwood.learners.rules.ila_coding import code_rows
from clearwood.learners.rules.ila_definition import describe_classes, descriptions_in, look_by_counts
from clearwood.models.kinds.rules.rule_list import Rule, RuleList
from clearwood.table.attributes import Nominal, Numeric, Ordinal
from clearwood.table.schema import Schema
from clearwood.table.table import MISSING, UNSEEN, Table
from tests.learners.random_tables import random_tables
from tests.shared_data import load_shared
from tests.typed import mistyped

EXPECTED = json.loads((Path(__file__).parents[1] / "worked_examples" / "expected.json").read_text("utf-8"))

tables = random_tables(["nominal", "ordinal"], max_rows=30, max_columns=4, max_classes=3, max_values=12)
learners = st.builds(
    ILA,
    penalty=st.sampled_from([None, None, 0.3, 1, 2.5, 1e9]),
    fast=st.booleans(),
    drop_irrelevant=st.booleans(),
    alpha=st.just(0.5),
    missing=st.sampled_from(["lost", "cautious", "mode", "class_mode"]),
    max_conditions=st.sampled_from([None, None, 1, 2]),
    otherwise=st.sampled_from(["majority", "abstain"]),
    cuts=st.sampled_from(["mdl", "width", "frequency"]),
    bins=st.just(3),
)


@contextmanager
def quiet() -> Iterator[None]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ClearwoodWarning)
        yield


def nominal(rows: Sequence[tuple[str | None, ...]], weights: list[float] | None = None) -> Table:
    """A table of letters; the last column is the target."""
    columns: dict[str, Any] = {}
    attributes = []
    for place, cells in enumerate(zip(*rows, strict=True)):
        name = "y" if place == len(rows[0]) - 1 else f"a{place}"
        values = tuple(dict.fromkeys(cell for cell in cells if cell is not None))
        columns[name] = np.array([MISSING if c is None else values.index(c) for c in cells], dtype=np.int32)
        attributes.append(Nominal(name, values))
    given = None if weights is None else np.array(weights)
    return Table(Schema(tuple(attributes[:-1]), attributes[-1]), columns, given)


def rule_texts(rules: RuleList) -> list[str]:
    return [str(rule) for rule in rules]


def rows_where(when: tuple[Condition, ...], table: Table) -> list[int]:
    """The rows that satisfy the conditions, asked cell by cell."""

    def cell(name: str, row: int) -> str | float | None:
        attribute, value = table.schema[name], table.columns[name][row]
        if isinstance(attribute, Numeric):
            return float(value)
        assert isinstance(attribute, Nominal | Ordinal)
        return None if value == MISSING else "unlisted" if value == UNSEEN else attribute.values[value]

    return [row for row in range(len(table)) if all(holds(each, cell(each.name, row)) for each in when)]


def answers(rules: RuleList, table: Table) -> list[str | float | None]:
    """[row] What the first rule that holds says."""
    actual: list[str | float | None] = [rules.otherwise.then] * len(table)
    for rule in reversed(rules.rules):
        for row in rows_where(rule.when, table):
            actual[row] = rule.then
    return actual


# The books' figures


def test_the_objects_give_five_rules_in_order() -> None:
    rules = ILA(class_order=("Yes",)).learn(read_table(datasets.path("objects"), target="Decision"))
    expected = [
        Rule(tuple(Equals(name, value) for name, value in each["conditions"].items()), each["then"])
        for each in EXPECTED["ila_objects"]
    ]
    assert [replace(rule, counts=()) for rule in rules] == expected
    assert [sum(rule.counts) for rule in rules] == [each["newly_covered"] for each in EXPECTED["ila_objects"]]


@pytest.mark.parametrize(
    ("name", "order", "penalty", "rules", "conditions", "accuracy"),
    [
        ("monks_1", ("0", "1"), None, 23, 2.78, 0.972),  # it has 0.944: the first of equals as rows come
        ("monks_2", ("0", "1"), None, 70, 3.76, 0.796),
        ("monks_3", ("0", "1"), None, 23, 2.74, 0.882),
        ("tic_tac_toe", ("positive", "negative"), None, 32, 3.50, None),
        ("balance_scale", ("B", "L", "R"), None, 303, 3.41, None),
        ("monks_1", ("0", "1"), 1, 12, 2.08, 0.750),
        ("monks_2", ("0", "1"), 1, 20, 3.30, 0.671),
        ("monks_3", ("0", "1"), 1, 10, 2.30, 0.907),
    ],
)
def test_an_independent_program_found_as_many_rules(
    name: str,
    order: tuple[str, ...],
    penalty: float | None,
    rules: int,
    conditions: float,
    accuracy: float | None,
) -> None:
    whole, train = load_shared(name), load_shared(name, train=True)
    actual = ILA(class_order=order, penalty=penalty).learn(train)
    assert len(actual) == rules
    assert round(actual.conditions / len(actual), 2) == conditions
    if accuracy is not None:
        test = whole.take(np.arange(len(train), len(whole)))
        right = [test.schema.classes[code] for code in test.target.tolist()]
        assert round(
            float(np.mean([a == b for a, b in zip(answers(actual, test), right, strict=True)])), 3
        ) == (accuracy)


# What holds for every table


@pytest.mark.slow
@given(tables, learners)
@settings(max_examples=200, deadline=None)
def test_native_rules_are_those_of_the_definition(table: Table, learner: ILA) -> None:
    with quiet():
        fast = learner.learn(table)
        plain, _ = learner.learn_with_steps(table)
    assert fast == plain


@pytest.mark.slow
@given(
    tables,
    learners,
    st.integers(1, 3),
    st.sampled_from([Fraction(1, 7), Fraction(3), None]),
    st.integers(0, 2**32 - 1),
)
@settings(max_examples=100, deadline=None)
def test_little_memory_more_threads_and_marked_rows_change_nothing(
    table: Table, learner: ILA, most: int, penalty: Fraction | None, seed: int
) -> None:
    with quiet():
        task = replace(code_rows(learner, table).task, penalty=penalty)
    marked = np.flatnonzero(np.random.default_rng(seed).random(len(task.target)) < 0.3)
    expected = descriptions_in(list(look_by_counts(task, marked)))
    for threads in (1, 3):
        description = describe_classes(task, marked, most_candidates=most, threads=threads)
        assert description.descriptions == expected.descriptions
        assert description.left.tolist() == expected.left.tolist()


@pytest.mark.slow
@given(tables, st.booleans(), st.sampled_from(["lost", "mode"]))
@settings(max_examples=100, deadline=None)
def test_no_row_that_can_be_told_apart_is_misclassified(table: Table, fast: bool, missing: Any) -> None:
    learner = ILA(fast=fast, missing=missing)
    with quiet():
        coded = code_rows(learner, table)
        rules = learner.learn(table)
    left = set(describe_classes(coded.task).left.tolist())
    cells = np.column_stack([*coded.task.columns, coded.rows.target])
    for row, answer in enumerate(answers(rules, coded.rows)):
        if row not in left:
            assert answer == coded.rows.schema.classes[coded.rows.target[row]]
        else:
            # Nothing is known of it, or a row of another class has the same value wherever this one is known.
            known = np.append(cells[row, :-1] >= 0, False)
            alike = (cells[:, known] == cells[row, known]).all(axis=1)
            assert not known.any() or (alike & (cells[:, -1] != cells[row, -1])).any()


@pytest.mark.slow
@given(tables, learners)
@settings(max_examples=60, deadline=None)
def test_the_steps_replayed_give_the_rules(table: Table, learner: ILA) -> None:
    learner = replace(learner, missing="lost")
    with quiet():
        rules, steps = learner.learn_with_steps(table)
    taken = [(step.taken.when, step.then) for step in steps if step.taken is not None]
    assert taken == [(rule.when, rule.then) for rule in rules]
    left: set[int] = set()
    before = None
    for step in steps:
        if step.then != before:
            code = table.schema.classes.index(step.then)
            weights = np.ones(len(table)) if table.weights is None else table.weights
            left = set(np.flatnonzero((table.target == code) & (weights > 0)).tolist())
            before = step.then
        if step.taken is not None:
            covered = left & set(rows_where(step.taken.when, table))
            assert covered == {number - 1 for number in step.marked}
            assert sum(weights[list(covered)]) == pytest.approx(step.taken.covers)
            assert step.good >= step.ties >= 1
            left -= covered
        assert left == {number - 1 for number in step.left}
        json.dumps(step.to_json())
        assert str(step).startswith(f"{step.then}, j = {step.conditions}: ")


@pytest.mark.slow
@given(random_tables(["nominal"], max_rows=20, max_columns=4, weights=("whole", "some zero")), learners)
@settings(max_examples=60, deadline=None)
def test_a_weight_acts_as_repeated_rows(table: Table, learner: ILA) -> None:
    assert table.weights is not None
    repeated = replace(table.take(np.repeat(np.arange(len(table)), table.weights.astype(int))), weights=None)
    with quiet():
        weighed, counted = learner.learn(table), learner.learn(repeated)
    assert (weighed.rules, weighed.otherwise) == (counted.rules, counted.otherwise)


@pytest.mark.slow
@given(tables, st.integers(0, 2**32 - 1), st.sampled_from([None, 1]), st.sampled_from(["lost", "cautious"]))
@settings(max_examples=100, deadline=None)
def test_rules_that_learn_more_fit_all_rows_seen(
    table: Table, seed: int, penalty: float | None, missing: Any
) -> None:
    learner = ILA(penalty=penalty, missing=missing)
    order = np.random.default_rng(seed).permutation(len(table))
    weights = np.ones(len(table)) if table.weights is None else table.weights
    order = order[weights[order] > 0]
    seen, new = order[: len(order) // 2 + 1], order[len(order) // 2 + 1 :]
    with quiet():
        before = learner.learn(table.take(seen))
        rules = learner.learn_more(before, table.take(seen), table.take(new))
        coded = code_rows(learner, table.take(np.concatenate([seen, new])))
    left = set(describe_classes(coded.task).left.tolist()) if penalty is None else set(range(len(table)))
    everything = coded.rows
    for rule in rules:
        covered = rows_where(rule.when, everything)
        if penalty is None:
            assert {everything.schema.classes[code] for code in everything.target[covered]} <= {rule.then}
    for row, answer in enumerate(answers(rules, everything)):
        assert row in left or answer == everything.schema.classes[everything.target[row]]


# Settings, one by one


def test_a_penalty_lets_a_rule_cover_a_few_of_another_class() -> None:
    table = nominal([*[("x", "p", "yes")] * 5, *[("x", "s", "yes")] * 4, ("x", "q", "no"), ("z", "r", "no")])
    first = ("yes",)
    assert rule_texts(ILA2(class_order=first).learn(table))[0] == "IF a0 = x THEN yes"
    assert rule_texts(ILA(class_order=first).learn(table))[0] == "IF a1 = p THEN yes"
    assert ILA2(penalty=1e9).learn(table).rules == ILA().learn(table).rules
    assert ILA(penalty=float("inf")) == ILA()


def test_equal_scores_go_to_the_rule_with_fewer_wrong_rows() -> None:
    rows = [*[("x", "p", "yes")] * 3, ("x", "q", "yes"), ("x", "r", "no"), ("y", "r", "no")]
    rules = ILA2(class_order=("yes",)).learn(nominal(rows))  # a0 = x: 4 − 1; a1 = p: 3 − 0
    assert rule_texts(rules)[0] == "IF a1 = p THEN yes"


def test_classes_come_by_name_or_as_told() -> None:
    table = nominal([("x", "yes"), ("y", "no"), ("z", "maybe")])
    assert [rule.then for rule in ILA().learn(table)] == ["maybe", "no", "yes"]
    assert [rule.then for rule in ILA(class_order=("no",)).learn(table)] == ["no", "maybe", "yes"]
    with pytest.raises(SettingError, match="Did you mean 'yes'"):
        ILA(class_order=("yess",)).learn(table)
    with pytest.raises(SettingError, match="list of classes"):
        ILA(class_order=mistyped("yes"))


def test_an_irrelevant_attribute_is_in_no_larger_combination() -> None:
    random = np.random.default_rng(0)
    rows: list[tuple[str | None, ...]] = []
    for _ in range(200):
        a, b, noise = random.integers(0, 3, 3).tolist()
        rows.append((f"a{a}", f"b{b}", f"n{noise}", "yes" if a + b >= 3 or (a, b) == (0, 0) else "no"))
    table = nominal(rows)
    assert all(c.name != "a2" for rule in ILA3(alpha=0.01).learn(table) for c in rule.when)


def test_nobody_answers_where_rules_abstain() -> None:
    table = nominal([("x", "yes"), ("y", "no")])
    assert ILA(otherwise="abstain").learn(table).otherwise.then is None
    assert ILA().learn(table).otherwise.then == "no"  # of equal classes the first by name


# Tables that are no ordinary ones


# New rows
