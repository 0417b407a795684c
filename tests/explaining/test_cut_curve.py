"""Cut curves: the gains are those of the learners, in the whole table and at a node."""

from __future__ import annotations

import numpy as np
import pytest

import clearwood as cw
from clearwood.formulas.conditions import AtMost
from clearwood.measures import IMPURITIES
from clearwood.measures.information import gain
from tests.book_tables import book_table
from tests.shared_data import load_shared
from tests.typed import sure


def weather() -> cw.Table:
    return book_table("tennis_numeric", target="Play")


def test_each_gain_is_that_of_the_rows_on_either_side() -> None:
    table = weather()
    curve = cw.cut_curve(table, "Humidity")
    for limit, gained in zip(curve.limits.tolist(), curve.gains.tolist(), strict=True):
        low = table.columns["Humidity"] <= limit
        sides = [np.bincount(table.target[side], minlength=2) for side in (low, ~low)]
        assert gained == pytest.approx(float(gain(np.array([sides]), IMPURITIES["entropy"])[0]), abs=1e-12)


def test_a_tree_s_own_cut_is_marked_at_its_node_with_the_tree_s_own_score() -> None:
    table = weather()
    tree = cw.CART(min_rows=2, measure="gini").learn(table)
    for node in np.flatnonzero(~tree.nodes.is_leaf).tolist():
        condition = tree.condition(tree.nodes.children(node)[0])
        if condition.name not in ("Humidity", "Temperature"):
            continue
        curve = cw.cut_curve(table, condition.name, tree=tree, node=node, measure="gini")
        assert curve.chosen == sure(AtMost, condition).limit
        assert curve.cut is not None
        assert curve.gains[curve.cut] == pytest.approx(float(tree.nodes.scores[node, 0]), abs=1e-12)
        assert curve.weights.sum() == tree.nodes.counts[node].sum()


def test_a_threshold_at_a_value_makes_the_cut_above_it() -> None:
    table = weather()
    tree = cw.C45().learn(table)
    curve = cw.cut_curve(table, "Humidity", tree=tree, node=1)
    assert (curve.where, curve.chosen) == (("Outlook = Sunny",), 75.0)
    assert curve.cut is not None
    assert curve.limits[curve.cut] == 77.5


def test_empty_cells_lower_the_gain_by_their_part() -> None:
    rows = {"x": [1.0, 2.0, 3.0, 4.0, None, None], "y": list("aabbab")}
    curve = cw.cut_curve(cw.read_table(rows, target="y"), "x")
    assert curve.missing == 2.0
    assert curve.gains[curve.best] == pytest.approx(4 / 6)


def test_one_value_leaves_nothing_to_cut() -> None:
    table = cw.read_table({"x": [2.5, 2.5, 2.5], "z": [1.0, 2.0, 3.5], "y": list("aba")}, target="y")
    schema = table.schema.change("x", "numeric")
    table = cw.encode({"x": [2.5, 2.5, 2.5], "z": [1.0, 2.0, 3.5], "y": list("aba")}, schema)
    curve = cw.cut_curve(table, "x")
    assert (curve.best, curve.chosen, len(curve.limits)) == (None, None, 0)
    assert "nothing to cut" in cw.charts.cuts(curve).alt


def test_what_cannot_be_cut_is_refused() -> None:
    table = weather()
    with pytest.raises(cw.errors.SettingError, match="'Outlook' is nominal"):
        cw.cut_curve(table, "Outlook")
    with pytest.raises(cw.errors.ColumnError, match="Did you mean 'Humidity'"):
        cw.cut_curve(table, "Humidty")
    with pytest.raises(cw.errors.SettingError, match="node must be one of the tree's 0 to"):
        cw.cut_curve(table, "Humidity", tree=cw.C45().learn(table), node=99)
    with pytest.raises(cw.errors.SchemaError, match="target of classes"):
        cw.cut_curve(load_shared("auto_mpg"), load_shared("auto_mpg").schema.attributes[1].name)
