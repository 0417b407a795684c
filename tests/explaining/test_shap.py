"""SHAP values: native ones are those of the definition, and they add up."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import clearwood as cw
from clearwood import _native
from clearwood.arrays import Floats
from clearwood.errors import SettingError
from clearwood.explaining.shap import shap_values
from clearwood.learners.learner import Learner
from clearwood.models.decision import Decision
from clearwood.models.kinds.ensemble.ensemble import Ensemble, Link
from clearwood.models.kinds.ensemble.many_trees import joined_trees
from clearwood.models.kinds.tree.tree import Tree, node_shares, node_values
from clearwood.predicting import predict, shares
from clearwood.predicting.of_trees import averages
from clearwood.table.table import Table
from tests.definitions.shap import mean_answer, shap_of_one
from tests.explaining.foreign_trees import values_of_foreign
from tests.predicting.test_native_equals_the_definition import rows_of
from tests.trees import tables, tennis_table, tennis_tree, trees

FIGURES = json.loads((Path(__file__).parents[1] / "figures" / "shap.json").read_text(encoding="utf-8"))


def node_answers(tree: Tree) -> Floats:
    return node_values(tree)[:, None] if tree.is_numeric else node_shares(tree)


def answers_of(model: Tree, table: Table) -> Floats:
    """[row, score] by prediction."""
    numbers = predict(model, table)[:, None] if model.is_numeric else shares(model, table)
    return np.asarray(numbers, dtype=np.float64)


@pytest.mark.slow
@settings(max_examples=150, deadline=None)
@given(st.data())
def test_native_values_are_those_of_all_sets_of_columns(data: st.DataObject) -> None:
    tree = data.draw(trees())
    table = data.draw(tables(tree.schema, rows=6))
    values = shap_values(tree, table)
    nodes = node_answers(tree).tolist()
    np.testing.assert_allclose(values.base, mean_answer(tree, nodes), atol=1e-12)
    for row, cells in enumerate(rows_of(table)):
        expected = shap_of_one(tree, cells, nodes)
        np.testing.assert_allclose(values.contributions[row], list(expected.values()), atol=1e-9)


@pytest.mark.slow
@settings(max_examples=200, deadline=None)
@given(st.data())
def test_contributions_add_up_to_the_answer_less_the_mean_answer(data: st.DataObject) -> None:
    tree = data.draw(trees())
    table = data.draw(tables(tree.schema))
    values = shap_values(tree, table)
    np.testing.assert_allclose(values.answers, answers_of(tree, table), atol=1e-9)


def test_the_tennis_trees_values_by_hand() -> None:
    # Sunny, hot, high, weak: Humidity known after Outlook moves 2/5 to 0, before it 5/14 of that.
    values = shap_values(tennis_tree(), tennis_table())
    yes = dict(zip(values.columns, values.contributions[0, :, 1].tolist(), strict=True))
    assert yes["Temperature"] == 0
    assert values.answers[0, 1] == pytest.approx(0)
    humidity_last, humidity_first = -2 / 5, 5 / 14 * -2 / 5
    assert yes["Humidity"] == pytest.approx(0.5 * humidity_last + 0.5 * humidity_first)


def test_an_empty_cell_that_goes_by_the_training_weights_adds_nothing() -> None:
    values = shap_values(tennis_tree(), [{"Outlook": None, "Humidity": "High", "Wind": "Weak"}])
    assert values.contributions[0, values.columns.index("Outlook")] == pytest.approx([0, 0], abs=1e-12)


def test_a_leaf_alone_has_no_contributions() -> None:
    table = tennis_table()
    tree = cw.ID3(max_depth=0).learn(table)
    values = shap_values(tree, table)
    assert not values.contributions.any()
    np.testing.assert_allclose(values.answers, shares(tree, table))


def test_a_mean_of_trees_has_the_mean_of_their_values() -> None:
    table = tennis_table()
    one, two = cw.ID3().learn(table), cw.CART().learn(table)
    both = Ensemble(table.schema, trees=joined_trees([one.nodes, two.nodes], "shares"), weights=(1.0, 3.0))
    values = shap_values(both, table)
    expected = (shap_values(one, table).contributions + 3 * shap_values(two, table).contributions) / 4
    np.testing.assert_allclose(values.contributions, expected, atol=1e-12)
    assert values.scale == "probability"


def test_votes_are_moved_by_whole_classes() -> None:
    table = tennis_table()
    nodes = cw.CART(max_depth=1).learn(table).nodes
    voting = Ensemble(table.schema, trees=joined_trees([nodes], "shares"), combined_by="votes")
    values = shap_values(voting, table)
    assert values.scale == "votes"
    assert set(np.unique(values.answers.round(9))) <= {0.0, 1.0}


def test_a_sum_has_values_on_the_scale_that_is_added_up() -> None:
    table = cw.read_table({"x": [1.0, 2.0, 3.0, 4.0], "y": [0.0, 1.0, 1.0, 4.0]}, target="y")
    nodes = cw.CART().learn(table).nodes
    classes = cw.read_table({"x": [1.0, 2.0, 3.0, 4.0], "y": list("abba")}, target="y").schema
    steps = joined_trees([nodes, nodes], "step")
    summed = Ensemble(
        classes, trees=steps, weights=(0.5, 0.25), combined_by="sum", base=(-1.0,), link="logistic"
    )
    values = shap_values(summed, table)
    assert (values.scale, values.scores) == ("log odds", ("log odds of b",))
    np.testing.assert_allclose(values.answers[:, 0], -1 + 0.75 * np.array([0.0, 1.0, 1.0, 4.0]))
    many = cw.read_table({"x": [1.0, 2.0, 3.0], "y": list("abc")}, target="y").schema
    steps = joined_trees([nodes] * 3, "step", adds_to=[0, 1, 2])
    summed = Ensemble(
        many, trees=steps, weights=(1.0, 2.0, 3.0), combined_by="sum", base=(0, 1, 2), link="softmax"
    )
    values = shap_values(summed, table)
    assert (values.scale, values.scores) == ("score", ("a", "b", "c"))
    np.testing.assert_allclose(values.answers[3], [4, 9, 14])


def test_an_ensemble_of_other_models_is_refused_with_what_takes_it() -> None:
    table = tennis_table()
    bayes = Ensemble(table.schema, models=(cw.NaiveBayes().learn(table),))
    with pytest.raises(SettingError, match="permutation_importance and partial_dependence"):
        shap_values(bayes, table)


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(st.data())
def test_contributions_of_many_trees_add_up_to_what_their_members_add_up_to(data: st.DataObject) -> None:
    numeric = data.draw(st.booleans())
    first = replace(data.draw(trees(numeric=numeric)), decision=Decision())
    # Trees of numbers share one schema; those of classes would have to agree on how many there are.
    members = [first, data.draw(trees(numeric=True)) if numeric else first]
    table = data.draw(tables(first.schema))
    weights = tuple(data.draw(st.sampled_from((0.5, 1.0, 3.0))) for _ in members)
    nodes = [tree.nodes for tree in members]
    if numeric:
        links: tuple[Link, ...] = ("identity", "exp")
        link = data.draw(st.sampled_from(links))
        steps = joined_trees(nodes, "step")
        whole = Ensemble(first.schema, steps, weights=weights, combined_by="sum", base=(0.25,), link=link)
    else:
        whole = Ensemble(first.schema, joined_trees(nodes, "shares"), weights=weights)
    values = shap_values(whole, table)
    answers = [
        weight * averages(each, table, node_answers(each))
        for weight, each in zip(weights, members, strict=True)
    ]
    expected = 0.25 + sum(answers) if numeric else sum(answers) / sum(weights)
    np.testing.assert_allclose(values.answers, expected, atol=1e-9)


@pytest.mark.parametrize("name", FIGURES["models"])
def test_the_values_are_those_of_the_shap_package(name: str) -> None:
    model = FIGURES["models"][name]
    base, values = values_of_foreign(model)
    assert base == pytest.approx(model["base"], abs=1e-6)
    np.testing.assert_allclose(values, model["values"], atol=1e-6)


@pytest.mark.slow
def test_the_values_are_the_same_at_any_number_of_threads() -> None:
    random = np.random.default_rng(1)
    x = random.normal(size=(3000, 6))
    data = {f"x{j}": x[:, j] for j in range(6)} | {"y": x[:, 0] * x[:, 1] + x[:, 2]}
    table = cw.read_table(data, target="y")
    tree = cw.CART().learn(table)
    _native.set_thread_count(1)
    alone = shap_values(tree, table).contributions
    _native.set_thread_count(4)
    together = shap_values(tree, table).contributions
    _native.set_thread_count(0)
    assert np.array_equal(alone, together)


@pytest.mark.slow
def test_deep_trees_of_many_columns_add_up() -> None:
    random = np.random.default_rng(2)
    x = random.normal(size=(2000, 30))
    data = {f"x{j}": x[:, j] for j in range(30)} | {"y": random.normal(size=2000)}
    table = cw.read_table(data, target="y")
    tree = cw.CART().learn(table)
    assert tree.depth > 15
    values = shap_values(tree, table)
    np.testing.assert_allclose(values.answers[:, 0], predict(tree, table), atol=1e-9)


@pytest.mark.parametrize("classes", [0, 2, 3])
@pytest.mark.parametrize("learner", [cw.CART(max_depth=4), cw.C45(max_depth=4), cw.ID3(max_depth=3)])
def test_many_rows_have_the_values_that_each_has_alone(learner: Learner[Tree], classes: int) -> None:
    """Of many rows small trees are read by table; rows that go down several branches are not."""
    if classes == 0 and not isinstance(learner, cw.CART):
        pytest.skip("it learns classes")
    random = np.random.default_rng(7)
    x = [None if k % 9 == 0 else float(each) for k, each in enumerate(random.uniform(size=120).round(2))]
    colour = [None if k % 7 == 0 else "rgb"[each] for k, each in enumerate(random.integers(0, 3, 120))]
    score = random.uniform(size=120) + np.array([0.5 if each == "r" else 0 for each in colour])
    target = score.tolist() if classes == 0 else [f"c{int(each * classes / 1.6)}" for each in score]
    table = cw.read_table({"x": x, "colour": colour, "z": random.uniform(size=120), "y": target}, target="y")
    model = cw.Bagging(of=learner, trees=3).learn(table)
    many = table.take(np.tile(np.arange(120), 20))
    together = cw.shap_values(model, many).contributions
    for row in range(0, 120, 5):
        alone = cw.shap_values(model, table.take(np.array([row]))).contributions[0]
        assert together[row] == pytest.approx(alone, abs=1e-13)
        assert np.array_equal(together[row], together[row + 120])


@pytest.mark.parametrize("depth", [1, 2, None])
def test_rows_of_a_request_have_the_values_that_each_has_alone_to_the_last_digit(depth: int | None) -> None:
    """Few are worked out without tables, more of them side by side."""
    random = np.random.default_rng(3)
    x = random.normal(size=(300, 9))
    table = cw.read_table({f"x{j}": x[:, j] for j in range(9)} | {"y": random.normal(size=300)}, target="y")
    forest = cw.Forest(trees=4, max_depth=depth).learn(table)
    together = cw.shap_values(forest, table.take(np.arange(64))).contributions
    for size in (1, 2, 3, 9, 21):
        fewer = cw.shap_values(forest, table.take(np.arange(size))).contributions
        assert np.array_equal(fewer, together[:size])


def test_a_leaf_alone_moves_nothing_however_many_rows_there_are() -> None:
    table = cw.read_table({"x": [1, 2, 3, 4], "y": [1.0, 1.0, 1.0, 1.0]}, target="y")
    forest = cw.Forest(trees=2).learn(table)
    for size in (1, 4):
        assert not cw.shap_values(forest, table.take(np.arange(size))).contributions.any()
