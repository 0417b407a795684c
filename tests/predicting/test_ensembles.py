"""An ensemble answers what its members say one by one, whatever cells are empty or were never met."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import clearwood as cw
from clearwood import _native
from clearwood.models.decision import Cutoff, Decision
from clearwood.models.files import from_json, to_json
from clearwood.models.kinds.ensemble.ensemble import Ensemble
from clearwood.models.kinds.ensemble.many_trees import Trees, joined_trees
from clearwood.models.kinds.tree.nodes import Nodes
from clearwood.models.kinds.tree.tree import Tree
from clearwood.predicting.batch import answers_by_member
from clearwood.predicting.of_additive import linked
from clearwood.table.table import Table
from tests.predicting.test_native_equals_the_definition import rows_of
from tests.trees import tables, trees
from tests.typed import mistyped


def same_schema(data: st.DataObject) -> tuple[list[Tree], Table]:
    numeric = data.draw(st.booleans())
    first = data.draw(trees(numeric))
    drawn = [data.draw(trees(numeric)) for _ in range(data.draw(st.integers(0, 5)))]
    others = [tree for tree in drawn if tree.schema == first.schema]
    plain = [
        replace(tree, decision=Decision(), score_names=(), nodes=bare(tree.nodes))
        for tree in (first, *others)
    ]
    return plain, data.draw(tables(first.schema))


def joined(members: list[Tree], answers: Any = None) -> Trees:
    return joined_trees([each.nodes for each in members], answers or members[0].answers)


def bare(nodes: Nodes) -> Nodes:
    """Without scores."""
    return replace(nodes, scores=np.empty((len(nodes), 0)))


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_the_mean_and_the_votes_are_those_of_the_members(data: st.DataObject) -> None:
    members, table = same_schema(data)
    weights = tuple(data.draw(st.sampled_from([0.5, 1.0, 2.0])) for _ in members)
    schema = members[0].schema
    whole = Ensemble(schema, joined(members), weights=weights)
    by_weight = np.array(weights)[:, None]
    if whole.is_numeric:
        expected = (by_weight * [cw.predict(each, table) for each in members]).sum(axis=0) / sum(weights)
        np.testing.assert_allclose(cw.predict(whole, table), expected, rtol=1e-12, atol=1e-12)
        return
    said = np.stack([cw.shares(each, table) for each in members])
    expected = (by_weight[:, :, None] * said).sum(axis=0) / sum(weights)
    np.testing.assert_allclose(cw.shares(whole, table), expected, rtol=1e-12, atol=1e-14)
    np.testing.assert_allclose(answers_by_member(whole, table), said.transpose(1, 0, 2), atol=1e-14)
    votes = Ensemble(schema, joined(members), weights=weights, combined_by="votes")
    counted = np.zeros_like(expected)
    for weight, each in zip(weights, members, strict=True):
        counted[np.arange(len(table)), [schema.classes.index(str(c)) for c in cw.predict(each, table)]] += (
            weight
        )
    np.testing.assert_allclose(cw.shares(votes, table), counted / sum(weights), atol=1e-12)


@settings(max_examples=30, deadline=None)
@given(st.data())
def test_one_row_is_answered_as_many_are(data: st.DataObject) -> None:
    members, table = same_schema(data)
    whole = Ensemble(members[0].schema, joined(members))
    one = cw.row_predictor(whole)
    if whole.is_numeric:
        numbers = np.array([one(row) for row in rows_of(table)], dtype=np.float64)
        np.testing.assert_allclose(numbers, cw.predict(whole, table), rtol=1e-12)
    else:
        expected = cw.shares(whole, table)
        actual = [list(one.shares(row).values()) for row in rows_of(table)]
        np.testing.assert_allclose(actual, expected, rtol=1e-12, atol=1e-14)
        assert [one(row) for row in rows_of(table)] == cw.predict(whole, table).tolist()


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_it_comes_back_from_its_file(data: st.DataObject) -> None:
    members, _ = same_schema(data)
    whole = Ensemble(members[0].schema, joined(members))
    assert from_json(to_json(whole)) == whole


def steps(link: str) -> tuple[Ensemble, Table]:
    """Numbers of a CART, taken for steps."""
    x = np.arange(30.0)
    columns = {"x": x, "y": x % 7, "c": np.array(["a", "b", "c"] * 10)}
    learned = cw.CART(max_depth=3).learn(cw.encode(columns, cw.Schema((cw.Numeric("x"),), cw.Numeric("y"))))
    classes = {"logistic": ("a", "b"), "softmax": ("a", "b", "c")}.get(link, ())
    target = cw.Nominal("c", classes) if classes else cw.Numeric("y")
    schema = cw.Schema((cw.Numeric("x"),), target)
    scores = 3 if link == "softmax" else 1
    packed = joined_trees(
        [learned.nodes] * 6, "step", adds_to=[t % scores for t in range(6)], score_names=("d",)
    )
    whole = Ensemble(
        schema,
        packed,
        weights=(0.1, -0.2, 0.3, 0.1, 0.1, 0.1),
        combined_by="sum",
        base=(0.5,) * scores,
        link=mistyped(link),
    )
    return whole, cw.encode({"x": x}, replace(schema, target=None))


@pytest.mark.parametrize("link", ["identity", "exp", "logistic", "softmax"])
def test_a_sum_is_its_base_and_every_step_by_its_weight(link: str) -> None:
    whole, table = steps(link)
    scores = np.tile(np.array(whole.base), (len(table), 1))
    for place, member in enumerate(whole.members):
        scores[:, place % len(whole.base)] += whole.weight(place) * cw.predict(member, table)
    expected = linked(scores, whole.link)
    if whole.is_numeric:
        np.testing.assert_allclose(cw.predict(whole, table), expected[:, 0], rtol=1e-12)
    else:
        np.testing.assert_allclose(cw.shares(whole, table), expected, rtol=1e-12)
        assert expected.sum(axis=1) == pytest.approx(1)
    if link == "logistic":
        np.testing.assert_allclose(expected[:, 1], 1 / (1 + np.exp(-scores[:, 0])), rtol=1e-12)


def test_any_number_of_threads_gives_the_same_bits() -> None:
    random = np.random.default_rng(0)
    table = cw.encode(
        {"x": random.normal(size=20_000), "z": random.normal(size=20_000), "y": list("ab" * 10_000)},
        cw.Schema((cw.Numeric("x"), cw.Numeric("z")), cw.Nominal("y", ("a", "b"))),
    )
    model = cw.Bagging(of=cw.CART(max_depth=6), trees=20).learn(table)
    try:
        answers = []
        for threads in (1, 2, 5):
            _native.set_thread_count(threads)
            answers.append(cw.shares(model, table))
    finally:
        _native.set_thread_count(0)
    assert (answers[0] == answers[1]).all()
    assert (answers[0] == answers[2]).all()


def test_costs_cutoff_and_referring_decide_on_the_combined_shares() -> None:
    table = cw.read_table(cw.datasets.path("tennis"), target="PlayTennis")
    model = cw.Bagging(trees=15).learn(table)
    yes = cw.shares(model, table)[:, 1]
    strict = replace(model, decision=Decision(cutoff=Cutoff("Yes", 0.9)))
    assert (cw.predict(strict, table) == np.where(yes >= 0.9, "Yes", "No")).all()
    unsure = replace(model, decision=Decision(refer=0.8))
    assert [answer is None for answer in cw.predict(unsure, table)] == (
        np.maximum(yes, 1 - yes) < 0.8
    ).tolist()
    dear = replace(model, decision=Decision(costs=((0.0, 1.0), (9.0, 0.0))))
    assert (cw.predict(dear, table) == np.where(9 * yes >= (1 - yes), "Yes", "No")).mean() > 0.9


def test_smoothing_is_that_of_each_tree() -> None:
    table = cw.read_table(cw.datasets.path("tennis"), target="PlayTennis")
    model = cw.Bagging(trees=5).learn(table)
    for smoothing in ("laplace", 2.0):
        said = np.stack([cw.shares(each, table, smoothing=smoothing) for each in model.members])
        np.testing.assert_allclose(
            cw.shares(model, table, smoothing=smoothing), said.mean(axis=0), atol=1e-14
        )


def test_what_members_that_are_no_trees_say_is_what_each_says_alone() -> None:
    table = cw.read_table(cw.datasets.path("tennis"), target="PlayTennis")
    model = cw.Bagging(trees=3, seed=1, of=cw.NaiveBayes()).learn(table)
    said = np.stack([cw.shares(each, table) for each in model.members], axis=1)
    np.testing.assert_allclose(answers_by_member(model, table), said, atol=1e-14)
