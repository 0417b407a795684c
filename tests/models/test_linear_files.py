"""A model file holds a whole linear model, and only a whole one is read from it."""

from __future__ import annotations

import json
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import clearwood as cw
from clearwood.errors import ClearwoodWarning, LearningError, ModelFileError
from clearwood.learners.linear.bayes_as_logistic import gaussian_bayes_as_logistic
from clearwood.learners.linear.logistic import Logistic
from clearwood.models.files import from_json, to_json
from clearwood.models.kinds.linear.linear_model import LinearModel
from clearwood.table.table import Table
from tests.learners.linear_tables import noisy_table
from tests.learners.random_tables import random_tables
from tests.models.published_schema import fits_the_published_schema

MODEL = Logistic(costs={("A", "B"): 3}).learn(noisy_table(100, classes=3))


@pytest.mark.slow
@given(
    table=random_tables(("nominal", "ordinal"), max_rows=40, max_values=12),
    penalty=st.sampled_from([None, "l1", "l2"]),
)
@settings(max_examples=60, deadline=None)
def test_a_model_comes_back_as_it_was_and_fits_the_published_schema(table: Table, penalty: Any) -> None:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ClearwoodWarning)
            model = Logistic(penalty=penalty).learn(table)
    except LearningError:
        return
    text = to_json(model)
    assert from_json(text) == model
    fits_the_published_schema(text)


def test_weights_made_of_bayes_come_back_too() -> None:
    model = gaussian_bayes_as_logistic(noisy_table(classes=3))
    assert from_json(to_json(model)) == model


def test_every_verb_takes_a_linear_model(tmp_path: Path) -> None:
    table = noisy_table()
    model = Logistic().learn(table)
    loaded = cw.load(cw.save(model, tmp_path / "m.json"))
    assert isinstance(loaded, LinearModel)
    assert (cw.predict(loaded, table) == cw.predict(model, table)).all()
    assert cw.shares(loaded, table).tolist() == cw.shares(model, table).tolist()
    assert cw.intervals(loaded, table).shape == (len(table), 2)
    assert "accuracy" in str(cw.evaluate(loaded, table))
    assert cw.calibration(loaded, table).log_loss == pytest.approx(-model.fit.log_likelihood / len(table))  # type: ignore[union-attr]
    one = cw.row_predictor(loaded)
    row = {"x": 0.3, "z": 51.0, "noise": 0.0, "c": "v2"}
    assert one(row) == cw.predict(loaded, {name: [cell] for name, cell in row.items()})[0]
    assert list(one.shares(row).values()) == pytest.approx(
        cw.shares(loaded, {name: [cell] for name, cell in row.items()})[0].tolist()
    )
    assert cw.cross_validate(Logistic(), table, folds=3).score > 0.5
    with pytest.raises(cw.errors.SettingError, match="smoothing is for counts"):
        cw.shares(model, table, smoothing="laplace")


@pytest.mark.parametrize(
    ("forge", "sentence"),
    [
        (lambda d: d["terms"][0].update(weights=[1.0]), r"terms\[0\].weights must be 2 numbers"),
        (lambda d: d["terms"][0].update(weights=[1.0, "2"]), r"weights\[1\] must be a finite number"),
        (lambda d: d["terms"][0].update(column="xx"), "No column 'xx'"),
        (lambda d: d["terms"][0].update({"is": "v1"}), "it has no term 'x = v1'"),
        (lambda d: d["terms"][0].update(missing=False), "missing must be true"),
        (lambda d: d["terms"][3].update({"is": "v9"}), "No value of c called 'v9'"),
        (lambda d: d["terms"][3].update(missing=True), "'is' or 'missing', not both"),
        (lambda d: d["terms"].append(d["terms"][0]), "a term twice"),
        (lambda d: d["references"].clear(), "references lack 'c'"),
        (lambda d: d["fills"].clear(), "fills lack 'x'"),
        (lambda d: d["fills"].update(x="many"), "it cannot be 'many'"),
        (lambda d: d.update(against="Z"), "No class 'Z'"),
        (lambda d: d.update(against="B"), "different classes"),
        (lambda d: d.update(contrasts=[]), "must be 0 numbers|at least two"),
        (lambda d: d.update(intercepts=[0.0]), "an intercept and a row of weights"),
        (lambda d: d["fit"].update(errors=[[1.0]]), "errors must be 2 rows of 7"),
        (lambda d: d["fit"].update(errors=[[-1.0] * 7] * 2), "must be a finite number above 0"),
        (
            lambda d: d["fit"].update(errors=[[0] * 7] * 2),
            r"errors\[0\]\[0\] must be a finite number above 0",
        ),
        (lambda d: d["fit"].update(errors=[[10**400] * 7] * 2), r"errors\[0\]\[0\] must be a finite number"),
        (lambda d: d["fills"].update(x=10**400), "fills.x must be text or a finite number"),
        (lambda d: d["intercepts"].__setitem__(0, 10**400), r"intercepts\[0\] must be a finite number"),
        (lambda d: d["fit"].update(log_likelihood=-(10**400)), "log_likelihood must be a finite number"),
        (lambda d: d["fit"].update(covariance=[1.0]), "covariance must be the lower triangle"),
        (lambda d: d["fit"]["tests"][0].update(kind="t"), r"tests\[0\].kind: No kind called 't'. .*wald"),
        (lambda d: d["fit"]["tests"][0].update(df=0), "df must be a whole number ≥ 1"),
        (lambda d: d["fit"].update(rows=1.5), "fit.rows must be a whole number"),
        (lambda d: d["fit"].update(converged=1), "converged must be true or false"),
        (lambda d: d["fit"].update(separation={"complete": True}), "'directions' is missing"),
        (lambda d: d.update(left_out=["x"]), r"left_out\[0\] must be an object"),
        (lambda d: d.update(more=1), "No field 'more'"),
    ],
)
def test_a_forged_file_gets_a_sentence(forge: Callable[[dict[str, Any]], object], sentence: str) -> None:
    data = json.loads(to_json(MODEL))
    forge(data["body"])
    with pytest.raises(ModelFileError, match=sentence):
        from_json(json.dumps(data))


@pytest.mark.slow
@given(st.data())
@settings(max_examples=200, deadline=None)
def test_a_mutated_file_is_a_linear_model_or_a_sentence(data: st.DataObject) -> None:
    text = to_json(MODEL)
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, len(text) - 1))
        length = data.draw(st.integers(0, 12))
        text = text[:at] + data.draw(st.text(max_size=3)) + text[at + length :]
    try:
        model = from_json(text)
    except ModelFileError:
        return
    assert from_json(to_json(model)) == model
