"""Ensembles and additive models as text: digits that tell scores apart, columns by their own names."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import clearwood as cw
from clearwood.draw.ensemble import curve_in_words
from clearwood.errors import SettingError
from clearwood.models.ensemble import LearningCurve


@pytest.fixture(scope="module")
def fuel() -> cw.Table:
    dice = np.random.default_rng(2)
    weight = dice.normal(3, 1, 200)
    return cw.read_table({"weight": weight, "mpg": 40 - 5 * weight + dice.normal(size=200)}, target="mpg")


def test_a_curve_shows_as_many_digits_as_tell_its_end_from_its_best() -> None:
    curve = LearningCurve("error", "held-out rows", (0.3, 0.241221, 0.241237))
    assert curve_in_words(curve) == "Error on held-out rows: 0.24124 with 3, least 0.24122 with 2."
    assert curve_in_words(replace(curve, values=(0.31234567,))) == "Error on held-out rows: 0.3123 with 1."


def test_the_name_of_a_score_keeps_its_capitals() -> None:
    curve = LearningCurve("Poisson deviance", "training rows", (1.5,))
    assert curve_in_words(curve).startswith("Poisson deviance on")


def test_a_column_keeps_its_name_at_the_head_of_a_sentence(fuel: cw.Table) -> None:
    assert str(cw.GAM(bags=2).learn(fuel)).startswith("mpg: ")


def test_points_of_a_number_add_up_to_the_answer(fuel: cw.Table) -> None:
    model = cw.GAM(bags=2).learn(fuel)
    why = cw.explain(model, {"weight": 3.5})
    (answer,) = cw.predict(model, [{"weight": 3.5}])
    assert f"  in all {answer:.4g}" in str(why).split("\n")
    assert why.to_json()["why"]["total"] == pytest.approx(float(answer))


def test_one_member_says_and_many_say(fuel: cw.Table) -> None:
    classes = cw.read_table(cw.datasets.path("tennis"), target="PlayTennis")
    one = cw.Bagging(trees=1).learn(classes)
    assert "Why: what 1 member says" in str(cw.explain(one, {"Outlook": "Sunny"}))
    assert "Why: 1 member adds up" in str(cw.explain(cw.Boosting(trees=1).learn(fuel), {"weight": 3.0}))


def test_places_are_derived_of_trees_alone_and_the_article_fits(fuel: cw.Table) -> None:
    with pytest.raises(SettingError, match="this is an Ensemble"):
        cw.derive(cw.Boosting(trees=1).learn(fuel), fuel, at=1)
