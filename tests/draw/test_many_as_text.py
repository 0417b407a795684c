"""Ensembles and additive models as text: digits that tell scores apart, columns by their own names."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import clearwood as cw
from clearwood.draw.ensemble import curve_in_words
from clearwood.errors import SettingError
from clearwood.models.kinds.additive.additive_model import PairShape, Shape
from clearwood.models.kinds.ensemble.ensemble import LearningCurve
from clearwood.models.model import how_large, model_in_words
from clearwood.table.attributes import Nominal, Numeric
from clearwood.table.schema import Schema


@pytest.fixture(scope="module")
def fuel() -> cw.Table:
    dice = np.random.default_rng(2)
    weight = dice.normal(3, 1, 200)
    return cw.read_table({"weight": weight, "mpg": 40 - 5 * weight + dice.normal(size=200)}, target="mpg")


def test_a_curve_shows_as_many_digits_as_tell_its_end_from_its_best() -> None:
    curve = LearningCurve("error", "held-out rows", (0.3, 0.241221, 0.241237))
    assert curve_in_words(curve) == "Error on held-out rows: 0.24124 with 3, lowest 0.24122 with 2."
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


def test_one_member_predicts_and_many_predict(fuel: cw.Table) -> None:
    classes = cw.read_table(cw.datasets.path("tennis"), target="PlayTennis")
    one = cw.Bagging(trees=1).learn(classes)
    assert "Why: how 1 member predicts" in str(cw.explain(one, {"Outlook": "Sunny"}))
    assert "Why: 1 member adds up" in str(cw.explain(cw.Boosting(trees=1).learn(fuel), {"weight": 3.0}))


def test_places_are_derived_of_trees_alone_and_the_article_fits(fuel: cw.Table) -> None:
    with pytest.raises(SettingError, match="this is an Ensemble"):
        cw.derive(cw.Boosting(trees=1).learn(fuel), fuel, at=1)


def pair_of_few_rows(points: tuple[float, ...], unit: float = 1.0) -> cw.AdditiveModel:
    """A curve and a pair's table, of which rows lie in the first two cells."""
    target = Nominal("y", ("n", "y")) if unit == 1.0 else Numeric("y")
    schema = Schema((Numeric("x"), Numeric("z")), target)
    rows = (5.0, 5.0, *(0.0,) * 14)
    table = (*points, *(0.0,) * (16 - len(points)))
    pair = PairShape(("x", "z"), ((1.0,), (1.0,)), (tuple(unit * each for each in table),), rows=rows)
    curve = Shape("x", (1.0,), ((unit * -0.5, unit * 0.5, 0.0, 0.0),), rows=(5.0, 5.0, 0.0, 0.0))
    return cw.AdditiveModel(
        schema, (unit * 0.5,), (curve,), (pair,), link="logistic" if unit == 1.0 else "identity"
    )


def test_points_that_only_rounding_tells_from_0_are_0() -> None:
    line = str(pair_of_few_rows((8.9e-13, -8.9e-13, 0.0, 0.0, -0.13, 0.28))).splitlines()[-1]
    assert line.split() == ["x", "×", "z", "0", "0", "0", "level", "over", "the", "training", "rows"]
    kept = str(pair_of_few_rows((0.25, -0.25), 1e-12)).splitlines()[-1]  # of a number, by its unit
    assert kept.split()[3:6] == ["2.5e-13", "−2.5e-13", "+2.5e-13"]


def test_curves_and_pairs_are_counted_apart_everywhere() -> None:
    model = pair_of_few_rows((0.25, -0.25))
    assert str(model).startswith("Log odds of y: 0.5 and the points of 1 curve and 1 pair.")
    assert how_large(model) == "1 curve and 1 pair"
    assert model_in_words(model) == "an additive model of 1 curve and 1 pair"
    assert how_large(replace(model, pairs=())) == "1 curve"
