"""The difference of two models: a row lies in a changed region if, and only if, the predictors differ."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import clearwood as cw
from clearwood.checking.difference import exact
from clearwood.checking.difference import exact as covering
from clearwood.checking.difference.by_rows import differ
from clearwood.checking.difference.differing import diff
from clearwood.checking.difference.exact import _changed_parts
from clearwood.errors import SettingError
from clearwood.formulas.conditions import Above, AtMost
from clearwood.models.kinds.rules.rule_list import Otherwise, Rule, RuleList
from clearwood.models.kinds.rules.rule_reading import parse_rules
from clearwood.models.space.input_space import input_space_of
from clearwood.models.space.settling import Searched, joined_parts
from clearwood.predicting import predict, shares
from clearwood.predicting.in_space import groups_of_rows, rows_inside
from clearwood.predicting.row import row_predictor
from clearwood.table.attributes import Nominal, Numeric
from clearwood.table.schema import Schema
from tests.checking.random_models import random_model, random_rows, random_tree


@pytest.mark.parametrize("seed", range(80))
def test_a_row_lies_in_a_changed_region_if_and_only_if_the_predictors_differ(seed: int) -> None:
    die = np.random.default_rng(seed)
    numeric = seed % 6 == 0
    old, new = random_model(die, numeric=numeric), random_model(die, numeric=numeric)
    table = random_rows(die, 2000, old.schema)
    space, searched = input_space_of((old, new)), Searched(200_000)
    changed, _ = _changed_parts(old, new, space, searched, None)
    assert searched.complete
    before, after = predict(old, table), predict(new, table)
    lying, met = groups_of_rows(space.axes, table), np.zeros(len(table), dtype=np.int64)
    for (one, other), parts in changed.items():
        for part in joined_parts(parts):
            inside = rows_inside(lying, part)
            met += inside
            for given, named in ((before, one), (after, other)):
                assert all(
                    each == named or (named is None and each != each) or abs(each - named) < 1e-9
                    for each in set(given[inside].tolist())
                )
    assert met.max(initial=0) <= 1
    assert ((met > 0) == differ(before, after)).all()


@pytest.mark.parametrize("seed", range(24))
@pytest.mark.parametrize("by", [None, 0.1])
def test_every_row_in_a_listed_region_changes_as_it_says_and_no_other_row_does(
    seed: int, by: float | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    die = np.random.default_rng(seed)
    old: cw.Tree
    new: cw.Tree | RuleList
    if seed % 2:  # trees that send missing cells down every branch
        rows = random_rows(die, 120)
        target = np.array(die.integers(0, 3, len(rows)) * (rows.columns["colour"] > 0), dtype=np.int32)
        table = replace(rows, columns={**rows.columns, "t": target})
        old, new = cw.C45(max_depth=2).learn(table), cw.C45(max_depth=3, confidence=0.9).learn(table)
    else:
        old, new = random_tree(die, depth=2), random_model(die)
    # A region is written as its groups, which rows can be held against.
    monkeypatch.setattr(exact, "region_text", lambda _, part: json.dumps(part))
    difference = diff(old, new, shares=by, most=100_000, budget=200_000)
    assert difference.exact
    assert len(difference.regions) == difference.regions_in_all
    rows = random_rows(die, 1500)
    lying = groups_of_rows(input_space_of((old, new)).axes, rows)
    before, after = predict(old, rows), predict(new, rows)
    listed = np.zeros(len(rows), dtype=np.bool_)
    for each in difference.regions:
        inside = rows_inside(lying, json.loads(each.region))
        assert set(before[inside]) <= {each.before}
        assert set(after[inside]) <= {each.after}
        listed |= inside
    assert (listed == differ(before, after)).all()
    if by is not None:
        move = shares(new, rows) - shares(old, rows)
        listed = np.zeros(len(rows), dtype=np.bool_)
        for moved in difference.moved:
            inside = rows_inside(lying, json.loads(moved.region))
            own = move[inside, old.schema.classes.index(moved.name)]
            low, high = sorted((moved.least, moved.most))
            assert ((own >= low - 1e-9) & (own <= high + 1e-9)).all()
            listed |= inside
        assert (listed == (np.abs(move).max(axis=1) > by + 1e-12)).all()


def test_all_rows_in_regions_are_all_rows_that_change() -> None:
    die = np.random.default_rng(1)
    old, new = random_model(die), random_model(die)
    table = random_rows(die)
    difference = diff(old, new, table, most=10_000)
    assert sum(each.rows or 0.0 for each in difference.regions) == difference.changed
    assert sum(each.rows for each in difference.flows) == difference.changed
    assert [each.rows for each in difference.regions] == sorted(
        (each.rows for each in difference.regions), key=_falling
    )


def _falling(rows: float | None) -> float:
    return -(rows or 0.0)


@pytest.mark.parametrize("seed", range(12))
def test_shares_that_move_further_are_in_the_regions_listed(seed: int) -> None:
    die = np.random.default_rng(seed)
    old, new = random_model(die), random_model(die)
    table = random_rows(die, 500)
    difference = diff(old, new, table, shares=0.25, most=10_000)
    move = np.abs(shares(new, table) - shares(old, table)).max(axis=1)
    assert difference.moved_rows == (move > 0.25).sum() == sum(each.rows or 0.0 for each in difference.moved)
    assert all(0.25 < abs(each.least) <= abs(each.most) for each in difference.moved)
    assert difference.largest_move == move.max()


def test_one_rule_changed_among_many_is_found_without_looking_at_all_of_them() -> None:
    columns = tuple(Numeric(f"x{i}") for i in range(12))
    schema = Schema(columns, Nominal("t", ("a", "b", "c")))
    die = np.random.default_rng(5)

    def rule(place: int) -> Rule:
        names = die.choice(12, 3, replace=False)
        when = tuple(AtMost(f"x{i}", float(die.integers(10))) for i in names)
        return Rule(when, "abc"[place % 3])

    rules = [rule(i) for i in range(60)]
    changed = [*rules[:3], Rule((AtMost("x0", 3.0), Above("x1", 4.0)), rules[3].then), *rules[4:]]
    same = [*rules[:-1], rules[-1], Rule((AtMost("x0", 3.0),), "a")]
    old, new, longer = (RuleList(schema, tuple(each), Otherwise("a")) for each in (rules, changed, same))
    assert diff(old, longer).same_answers
    assert diff(old, new, budget=2000).left_open


def test_regions_are_as_wide_as_they_can_be() -> None:
    schema = Schema((Numeric("x"), Numeric("y"), Numeric("z")), Nominal("t", ("a", "b")))
    old = parse_rules("IF x > 5 AND y > 5 THEN a\nOTHERWISE a", schema)
    new = parse_rules("IF x > 5 THEN b\nIF y > 5 THEN b\nOTHERWISE a", schema)
    assert {each.region for each in diff(old, new).regions} == {"x > 5", "y > 5"}
    table = {"x": [1, 6, 6], "y": [6, 6, 1], "z": [0, 0, 0]}
    counted = diff(old, new, table)
    assert sum(each.rows or 0.0 for each in counted.regions) == counted.changed == 3


def test_a_tree_and_its_rules_differ_only_where_cells_are_missing() -> None:
    table = cw.read_table(cw.datasets.path("tennis"), target="PlayTennis")
    tree = cw.C45().learn(table)
    difference = diff(tree, cw.rules_of(tree), table)
    assert difference.changed == 0
    assert all("missing" in each.region or "never met" in each.region for each in difference.regions)
    assert diff(tree, tree).same_answers


def test_values_that_only_one_model_knows_are_compared_by_name() -> None:
    rows = {"colour": ["red", "green"] * 10, "y": ["a", "b"] * 10}
    more = {"colour": ["red", "green", "blue"] * 10, "y": ["a", "b", "a"] * 10}
    old, new = (cw.ID3().learn(cw.read_table(each, target="y")) for each in (rows, more))
    difference = diff(old, new, more)
    assert "Schema: column 'colour' has new values 'blue'." in difference.about
    blue = row_predictor(old)({"colour": "blue"}) != row_predictor(new)({"colour": "blue"})
    assert any("blue" in each.region for each in difference.regions) == blue
    assert difference.changed == (10 if blue else 0)


def test_a_changed_decision_is_said_and_its_regions_are_found() -> None:
    table = cw.read_table(cw.datasets.path("tennis"), target="PlayTennis")
    tree = cw.ID3(max_depth=1).learn(table)
    eager = cw.with_cutoff(tree, "Yes", 0.3)
    difference = diff(tree, eager, table)
    assert "Decision, new: Predicts Yes from a probability of 0.3 on." in difference.about
    assert any(sentence.startswith("Lineage, new: ") for sentence in difference.about)
    # A missing Outlook goes down every branch, and gets Yes of both.
    assert [(each.region, each.rows) for each in difference.regions] == [("Outlook = Sunny", 5.0)]


def test_without_rows_regions_are_ordered_by_the_training_profile() -> None:
    table = cw.read_table(cw.datasets.path("tennis"), target="PlayTennis")
    old = cw.ID3(max_depth=1).learn(table)
    new = cw.with_profile(cw.ID3().learn(table), table)
    parts = [each.training for each in diff(old, new).regions]
    assert parts[0] == pytest.approx(5 / 14 * 7 / 14)
    assert parts == sorted(parts, key=_falling)


def test_models_of_other_targets_are_refused() -> None:
    table = cw.read_table(cw.datasets.path("tennis"), target="PlayTennis")
    other = cw.read_table(cw.datasets.path("tennis"), target="Wind")
    with pytest.raises(SettingError, match="only models of the same target"):
        diff(cw.ID3().learn(table), cw.ID3().learn(other))


def test_a_column_of_another_kind_is_compared_on_rows() -> None:
    numbers = cw.read_table({"x": [1, 2, 3, 4] * 5, "y": list("aabb") * 5}, target="y")
    names = cw.read_table({"x": list("1234") * 5, "y": list("aabb") * 5}, target="y", kinds={"x": "nominal"})
    old, new = cw.ID3().learn(names), cw.C45().learn(numbers)
    with pytest.raises(SettingError, match="'x' is nominal in the old model and numeric in the new model"):
        diff(old, new)
    assert not diff(old, new, {"x": [1, 2, 3]}).exact


def test_three_rows_and_one_leaf_have_a_difference_too() -> None:
    one = cw.read_table({"x": [1, 2, 3], "y": ["a", "a", "b"]}, target="y")
    old, new = cw.ID3(max_depth=0).learn(one), cw.C45(max_depth=0).learn(one)
    assert diff(old, new, one).same_answers


@pytest.mark.parametrize("seed", range(20))
def test_what_the_budget_leaves_open_is_only_rows_with_many_missing_cells(seed: int) -> None:
    die = np.random.default_rng(seed)
    old, new = random_model(die), random_model(die)
    table = random_rows(die, 500)
    space, searched = input_space_of((old, new)), Searched(budget=40 + 20 * seed)
    changed, _ = _changed_parts(old, new, space, searched, None)
    lying = groups_of_rows(space.axes, table)
    odd = np.zeros(len(table), dtype=np.int64)
    for axis in space.axes:
        column = table.columns[axis.name]
        odd += np.isnan(column) if isinstance(axis.attribute, Numeric) else column < 0
    usual = odd < (99 if searched.open_from is None else searched.open_from)
    met = np.zeros(len(table), dtype=bool)
    for parts in changed.values():
        for part in parts:
            met |= rows_inside(lying, part)
    different = differ(predict(old, table), predict(new, table))
    assert (met == different)[usual].all()
    assert not (met & ~different).any()


def test_with_many_classes_every_part_is_joined_once(monkeypatch: pytest.MonkeyPatch) -> None:
    joined: list[int] = []

    def counted(parts: Any) -> Any:
        listed = list(parts)
        joined.append(len(listed))
        return joined_parts(listed)

    monkeypatch.setattr(exact, "joined_parts", counted)
    monkeypatch.setattr(covering, "joined_parts", counted)
    rng = np.random.default_rng(0)
    columns: dict[str, Any] = {f"c{place}": rng.integers(0, 3, 400).astype(str) for place in range(12)}
    table = cw.read_table({**columns, "y": rng.integers(0, 20, 400).astype(str)}, target="y")
    old, new = (cw.ID3(max_depth=4).learn(table.take(np.arange(start, 400, 2))) for start in (0, 1))
    difference = cw.diff(old, new, table, budget=1_000)
    assert len({(each.before, each.after) for each in difference.regions}) > 5
    assert sum(joined) < 1_000


def spent_budget() -> tuple[RuleList, RuleList, dict[str, list[int]]]:
    """Two lists that differ in one far corner, and rows of which some lie in it."""
    schema = Schema(tuple(Numeric(f"x{i}") for i in range(6)), Nominal("t", ("a", "b")))
    corner = " AND ".join(f"x{i} > {i}" for i in range(6))
    old = parse_rules(f"IF {corner} THEN a\nOTHERWISE a", schema)
    new = parse_rules(f"IF {corner} THEN b\nOTHERWISE a", schema)
    return old, new, {f"x{i}": [9, 0, 9] for i in range(6)}


def test_a_budget_that_ends_early_never_says_that_no_answer_changes() -> None:
    old, new, rows = spent_budget()
    with_rows = diff(old, new, rows, budget=2)
    assert not with_rows.regions
    text = str(with_rows)
    assert "No answer changes" not in text
    assert "Of 3 rows of the data 2 rows change" in text
    assert "row 1: a → b\nrow 3: a → b" in text
    without = str(diff(old, new, budget=2))
    assert "No answer changes" not in without
    assert "no change was found; of rows that were not looked at nothing is proven." in " ".join(
        without.split()
    )
    assert "Exact" not in without
    assert "no region was found in which some probability" in str(diff(old, new, budget=2, shares=0.1))


def test_targets_that_share_a_name_and_no_class_are_refused() -> None:
    rows = {"x": [1, 2, 3, 4] * 5, "class": list("aabb") * 5}
    others = {"x": [1, 2, 3, 4] * 5, "class": list("ccdd") * 5}
    old, new = (cw.C45().learn(cw.read_table(each, target="class")) for each in (rows, others))
    wanted = "^The old model predicts a and b, and the new model c and d: no class is the same. "
    with pytest.raises(SettingError, match=wanted + "If c is a and d is b, import the new model again"):
        diff(old, new, rows)
    with pytest.raises(SettingError, match=r"^'a\.json' predicts a and b, and 'b\.json' c and d: no class"):
        diff(old, new, rows, names=("a.json", "b.json"))


def test_numbers_that_change_are_written_in_few_digits() -> None:
    table = cw.read_table({"x": [0.3 * i for i in range(40)], "y": [1 / 3] * 20 + [20 / 3] * 20}, target="y")
    old, new = cw.CART(max_depth=0).learn(table), cw.CART(max_depth=1, min_rows=5).learn(table)
    text = str(diff(old, new, table))
    assert "3.5 → 0.33" in text
    assert all(
        len(word) < 8 for line in text.splitlines() if "→" in line for word in line.split(",")[0].split()
    )
