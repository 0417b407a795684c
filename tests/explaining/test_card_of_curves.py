"""A scorecard of curves: what it prints is what it adds up, and how far that is from the model it says."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings

import clearwood as cw
from clearwood.errors import ColumnError, SettingError
from clearwood.explaining.card_lines import Points
from clearwood.explaining.curve_groups import AnotherValue, groups_of_curve
from clearwood.explaining.scorecard import Scorecard
from clearwood.models.decision import Decision
from clearwood.models.kinds.additive.additive_model import AdditiveModel, PairShape, Shape
from clearwood.table.attributes import Nominal, Numeric
from clearwood.table.schema import Schema
from clearwood.table.table import Table
from tests.learners.random_tables import random_tables

LN2 = math.log(2)
FEW = settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
SCHEMA = Schema((Numeric("age"), Nominal("home", ("rent", "own", "none"))), Nominal("loan", ("paid", "lost")))
AGE = Shape(
    "age",
    (20.0, 30.0, 40.0, 50.0),
    (tuple(LN2 * each for each in (2.0, 2.0, 1.0, -1.0, -1.02, 0.5, 0.0)),),
    rows=(4.0, 4.0, 8.0, 8.0, 8.0, 2.0, 0.0),
)
HOME = Shape("home", (), (tuple(LN2 * each for each in (1.0, -1.0, 1.01, 0.0, 0.0)),))
PAIR = PairShape(
    ("age", "home"),
    ((30.0,), ()),
    (tuple(LN2 * each for each in (0.5, -0.5, 0.0, 0, 0, -0.5, 0.5, 0.0, 0, 0, *(0,) * 10)),),
)
MODEL = AdditiveModel(SCHEMA, (LN2,), (AGE, HOME), (PAIR,))


def lines_of(card: Scorecard) -> dict[str, int]:
    return {str(line.when): line.points for line in card.lines if isinstance(line, Points)}


def test_neighbours_and_values_of_equal_points_are_one_line() -> None:
    assert lines_of(cw.scorecard(MODEL, positive="lost", points_per_doubling=10)) == {
        "age ≤ 30": 30,
        "30 < age ≤ 40": 20,
        "age > 40": 0,
        "age is missing": 15,
        "home in {rent, none}": 20,
        "home = own": 0,
        "home is missing or another value": 10,
    }


def test_a_pair_is_a_table_whose_other_cells_add_nothing() -> None:
    (table,) = cw.scorecard(MODEL, positive="lost", points_per_doubling=10).tables
    assert [str(each) for each in table.down] == ["age ≤ 30", "age > 30"]
    assert [str(each) for each in table.across] == ["home = rent", "home = own"]
    assert table.points == ((5, -5), (-5, 5))


def test_points_add_up_to_the_models_share() -> None:
    card = cw.scorecard(MODEL, positive="lost", points_per_doubling=10, base=100)
    rows = [
        {"age": 25, "home": "own"},
        {"age": 45.5, "home": "rent"},
        {"age": None, "home": "elsewhere"},
        {"age": 30, "home": None},
        {"age": 30.0001, "home": "none"},
    ]
    exact = cw.shares(MODEL, rows)[:, 1]
    assert [card.share(points) for points in card.score(rows).tolist()] == pytest.approx(exact, abs=0.005)
    assert card.score(rows).tolist() == [card.start + each for each in (30 - 5, 20 - 5, 15 + 10, 30 + 10, 40)]
    assert card.rounding(rows).changed == 0.0
    assert card.share(100) == 0.5


@FEW
@given(table=random_tables(("nominal",), max_rows=40, max_classes=2))
def test_fine_points_without_joined_intervals_are_the_model(table: Table) -> None:
    model = cw.GAM(bags=2, rounds=4, pairs=0, min_leaf=1).learn(table)
    if model.link != "logistic":
        return
    card = cw.scorecard(model, points_per_doubling=10_000, bins=1000)
    assert card.rounding(table).largest < 0.002
    # Every cell of every column is in exactly one line.
    for shape in model.shapes:
        own = [line for line in card.lines if isinstance(line, Points) and line.when.name == shape.name]
        cells = sum(len(group.cells) for group in groups_of_curve(model, shape, 1000))
        assert cells == len(shape.points[0]) - (1 if isinstance(model.schema[shape.name], Numeric) else 0)
        assert len(own) <= cells


def test_fewer_intervals_cost_more_and_are_those_that_cost_least() -> None:
    rng = np.random.default_rng(3)
    x = rng.uniform(0, 100, 600)
    odds = np.where(x < 20, 2.0, np.where(x < 70, -2.0, 1.0))
    y = np.where(rng.random(600) < 1 / (1 + np.exp(-odds)), "yes", "no")
    table = cw.read_table({"x": x, "y": y}, target="y")
    model = cw.GAM(bags=4).learn(table)
    coarse, fine = cw.scorecard(model, bins=2), cw.scorecard(model, bins=30)
    assert fine.rounding(table).mean < coarse.rounding(table).mean
    cuts = [line.when for line in cw.scorecard(model, bins=3).lines if isinstance(line, Points)]
    limits = [each.limit for each in cuts if isinstance(each, cw.AtMost | cw.Above)]
    assert limits == pytest.approx([20, 70], abs=2)


def test_cuts_of_ones_own_get_the_mean_of_their_rows() -> None:
    lines = lines_of(cw.scorecard(MODEL, positive="lost", points_per_doubling=100, cuts={"age": [35]}))
    # Up to 35 lie 8 rows at 2 and half of 8 rows at 1; beyond, half of 8 at 1, 8 at −1 and 8 at −1.02.
    below, above = (8 * 2 + 4 * 1) / 12, (4 * 1 - 8 - 8 * 1.02) / 20
    assert lines["age ≤ 35"] - lines["age > 35"] == pytest.approx(100 * (below - above), abs=1)
    outside = lines_of(
        cw.scorecard(MODEL, positive="lost", points_per_doubling=100, cuts={"age": [5, 8, 90, 95]})
    )
    assert outside["age ≤ 8"] - outside["age > 90"] == pytest.approx(302, abs=1)


def test_the_points_for_the_other_class_stand_for_the_same_probabilities() -> None:
    lost, paid = (cw.scorecard(MODEL, positive=name, points_per_doubling=200) for name in ("lost", "paid"))
    assert (lost.favours, paid.favours) == ("lost", "paid")
    assert paid.settings["positive"] == "paid"
    assert "points for paid" in str(paid)
    ages, homes = (10.0, 25.0, 35.0, 60.0, None), ("rent", "own", None)
    rows = [{"age": age, "home": home} for age in ages for home in homes]
    np.testing.assert_allclose(lost.class_shares(rows), paid.class_shares(rows), atol=0.01)
    assert lost.predict(rows).tolist() == paid.predict(rows).tolist()
    with pytest.raises(SettingError, match="No class 'late'"):
        cw.scorecard(MODEL, positive="late")


def test_priors_are_in_the_start() -> None:
    plain = cw.scorecard(MODEL, positive="lost", points_per_doubling=10)
    rarer = replace(MODEL, decision=Decision(factors=(4.0, 1.0)))
    card = cw.scorecard(rarer, positive="lost", points_per_doubling=10)
    assert card.start == plain.start - 20
    assert card.rounding([{"age": 25, "home": "own"}]).largest < 0.01


def test_a_card_that_would_mislead_is_refused() -> None:
    three = cw.read_table({"x": [1, 2, 3] * 9, "y": list("abc") * 9}, target="y")
    with pytest.raises(SettingError, match="two classes"):
        cw.scorecard(cw.GAM(bags=2).learn(three))
    number = cw.read_table({"x": [1, 2, 3] * 9, "y": [1.5, 2.5, 3.5] * 9}, target="y")
    with pytest.raises(SettingError, match="units of that number already"):
        cw.scorecard(cw.GAM(bags=2).learn(number))
    moved = replace(MODEL, decision=Decision(prevalence=(0.9, 0.1), trained_at=(0.5, 0.5)))
    with pytest.raises(SettingError, match="calibration or prevalence"):
        cw.scorecard(moved)
    with pytest.raises(SettingError, match="bins must be"):
        cw.scorecard(MODEL, positive="lost", bins=0)
    with pytest.raises(ColumnError, match="Did you mean 'age'"):
        cw.scorecard(MODEL, positive="lost", cuts={"agee": [3]})


def test_a_nomogram_of_curves_adds_up_to_the_models_odds() -> None:
    chart = cw.nomogram(MODEL, "lost")
    assert [scale.name for scale in chart.scales] == ["age", "home", "age × home"]
    age, home, pair = chart.scales
    assert [tick.label for tick in age.ticks] == ["≤ 30", "30 to 40", "40 to 50", "> 50", "missing"]
    assert [age.ticks[0].points, age.ticks[3].points] == pytest.approx([100, 0])
    best = sum(scale.length for scale in chart.scales)
    # The best of each: 2 for age, 1 for home, 0.5 for the pair, and 1 for the base.
    assert chart.share(best) == pytest.approx(1 / (1 + 2**-4.5), abs=0.01)
    reversed_ = cw.nomogram(MODEL, "paid")
    assert reversed_.base == pytest.approx(-(chart.base + best / chart.points_per_log_odds), abs=0.02)
    assert [tick.label for tick in home.ticks] == ["rent", "own", "none"]
    assert len(pair.ticks) == 2 * 2


def test_pairs_that_hardly_matter_are_named_and_not_drawn() -> None:
    small = replace(PAIR, points=(tuple(each / 100 for each in PAIR.points[0]),))
    chart = cw.nomogram(replace(MODEL, pairs=(small,)))
    assert chart.left_out == ("age × home",)
    picture = cw.charts.nomogram(chart)
    assert "age × home" in picture.svg
    assert picture.spec is not None
    said = "Without 1 pair that changes the total of the training rows by less than 5 points: age × home."
    assert said in " ".join(picture.spec["title"]["subtitle"])


def test_a_pair_whose_groups_level_it_out_is_still_on_the_nomogram() -> None:
    board = np.zeros((10, 5))
    board[:8, :2] = 0.09 * LN2 * (-1.0) ** np.add.outer(np.arange(8), np.arange(2))
    limits = (10.0, 20.0, 25.0, 30.0, 35.0, 40.0, 50.0)
    turning = PairShape(("age", "home"), (limits, ()), (tuple(board.ravel().tolist()),))
    chart = cw.nomogram(replace(MODEL, pairs=(turning,)))
    assert chart.left_out == ()
    assert chart.scales[-1].name == "age × home"
    assert chart.scales[-1].length < 5 < np.ptp(board) * chart.points_per_log_odds


def test_a_scorecard_of_one_class_is_refused_by_how_many_it_has() -> None:
    for classes, counted in ((("paid",), "1 class"), (("paid", "late", "lost"), "3 classes")):
        schema = Schema(SCHEMA.inputs, Nominal("loan", classes))
        model = AdditiveModel(schema, (0.0,) * len(classes), (), link="softmax")
        with pytest.raises(SettingError, match=f"this model has {counted}\\."):
            cw.scorecard(model)


def test_values_that_are_many_stand_on_a_nomogram_in_groups() -> None:
    values = [f"v{k}" for k in range(40)]
    column = Shape("c", (), ((*(float(k % 5) for k in range(40)), 0.0, 0.0),))
    schema = Schema((Nominal("c", tuple(values)),), Nominal("y", ("n", "y")))
    (scale,) = cw.nomogram(AdditiveModel(schema, (0.0,), (column,))).scales
    assert len(scale.ticks) == 5
    assert scale.ticks[0].label == "v0, v5, v10 and 5 more"


def test_a_value_that_nobody_had_is_not_a_missing_cell() -> None:
    assert str(AnotherValue("home")) == "home is another value"
    model = cw.set_points(MODEL, "home", 1.0, value="missing")
    lines = lines_of(cw.scorecard(model))
    assert lines["home is missing"] != lines["home is another value"]
