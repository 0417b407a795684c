"""Rules simplified by tests: the book's list, and what the description says, row by row."""

from __future__ import annotations

import json
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clearwood.errors import ColumnError, LearningError, SchemaError, SettingError
from clearwood.formulas.conditions import Above, AtMost, Between, Condition, Equals, IsMissing, OneOf
from clearwood.learners.rules.rules_of import rules_of
from clearwood.learners.rules.simplifying import simplify_rules
from clearwood.learners.rules.simplifying.condition_tests import HowTested
from clearwood.learners.rules.simplifying.dropping_rules import implied_by
from clearwood.learners.trees.c45 import C45
from clearwood.learners.trees.cart import CART
from clearwood.models.decision import Decision
from clearwood.models.kinds.rules.rule_list import Otherwise, Rule, RuleList
from clearwood.table import read_table
from clearwood.table.attributes import Nominal, Numeric
from clearwood.table.schema import Schema
from clearwood.table.table import Table
from tests.book_tables import book_table
from tests.learners.simplifying.naive_simplifier import labelled, needed, shortened
from tests.rule_lists import answer_of, first_of, rows_of, rules_and_tables

EXPECTED: dict[str, Any] = json.loads(
    (Path(__file__).parents[2] / "worked_examples" / "expected.json").read_text()
)["contingency"]


def fifty_six() -> Table:
    table = book_table("tennis_numeric", target="Play")
    return table.take(np.tile(np.arange(14), 4))


def books_rules() -> RuleList:
    return rules_of(C45().learn(fifty_six()))


def rule_texts(rules: RuleList) -> list[str]:
    return [str(rule) for rule in rules]


SIMPLER = [
    "IF Outlook = Sunny AND Humidity ≤ 75 THEN Play",
    "IF Outlook = Sunny AND Humidity > 75 THEN Don't Play",
    "IF Outlook = Overcast THEN Play",
    "IF Wind = Weak THEN Play",
    "IF Wind = Strong THEN Don't Play",
]


def test_the_first_step_gives_the_books_list() -> None:
    simplified = simplify_rules(books_rules(), fifty_six(), drop_rules=False)
    assert rule_texts(simplified.rules) == SIMPLER
    dropped = [str(condition) for record in simplified.ledger for condition in record.dropped]
    assert dropped == ["Outlook = Rain", "Outlook = Rain"]
    assert [rule.counts for rule in simplified.rules] == [(8, 0), (0, 12), (16, 0), (12, 0), (0, 8)]


@pytest.mark.parametrize(
    ("rule", "condition", "name"),
    [(0, 0, "sunny"), (0, 1, "normal_humidity"), (3, 0, "rain"), (4, 1, "strong_wind")],
)
def test_the_ledger_has_the_books_tables_and_tests(rule: int, condition: int, name: str) -> None:
    test = simplify_rules(books_rules(), fifty_six()).ledger.records[rule].tests[condition]
    figures = EXPECTED[name]
    turn = slice(None, None, -1) if test.columns[0] == "Don't Play" else slice(None)
    assert [list(row)[turn] for row in test.observed] == figures["observed"]
    assert [list(row)[turn] for row in test.expected] == [pytest.approx(row) for row in figures["expected"]]
    assert (test.test, test.df) == ("chi_square", 1)
    assert test.statistic == pytest.approx(figures["chi_square"], rel=1e-12)
    assert test.p == pytest.approx(figures["p"], rel=1e-9)
    assert test.kept is (figures["chi_square"] > figures["critical_05"])


@pytest.mark.parametrize(("test", "key"), [("yates", "yates_p"), ("fisher", "fisher_two_sided_p")])
def test_a_test_can_be_asked_for(test: Any, key: str) -> None:
    simplified = simplify_rules(books_rules(), fifty_six(), test=test, drop_rules=False)
    assert simplified.ledger.records[3].tests[0].p == pytest.approx(EXPECTED["rain"][key])
    assert simplified.ledger.records[3].tests[0].because == "asked for"
    assert rule_texts(simplified.rules) == SIMPLER


def test_the_smallest_expected_count_asks_for_more_caution() -> None:
    simplified = simplify_rules(books_rules(), fifty_six(), choose_by="smallest")
    sunny = simplified.ledger.records[0].tests[0]
    assert (sunny.test, sunny.because) == ("yates", "smallest expected count 7.143, from 5 to below 10")
    assert sunny.statistic == pytest.approx(EXPECTED["sunny"]["yates"])


def test_the_second_step_turns_weak_wind_into_the_default() -> None:
    table, rules = fifty_six(), books_rules()
    simplified = simplify_rules(rules, table)
    assert "IF Wind = Weak THEN Play" not in rule_texts(simplified.rules)
    assert simplified.rules.otherwise == Otherwise("Play", (20.0, 0.0))
    assert [answer_of(simplified.rules, row) for row in rows_of(table)] == [
        answer_of(rules, row) for row in rows_of(table)
    ]
    assert (simplified.ledger.errors_before, simplified.ledger.errors_after) == (0, 0)


