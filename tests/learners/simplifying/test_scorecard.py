"""A scorecard adds up to the model's shares, but for a rounding that it tells."""

from __future__ import annotations

import math
import warnings

import numpy as np
import pytest

from clearwood.errors import ColumnError, SettingError
from clearwood.explaining.card_lines import Points, PointsPerUnit
from clearwood.explaining.scorecard import scorecard
from clearwood.learners.linear.logistic import Logistic
from clearwood.models.kinds.linear.linear_model import LinearModel, MissingTerm, NumberTerm, ValueTerm
from clearwood.predicting.of_linear import shares_of_linear
from clearwood.table.attributes import Nominal, Numeric
from clearwood.table.schema import Schema
from clearwood.table.table import MISSING, UNSEEN, Table
from tests.learners.linear_tables import linear_table, noisy_table

LN2 = math.log(2)
SCHEMA = Schema((Nominal("home", ("rent", "own", "none")), Numeric("age")), Nominal("loan", ("lost", "paid")))
MODEL = LinearModel(
    SCHEMA,
    ("paid",),
    "lost",
    (ValueTerm("home", "own"), ValueTerm("home", "none"), NumberTerm("age"), MissingTerm("age")),
    (LN2,),
    ((2 * LN2, -LN2, 0.1 * LN2, -3 * LN2),),
    references={"home": "rent"},
    fills={"home": "rent", "age": 40.0},
)
ROWS = Table(
    SCHEMA,
    {
        "home": np.array([0, 1, 2, MISSING, UNSEEN, 1], dtype=np.int32),
        "age": np.array([20.0, 30.0, 40.0, 50.0, 60.0, np.nan]),
    },
)


def test_points_are_the_weights_in_doublings_of_the_odds() -> None:
    card = scorecard(MODEL, points_per_doubling=10, base=100)
    assert (card.favours, card.start) == ("paid", 100)
    assert [(str(each.when), each.points) for each in card.lines if isinstance(each, Points)] == [
        ("home = rent", 10),
        ("home = own", 30),
        ("home = none", 0),
    ]
    assert next(each for each in card.lines if isinstance(each, PointsPerUnit)).points == 1.0
    assert card.score(ROWS).tolist() == [130, 160, 140, 160, 170, 140]


def test_whole_weights_lose_nothing() -> None:
    card = scorecard(MODEL, points_per_doubling=10)
    exact = shares_of_linear(MODEL, ROWS)[:, 1]
    assert [card.share(points) for points in card.score(ROWS).tolist()] == pytest.approx(exact.tolist())
    rounding = card.rounding(ROWS)
    assert rounding.largest == pytest.approx(0.0, abs=1e-12)
    assert rounding.changed == 0.0


def test_cuts_give_points_to_intervals() -> None:
    card = scorecard(MODEL, points_per_doubling=10, cuts={"age": [45, 25]})
    lines = {str(each.when): each.points for each in card.lines if isinstance(each, Points)}
    assert lines == {
        "home = rent": 10,
        "home = own": 30,
        "home = none": 0,
        "age ≤ 25": 5,
        "25 < age ≤ 45": 25,
        "age > 45": 45,
        "age is missing": 0,
    }
    assert card.score(ROWS).tolist()[:2] == [
        card.start + 10 + lines["age ≤ 25"],
        card.start + 30 + lines["25 < age ≤ 45"],
    ]


def test_base_points_are_even_odds_and_a_doubling_more_two_to_one() -> None:
    card = scorecard(MODEL, points_per_doubling=20, base=600)
    assert card.share(600) == 0.5
    assert card.share(620) == pytest.approx(2 / 3)
    shares = [share for _, share in card.shares()]
    assert shares == sorted(shares)
    assert shares[0] == pytest.approx(0.01, abs=0.002)
    assert shares[-1] == pytest.approx(0.99, abs=0.002)


def test_rounding_to_few_points_costs_more_than_to_many() -> None:
    table = noisy_table()
    model = Logistic().learn(table)
    coarse, fine = (scorecard(model, points_per_doubling=each).rounding(table) for each in (2, 100))
    assert coarse.largest > fine.largest
    assert fine.largest < 0.02
    assert fine.mean <= fine.largest
    assert str(scorecard(model)).splitlines()[1].startswith("start with  ")


def test_points_per_year_cost_little_though_years_are_far_from_nought() -> None:
    schema = Schema((Numeric("year"),), Nominal("loan", ("lost", "paid")))
    per_year = 2.4849 * LN2 / 20  # printed as 2.48 points: 9.8 points less by the year 2000
    model = LinearModel(
        schema,
        ("paid",),
        "lost",
        (NumberTerm("year"),),
        (-2012 * per_year,),
        ((per_year,),),
        fills={"year": 2012.0},
    )
    years = {"year": np.arange(2000.0, 2025.0)}
    card = scorecard(model)
    line = card.lines[0]
    assert isinstance(line, PointsPerUnit)
    assert line.points == 2.48
    assert line.exact == pytest.approx(2.4849)
    # A point is worth 0.9 % at even odds; two sums are rounded, each by half a point at the most.
    assert card.rounding(years).largest < 0.0095
    assert card.score({"year": np.array([2012.0, np.nan])}).tolist() == [0, 0]


def test_a_number_far_beyond_the_others_keeps_its_sign() -> None:
    rows = Table(SCHEMA, {"home": np.zeros(4, dtype=np.int32), "age": np.array([1e12, -1e12, 1e300, -1e300])})
    card = scorecard(MODEL, points_per_doubling=100)
    assert [card.share(points) for points in card.score(rows).tolist()] == [1.0, 0.0, 1.0, 0.0]


def test_the_printed_card_tells_the_points_of_an_empty_cell() -> None:
    text = str(scorecard(MODEL, points_per_doubling=10, base=100))
    assert [line.split() for line in text.splitlines() if line.startswith("age")] == [
        ["age,", "each", "unit", "1"],
        ["age", "is", "missing", "10"],
    ]


def test_a_card_is_refused_where_points_make_no_sense() -> None:
    with pytest.raises(SettingError, match="for two classes"):
        scorecard(Logistic().learn(noisy_table(classes=3)))
    with pytest.raises(SettingError, match="points_per_doubling must be above 0"):
        scorecard(MODEL, points_per_doubling=0)
    with pytest.raises(ColumnError, match=r"No number in the model called 'agee'\. Did you mean 'age'"):
        scorecard(MODEL, cuts={"agee": [3]})
    x = np.array([1.0, 2.0, 3.0, 4.0])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        separated = Logistic().learn(linear_table({"x": x}, x > 2))
    with pytest.raises(SettingError, match="no finite estimate"):
        scorecard(separated)


def test_a_cell_without_points_gets_those_of_the_average() -> None:
    table = noisy_table()
    card = scorecard(Logistic().learn(table), points_per_doubling=500)
    rows = table.take(np.arange(3))
    rows.columns["c"][:] = [UNSEEN, MISSING, UNSEEN]
    assert card.rounding(rows).largest < 0.005
