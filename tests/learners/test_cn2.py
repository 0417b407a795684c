"""CN2: small tables whose rules can be checked by hand, the test of rules, and tables that are hard on it."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from clearwood import _native
from clearwood.errors import LearningError, SettingError
from clearwood.formulas.conditions import Above, AtMost, Equals, OneOf
from clearwood.learners.rules.beam_search import RuleQuality, critical_value
from clearwood.learners.rules.cn2 import CN2
from clearwood.learners.rules.costs_of_mistakes import filled
from clearwood.table.attributes import Nominal, Numeric
from clearwood.table.schema import Schema
from clearwood.table.table import MISSING, Table
from tests.nominal_tables import nominal_table
from tests.shared_data import load_shared


def table_of(y: list[int], weights: list[float] | None = None, **columns: list[Any]) -> Table:
    """Codes where every cell is a whole number, numbers elsewhere; classes A, B, C."""
    made: dict[str, Any] = {}
    attributes: list[Nominal | Numeric] = []
    for name, cells in columns.items():
        if all(isinstance(cell, int) for cell in cells):
            made[name] = np.array(cells, np.int32)
            attributes.append(Nominal(name, tuple("uvwxyz")))
        else:
            made[name] = np.array(cells, np.float64)
            attributes.append(Numeric(name))
    made["class"] = np.array(y, np.int32)
    schema = Schema(tuple(attributes), Nominal("class", ("A", "B", "C")))
    return Table(schema, made, None if weights is None else np.array(weights))


def test_ordered_lenses() -> None:
    rules = CN2(negations=False).learn(load_shared("contact_lenses"))
    assert [str(rule) for rule in rules] == [
        "IF tear-prod-rate = reduced THEN none",
        "IF astigmatism = no THEN soft",
        "IF spectacle-prescrip = myope THEN hard",
        "IF age = young THEN hard",
    ]
    # Twelve reduced, all none: (12 + 1) / (12 + 3).
    assert RuleQuality("laplace", [5.0, 4.0, 15.0]).score([0.0, 0.0, 12.0]).quality == 13 / 15
    assert [rule.counts for rule in rules] == [(0, 0, 12), (5, 0, 1), (0, 3, 0), (0, 1, 0)]
    assert (rules.matching, rules.otherwise.then, rules.otherwise.counts) == ("first", "none", (0, 0, 2))


def test_unordered_rules_count_all_they_cover_and_fall_back_on_all_rows() -> None:
    table = load_shared("contact_lenses")
    rules = CN2(rules="unordered").learn(table)
    assert rules.matching == "vote"
    assert rules.otherwise.counts == (5, 4, 15)
    soft = [rule for rule in rules if rule.then == "soft"]
    assert str(soft[1]).startswith("IF astigmatism = no AND tear-prod-rate = normal AND spectacle-prescrip")
    # Two soft rules share rows, and each counts them.
    assert sum(rule.counts[0] for rule in soft) > 5


def test_entropy_for_one_class_grows_with_its_share() -> None:
    quality = RuleQuality("entropy", [80.0, 20.0], goal=1)
    scores = [quality.score([100.0 - right, float(right)]).quality for right in range(0, 101, 10)]
    assert scores == sorted(scores)
    assert (scores[0], scores[5], scores[-1]) == (-2, -1, 0)


def test_the_beam_sees_through_a_parity_that_no_single_condition_shows() -> None:
    a, b = [0, 0, 1, 1] * 3, [0, 1, 0, 1] * 3
    table = table_of([i ^ j for i, j in zip(a, b, strict=True)], a=a, b=b)
    for order in ("ordered", "unordered"):
        first = CN2(rules=order).learn(table).rules[0]
        assert len(first.when) == 2
        assert max(first.counts) == sum(first.counts) == 3


def test_the_last_rows_of_one_class_are_the_default() -> None:
    rules = CN2().learn(table_of([0, 0, 0, 1], a=[0, 0, 0, 1]))
    assert [str(rule) for rule in rules] == ["IF a = u THEN A"]
    assert (rules.otherwise.then, rules.otherwise.counts) == ("B", (0, 1, 0))


def test_significance_stops_at_rules_that_chance_could_make() -> None:
    """Five of five where half are: 2 · 5 · ln 2 = 6.93, and 6.63 is asked for at 1 %, 7.88 at 0.5 %."""
    table = table_of([0] * 5 + [1] * 5, a=[0] * 5 + [1] * 5)
    assert len(CN2(alpha=0.01).learn(table)) == 1
    assert len(CN2(alpha=0.005).learn(table)) == 0
    assert math.isclose(critical_value(0.01, 1), 6.6349, rel_tol=1e-5)
    assert math.isclose(RuleQuality("laplace", [5.0, 5.0]).likelihood_ratio([5.0, 0.0]), 10 * math.log(2))


def test_numbers_are_cut_between_two_values_and_bounds_merge() -> None:
    rules = CN2(rules="unordered").learn(table_of([0, 0, 1, 1, 1, 0, 0], x=[1.0, 2, 3, 4, 5, 6, 7]))
    assert {str(rule) for rule in rules} == {
        "IF x ≤ 2.5 THEN A", "IF x > 5.5 THEN A", "IF 2.5 < x ≤ 5.5 THEN B"
    }  # fmt: skip


def test_cuts_of_the_schema_are_the_only_thresholds() -> None:
    columns = {"x": np.array([1.0, 2, 3, 4]), "y": np.array([0, 0, 1, 1], np.int32)}
    table = Table(Schema((Numeric("x", (1.5, 3.5)),), Nominal("y", ("A", "B"))), columns)
    limits = {c.limit for rule in CN2().learn(table) for c in rule.when if isinstance(c, AtMost | Above)}
    assert limits <= {1.5, 3.5}
    assert limits


def test_the_unordered_rules_of_the_lenses_are_the_seven_of_orange() -> None:
    """Orange writes `age ≠ presbyopic`, and of two values `≠` for either; the rules are the same, of each
    class in the same order; classes come by name, and not as the file lists them."""
    assert [str(rule) for rule in CN2(rules="unordered", beam=10).learn(load_shared("contact_lenses"))] == [
        "IF astigmatism = yes AND tear-prod-rate = normal AND spectacle-prescrip = myope THEN hard",
        "IF age = young AND astigmatism = yes AND tear-prod-rate = normal THEN hard",
        "IF tear-prod-rate = reduced THEN none",
        "IF spectacle-prescrip = hypermetrope AND astigmatism = yes AND age in {pre-presbyopic, presbyopic} "
        "THEN none",
        "IF age = presbyopic AND spectacle-prescrip = myope AND astigmatism = no THEN none",
        "IF astigmatism = no AND tear-prod-rate = normal AND age in {young, pre-presbyopic} THEN soft",
        "IF astigmatism = no AND tear-prod-rate = normal AND spectacle-prescrip = hypermetrope THEN soft",
    ]


def test_unequal_is_said_by_the_values_that_are_left() -> None:
    """Two of four values are A: one `≠` leaves one B too many, two leave none."""
    table = table_of([0, 0, 0, 0, 1, 1], a=[0, 0, 1, 1, 2, 3])
    assert CN2().learn(table).rules[0].when == (OneOf("a", ("u", "v", "y", "z")),)
    assert CN2(negations=False).learn(table).rules[0].when == (Equals("a", "u"),)


def test_unequal_needs_a_third_value() -> None:
    """With two, `≠` one would but be a longer name of `=` the other."""
    rules = CN2(rules="unordered").learn(table_of([0, 0, 1, 1], a=[4, 4, 5, 5]))
    assert [str(rule) for rule in rules] == ["IF a = y THEN A", "IF a = z THEN B"]


def test_a_cut_without_any_of_a_rare_class_is_not_the_best_for_it() -> None:
    """Laplace gives 1 ÷ 3 for one row of others, more than 2 ÷ 8 for all up to the only row wanted."""
    table = table_of([1] * 5 + [0] + [1] * 6, x=[float(i) + 0.5 for i in range(12)])
    expected = [rule for rule in CN2(rules="unordered").learn(table) if rule.then == "A"]
    assert [(str(rule), rule.counts) for rule in expected] == [("IF 5 < x ≤ 6 THEN A", (1, 0, 0))]


def test_an_empty_cell_stands_for_the_most_common_value_and_the_rules_say_so() -> None:
    y = [0, 0, 0, 1, 1, 1]
    rules = CN2().learn(table_of(y, a=[0, 0, MISSING, 1, 1, 2]))
    assert [str(rule) for rule in rules] == ["IF a = u or missing THEN A"]
    assert rules.rules[0].counts == (3, 0, 0)
    numbers = CN2().learn(table_of(y, x=[1.0, 1, 1, 9, math.nan, 9]))  # their mean is 4.2
    assert [str(rule) for rule in numbers] == ["IF x ≤ 2.6 THEN A"]
    assert numbers.otherwise.counts == (0, 3, 0)


def test_a_lost_cell_satisfies_no_condition() -> None:
    rules = CN2(missing="lost").learn(table_of([0, 0, 1, 1, 1], a=[0, 0, 1, MISSING, MISSING]))
    assert rules.rules[0].when == (Equals("a", "u"),)
    assert rules.otherwise.counts == (0, 3, 0)


@pytest.mark.parametrize("order", ["ordered", "unordered"])
@pytest.mark.parametrize("measure", ["laplace", "entropy", "wracc"])
def test_awkward_tables_have_their_rules_or_none(order: Any, measure: Any) -> None:
    learner = CN2(rules=order, measure=measure)
    one_class = learner.learn(table_of([0, 0, 0], a=[0, 1, 2], x=[1.5, 2, 3]))
    assert (len(one_class), one_class.otherwise.then) == (0, "A")
    all_empty = learner.learn(table_of([0, 1, 1], a=[MISSING] * 3, x=[math.nan] * 3))
    assert (len(all_empty), all_empty.otherwise.then) == (0, "B")
    constant = learner.learn(table_of([0, 1, 1], a=[2] * 3, x=[0.5] * 3))
    assert (len(constant), constant.otherwise.then) == (0, "B")
    contradictory = learner.learn(table_of([0, 0, 1, 1], a=[0, 0, 0, 1]))
    assert [str(rule) for rule in contradictory] in (
        ["IF a = v THEN B"],  # the rest, mostly A, is the default
        ["IF a = u THEN A"],
        ["IF a = u THEN A", "IF a = v THEN B"],
    )
    infinite = learner.learn(table_of([0, 0, 1, 1], x=[-math.inf, 0.5, math.inf, math.inf]))
    assert infinite.rules[0].when[0] == AtMost("x", 0.5) or infinite.rules[0].when[0] == Above("x", 0.5)


def test_no_column_to_ask_about_leaves_the_majority() -> None:
    table = Table(Schema((), Nominal("y", ("A", "B"))), {"y": np.array([0, 1, 1], np.int32)})
    assert CN2().learn(table).otherwise.then == "B"
    assert CN2(otherwise="abstain").learn(table).otherwise.then is None


@pytest.mark.slow
def test_thousands_of_values_are_no_trouble() -> None:
    codes = np.arange(1600, dtype=np.int32) % 800
    schema = Schema((Nominal("a", tuple(f"v{i}" for i in range(5000))),), Nominal("y", ("A", "B")))
    rules = CN2(rules="unordered").learn(Table(schema, {"a": codes, "y": (codes % 2).astype(np.int32)}))
    assert len(rules) == 800
    assert all(max(rule.counts) == 2 == sum(rule.counts) for rule in rules)


@pytest.mark.parametrize("order", ["ordered", "unordered"])
def test_duplicated_rows_are_rows_of_weight_two(order: Any) -> None:
    for seed in range(5):
        table = nominal_table(seed)
        twice = table.take(np.repeat(np.arange(len(table)), 2))
        weighed = Table(table.schema, table.columns, np.full(len(table), 2.0))
        assert CN2(rules=order).learn(twice).rules == CN2(rules=order).learn(weighed).rules


def test_the_same_rules_on_any_number_of_threads() -> None:
    random = np.random.default_rng(5)
    cells: dict[str, Any] = {f"a{i}": random.integers(0, 4, 40_000).astype(np.int32) for i in range(8)}
    attributes = tuple(Nominal(name, tuple("stuv")) for name in cells)
    lean = cells["a0"] + cells["a1"] + random.integers(0, 3, 40_000)
    cells["y"] = (lean > 4).astype(np.int32)
    table = Table(Schema(attributes, Nominal("y", ("A", "B"))), cells)
    actual = []
    try:
        for threads in (1, 3):
            _native.set_thread_count(threads)
            orders = [CN2(rules=order, max_conditions=2, min_rows=2000) for order in ("ordered", "unordered")]
            actual.append([learner.learn(table).rules for learner in orders])
    finally:
        _native.set_thread_count(0)
    assert actual[0] == actual[1]
    assert all(len(rules) > 3 for rules in actual[0])


def test_steps_show_the_beam_and_the_best_so_far() -> None:
    learner = CN2(beam=2, negations=False)
    rules, steps = learner.learn_with_steps(load_shared("contact_lenses"))
    assert rules == learner.learn(load_shared("contact_lenses"))
    assert str(steps[0]).splitlines()[:2] == [
        "Rule 1, level 1",
        "  best so far: IF tear-prod-rate = reduced THEN none: 12 of 12, 0.8667",
    ]
    assert {step.rule for step in steps} == {1, 2, 3, 4, 5}  # the fifth search finds no rule
    assert all(len(step.beam) <= 2 for step in steps)


def test_what_cannot_be_learned_is_refused_with_a_sentence() -> None:
    numbers = Table(Schema((), Numeric("y")), {"y": np.array([0.5, 1.5])})
    with pytest.raises(LearningError, match="CN2 learns classes"):
        CN2().learn(numbers)
    for wrong, sentence in (
        ({"beam": 0}, "beam must be at least 1"),
        ({"alpha": 0}, "alpha must lie above 0"),
        ({"measure": "laplas"}, "Did you mean 'laplace'"),
        ({"max_conditions": 0}, "max_conditions must be at least 1"),
        ({"rules": None}, "No rules called"),
    ):
        with pytest.raises(SettingError, match=sentence):
            CN2(**wrong)


def test_an_empty_cell_of_a_constant_column_stands_for_that_number_whatever_the_weights() -> None:
    weights = np.array([1.0, 1.99258227, 0.89416239, 2.137691, 2.83702414, 0.4677696, 2.60785706, 0.27244604])
    column = np.array([7.5, 7.5, 7.5, 7.5, 7.5, 7.5, 7.5, np.nan])
    schema = Schema((Numeric("x"),), Nominal("y", ("a", "b")))
    for rows in range(2, 8):
        kept = np.r_[0:rows, 7]
        table = Table(schema, {"x": column[kept], "y": np.zeros(rows + 1, np.int32)}, weights[kept])
        assert filled(table)[1] == {"x": 7.5}


def test_a_mean_that_is_one_of_the_numbers_is_that_number_to_the_last_bit() -> None:
    column = np.array([np.nan, -0.37, -1.12, 0.46, -0.18, -0.27])
    schema = Schema((Numeric("x"),), Nominal("y", ("a", "b")))
    table = Table(schema, {"x": column, "y": np.zeros(6, np.int32)}, np.array([3.0, 2.0, 2.0, 1.0, 3.0, 1.0]))
    assert filled(table)[1] == {"x": -0.37}
