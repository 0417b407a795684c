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
from clearwood.advice import Advice
from clearwood.errors import ClearwoodWarning, LearningError, SettingError
from clearwood.learners.rules import ila_task, native_ila
from clearwood.learners.rules.ila import ILA, ILA2, ILA3, ILA4
from clearwood.learners.rules.ila_coding import code_rows
from clearwood.learners.rules.ila_definition import descriptions_in, look_by_counts
from clearwood.learners.rules.native_ila import describe_classes
from clearwood.models.conditions import AtMost, Condition, Equals, OneOf, holds
from clearwood.models.rule_list import Rule, RuleList
from clearwood.table.attributes import Nominal, Numeric, Ordinal
from clearwood.table.schema import Schema
from clearwood.table.table import MISSING, UNSEEN, Table
from tests.learners.random_tables import random_tables
from tests.shared_data import load_shared

EXPECTED = json.loads((Path(__file__).parents[1] / "worked_examples" / "expected.json").read_text("utf-8"))
MISSINGS = ("lost", "cautious", "mode", "class_mode", "delete")

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
    rules = ILA().learn(read_table(datasets.path("objects"), target="Decision"))
    expected = [
        Rule(tuple(Equals(name, value) for name, value in each["conditions"].items()), each["then"])
        for each in EXPECTED["ila_objects"]
    ]
    assert [replace(rule, counts=()) for rule in rules] == expected
    assert [sum(rule.counts) for rule in rules] == [each["newly_covered"] for each in EXPECTED["ila_objects"]]


