"""What forests know: importances, near rows, odd rows, prototypes, agreement."""

from __future__ import annotations

import numpy as np
import pytest

import clearwood as cw
from clearwood.errors import SettingError
from tests.learners.ensembles.test_forest import numbers, two_classes


def test_the_column_that_tells_most_is_worth_most_by_both_measures() -> None:
    table = two_classes()
    worth = cw.importances(cw.Forest(trees=60).learn(table), table)
    assert worth.columns[0].name == "x"
    x, z = worth["x"], worth["z"]
    assert x.rise is not None
    assert x.rise_error is not None
    assert z.rise is not None
    assert x.impurity > z.impurity
    assert x.rise > 3 * x.rise_error
    assert abs(z.rise) < 0.02 < x.rise


def test_impurity_importances_are_the_mean_of_the_trees_and_need_no_table() -> None:
    forest = cw.Forest(trees=20).learn(two_classes())
    worth = cw.importances(forest)
    assert sum(each.impurity for each in worth.columns) == pytest.approx(1.0)
    assert all(each.rise is None for each in worth.columns)


def test_importances_of_numbers_are_rises_of_the_squared_error() -> None:
    table = numbers()
    worth = cw.importances(cw.Forest(trees=30).learn(table), table)
    assert worth.loss == "squared error"
    assert worth.columns[0].name == "x"
    assert "squared error rises by" in str(worth)


def test_out_of_bag_importances_are_refused_for_other_rows() -> None:
    with pytest.raises(SettingError, match="this is another table"):
        cw.importances(cw.Forest(trees=3).learn(two_classes()), two_classes(seed=4))


def test_out_of_bag_importances_are_refused_where_no_row_is_out_of_bag() -> None:
    table = two_classes()
    with pytest.raises(SettingError, match="every tree drew all of them"):
        cw.importances(cw.Forest(trees=3, rows=1.0).learn(table), table)


def test_proximities_are_the_part_of_the_trees_in_which_rows_share_a_leaf() -> None:
    table = two_classes(80)
    forest = cw.Forest(trees=12, min_leaf=4).learn(table)
    trees = [each for each in forest.members if isinstance(each, cw.Tree)]
    leaves = np.stack([cw.leaf_of(tree, table) for tree in trees])
    near = cw.proximities(forest, table)
    for row in (0, 17, 79):
        expected = (leaves == leaves[:, row][:, None]).mean(axis=0)
        expected[row] = 0
        rows, shares = near.of(row)
        got = np.zeros(80)
        got[rows] = shares
        np.testing.assert_allclose(got, expected)
        assert near.nearest(row, 3)[1].tolist() == np.sort(expected)[::-1][:3].tolist()


def test_a_row_amid_the_other_class_is_the_odd_one() -> None:
    table = two_classes(300)
    far = int(np.argmax(np.where(table.target == 1, table.columns["x"], -9)))
    columns = {**table.columns, "y": table.target.copy()}
    columns["y"][far] = 0
    spoiled = cw.Table(table.schema, columns)
    near = cw.proximities(cw.Forest(trees=60, min_leaf=5).learn(spoiled), spoiled)
    odd = near.oddness()
    assert odd[far] > 2
    assert odd[far] > np.quantile(odd[spoiled.target == 0], 0.95)


def test_prototypes_are_typical_rows_of_their_class() -> None:
    table = two_classes(200)
    typical = cw.proximities(cw.Forest(trees=40, min_leaf=5).learn(table), table).prototypes()
    assert set(typical) == {"no", "yes"}
    assert typical["yes"]["x"] > typical["no"]["x"]
    with pytest.raises(SettingError, match="Prototypes are of classes"):
        cw.proximities(cw.Forest(trees=2).learn(numbers()), numbers()).prototypes()


def test_agreement_is_the_part_of_the_trees_that_answer_alike() -> None:
    table = two_classes(120)
    forest = cw.Forest(trees=11, max_depth=3).learn(table)
    answers = np.stack([cw.predict(member, table) for member in forest.members])
    expected = (answers == cw.predict(forest, table)).mean(axis=0)
    np.testing.assert_allclose(cw.agreement(forest, table), expected)


def test_agreement_about_numbers_is_the_spread_of_the_answers() -> None:
    table = numbers()
    forest = cw.Forest(trees=7).learn(table)
    answers = np.stack([cw.predict(member, table) for member in forest.members])
    np.testing.assert_allclose(cw.agreement(forest, table), answers.std(axis=0))
