"""What a tree answers, in numbers worked by hand."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from clearwood.errors import ColumnError, SchemaError, SettingError
from clearwood.formulas.conditions import Above, AtMost, Equals
from clearwood.models.decision import Decision
from clearwood.models.kinds.tree.build import tree_of
from clearwood.models.kinds.tree.tree import Branch, Leaf, Split, Surrogate, Tree
from clearwood.predicting import count_through, leaf_of, predict, predict_codes, shares
from clearwood.predicting import intervals as intervals
from clearwood.predicting.row import row_predictor
from clearwood.table import read_table
from clearwood.table.attributes import Nominal, Numeric
from clearwood.table.schema import Schema
from clearwood.table.table import Table
from tests.trees import TENNIS, tennis_table, tennis_tree
from tests.typed import mistyped


def price_tree() -> Tree:
    """Two leaves of a number: mean 10 from 4 rows with error 8, mean 20 from none."""
    schema = Schema((Numeric("area"),), Numeric("price"))
    small = Branch(AtMost("area", 50.0), 0.5, Leaf((4.0, 10.0, 8.0)))
    large = Branch(Above("area", 50.0), 0.5, Leaf((0.0, 0.0, 0.0)))
    return tree_of(schema, Split((8.0, 15.0, 32.0), {}, (small, large)))


def areas(*values: float) -> Table:
    return Table(price_tree().schema, {"area": np.array(values, dtype=np.float64)})


def test_the_tennis_tree_knows_its_own_fourteen_days() -> None:
    tree, table = tennis_tree(), tennis_table()
    assert predict(tree, table).tolist() == [TENNIS.classes[code] for code in table.target.tolist()]
    assert predict_codes(tree, table).dtype == np.int32
    assert (count_through(tree, table) == tree.nodes.counts).all()
    assert leaf_of(tree, table)[:3].tolist() == [2, 2, 4]


def test_a_day_without_outlook_goes_down_every_branch_by_its_share() -> None:
    tree = tennis_tree()
    day = {"Outlook": None, "Temperature": "Hot", "Humidity": "High", "Wind": "Weak"}
    yes = 4 / 14 + 5 / 14
    assert row_predictor(tree).shares(day) == pytest.approx({"No": 1 - yes, "Yes": yes})
    assert row_predictor(tree)(day) == "Yes"


def test_a_table_and_a_frame_are_read_alike_however_a_number_is_written() -> None:
    schema = Schema((Nominal("rooms", ("1", "2")),), Nominal("dear", ("no", "yes")))
    sides = (
        Branch(Equals("rooms", "1"), 0.5, Leaf((2.0, 0.0))),
        Branch(Equals("rooms", "2"), 0.5, Leaf((1.0, 3.0))),
    )
    tree = tree_of(schema, Split((3.0, 3.0), {}, sides))
    homes = {"rooms": ["01", "2.0", "many", None]}
    table = read_table(homes, kinds={"rooms": "nominal"})
    assert leaf_of(tree, table).tolist() == leaf_of(tree, homes).tolist() == [1, 2, 1, 1]
    assert (shares(tree, table) == shares(tree, homes)).all()


def test_rows_need_only_the_columns_the_tree_tests() -> None:
    day = {"Outlook": "Sunny", "Humidity": "High", "Wind": "Weak"}
    assert predict(tennis_tree(), [day]).tolist() == ["No"]
    with pytest.raises(ColumnError, match="No column 'Wind'"):
        predict(tennis_tree(), [{name: day[name] for name in ("Outlook", "Humidity")}])


def test_a_surrogate_asks_for_its_column_and_nobody_for_the_target() -> None:
    schema = Schema((Numeric("area"), Numeric("rooms"), Numeric("age")), Nominal("dear", ("no", "yes")), "w")
    sides = (
        Branch(AtMost("area", 50.0), 0.5, Leaf((2.0, 0.0))),
        Branch(Above("area", 50.0), 0.5, Leaf((0.0, 2.0))),
    )
    instead = Surrogate(AtMost("rooms", 2.0), 0, Above("rooms", 2.0), 1.0)
    tree = tree_of(schema, Split((2.0, 2.0), {}, sides, surrogates=(instead,)))
    home = {"area": None, "rooms": 3, "age": "unknown", "w": "heavy"}
    assert predict(tree, [home]).tolist() == ["yes"]
    with pytest.raises(ColumnError, match="No column 'rooms'"):
        predict(tree, [{"area": 60}])


def test_laplace_adds_one_to_each_class_and_m_adds_the_roots_shares() -> None:
    tree, table = tennis_tree(), tennis_table()
    assert shares(tree, table, smoothing="laplace")[0].tolist() == [4 / 5, 1 / 5]
    assert shares(tree, table, smoothing=2)[0].tolist() == pytest.approx(
        [(3 + 2 * 5 / 14) / 5, 2 * 9 / 14 / 5]
    )


@pytest.mark.parametrize("smoothing", ["lidstone", -1, True, float("nan")])
def test_another_smoothing_is_refused(smoothing: object) -> None:
    with pytest.raises(SettingError, match="smoothing must be None, 'laplace' or a number"):
        shares(tennis_tree(), tennis_table(), smoothing=mistyped(smoothing))


def test_costs_and_factors_move_the_class_and_factors_the_shares() -> None:
    tree = tree_of(Schema((), Nominal("ill", ("no", "yes"))), Leaf((3.0, 1.0)))
    one = Table(Schema((), tree.schema.target), {"ill": np.array([0], dtype=np.int32)})
    assert predict(tree, one).tolist() == ["no"]
    dear = replace(tree, decision=Decision(costs=((0.0, 1.0), (4.0, 0.0))))
    assert predict(dear, one).tolist() == ["yes"]
    assert shares(dear, one).tolist() == [[0.75, 0.25]]
    even = replace(tree, decision=Decision(factors=(1.0, 3.0)))
    assert shares(even, one).tolist() == [[0.5, 0.5]]
    assert predict(even, one).tolist() == ["no"]


def test_a_leaf_without_rows_answers_as_the_split_above() -> None:
    assert predict(price_tree(), areas(10, 99)).tolist() == [10.0, 15.0]


def test_a_missing_number_averages_the_leaves() -> None:
    assert predict(price_tree(), areas(float("nan"))).tolist() == [12.5]


def test_intervals_are_wilsons_for_classes_and_normal_for_numbers() -> None:
    low, high = intervals(tennis_tree(), tennis_table())[2]
    assert (low, high) == pytest.approx((0.5101, 1.0), abs=1e-4)
    low, high = intervals(price_tree(), areas(10))[0]
    assert (low, high) == pytest.approx((10 - 1.959964 * 0.5**0.5, 10 + 1.959964 * 0.5**0.5), abs=1e-6)


def test_a_numeric_tree_has_no_shares_and_says_so() -> None:
    with pytest.raises(SettingError, match="predicts a number"):
        shares(price_tree(), areas(1))
    with pytest.raises(SettingError, match="predicts a number"):
        predict_codes(price_tree(), areas(1))


def test_a_table_coded_in_another_order_is_recoded_by_name() -> None:
    tree, table = tennis_tree(), tennis_table()
    other = Nominal("Outlook", ("Foggy", "Rainy", "Sunny", "Overcast"))
    schema = replace(TENNIS, attributes=(other, *TENNIS.attributes[1:]))
    codes = np.array([2, 3, 1], dtype=np.int32)[table.columns["Outlook"]]
    codes[0] = 0
    recoded = Table(schema, {**table.columns, "Outlook": codes})
    assert (predict(tree, recoded)[1:] == predict(tree, table)[1:]).all()
    assert shares(tree, recoded)[0].tolist() == pytest.approx([5 / 14, 9 / 14])


def test_a_column_the_tree_needs_is_named_when_it_is_not_there() -> None:
    table = tennis_table()
    without = Table(table.schema, {n: c for n, c in table.columns.items() if n != "Wind"})
    with pytest.raises(ColumnError, match="No column 'Wind'"):
        predict(tennis_tree(), without)
    unused = Table(table.schema, {n: c for n, c in table.columns.items() if n != "Temperature"})
    assert len(predict(tennis_tree(), unused)) == 14


def test_a_column_of_another_kind_is_refused() -> None:
    schema = replace(TENNIS, attributes=(Numeric("Outlook"), *TENNIS.attributes[1:]))
    table = Table(schema, {**tennis_table().columns, "Outlook": np.zeros(14)})
    with pytest.raises(SchemaError, match="'Outlook' is numeric here but nominal in the model"):
        predict(tennis_tree(), table)


def test_a_row_with_an_unknown_name_is_refused_with_the_nearest() -> None:
    with pytest.raises(ColumnError, match="Did you mean 'Humidity'"):
        row_predictor(tennis_tree())({"humidty": "High"})


def test_a_row_may_carry_its_target() -> None:
    day = {"Outlook": "Overcast", "Humidity": "High", "Wind": "Weak", "PlayTennis": "Yes"}
    assert row_predictor(tennis_tree())(day) == "Yes"


@pytest.mark.parametrize("row", [("Sunny",), (), "Sunny", ["Sunny"] * 5])
def test_a_row_of_the_wrong_length_is_refused(row: object) -> None:
    with pytest.raises(SchemaError, match="A row has 4 cells"):
        row_predictor(tennis_tree())(mistyped(row))


@pytest.mark.parametrize("cell", ["12", True, [1]])
def test_a_cell_that_is_not_a_number_is_refused(cell: object) -> None:
    with pytest.raises(SchemaError, match="'area' is numeric, but its cell is"):
        row_predictor(price_tree())(mistyped((cell,)))


def test_a_cell_that_is_neither_text_nor_number_is_refused() -> None:
    with pytest.raises(SchemaError, match=r"'Wind' is nominal, but its cell is \[3\]"):
        row_predictor(tennis_tree())(mistyped(("Sunny", "Hot", "High", [3])))


@pytest.mark.slow
def test_a_tree_a_hundred_thousand_deep_predicts() -> None:
    schema = Schema((Numeric("x"),), Nominal("t", ("a", "b")))
    node: Split | Leaf = Leaf((1.0, 0.0))
    for i in range(100_000):
        node = Split(
            (1.0, 1.0),
            {},
            (Branch(AtMost("x", float(i)), 0.5, Leaf((0.0, 1.0))), Branch(Above("x", float(i)), 0.5, node)),
        )
    tree = tree_of(schema, node)
    table = Table(schema, {"x": np.array([1e9, 5.0])})
    assert predict(tree, table).tolist() == ["a", "b"]


def test_medians_have_no_interval() -> None:
    medians = replace(price_tree(), answers="median")
    with pytest.raises(SettingError, match=r"predicts medians.*measure='squared'"):
        intervals(medians, areas(10))


def test_one_row_is_read_as_many_are() -> None:
    schema = Schema(
        (Nominal("n", ("1", "2")), Nominal("b", ("True", "False")), Numeric("x")), Nominal("p", ("No", "Yes"))
    )
    inner = Split(
        (1.0, 1.0),
        {},
        (
            Branch(Equals("b", "True"), 0.5, Leaf((1.0, 0.0))),
            Branch(Equals("b", "False"), 0.5, Leaf((0.0, 1.0))),
        ),
    )
    one = Branch(Equals("n", "1"), 2 / 3, inner)
    tree = tree_of(schema, Split((1.0, 2.0), {}, (one, Branch(Equals("n", "2"), 1 / 3, Leaf((0.0, 1.0))))))
    ask = row_predictor(tree)
    for n in (1, 1.0, np.int64(1), "1", "01"):
        for b, answer in ((True, "No"), (np.True_, "No"), (False, "Yes"), ("false", "Yes")):
            cells: tuple[Any, ...] = (n, b, 0.5)
            assert ask(cells) == ask({"n": n, "b": b}) == answer
    with pytest.raises(ColumnError, match=r"The row lacks a column of the model\. No column 'b'"):
        ask({"n": 1})
    for _ in range(2):
        with pytest.raises(SchemaError, match=r"'x' holds inf\. Give a finite number"):
            ask((1, True, np.inf))
        assert ask((1, True, 2.0)) == "No"