def test_a_list_without_a_default_gets_one_where_that_costs_nothing() -> None:
    rules = replace(books_rules(), otherwise=Otherwise())
    simplified = simplify_rules(rules, fifty_six())
    assert simplified.rules.otherwise.then == "Play"
    assert simplified.ledger.records[3].reason == "default"
    assert simplified.ledger.errors_after == 0
    assert "OTHERWISE Play, where it was nothing." in str(simplified.ledger)


def test_the_ledger_reads_like_a_textbook() -> None:
    ledger = simplify_rules(books_rules(), fifty_six()).ledger
    assert str(ledger.records[4]) == (
        "Rule 5: IF Outlook = Rain AND Wind = Strong THEN Don't Play\n"
        "  Outlook = Rain\n"
        "               Don't Play         Play\n"
        "    holds        8 (7.14)   12 (12.86)\n"
        "    does not   12 (12.86)   24 (23.14)\n"
        "    Chi-square: largest expected count 23.14, at least 10.\n"
        "    χ² = 0.2489 with 1 degree of freedom, p = 0.6179 (φ = 0.067, odds ratio 1.33):"
        " dropped, since p > 0.05.\n"
        "  Wind = Strong\n"
        "               Don't Play         Play\n"
        "    holds       12 (7.14)    8 (12.86)\n"
        "    does not    8 (12.86)   28 (23.14)\n"
        "    Chi-square: largest expected count 23.14, at least 10.\n"
        "    χ² = 7.992 with 1 degree of freedom, p = 0.004698 (φ = 0.378, odds ratio 5.25):"
        " kept, since p ≤ 0.05.\n"
        "→ IF Wind = Strong THEN Don't Play (now rule 3):"
        " without it 8 of the 8 rows that reach it would get another prediction"
    )
    assert str(ledger).splitlines()[0] == (
        "5 rules with 9 conditions → 3 with 4; training errors 0 → 0 of 56 rows"
    )


def test_the_ledger_says_when_the_rules_are_asked_in_another_order() -> None:
    days = book_table("tennis_numeric", target="Play")
    ledger = simplify_rules(rules_of(C45().learn(days)), days).ledger
    assert ledger.order == (3, 4, 2, 5, 1)
    assert str(ledger).splitlines()[2] == "The shortened rules are asked in the order 3, 4, 2, 5, 1."
    assert ledger.records[1].why == "the 1 row that reaches it gets the same prediction without it"


@pytest.mark.slow
@pytest.mark.parametrize("tables", ["marginal", "conditional"])
@pytest.mark.parametrize("adjust", [None, "holm", "benjamini_hochberg"])
@given(
    example=rules_and_tables(),
    alpha=st.sampled_from([0.001, 0.05, 0.3, 0.9]),
    choose_by=st.sampled_from(["largest", "smallest"]),
    test=st.sampled_from([None, None, "chi_square", "yates", "fisher"]),
)
@settings(max_examples=40)
def test_conditions_go_as_the_description_says(
    tables: Any, adjust: Any, example: tuple[RuleList, Table], alpha: float, choose_by: Any, test: Any
) -> None:
    rules, table = example
    how = HowTested(alpha=alpha, tables=tables, adjust=adjust, choose_by=choose_by, test=test)
    simplified = simplify_rules(
        rules, table, alpha=alpha, tables=tables, adjust=adjust, choose_by=choose_by, test=test,
        drop_rules=False, order="given",
    )  # fmt: skip
    assert rule_texts(simplified.rules) == [str(rule) for rule in shortened(rules, table, how)]
    for record in simplified.ledger:
        assert len(record.tests) == len(record.before.when)
        assert record.after is not None
        assert record.after.when == tuple(test.condition for test in record.tests if test.kept)


@pytest.mark.slow
@given(example=rules_and_tables(), tables=st.sampled_from(["marginal", "conditional"]))
def test_conditions_against_all_classes_go_as_the_description_says(
    example: tuple[RuleList, Table], tables: Any
) -> None:
    rules, table = example
    how = HowTested(tables=tables, against="classes")
    simplified = simplify_rules(
        rules, table, tables=tables, against="classes", drop_rules=False, order="given"
    )
    assert rule_texts(simplified.rules) == [str(rule) for rule in shortened(rules, table, how)]
    if len(rules.schema.classes) > 2:
        for test in (test for record in simplified.ledger for test in record.tests):
            assert (test.test, test.columns) == ("chi_square", rules.schema.classes)


