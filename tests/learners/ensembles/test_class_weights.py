"""Priors and costs in ensembles: every one of them takes both, and answers the rarer or dearer class more."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn.ensemble import AdaBoostClassifier
from sklearn.tree import DecisionTreeClassifier

import clearwood as cw
from clearwood.catalogue import LEARNERS
from clearwood.errors import SettingError
from tests.cli.conftest import Command, clearwood, tennis

__all__ = ["clearwood", "tennis"]

MANY = [name for name, entry in LEARNERS.items() if entry.by_members]


@pytest.fixture(scope="module")
def uneven() -> cw.Table:
    dice = np.random.default_rng(8)
    x, z = dice.normal(size=500), dice.normal(size=500)
    y = np.where(x + z + dice.normal(0, 1.5, 500) > 2, "rare", "usual")
    return cw.read_table({"x": x, "z": z, "y": y.tolist()}, target="y")


def _size(name: str) -> dict[str, Any]:
    return {"bags": 3, "pairs": 0} if name == "gam" else {"trees": 15}


@pytest.mark.parametrize("name", MANY)
@pytest.mark.parametrize("given", [{"priors": "equal"}, {"costs": {("rare", "usual"): 6}}])
def test_the_class_that_counts_more_is_answered_more(
    name: str, given: dict[str, Any], uneven: cw.Table
) -> None:
    entry, size = LEARNERS[name], _size(name)
    learned, new = uneven.take(np.arange(300)), uneven.take(np.arange(300, 500))
    plain = cw.predict(entry.make(**size).learn(learned), new)
    weighed = cw.predict(entry.make(**size, **given).learn(learned), new)
    assert (weighed == "rare").sum() > (plain == "rare").sum()


@pytest.mark.parametrize("name", MANY)
def test_the_command_line_takes_priors_and_costs(name: str, clearwood: Command, tennis: Path) -> None:
    size = ("--set", "bags=2") if name == "gam" else ("--set", "trees=3")
    for given in ("priors=equal", "priors=No:0.7,Yes:0.3", "costs=No/Yes:5,Yes/No:2"):
        done = clearwood("fit", tennis, "-t", "PlayTennis", "-l", name, *size, "--set", given)
        assert done.code == 0
        assert "priors" in done.out or "costs" in done.out


def test_priors_of_adaboost_are_weights_of_rows(uneven: cw.Table) -> None:
    counts = np.bincount(uneven.target)
    weights = (len(uneven) / 2 / counts)[uneven.target]
    by_rows = cw.AdaBoost(trees=8).learn(replace(uneven, weights=weights, weights_are="importance"))
    by_priors = cw.AdaBoost(trees=8, priors="equal").learn(uneven)
    assert by_priors.weights == pytest.approx(by_rows.weights)
    assert (cw.predict(by_priors, uneven) == cw.predict(by_rows, uneven)).all()


def test_priors_of_adaboost_are_the_sample_weights_of_scikit_learn(uneven: cw.Table) -> None:
    x = np.column_stack([uneven.columns["x"], uneven.columns["z"]])
    weights = (len(uneven) / 2 / np.bincount(uneven.target))[uneven.target]
    theirs = AdaBoostClassifier(DecisionTreeClassifier(max_depth=1), n_estimators=8)
    theirs.fit(x, uneven.target, sample_weight=weights)
    ours = cw.AdaBoost(trees=8, priors="equal").learn(uneven)
    assert ours.weights == pytest.approx(theirs.estimator_weights_, rel=1e-6)


def test_bagging_gives_its_priors_to_its_members(uneven: cw.Table) -> None:
    outside = cw.Bagging(trees=4, priors="equal").learn(uneven)
    inside = cw.Bagging(of=cw.C45(priors="equal"), trees=4).learn(uneven)
    assert (outside.trees, outside.decision) == (inside.trees, inside.decision)


def test_priors_are_given_once_and_where_there_is_room_for_them() -> None:
    with pytest.raises(SettingError, match="given twice, also to C45"):
        cw.Bagging(of=cw.C45(priors="equal"), priors="equal")
    with pytest.raises(SettingError, match="ILA takes no priors"):
        cw.Bagging(of=cw.ILA(), priors="equal")
    with pytest.raises(SettingError, match="give them to AdaBoost, as its own priors"):
        cw.AdaBoost(of=cw.C45(priors="equal"))
