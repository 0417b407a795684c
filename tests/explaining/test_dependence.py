"""Effects of a column: partial dependence, single rows' curves, accumulated local effects."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import clearwood as cw
from clearwood.errors import SettingError
from clearwood.explaining.dependence import Dependence
from clearwood.predicting import shares
from tests.trees import tennis_table, tennis_tree


def numbers(rows: int = 400, seed: int = 3) -> cw.Table:
    """y = 2x + z², where x and z go together."""
    random = np.random.default_rng(seed)
    x = random.normal(size=rows)
    z = 0.9 * x + 0.1 * random.normal(size=rows)
    return cw.read_table({"x": x, "z": z, "y": 2 * x + z * z}, target="y")


def test_the_mean_is_that_of_all_rows_with_the_cell_replaced() -> None:
    table, tree = tennis_table(), tennis_tree()
    effect = cw.partial_dependence(tree, table, "Outlook")
    for place, value in enumerate(effect.places):
        changed = replace(table, columns={**table.columns, "Outlook": np.full(14, place, dtype=np.int32)})
        np.testing.assert_allclose(effect.mean[place], shares(tree, changed).mean(axis=0), atol=1e-12)
        assert value == ("Sunny", "Overcast", "Rainy")[place]
    np.testing.assert_allclose(effect.centre, shares(tree, table).mean(axis=0))


def test_the_mean_curve_is_the_mean_of_the_single_rows_curves() -> None:
    table = numbers()
    effect = cw.partial_dependence(cw.CART(min_leaf=5).learn(table), table, "x", rows=50, curves=50)
    np.testing.assert_allclose(effect.curves.mean(axis=0), effect.mean)
    assert (effect.rows, effect.curves.shape) == (50, (50, 40, 1))


def test_a_rows_weight_counts_as_so_many_rows() -> None:
    table = tennis_table()
    weights = np.arange(14) % 3
    weighted = replace(table, weights=weights.astype(np.float64))
    repeated = table.take(np.repeat(np.arange(14), weights))
    for verb in (cw.partial_dependence, cw.local_effects):
        for column in ("Outlook", "Humidity"):
            one, other = (verb(tennis_tree(), each, column) for each in (weighted, repeated))
            assert one.places == other.places
            np.testing.assert_allclose(one.mean, other.mean, atol=1e-12)
            np.testing.assert_allclose(one.weights, other.weights)


def test_places_are_the_quantiles_of_the_column_by_weight() -> None:
    table = cw.read_table({"x": [1.0, 2.0, 3.0, 100.0], "y": [0.0, 0.0, 1.0, 1.0]}, target="y")
    tree = cw.CART().learn(table)
    assert cw.partial_dependence(tree, table, "x").places == (1.0, 2.0, 3.0, 100.0)
    heavy = replace(table, weights=np.array([8.0, 1.0, 1.0, 1.0]))
    assert cw.partial_dependence(tree, heavy, "x", points=3).places == (1.0, 100.0)


def test_local_effects_of_columns_that_go_together_add_up() -> None:
    # Along the line on which x and z lie, y rises by 2 for each step of both; the tree may ask either.
    table = numbers(2000)
    tree = cw.CART(min_leaf=2).learn(table)
    together = sum(_slope(cw.local_effects(tree, table, column, points=15)) for column in "xz")
    assert together == pytest.approx(2, abs=0.7)


def _slope(effect: Dependence) -> float:
    return float(np.polyfit(np.array(effect.places), effect.mean[:, 0], 1)[0])


def test_local_effects_by_hand() -> None:
    # The cuts are 1, 2, 3, 4: rows in (1, 2] step from f(1) to f(2), and so on; f is 0, 0, 6, 6.
    schema = cw.Schema((cw.Numeric("x"),), cw.Numeric("y"))
    table = cw.encode({"x": [1.0, 2.0, 3.0, 4.0], "y": [0.0, 0.0, 6.0, 6.0]}, schema)
    effect = cw.local_effects(cw.CART().learn(table), table, "x")
    # Two rows lie in [1, 2], one in each other interval: the middles 0, 3 and 6 have the mean 9/4.
    np.testing.assert_allclose(effect.mean[:, 0], np.array([0, 0, 6, 6]) - 9 / 4)


def test_local_effects_of_values_have_a_mean_of_zero_over_the_rows() -> None:
    effect = cw.local_effects(tennis_tree(), tennis_table(), "Outlook")
    np.testing.assert_allclose(effect.weights @ effect.mean, 0, atol=1e-12)


def test_nominal_values_whose_rows_are_alike_are_neighbours() -> None:
    random = np.random.default_rng(0)
    codes = np.repeat([0, 1, 2, 3], 50)
    height = np.array([3.0, 1.0, 2.0, 0.0])[codes] + random.normal(size=200)
    names = np.array(["a", "b", "c", "d"])[codes]
    table = cw.read_table({"v": names.tolist(), "h": height, "y": height + codes}, target="y")
    assert cw.local_effects(cw.CART().learn(table), table, "v").places == ("a", "c", "b", "d")


def test_an_empty_cell_is_filled_for_the_mean_and_left_out_of_local_effects() -> None:
    rows = {"x": [1.0, 2.0, None, 4.0], "y": [0.0, 0.0, 6.0, 6.0]}
    table = cw.encode(rows, cw.Schema((cw.Numeric("x"),), cw.Numeric("y")))
    tree = cw.CART().learn(table)
    assert cw.partial_dependence(tree, table, "x").rows == 4
    assert np.isfinite(cw.local_effects(tree, table, "x").mean).all()


@pytest.mark.parametrize("verb", [cw.partial_dependence, cw.local_effects])
def test_a_column_without_an_effect_to_show_is_refused(verb: object) -> None:
    assert callable(verb)
    table = tennis_table()
    with pytest.raises(SettingError, match="'PlayTennis' is the target"):
        verb(tennis_tree(), table, "PlayTennis")
    with pytest.raises(SettingError, match="no rows"):
        verb(tennis_tree(), table.take(np.arange(0)), "Outlook")
    with pytest.raises(cw.errors.ColumnError, match="Did you mean 'Outlook'"):
        verb(tennis_tree(), table, "Outlok")
    empty = replace(table, columns={**table.columns, "Outlook": np.full(14, -1, dtype=np.int32)})
    with pytest.raises(SettingError, match="no rows with a value of 'Outlook'"):
        verb(tennis_tree(), empty, "Outlook")


def test_one_value_alone_has_no_effect() -> None:
    schema = cw.Schema((cw.Numeric("x"), cw.Nominal("v", ("a", "b"))), cw.Numeric("y"))
    table = cw.encode({"x": [1.0, 1.0], "v": ["a", "a"], "y": [0.0, 1.0]}, schema)
    tree = cw.CART().learn(table)
    for column in ("x", "v"):
        assert not cw.local_effects(tree, table, column).mean.any()


def test_a_chart_shows_one_class_of_two_and_all_of_three() -> None:
    effect = cw.partial_dependence(tennis_tree(), tennis_table(), "Outlook")
    assert "Mean probability of Yes by Outlook" in cw.charts.dependence(effect).alt
    assert "Mean probability of No by Outlook" in cw.charts.dependence(effect, "No").alt
    with pytest.raises(SettingError, match="No class 'Perhaps'"):
        cw.charts.dependence(effect, "Perhaps")
    iris = cw.read_table({"x": [1.0, 2.0, 3.0, 4.0, 5.0, 6.0], "y": list("aabbcc")}, target="y")
    tree = cw.CART().learn(iris)
    for verb in (cw.partial_dependence, cw.local_effects):
        picture = cw.charts.dependence(verb(tree, iris, "x"))
        assert all(f"{name} " in picture.alt for name in "abc")