@pytest.mark.parametrize(
    ("name", "order", "penalty", "rules", "conditions", "accuracy"),
    [
        ("monks_1", ("0", "1"), None, 23, 2.78, 0.944),
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
    assert rule_texts(ILA2().learn(table))[0] == "IF a0 = x THEN yes"
    assert rule_texts(ILA().learn(table))[0] == "IF a1 = p THEN yes"
    assert ILA2(penalty=1e9).learn(table).rules == ILA().learn(table).rules
    assert ILA(penalty=float("inf")) == ILA()


def test_equal_scores_go_to_the_rule_with_fewer_wrong_rows() -> None:
    rows = [*[("x", "p", "yes")] * 3, ("x", "q", "yes"), ("x", "r", "no"), ("y", "r", "no")]
    rules = ILA2().learn(nominal(rows))  # a0 = x: 4 − 1; a1 = p: 3 − 0
    assert rule_texts(rules)[0] == "IF a1 = p THEN yes"


def test_classes_come_as_they_appear_or_as_told() -> None:
    table = nominal([("x", "yes"), ("y", "no"), ("z", "maybe")])
    assert [rule.then for rule in ILA().learn(table)] == ["yes", "no", "maybe"]
    assert [rule.then for rule in ILA(class_order=("maybe",)).learn(table)] == ["maybe", "yes", "no"]
    with pytest.raises(SettingError, match="Did you mean 'yes'"):
        ILA(class_order=("yess",)).learn(table)
    with pytest.raises(SettingError, match="list of classes"):
        ILA(class_order="yes")  # type: ignore[arg-type]


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
    assert ILA().learn(table).otherwise.then == "yes"  # of equal classes the first to appear


def test_numbers_are_cut_and_written_back_as_numbers() -> None:
    table = read_table(datasets.path("tennis_numeric"), target="Play")
    with quiet():
        rules = ILA(cuts="width", bins=2).learn(table)
    assert any(isinstance(c, AtMost) and c.limit == 80.5 for rule in rules for c in rule.when)
    assert rules.schema == table.schema


@pytest.mark.parametrize("missing", MISSINGS)
def test_empty_cells_are_treated_as_told(missing: Any) -> None:
    x, z = [("x", "p", "yes"), ("x", "q", "yes")], [("z", "q", "no"), ("z", "q", "no"), ("z", None, "no")]
    with quiet():
        actual = rule_texts(ILA4(missing=missing).learn(nominal([*x, (None, "q", "no"), *z])))
    expected = {
        "lost": ["IF a0 = x THEN yes", "IF a0 = z THEN no"],
        "cautious": ["IF a0 = x AND a1 = p THEN yes", "IF a0 = z THEN no"],  # an empty cell could be x, or p
        "mode": ["IF a0 = x THEN yes", "IF a0 = z or missing THEN no"],
        "class_mode": ["IF a0 = x THEN yes", "IF a0 = z THEN no"],
        "delete": ["IF a0 = x THEN yes", "IF a0 = z THEN no"],
    }[missing]
    assert actual == expected


# Tables that are no ordinary ones


def test_contradictory_rows_are_left_over_and_named() -> None:
    table = nominal([("x", "yes"), ("y", "yes"), ("y", "no"), ("z", "no")])
    with pytest.warns(ClearwoodWarning, match="all rows but 2, .* rows 2, 3"):
        rules = ILA().learn(table)
    assert rule_texts(rules) == ["IF a0 = x THEN yes", "IF a0 = z THEN no"]


def test_where_no_rule_is_possible_there_is_none() -> None:
    table = nominal([("x", "p", "yes"), ("x", "p", "no")] * 3)
    with pytest.warns(ClearwoodWarning, match="all rows but 6"):
        rules = ILA().learn(table)
    assert len(rules) == 0
    assert rules.otherwise.then == "yes"


def test_contradictions_in_a_wide_table_end_at_once() -> None:
    cells = tuple(f"v{i}" for i in range(60))
    table = nominal([(*cells, "yes"), (*cells, "no")])
    with pytest.warns(ClearwoodWarning, match="all rows but 2"):
        ILA().learn(table)
    with pytest.warns(ClearwoodWarning, match="all rows but 2"):
        ILA2().learn(table)


def test_too_many_combinations_are_refused_beforehand() -> None:
    random = np.random.default_rng(1)
    rows = [(*map(str, random.integers(0, 2, 60).tolist()), str(random.integers(0, 2))) for _ in range(400)]
    with pytest.raises(LearningError, match="60 columns have 5,461,512 combinations of 5 ") as refused:
        ILA(missing="lost").learn(nominal(rows))
    assert refused.value.advice == (Advice("max_conditions", 4, setting=True),)


@pytest.mark.slow
def test_more_work_than_a_minute_is_refused_unless_max_conditions_asks_for_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    random = np.random.default_rng(1)
    rows = [(*map(str, random.integers(0, 2, 12).tolist()), str(random.integers(0, 2))) for _ in range(120)]
    table = nominal(rows)
    for place in (ila_task, native_ila):
        monkeypatch.setattr(place, "MOST_WORK", 12 * 11 // 2 * 120)  # all pairs, in all rows
    message = r"has \d+ rows that fewer than 3 .* 12 columns have 220 combinations of 3\. With 1\d\d rows"
    with pytest.raises(
        LearningError,
        match=message + r" to count for each that is 2\d,\d+ looks at a row, about ",
    ) as one:
        ILA().learn(table)
    assert one.value.advice == tuple(Advice("max_conditions", most, setting=True) for most in (2, 3))
    with pytest.raises(LearningError) as other:
        ILA().learn_with_steps(table)
    assert str(one.value) == str(other.value)
    with quiet():
        assert ILA(max_conditions=12).learn(table) == ILA(max_conditions=12).learn_with_steps(table)[0]


@pytest.mark.slow
def test_a_wide_table_is_refused_before_minutes_have_passed() -> None:
    random = np.random.default_rng(1)
    rows = [(*map(str, random.integers(0, 2, 300).tolist()), str(random.integers(0, 2))) for _ in range(2000)]
    message = r"300 columns have 4,455,100 combinations of 3\..* about 89 seconds of work"
    with pytest.raises(LearningError, match=message):
        ILA().learn(nominal(rows))


def test_one_class_needs_one_rule_a_value() -> None:
    rules = ILA().learn(nominal([("x", "yes"), ("x", "yes"), ("y", "yes")]))
    assert rule_texts(rules) == ["IF a0 = x THEN yes", "IF a0 = y THEN yes"]


def test_a_table_without_a_known_cell_gives_no_rule() -> None:
    table = nominal([("x", "yes"), ("y", "no")])
    table.columns["a0"][:] = MISSING
    for missing in ("lost", "cautious", "mode", "class_mode"):
        with pytest.warns(ClearwoodWarning, match="all rows but 2"):
            assert len(ILA(missing=missing).learn(table)) == 0
    with pytest.raises(LearningError, match="Every row has an empty cell"):
        ILA(missing="delete").learn(table)


def test_a_value_outside_the_schema_satisfies_nothing() -> None:
    table = nominal([("x", "yes"), ("y", "no"), ("y", "no")])
    table.columns["a0"][0] = UNSEEN
    with pytest.warns(ClearwoodWarning, match="row 1"):
        assert rule_texts(ILA4().learn(table)) == ["IF a0 = y or missing THEN no"]


def test_numbers_without_a_cut_are_left_out_by_name() -> None:
    columns = {"x": np.array([1.0, 2, 1, 2]), "y": np.array([0, 0, 1, 1], np.int32)}
    table = Table(Schema((Numeric("x"),), Nominal("y", ("no", "yes"))), columns)
    with pytest.warns(ClearwoodWarning) as text:
        rules = ILA().learn(table)
    assert len(rules) == 0
    assert "left out: x" in str(text[0].message)


def test_thousands_of_values_are_no_trouble() -> None:
    rows = 3000
    codes = np.arange(rows, dtype=np.int32)
    schema = Schema(
        (Nominal("id", tuple(map(str, codes))), Nominal("b", ("p", "q"))), Nominal("y", ("no", "yes"))
    )
    columns = {"id": codes, "b": codes % 2, "y": (codes % 3 == 0).astype(np.int32)}
    rules = ILA().learn(Table(schema, columns))
    assert len(rules) == rows  # every identity is a rule of its own; only a person can know better
    assert all(len(rule.when) == 1 for rule in rules)


def test_duplicate_rows_count_as_often_as_they_are_there() -> None:
    rules = ILA().learn(nominal([("x", "yes")] * 3 + [("y", "no")] * 2))
    assert [rule.counts for rule in rules] == [(3.0, 0.0), (0.0, 2.0)]


# New rows


def test_new_values_and_classes_widen_the_schema() -> None:
    seen, new = nominal([("x", "yes"), ("y", "no")]), nominal([("z", "maybe"), ("x", "yes")])
    rules = ILA().learn_more(ILA().learn(seen), seen, new)
    assert rule_texts(rules) == ["IF a0 = x THEN yes", "IF a0 = y THEN no", "IF a0 = z THEN maybe"]
    assert rules.schema.classes == ("yes", "no", "maybe")


def test_only_rules_that_new_rows_contradict_are_deleted() -> None:
    seen = nominal([("x", "p", "yes"), ("y", "q", "yes"), ("z", "q", "no")])
    before = ILA().learn(seen)
    assert rule_texts(before) == ["IF a0 = x THEN yes", "IF a0 = y THEN yes", "IF a0 = z THEN no"]
    rules = ILA().learn_more(before, seen, nominal([("x", "q", "no")]))
    assert rule_texts(rules) == [
        "IF a0 = y THEN yes",
        "IF a0 = z THEN no",
        "IF a1 = p THEN yes",
        "IF a0 = x AND a1 = q THEN no",
    ]


def test_an_order_that_two_tables_disagree_on_is_refused() -> None:
    seen = nominal([("x", "yes"), ("y", "no")])
    one, two = (
        replace(seen, schema=replace(seen.schema, attributes=(Ordinal("a0", values),)))
        for values in (("x", "y"), ("y", "x"))
    )
    with pytest.raises(ValueError, match="Declare one order for both"):
        ILA().learn_more(ILA().learn(one), one, two)


def test_a_setting_that_makes_no_sense_is_refused() -> None:
    for wrong in (
        {"penalty": -1},
        {"max_conditions": 0},
        {"missing": "lots"},
        {"alpha": 0},
        {"cuts": "none"},
    ):
        with pytest.raises(SettingError):
            ILA(**wrong)
    assert (ILA2().penalty, ILA3().drop_irrelevant, ILA4().missing) == (1, True, "mode")
    joined: Condition = OneOf("a", ("x",), or_missing=True)
    assert joined != Equals("a", "x")
