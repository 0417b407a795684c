"""Stable rules: the short paths that recur in many trees, each saying something that others do not."""

from __future__ import annotations

import re

import numpy as np
import pytest

import clearwood as cw
from clearwood.errors import SettingError
from clearwood.formulas.conditions import AtMost, Equals
from clearwood.models.kinds.ensemble.many_trees import joined_trees


def planted(rows: int = 800, seed: int = 1) -> cw.Table:
    """y is mostly yes where x ≤ 0.5 and colour is r; z says nothing."""
    random = np.random.default_rng(seed)
    x, z = random.uniform(size=rows), random.uniform(size=rows)
    colour = random.integers(0, 2, rows)
    yes = (x <= 0.5) & (colour == 0) & (random.uniform(size=rows) < 0.95)
    names = np.array(["r", "g"])[colour].tolist()
    return cw.read_table(
        {"x": x, "z": z, "colour": names, "y": np.where(yes, "yes", "no").tolist()}, target="y"
    )


def test_a_planted_rule_is_found_though_its_cut_moves_from_tree_to_tree() -> None:
    table = planted()
    bagged = cw.Bagging(of=cw.CART(max_depth=3), trees=25).learn(table)
    stable = cw.stable_rules(bagged, table)
    both = next(rule for rule in stable.rules if len(rule.when) == 2)
    low = next(each for each in both.when if isinstance(each, AtMost))
    assert low.limit == pytest.approx(0.5, abs=0.06)
    assert Equals("colour", "r") in both.when
    assert both.part > 0.9
    no, yes = both.inside
    assert yes / (yes + no) > 0.9
    assert all(each.name != "z" for rule in stable.rules[:2] for each in rule.when)


def test_how_often_a_path_recurs_is_the_part_of_the_trees_that_have_it() -> None:
    table = planted()
    trees = [cw.CART(max_depth=1).learn(table.take(np.arange(first, 800, 4))).nodes for first in range(4)]
    other = (
        cw.CART(max_depth=1)
        .learn(
            cw.read_table(
                {"x": [0.1, 0.9], "z": [0.0, 0.0], "colour": ["r", "r"], "y": ["yes", "no"]},
                schema=table.schema,
            )
        )
        .nodes
    )
    whole = cw.Ensemble(table.schema, joined_trees([*trees, other], "shares"))
    stable = cw.stable_rules(whole, table, cuts=2)
    assert stable.trees == 5
    assert sum(rule.trees for rule in stable.rules) == 5
    assert [rule.part for rule in stable.rules] == [rule.trees / 5 for rule in stable.rules]


def test_the_other_side_of_a_rule_is_not_told_again() -> None:
    table = planted()
    tree = cw.CART(max_depth=1).learn(table).nodes
    stable = cw.stable_rules(cw.Ensemble(table.schema, joined_trees([tree] * 3, "shares")), table)
    (only,) = stable.rules
    assert only.trees == 3
    inside, outside = np.array(only.inside), np.array(only.outside)
    assert (inside + outside).tolist() == [np.sum(table.target == 0), np.sum(table.target == 1)]
    assert re.match(
        r"1 rule of 3 trees\nin 100 %: IF x > 0.49\d* THEN no 99.0 %, else no 51.5 %", str(stable)
    )


def test_numbers_have_means_inside_and_outside() -> None:
    random = np.random.default_rng(0)
    x = random.uniform(size=300)
    table = cw.read_table({"x": x, "y": np.where(x > 0.5, 10.0, 1.0) + random.normal(size=300)}, target="y")
    stable = cw.stable_rules(cw.Bagging(of=cw.CART(max_depth=1), trees=10).learn(table), table)
    first = stable.rules[0]
    assert abs(first.inside[1] - first.outside[1]) > 7
    assert first.inside[0] + first.outside[0] == 300


def test_rare_paths_and_other_members_are_left_out_or_refused() -> None:
    table = planted()
    bagged = cw.Bagging(of=cw.CART(max_depth=4), trees=10).learn(table)
    some, all_of_them = (
        cw.stable_rules(bagged, table, depth=3, cuts=40, least=least, most=100) for least in (0.0, 1.0)
    )
    assert len(some) > len(all_of_them)
    assert all(rule.part == 1 for rule in all_of_them.rules)
    bayes = cw.Ensemble(table.schema, models=(cw.NaiveBayes().learn(table),))
    with pytest.raises(SettingError, match="no tree"):
        cw.stable_rules(bayes, table)
    with pytest.raises(SettingError, match="depth"):
        cw.stable_rules(bagged, table, depth=0)
