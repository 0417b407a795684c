"""The page answers for an additive model as Python does."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import clearwood as cw
from clearwood.reporting.model_json import model_for_page
from tests.shared_data import load_shared

_ASK = """([model, rows]) => {
  const ask = predictor(model);
  return rows.map((row) => ask(new Map(Object.entries(row)))).map(({ answer, shares }) => [answer, shares]);
}"""
_CHANGE = """([model, row]) => {
  const ask = predict_js.predictor(model);
  const constraints = { fixed: new Set(), onlyUp: new Set(), onlyDown: new Set(), ranges: new Map() };
  return smallestChange({ model, shape: null, ask }, new Map(Object.entries(row)), constraints).instead;
}"""

ROWS: dict[str, list[dict[str, Any]]] = {
    "penguins": [
        {"bill_length_mm": 39.1, "bill_depth_mm": 18.7, "flipper_length_mm": 181, "body_mass_g": 3750},
        {"bill_length_mm": None, "bill_depth_mm": 14, "flipper_length_mm": 230, "island": "Nowhere"},
    ],
    "auto_mpg": [{"horsepower": 90, "weight": 2800, "model_year": 76}, {"weight": None}],
    "credit_g": [{"age": 25, "duration": 48, "checking_status": "<0"}, {"age": 60}],
}


@pytest.mark.parametrize("name", ROWS)
def test_the_page_answers_as_python(run_module: Any, name: str) -> None:
    table = load_shared(name)
    model = cw.GAM(bags=2, rounds=20, pairs=3).learn(table)
    rows = [{each.name: row.get(each.name) for each in table.schema.inputs} for row in ROWS[name]]
    answers = run_module("predict.js", _ASK, [model_for_page(model), rows])
    for row, (answer, shares) in zip(rows, answers, strict=True):
        expected = cw.predict(model, [row])[0]
        if model.is_numeric:
            assert answer == pytest.approx(float(expected))
        else:
            assert answer == expected
            np.testing.assert_allclose(shares, cw.shares(model, [row])[0], rtol=1e-9)


def test_the_page_finds_a_change_to_another_class(run_module: Any) -> None:
    model = cw.GAM(bags=2, rounds=20, pairs=2).learn(load_shared("diabetes"))
    row = {each.name: 1.0 for each in model.schema.inputs}
    here = cw.predict(model, [row])[0]
    assert run_module("change.js", _CHANGE, [model_for_page(model), row]) not in (None, here)
