"""Progress: learners of many members say how far they are, and end when whoever watches says enough."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import clearwood as cw
from clearwood.catalogue import LEARNERS
from clearwood.models.files import from_json, to_json
from clearwood.models.lineage import EndedEarly

MANY: dict[str, tuple[Any, Any]] = {
    "bagging": (cw.Bagging(trees=6), cw.Bagging(trees=2)),
    "adaboost": (cw.AdaBoost(trees=6), cw.AdaBoost(trees=2)),
    "boosting": (cw.Boosting(trees=6), cw.Boosting(trees=2)),
}


@pytest.fixture(scope="module")
def table() -> cw.Table:
    dice = np.random.default_rng(5)
    x, z = dice.normal(size=400), dice.integers(0, 5, 400)
    y = np.where(x + 0.5 * z + dice.normal(size=400) > 1, "yes", "no")
    return cw.read_table({"x": x, "z": z, "y": y.tolist()}, target="y")


@pytest.fixture(scope="module")
def larger() -> cw.Table:
    dice = np.random.default_rng(6)
    x = dice.normal(size=(2_000, 6))
    y = np.where(x.sum(axis=1) + dice.normal(size=2_000) > 0, "yes", "no")
    return cw.read_table({**{f"x{k}": x[:, k] for k in range(6)}, "y": y.tolist()}, target="y")


def test_every_learner_that_is_said_to_learn_by_members_is_tried_here() -> None:
    assert {name for name, entry in LEARNERS.items() if entry.by_members} == {*MANY, "forest", "gam"}


@pytest.mark.parametrize("name", MANY)
def test_each_member_is_reported_with_the_score_so_far(name: str, table: cw.Table) -> None:
    seen: list[cw.Progress] = []
    with cw.watching(seen.append):
        model = MANY[name][0].learn(table)
    assert [each.done for each in seen] == [1, 2, 3, 4, 5, 6]
    assert {each.of for each in seen} == {6}
    assert [each.value for each in seen] == list(model.curves[0].values)
    assert model.origin.after == ()


@pytest.mark.parametrize("name", MANY)
def test_enough_keeps_the_members_so_far_as_if_so_many_had_been_asked_for(name: str, table: cw.Table) -> None:
    long, short = MANY[name]
    with cw.watching(lambda progress: progress.done == 2):
        kept = long.learn(table)
    asked = short.learn(table)
    assert kept.size == 2
    assert (cw.shares(kept, table) == cw.shares(asked, table)).all()
    (ended,) = kept.origin.after
    assert (ended.done, ended.of, ended.because) == (2, 6, "interrupted")
    assert "interrupted" in kept.origin.title
    assert "Learning was interrupted after 2 of 6" in str(kept)
    assert from_json(to_json(kept)) == kept


def test_a_forest_that_was_interrupted_is_the_forest_of_its_first_trees_and_learns_more(
    larger: cw.Table,
) -> None:
    whole = cw.Forest(trees=300)
    with cw.watching(lambda _: True):
        kept = whole.learn(larger)
    assert 1 <= kept.size < 300
    assert kept.origin.after == (EndedEarly(kept.size, 300, "tree", "interrupted"),)
    assert kept.trees == cw.Forest(trees=kept.size).learn(larger).trees
    assert cw.Forest(trees=300 - kept.size).learn_more(kept, larger) == whole.learn(larger)


def test_a_forest_reports_its_out_of_bag_error_last_that_of_all(larger: cw.Table) -> None:
    seen: list[cw.Progress] = []
    with cw.watching(seen.append):
        forest = cw.Forest(trees=60).learn(larger)
    assert forest.out_of_bag is not None
    assert all(each.value == forest.out_of_bag.values[each.done - 1] for each in seen)
    assert (seen[-1].done, seen[-1].of) == (60, 60)


def test_a_gam_that_was_interrupted_is_that_of_the_rounds_that_ended(larger: cw.Table) -> None:
    with cw.watching(lambda _: True):
        kept = cw.GAM(bags=60, pairs=0).learn(larger)
    (ended,) = kept.origin.after
    assert isinstance(ended, EndedEarly)
    assert (ended.of, ended.unit) == (1000, "round of the curves")
    assert kept.shapes == cw.GAM(bags=60, rounds=ended.done, pairs=0).learn(larger).shapes


def test_a_gam_interrupted_in_its_pairs_has_all_curves_and_no_pairs(larger: cw.Table) -> None:
    with cw.watching(lambda progress: progress.unit == "round of the pairs"):
        kept = cw.GAM(bags=30, pairs=15).learn(larger)
    assert kept.pairs == ()
    assert kept.shapes == cw.GAM(bags=30, pairs=0).learn(larger).shapes
    assert "rounds of the pairs" in str(kept)


def test_what_a_watcher_raises_ends_the_learning(larger: cw.Table) -> None:
    def fail(_: cw.Progress) -> None:
        raise RuntimeError("too slow")

    with pytest.raises(RuntimeError, match="too slow"), cw.watching(fail):
        cw.Forest(trees=300).learn(larger)


def test_nobody_watches_after_the_block(table: cw.Table) -> None:
    with cw.watching(lambda _: True):
        pass
    assert cw.Boosting(trees=5).learn(table).size == 5


def test_progress_prints_the_score_where_it_is_known() -> None:
    assert str(cw.Progress(3, 14, "round of the pairs")) == "3 of 14 rounds of the pairs"
    assert str(cw.Progress(1, 9, "round", "log loss", "held-out rows", 0.43217)) == (
        "1 of 9 rounds, log loss on held-out rows 0.4322"
    )
