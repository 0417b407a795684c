"""What ensembles and additive models say must not mislead: whose answer, of which rows, by which weight."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

import clearwood as cw
from clearwood.errors import ModelFileError, SettingError
from clearwood.models.files import from_json, to_json
from clearwood.models.kinds.ensemble.ensemble import LearningCurve
from tests.cli.conftest import Command, clearwood

__all__ = ["clearwood"]

DAYS = cw.read_table(cw.datasets.path("tennis_numeric"), target="Play")
WORDS = cw.read_table(cw.datasets.path("tennis"), target="PlayTennis")
ROW = {"Outlook": "Sunny", "Humidity": 80.0, "Temperature": 24.0, "Wind": "Weak"}


def test_a_picture_of_the_first_member_takes_no_row() -> None:
    with pytest.raises(SettingError, match="need not be the ensemble's"):
        cw.picture(cw.Forest(trees=5).learn(DAYS), row=ROW)


def test_a_vote_is_no_probability() -> None:
    text = str(cw.explain(cw.AdaBoost(trees=5).learn(DAYS), ROW))
    assert "part of the votes" in text.splitlines()[0]
    assert "probability" not in text.splitlines()[0]


def test_parts_of_the_weight_are_per_cent() -> None:
    assert " % of the weight" in str(cw.explain(cw.AdaBoost(trees=5).learn(DAYS), ROW))


def test_importances_weigh_members_as_the_model_does() -> None:
    model = cw.AdaBoost(trees=9).learn(DAYS)
    worth = {each.name: each.impurity for each in cw.importances(model).columns}
    lines = [
        line.split() for line in str(model).splitlines() if line.split()[:1] and line.split()[0] in worth
    ]
    assert lines
    for name, share, *_ in lines:
        assert round(100 * worth[name] / sum(worth.values())) == pytest.approx(int(share), abs=1)


def test_an_edited_additive_model_shows_its_edits_and_not_the_loss_of_the_one_before() -> None:
    model = cw.GAM(bags=8, pairs=0, min_leaf=1, seed=2).learn(WORDS)
    assert "they chose the rounds" in str(model)
    edited = str(cw.drop_term(model, model.shapes[0].name))
    assert "After learning: " in edited
    assert "out-of-bag" not in edited


def test_a_step_has_no_interval() -> None:
    member = cw.Boosting(trees=3, min_child=0).learn(DAYS).members[0]
    assert cw.explain(member, ROW).interval is None
    with pytest.raises(SettingError, match="steps"):
        cw.intervals(member, DAYS)


def test_the_error_out_of_bag_is_that_of_all_trees() -> None:
    forest = cw.Forest(trees=20).learn(DAYS)
    assert forest.out_of_bag is not None
    assert forest.out_of_bag.error == forest.out_of_bag.values[-1]


@pytest.mark.parametrize(
    "curve", [{"values": []}, {"values": [0.1], "best": -5}, {"values": [0.1], "best": 9}]
)
def test_a_damaged_learning_curve_is_refused(curve: dict[str, object]) -> None:
    text = json.loads(to_json(cw.Forest(trees=3).learn(DAYS)))
    text["body"]["curves"] = [{"score": "error", "on": "out-of-bag rows", "best": None, **curve}]
    with pytest.raises(ModelFileError):
        from_json(json.dumps(text))


def test_weights_without_a_finite_sum_are_refused() -> None:
    model = cw.AdaBoost(trees=3).learn(DAYS)
    with pytest.raises(cw.errors.SchemaError, match="finite"):
        replace(model, weights=(1e308,) * model.size)


def test_evidence_of_an_additive_model_is_shown_by_the_command(clearwood: Command, tmp_path: Path) -> None:
    place = cw.save(cw.GAM(bags=8, pairs=0, min_leaf=1, seed=2).learn(WORDS), tmp_path / "gam.json")
    shown = clearwood("evidence", str(place), "--row", "Outlook=Sunny")
    assert shown.code == 0
    assert "Outlook" in shown.out


def test_members_are_single_models() -> None:
    assert "gam" not in cw.catalogue.single_models()
    assert LearningCurve("error", "training rows", (0.2,)).error == 0.2
