"""Time: an estimate beforehand, who is left out, and what is tuned where."""

from __future__ import annotations

import numpy as np
import pytest

import clearwood as cw
from clearwood.models.lineage import Tuned
from clearwood.study.contest.choosing import planned, prepare_contest
from clearwood.study.contest.contenders import contenders_of
from clearwood.study.contest.tuned_contenders import times_as_long
from tests.study.contest.tables import credit, prices


def test_an_estimate_is_made_without_judging_anybody() -> None:
    prepared = prepare_contest(credit(), [cw.C45(), "knn"], design=cw.Folds(5))
    plan = planned(prepared, estimate=True)
    assert set(plan.seconds) == {"c45", "knn"}
    assert 0 < plan.total < 60
    assert planned(prepared).seconds == {}


def test_with_a_large_budget_everybody_takes_part_and_is_tuned() -> None:
    prepared = prepare_contest(credit(), ["c45", "bayes", "knn"], design=cw.Folds(3))
    names = [each.name for each in planned(prepared, budget=1e6).contenders]
    assert sorted(names) == ["bayes tuned", "c45 tuned", "knn"]
    untuned = [each.name for each in planned(prepared, budget=1e6, tune=False).contenders]
    assert sorted(untuned) == ["bayes", "c45", "knn"]


def test_tuning_that_does_not_fit_is_said() -> None:
    prepared = prepare_contest(credit(), ["c45"], design=cw.Folds(3))
    plan = planned(prepared, budget=1e-9, tune=True)
    assert plan.notes == ("Not tuned, for lack of time: c45.",)


def test_settings_are_chosen_within_each_part_and_the_model_says_which() -> None:
    choice = cw.choose(credit(), ["bayes", cw.CART(max_depth=2)], design=cw.Folds(3), tune=True)
    assert {each.name for each in choice.judged} == {"bayes tuned", "cart:max_depth=2"}  # as it was given
    done = choice.learn("bayes tuned").origin.after[0]
    assert isinstance(done, Tuned)
    assert (done.tried, done.by, done.simplest) == (3, "accuracy", True)


def test_tuning_on_noise_does_not_beat_chance() -> None:
    """Were settings chosen by the rows that judge, noise would seem to be learned."""
    chance = np.random.default_rng(12)
    columns = {f"x{k}": chance.normal(size=200) for k in range(8)}
    noise = cw.read_table({**columns, "y": chance.permutation(["a", "b"] * 100)}, target="y")
    judged = cw.choose(noise, ["c45"], design=cw.Folds(4), tune=True)["c45 tuned"]
    assert judged.score < 0.5 + 3 * 0.5 / np.sqrt(200)


def test_the_usual_learners_for_numbers_can_be_tuned() -> None:
    made = contenders_of(None, prices()).contenders
    grids = {each.name: times_as_long(each) for each in made if each.grid}
    assert set(grids) == {"cart:alpha=1se", "chaid", "gam"}
    assert grids["cart:alpha=1se"] == 5 * 12 + 1
    choice = cw.choose(prices(), ["cart"], design=cw.HoldOut(0.3), tune=True)
    assert choice["cart tuned"].score < choice.baseline.score


@pytest.mark.long
def test_every_usual_learner_is_tuned_on_a_small_table() -> None:
    for table in (credit(), prices()):
        choice = cw.choose(table, design=cw.Folds(3), tune=True)
        readable = [each for each in choice.judged if each.readable]
        assert len(readable) >= 4
        assert sum(each.name.endswith(" tuned") for each in readable) >= 3