@pytest.mark.slow
@given(example=rules_and_tables(), costly=st.booleans())
@settings(max_examples=150)
def test_rules_go_as_the_description_says(example: tuple[RuleList, Table], costly: bool) -> None:
    rules, table = example
    size = len(rules.schema.classes)
    if costly:
        costs = tuple(tuple(float(i != j) * (1 + 4 * i + j) for j in range(size)) for i in range(size))
        rules = replace(rules, decision=Decision(tuple(0.5 + i for i in range(size)), costs))
    simplified = simplify_rules(rules, table, drop_conditions=False, order="given")
    left, otherwise = needed(rules, table)
    assert rule_texts(simplified.rules) == [str(rule) for rule in left]
    assert simplified.rules.otherwise.then == otherwise
    assert simplified.ledger.errors_after <= simplified.ledger.errors_before


@pytest.mark.slow
@given(example=rules_and_tables(), tables=st.sampled_from(["marginal", "conditional"]))
def test_counts_and_errors_are_those_of_the_rows_that_reach_each_rule(
    example: tuple[RuleList, Table], tables: Any
) -> None:
    rules, table = example
    simplified = simplify_rules(rules, table, tables=tables)
    classes = rules.schema.classes
    counts = {place: [0.0] * len(classes) for place in (*range(len(simplified.rules)), None)}
    errors = 0.0
    for row, name, weight in labelled(table):
        counts[first_of(simplified.rules, row)][classes.index(name)] += weight
        errors += weight if answer_of(simplified.rules, row) != name else 0.0
    assert [rule.counts for rule in simplified.rules] == [
        tuple(counts[i]) for i in range(len(simplified.rules))
    ]
    if any(counts[None]):
        assert simplified.rules.otherwise.counts == tuple(counts[None])
    assert simplified.ledger.errors_after == errors
    places = [record.place for record in simplified.ledger if record.after is not None]
    assert None not in places
    assert sorted(place for place in places if place is not None) == list(range(1, len(simplified.rules) + 1))
    for record in simplified.ledger:
        assert (record.after is not None) == (record.reason == "kept")
        if record.place is not None:
            assert simplified.rules.rules[record.place - 1] is record.after
    assert (
        json.loads(json.dumps(simplified.ledger.to_json(), allow_nan=False))["rows"] == simplified.ledger.rows
    )
    assert str(simplified.ledger).count("\nRule ") == len(rules)


@pytest.mark.slow
@given(example=rules_and_tables())
def test_the_order_with_the_fewest_errors_is_never_the_worse_one(example: tuple[RuleList, Table]) -> None:
    rules, table = example
    errors = {
        order: simplify_rules(rules, table, drop_rules=False, order=order).ledger.errors_after
        for order in ("fewest_errors", "given", "confidence")
    }
    assert errors["fewest_errors"] == min(errors.values())


@pytest.mark.slow
@given(example=rules_and_tables(weights=("whole",)), tables=st.sampled_from(["marginal", "conditional"]))
def test_a_row_of_weight_three_is_three_rows(example: tuple[RuleList, Table], tables: Any) -> None:
    rules, table = example
    assert table.weights is not None
    repeated = table.take(np.repeat(np.arange(len(table)), table.weights.astype(np.int64)))
    repeated = replace(repeated, weights=None)
    weighed = simplify_rules(rules, table, tables=tables)
    assert weighed.rules == simplify_rules(rules, repeated, tables=tables).rules


def test_a_rule_keeps_its_most_significant_condition() -> None:
    schema = Schema((Nominal("a", ("0", "1")), Nominal("b", ("0", "1"))), Nominal("y", ("n", "y")))
    a, b, y = ([0, 1] * 8, [0, 0, 0, 1] * 4, [0, 1, 1, 0] * 4)
    table = Table(schema, {k: np.array(v, np.int32) for k, v in (("a", a), ("b", b), ("y", y))})
    rules = RuleList(schema, (Rule((Equals("a", "1"), Equals("b", "1")), "y"),), Otherwise("n"))
    simplified = simplify_rules(rules, table, drop_rules=False)
    (record,) = simplified.ledger.records
    assert record.tests[1].p < record.tests[0].p
    strict = simplify_rules(rules, table, alpha=1e-6, drop_rules=False)
    assert rule_texts(strict.rules) == ["IF b = 1 THEN y"]
    assert "one must stay" in str(strict.ledger)


def test_a_between_is_one_condition_with_one_table() -> None:
    schema = Schema((Numeric("x"),), Nominal("y", ("n", "y")))
    x = np.arange(60, dtype=np.float64)
    table = Table(schema, {"x": x, "y": ((x > 20) & (x <= 40)).astype(np.int32)})
    rules = RuleList(schema, (Rule((Between("x", 20.0, 40.0),), "y"),), Otherwise("n"))
    (record,) = simplify_rules(rules, table).ledger.records
    (test,) = record.tests
    assert test.observed == ((20.0, 0.0), (0.0, 40.0))
    assert test.phi == pytest.approx(1)
    assert test.odds_ratio == float("inf")


