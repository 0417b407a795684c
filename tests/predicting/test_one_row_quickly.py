"""Short ways for one row give what the long ones give: class and shares at once, the leaf, a linear sum."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import clearwood as cw
from clearwood.errors import SchemaError
from clearwood.models.model import Model
from clearwood.predicting.columns import table_for, table_of_row
from clearwood.predicting.of_linear import IntervalsOfRows
from clearwood.table.table import MISSING, UNSEEN
from tests.models.test_kinds import MODELS
from tests.models.test_kinds import TABLE as NOMINAL
from tests.typed import mistyped

TENNIS = cw.read_table(cw.datasets.path("tennis_numeric"), target="Play")
TREE = cw.C45().learn(TENNIS)
DECIDED: dict[str, Model] = {
    **MODELS,
    "cutoff": cw.with_cutoff(MODELS["BayesTables"], "Yes", at=0.8),
    "costs": cw.with_costs(MODELS["LinearModel"], {("No", "Yes"): 5}),
    "costs of many": cw.with_costs(MODELS["Ensemble"], {("No", "Yes"): 5}),
    "costs of curves": cw.with_costs(MODELS["AdditiveModel"], {("No", "Yes"): 5}),
    "referred": cw.with_refer(MODELS["Tree"], below=0.9),
    "cutoff of mixed leaves": cw.with_cutoff(cw.ID3(max_depth=1).learn(NOMINAL), "Yes", at=0.8),
    "rules with a cutoff": cw.with_cutoff(MODELS["RuleList"], "Yes", at=0.8),
}
cells = st.fixed_dictionaries(
    {
        each.name: st.sampled_from([*each.values, "never met", None])
        for each in NOMINAL.schema.inputs
        if isinstance(each, cw.Nominal)
    }
)


@pytest.mark.parametrize("kind", DECIDED)
@settings(max_examples=30)
@given(row=cells)
def test_both_are_the_class_and_the_shares(kind: str, row: dict[str, Any]) -> None:
    predictor = cw.row_predictor(DECIDED[kind])
    answer, shares = predictor.both(row)
    assert answer == predictor(row)
    assert shares == pytest.approx(predictor.shares(row), abs=1e-15)


def test_both_keep_the_smoothing_of_the_shares() -> None:
    predictor = cw.row_predictor(cw.with_cutoff(TREE, "Play", at=0.4), smoothing="laplace")
    row = {"Outlook": "Sunny", "Humidity": 70, "Wind": "Weak"}
    assert predictor.both(row) == (predictor(row), predictor.shares(row))


@pytest.mark.parametrize("smoothing", ["laplace", 2.0])
def test_one_row_of_an_ensemble_is_smoothed_as_many_are(smoothing: Any) -> None:
    model = cw.Bagging(trees=3, seed=1).learn(TENNIS)
    row = {"Outlook": "Sunny", "Temperature": 80, "Humidity": 70, "Wind": "Weak"}
    one = cw.row_predictor(model, smoothing=smoothing).shares(row)
    assert list(one.values()) == pytest.approx(cw.shares(model, [row], smoothing=smoothing)[0].tolist())
    assert list(one.values()) != pytest.approx(cw.shares(model, [row])[0].tolist())


def test_a_leaf_is_that_of_the_batch_and_none_where_a_row_may_come_to_several() -> None:
    predictor = cw.row_predictor(TREE)
    rows = [
        {"Outlook": o, "Humidity": h, "Wind": "Weak"} for o in ("Sunny", "Overcast", "Rain") for h in (70, 90)
    ]
    assert [predictor.leaf(row) for row in rows] == cw.leaf_of(TREE, rows).tolist()
    assert predictor.leaf({"Outlook": None, "Humidity": 70, "Wind": "Weak"}) is None
    assert predictor.leaf({"Outlook": "Sunny", "Humidity": None, "Wind": "Weak"}) is None
    assert cw.row_predictor(MODELS["BayesTables"]).leaf(dict.fromkeys(NOMINAL.columns, None)) is None


@pytest.mark.parametrize("missing", ["indicator", "fill", "drop"])
@pytest.mark.parametrize("penalty", [None, "l2"])
@pytest.mark.parametrize("classes", [2, 3])
def test_a_linear_row_is_a_row_of_the_batch(missing: str, penalty: str | None, classes: int) -> None:
    chance = np.random.default_rng(classes)
    x, k = chance.normal(size=300), chance.choice(list("abc"), 300)
    y = np.digitize(x + (k == "a") + chance.normal(size=300), np.linspace(-0.5, 1, classes - 1))
    x[::17] = np.nan
    table = cw.read_table({"x": x, "k": k, "y": [f"c{each}" for each in y]}, target="y")
    model = cw.Logistic(penalty=mistyped(penalty), missing=mistyped(missing)).learn(table)
    bare = table.take(np.arange(40))
    bare.columns["k"][::7] = MISSING
    bare.columns["k"][3::7] = UNSEEN
    predictor, quick = cw.row_predictor(model), IntervalsOfRows(model, bare)
    shares, called = cw.shares(model, bare), cw.predict(model, bare).tolist()
    ends = cw.intervals(model, bare) if penalty is None else None
    values = {0: "a", 1: "b", 2: "c", MISSING: None, UNSEEN: "never met"}
    for row in range(40):
        number, code = float(bare.columns["x"][row]), int(bare.columns["k"][row])
        answer, by_class = predictor.both([number, values[code]])
        assert answer == called[row]
        assert list(by_class.values()) == pytest.approx(shares[row], abs=1e-12)
        interval = quick([number, code], list(by_class.values()))
        assert interval == (None if ends is None else pytest.approx(tuple(ends[row]), abs=1e-12))
    try:  # never a share that is no number
        assert sum(predictor.shares([1e308, "a"]).values()) == pytest.approx(1)
    except SchemaError:
        with pytest.raises(SchemaError, match="too large to weigh"):
            cw.shares(model, [{"x": 1e308, "k": "a"}])


def test_a_whole_number_of_hundreds_of_digits_is_refused_in_a_sentence() -> None:
    with pytest.raises(SchemaError, match=r"'Humidity' holds 1000.*…\. Give a finite number"):
        cw.row_predictor(TREE)({"Outlook": "Sunny", "Humidity": 10**400, "Wind": "Weak"})


@pytest.mark.parametrize("number", [80.0, 80, None, math.nan, -0.0, "80", np.float64(80)])
@pytest.mark.parametrize("outlook", ["Sunny", "sunny", "never met", None, np.str_("Rain")])
def test_one_row_is_the_table_that_reading_it_makes(number: Any, outlook: Any) -> None:
    row = {"Outlook": outlook, "Temperature": 70.0, "Humidity": number, "Wind": "Weak", "Windy": "no"}
    quick, read = table_of_row(TREE, row), table_for(TREE, [row])
    assert {name: repr(cells) for name, cells in quick.columns.items()} == {
        name: repr(cells) for name, cells in read.columns.items()
    }
