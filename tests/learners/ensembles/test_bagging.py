"""Bagging: bootstrap samples by counter, members averaged, and the rows that each did not see."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import clearwood as cw
from clearwood import _native
from clearwood.errors import LearningError
from clearwood.learners.ensembles.bagging import sample
from clearwood.learners.ensembles.members import times_drawn

TENNIS = cw.read_table(cw.datasets.path("tennis"), target="PlayTennis")
NUMBERS = cw.encode(
    {"x": np.arange(40.0), "z": list("ab" * 20), "y": np.sin(np.arange(40.0) / 6)},
    cw.Schema((cw.Numeric("x"), cw.Nominal("z", ("a", "b"))), cw.Numeric("y")),
)


def test_as_many_rows_are_drawn_as_there_are() -> None:
    assert times_drawn(TENNIS, 0, 0).sum() == 14
    assert times_drawn(TENNIS, 0, 0).tolist() != times_drawn(TENNIS, 0, 1).tolist()
    assert times_drawn(TENNIS, 0, 3).tolist() == times_drawn(TENNIS, 0, 3).tolist()


def test_whole_weights_are_so_many_rows_and_others_are_chances() -> None:
    heavy = replace(TENNIS, weights=np.arange(14.0))
    assert times_drawn(heavy, 1, 0).sum() == 91
    assert times_drawn(heavy, 1, 0)[0] == 0
    halves = replace(TENNIS, weights=np.full(14, 0.5))
    assert times_drawn(halves, 1, 0).sum() == 14


def test_each_member_is_what_its_learner_makes_of_its_sample() -> None:
    model = cw.Bagging(of=cw.C45(), trees=7, seed=5).learn(TENNIS)
    for place, member in enumerate(model.members):
        alone = cw.C45().learn(sample(TENNIS, times_drawn(TENNIS, 5, place)))
        assert member.nodes == alone.nodes  # type: ignore[union-attr]


def test_shares_are_the_mean_of_the_members_and_votes_their_parts() -> None:
    mean = cw.Bagging(trees=9).learn(TENNIS)
    by_member = np.stack([cw.shares(member, TENNIS) for member in mean.members])
    np.testing.assert_allclose(cw.shares(mean, TENNIS), by_member.mean(axis=0), atol=1e-14)
    votes = cw.Bagging(trees=9, combine="votes").learn(TENNIS)
    named = np.stack([cw.predict(member, TENNIS) == "Yes" for member in votes.members])
    np.testing.assert_allclose(cw.shares(votes, TENNIS)[:, 1], named.mean(axis=0), atol=1e-14)


def test_the_out_of_bag_error_is_that_of_members_that_did_not_see_the_row() -> None:
    model = cw.Bagging(trees=12, seed=3).learn(TENNIS)
    sums, heard = np.zeros((14, 2)), np.zeros(14)
    for place, member in enumerate(model.members):
        out = times_drawn(TENNIS, 3, place) == 0
        sums[out] += cw.shares(member, TENNIS)[out]
        heard += out
    known = heard > 0
    wrong = (sums / np.maximum(heard, 1)[:, None]).argmax(axis=1) != TENNIS.target
    assert model.out_of_bag is not None
    assert len(model.out_of_bag.values) == 12
    assert model.out_of_bag.values[-1] == pytest.approx(wrong[known].mean())


def test_numbers_are_averaged_and_their_squared_error_kept() -> None:
    model = cw.Bagging(of=cw.CART(), trees=30).learn(NUMBERS)
    by_member = np.stack([cw.predict(member, NUMBERS) for member in model.members])
    np.testing.assert_allclose(cw.predict(model, NUMBERS), by_member.mean(axis=0), atol=1e-12)
    assert model.out_of_bag is not None
    assert model.out_of_bag.score == "squared error"
    assert model.out_of_bag.values[-1] < np.var(NUMBERS.target)


def test_numbers_have_no_votes() -> None:
    with pytest.raises(LearningError, match="Votes are for classes"):
        cw.Bagging(of=cw.CART(), combine="votes").learn(NUMBERS)


@pytest.mark.parametrize(
    "of",
    [cw.C45(), cw.CART(), cw.ID3(), cw.CHAID(), cw.NaiveBayes(), cw.CN2(), cw.PRISM(), cw.ILA(), cw.RIPPER()],
)
def test_any_learner_of_single_models_can_be_bagged(of: Any, tmp_path: Any) -> None:
    model = cw.Bagging(of=of, trees=6).learn(TENNIS)
    assert model.size == 6
    cw.save(model, tmp_path / "model.json")
    loaded = cw.load(tmp_path / "model.json")
    np.testing.assert_array_equal(cw.shares(loaded, TENNIS), cw.shares(model, TENNIS))
    row = {"Outlook": "Sunny", "Wind": None, "Humidity": "Unheard", "Temperature": "Hot"}
    of_one = cw.row_predictor(model).shares(row)
    assert list(of_one.values()) == pytest.approx(cw.shares(model, [row])[0].tolist())


def test_priors_and_costs_of_the_learner_decide_about_the_whole() -> None:
    model = cw.Bagging(of=cw.CART(priors="equal", costs={("Yes", "No"): 3}), trees=5).learn(TENNIS)
    assert model.decision.costs == ((0.0, 1.0), (3.0, 0.0))
    assert model.decision.factors == pytest.approx((14 / 10, 14 / 18))


def test_odd_tables_are_learned_from() -> None:
    one = cw.read_table({"x": [1.0], "y": ["a"]}, target="y")
    model = cw.Bagging(trees=20).learn(one)
    assert (model.size, model.out_of_bag, cw.predict(model, one).tolist()) == (20, None, ["a"])
    empty = cw.read_table(
        {"x": [None, None, None], "y": list("aab")},
        schema=cw.Schema((cw.Numeric("x"),), cw.Nominal("y", ("a", "b"))),
    )
    assert cw.predict(cw.Bagging(trees=5).learn(empty), empty).tolist() == ["a", "a", "a"]
    light = replace(TENNIS, weights=np.array([0.0] * 10 + [1.0] * 4))
    assert cw.Bagging(trees=3).learn(light).size == 3


def test_the_same_seed_gives_the_same_model_at_any_number_of_threads() -> None:
    try:
        models = []
        for threads in (1, 3):
            _native.set_thread_count(threads)
            models.append(cw.Bagging(trees=4, seed=9).learn(TENNIS))
    finally:
        _native.set_thread_count(0)
    assert models[0] == models[1]