def test_conditions_imply_wider_ones() -> None:
    conditions: list[Condition] = [
        AtMost("x", 5.0),
        AtMost("x", 3.0, or_missing=True),
        Between("x", 1.0, 3.0),
        Above("x", 0.0),
        IsMissing("x"),
        Equals("c", "a"),
        OneOf("c", ("b", "a")),
    ]
    assert [actual.tolist() for actual in implied_by(conditions)] == [
        [0],
        [1],
        [0, 1, 2, 3],
        [3],
        [1, 4],
        [5, 6],
        [6],
    ]


def test_a_number_is_refused_in_one_sentence() -> None:
    table = read_table(
        {"a": [1.0, 2.0, 3.0, 4.0], "y": [1.5, 2.5, 7.5, 8.5]}, target="y", kinds={"y": "numeric"}
    )
    with pytest.raises(SettingError, match="these rules predict the number 'y'"):
        simplify_rules(rules_of(CART().learn(table)), table)


def test_a_table_without_a_column_of_the_rules_is_refused() -> None:
    table = fifty_six()
    less = {name: column for name, column in table.columns.items() if name != "Wind"}
    with pytest.raises(ColumnError, match="No column 'Wind'"):
        simplify_rules(books_rules(), Table(table.schema, less))
    blind = {name: column for name, column in table.columns.items() if name != "Play"}
    with pytest.raises(SchemaError, match="target column"):
        simplify_rules(books_rules(), Table(table.schema, blind))


def test_rules_that_vote_are_refused() -> None:
    with pytest.raises(SettingError, match="first that holds"):
        simplify_rules(replace(books_rules(), matching="vote"), fifty_six())


def test_a_table_without_weight_is_refused() -> None:
    with pytest.raises(LearningError, match="No row has both"):
        simplify_rules(books_rules(), replace(fifty_six(), weights=np.zeros(56)))
    with pytest.raises(LearningError, match="not negative"):
        simplify_rules(books_rules(), replace(fifty_six(), weights=np.full(56, -1.0)))


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"alpha": 0}, "alpha must lie above 0"),
        ({"tables": "partial"}, "No tables called 'partial'"),
        ({"choose_by": "mean"}, "No choose_by called 'mean'"),
        ({"test": "t"}, "No test called 't'"),
        ({"adjust": "bonferroni"}, "No adjust called 'bonferroni'"),
        ({"order": "any"}, "No order called 'any'"),
        ({"drop_rules": 1}, "drop_rules must be True or False"),
    ],
)
def test_a_wrong_setting_is_refused(wrong: dict[str, Any], sentence: str) -> None:
    with pytest.raises(SettingError, match=sentence):
        simplify_rules(books_rules(), fifty_six(), **wrong)


def test_an_exact_test_of_more_classes_is_refused() -> None:
    schema = Schema((Numeric("x"),), Nominal("y", ("a", "b", "c")))
    table = Table(schema, {"x": np.arange(3.0), "y": np.arange(3, dtype=np.int32)})
    rules = RuleList(schema, (Rule((AtMost("x", 1.0),), "a"),))
    with pytest.raises(SettingError, match="2×3"):
        simplify_rules(rules, table, against="classes", test="fisher")


def test_an_empty_list_stays_empty() -> None:
    simplified = simplify_rules(replace(books_rules(), rules=()), fifty_six())
    assert (len(simplified.rules), len(simplified.ledger), simplified.ledger.errors_after) == (0, 0, 20)


@pytest.mark.slow
@pytest.mark.parametrize("tables", ["marginal", "conditional"])
def test_a_thousand_leaves_on_fifty_thousand_rows_take_about_a_second(tables: Any) -> None:
    random = np.random.default_rng(3)
    names = [f"x{i}" for i in range(6)]
    cells = {name: random.normal(size=50_000) for name in names}
    score = np.sin(3 * cells["x0"]) * cells["x1"] + cells["x2"] + random.normal(size=50_000)
    schema = Schema(tuple(Numeric(name) for name in names), Nominal("y", ("n", "y")))
    table = Table(schema, {**cells, "y": (score > 0).astype(np.int32)})
    rules = rules_of(CART(min_leaf=24, surrogates=0).learn(table))
    assert len(rules) > 1000
    begin = time.process_time()
    simplify_rules(rules, table, tables=tables)
    assert time.process_time() - begin < 4  # of every core, also a busy one


def test_a_tree_and_plain_columns_are_simplified_as_their_rules_and_table() -> None:
    cells = {"x": ["a", "a", "b", "b"] * 9, "y": ["p", "p", "q", "q"] * 9}
    table = read_table(cells, target="y")
    tree = C45().learn(table)
    assert simplify_rules(tree, cells) == simplify_rules(rules_of(tree), table)
