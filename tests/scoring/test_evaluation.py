"""Evaluations: figures by hand, folds that cover every row once, and the same on every day."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from clearwood.errors import SchemaError, SettingError
from clearwood.formulas.conditions import Equals
from clearwood.measures.inference import wilson
from clearwood.models.kinds.tree.build import tree_of
from clearwood.models.kinds.tree.tree import Branch, Leaf, Split, Tree
from clearwood.predicting import predict
from clearwood.scoring.evaluation import ClassEvaluation, NumberEvaluation, evaluate
from clearwood.study.cross_validation import cross_validate
from clearwood.table.attributes import Nominal, Numeric
from clearwood.table.folding import folds, hold_out, shuffled
from clearwood.table.schema import Schema
from clearwood.table.table import MISSING, UNSEEN, Table
from tests.learners.simplifying.examples import grown
from tests.trees import tennis_table, tennis_tree


class Majority:
    """Learns one leaf: the class counts, or the mean."""

    def learn(self, table: Table) -> Tree:
        if isinstance(table.schema.target, Numeric):
            y = table.target
            return tree_of(
                table.schema, Leaf((float(len(y)), float(y.mean()), float(((y - y.mean()) ** 2).sum())))
            )
        counts = np.bincount(table.target, minlength=len(table.schema.classes))
        return tree_of(table.schema, Leaf(tuple(map(float, counts))))


class Always:
    """Says the first class, whatever it sees."""

    def learn(self, table: Table) -> Tree:
        return tree_of(table.schema, Leaf((1.0, 0.0)))


def labels(codes: list[int], classes: str = "ab") -> Table:
    return Table(Schema((), Nominal("t", tuple(classes))), {"t": np.array(codes, dtype=np.int32)})


def test_the_tennis_tree_is_right_on_its_own_days() -> None:
    evaluation = evaluate(tennis_tree(), tennis_table())
    assert evaluation == ClassEvaluation(("No", "Yes"), ((5.0, 0.0), (0.0, 9.0)))
    assert evaluation.accuracy == 1.0
    assert evaluation.interval == pytest.approx((0.7847, 1.0), abs=1e-4)


def test_precision_and_recall_by_hand() -> None:
    evaluation = ClassEvaluation(("No", "Yes"), ((3.0, 2.0), (1.0, 8.0)))
    assert evaluation.recall == {"No": 3 / 5, "Yes": 8 / 9}
    assert evaluation.precision == {"No": 3 / 4, "Yes": 8 / 10}
    assert evaluation.accuracy == 11 / 14


def test_a_class_never_called_has_no_precision() -> None:
    assert np.isnan(ClassEvaluation(("a", "b"), ((0.0, 2.0), (0.0, 3.0))).precision["a"])


def test_a_class_the_model_does_not_know_is_an_error_and_an_empty_one_is_left_out() -> None:
    schema = Schema((Nominal("x", ("p", "q")),), Nominal("t", ("a", "b")))
    sides = (Branch(Equals("x", "p"), 0.5, Leaf((1.0, 0.0))), Branch(Equals("x", "q"), 0.5, Leaf((0.0, 1.0))))
    tree = tree_of(schema, Split((1.0, 1.0), {}, sides))
    codes = {"x": [0, 1, 1, 1, 0], "t": [0, 1, 2, 2, MISSING]}
    more = replace(schema, target=Nominal("t", ("a", "b", "c")))
    evaluation = evaluate(tree, Table(more, {name: np.array(each, np.int32) for name, each in codes.items()}))
    assert evaluation == ClassEvaluation(("a", "b"), ((1.0, 0.0), (0.0, 1.0)), (0.0, 2.0), left_out=1)
    assert isinstance(evaluation, ClassEvaluation)
    assert (evaluation.accuracy, evaluation.weight) == (0.5, 4.0)
    assert evaluation.precision == {"a": 1.0, "b": 1 / 3}
    assert str(evaluation).splitlines()[0].endswith("4 rows, 1 without a true value left out")
    assert str(evaluation).splitlines()[-1].split() == ["(unknown)", "0", "2"]


def test_folds_together_keep_the_unknown_and_the_left_out() -> None:
    first, second = np.array([0, 1]), np.array([2, 3])
    table = labels([0, 1, MISSING, UNSEEN])
    actual = cross_validate(Always(), table, folds=[(first, second), (second, first)]).together
    counted = ClassEvaluation(("a", "b"), ((1.0, 0.0), (1.0, 0.0)), (1.0, 0.0), left_out=1)
    assert isinstance(actual, ClassEvaluation)
    assert replace(actual, made_interval=None, interval_by="") == counted


def test_numbers_by_hand() -> None:
    table = Table(Schema((), Numeric("y")), {"y": np.array([1.0, 2.0, 6.0, np.nan])})
    evaluation = evaluate(tree_of(table.schema, Leaf((3.0, 2.0, 17.0))), table)
    assert isinstance(evaluation, NumberEvaluation)
    assert evaluation.rmse == pytest.approx((17 / 3) ** 0.5)
    assert evaluation.mae == pytest.approx(5 / 3)
    assert evaluation.r2 == pytest.approx(1 - 17 / 14)
    assert str(evaluation) == "RMSE 2.38048, MAE 1.66667, R² -0.2143, 3 rows, 1 without a true value left out"
    assert evaluation.left_out == 1


@pytest.mark.slow
@given(grown())
def test_the_confusion_matrix_counts_each_labelled_row_once(example: tuple[Tree, Table]) -> None:
    tree, table = example
    evaluation = evaluate(tree, table)
    assert isinstance(evaluation, ClassEvaluation)
    weights = np.ones(len(table)) if table.weights is None else table.weights
    called, truth = predict(tree, table), table.target
    for i, true_class in enumerate(tree.schema.classes):
        for j, called_class in enumerate(tree.schema.classes):
            both = (truth == i) & (called == called_class)
            assert evaluation.confusion[i][j] == pytest.approx(weights[both].sum()), (
                true_class,
                called_class,
            )


@given(st.integers(2, 8), st.integers(0, 99), st.lists(st.integers(0, 1), min_size=8, max_size=60))
def test_each_row_is_held_out_once_and_classes_are_dealt_evenly(k: int, seed: int, codes: list[int]) -> None:
    pairs = folds(labels(codes), k, seed)
    assert sorted(np.concatenate([test for _, test in pairs]).tolist()) == list(range(len(codes)))
    for train, test in pairs:
        assert sorted([*train.tolist(), *test.tolist()]) == list(range(len(codes)))
    for each in (0, 1):
        held = [int((np.array(codes)[test] == each).sum()) for _, test in pairs]
        assert max(held) - min(held) <= 1


def test_the_order_of_dealing_never_changes() -> None:
    def splitmix64(position: int, seed: int) -> int:
        x = (position * 0x9E3779B97F4A7C15 + seed * 0xD1342543DE82EF95 + 0x9E3779B97F4A7C15) % 2**64
        x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9 % 2**64
        x = (x ^ (x >> 27)) * 0x94D049BB133111EB % 2**64
        return x ^ (x >> 31)

    for seed in (0, 1, 2**40):
        expected = sorted(range(50), key=lambda position: splitmix64(position, seed))
        assert shuffled(50, seed).tolist() == expected
    assert splitmix64(0, 0) == 0xE220A8397B1DCDAF  # the first number of the published generator, seed 0


@given(st.integers(0, 99))
def test_a_third_is_held_out_of_each_class(seed: int) -> None:
    codes = [0] * 30 + [1] * 60
    train, test = hold_out(labels(codes), 1 / 3, seed)
    assert len(train) + len(test) == 90
    assert np.bincount(np.array(codes)[test]).tolist() == [10, 20]


def test_too_many_folds_and_an_empty_part_are_refused() -> None:
    with pytest.raises(SettingError, match=r"between 2 and the number of rows \(3\)"):
        folds(labels([0, 1, 0]), 4)
    with pytest.raises(SettingError, match="must leave rows on both sides"):
        hold_out(labels([0, 1, 0]), 1.5)


def test_cross_validating_the_majority_gives_its_share() -> None:
    validation = cross_validate(Majority(), labels([0] * 30 + [1] * 70), folds=10, seed=3)
    assert validation.scores == (0.7,) * 10
    assert validation.score == pytest.approx(0.7)
    assert validation.standard_error == pytest.approx(0, abs=1e-12)
    together = validation.together
    assert isinstance(together, ClassEvaluation)
    counted = ClassEvaluation(("a", "b"), ((0.0, 30.0), (0.0, 70.0)))
    assert replace(together, made_interval=None, interval_by="") == counted
    # Folds of equal scores have no spread: their rows have, and are as few as the correction makes them.
    rows = 10 / (1 / 10 + 1 / 9)
    assert together.interval == pytest.approx(tuple(map(float, wilson(0.7 * rows, rows))))
    assert together.interval_by == "Wilson of the effective rows, Nadeau–Bengio over 10 parts"
    assert str(validation).startswith("accuracy 0.7000 ± 0.0000 over 10 folds")


def test_cross_validating_the_mean_by_hand() -> None:
    table = Table(Schema((), Numeric("y")), {"y": np.array([0.0, 2.0, 4.0, 6.0])})
    pairs = [(np.array([0, 1]), np.array([2, 3])), (np.array([2, 3]), np.array([0, 1]))]
    validation = cross_validate(Majority(), table, folds=pairs)
    assert validation.scores == pytest.approx((17**0.5, 17**0.5))


def test_a_table_without_the_target_or_without_rows_is_refused() -> None:
    table = tennis_table()
    bare = replace(table, columns={n: c for n, c in table.columns.items() if n != "PlayTennis"})
    with pytest.raises(SchemaError, match="needs the column it predicts"):
        evaluate(tennis_tree(), bare)
    with pytest.raises(SchemaError, match="no rows"):
        evaluate(tennis_tree(), table.take(np.array([], dtype=np.int64)))


def test_whatever_a_table_can_be_made_of_is_evaluated() -> None:
    rows = [
        {"Outlook": "Overcast", "Humidity": "High", "Wind": "Weak", "PlayTennis": "Yes"},
        {"Outlook": "Rainy", "Humidity": "High", "Wind": "Weak", "PlayTennis": "No"},
    ]
    evaluation = evaluate(tennis_tree(), rows)
    assert isinstance(evaluation, ClassEvaluation)
    assert evaluation.confusion == ((0.0, 1.0), (0.0, 1.0))
    assert evaluate(tennis_tree(), pd.DataFrame(rows)) == evaluation


@pytest.mark.parametrize("wrong", [3.5, "3", None, -1])
def test_folds_that_are_no_whole_number_are_refused(wrong: Any) -> None:
    with pytest.raises(SettingError, match="folds must be"):
        cross_validate(Majority(), tennis_table(), folds=wrong)
