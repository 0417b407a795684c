"""The proof asks the origin as its user would: the wrapper itself, every given row, values by their names."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import clearwood as cw
from clearwood.errors import ModelFileError
from clearwood.importing.asked_origin import OriginRefusesError, OwnAnswers, RowCells, asked_by_halves

pytest.importorskip("sklearn")
pytest.importorskip("pandas")

import pandas as pd
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import Pipeline
from sklearn.tree import DecisionTreeClassifier

from tests.importing.fitted import MIXED, NUMBERS, TWO, behind

CATEGORIES = ["u", "v", "w", "x"]


def colours() -> tuple[Any, Any]:
    draw = np.random.default_rng(5)
    cells = draw.choice(CATEGORIES, 200)
    frame = pd.DataFrame({"a": draw.normal(size=200).round(2), "d": pd.Categorical(cells, CATEGORIES)})
    return frame, np.where((cells == "u") ^ (draw.random(200) < 0.1), 1, 0)


@pytest.mark.parametrize("missing", [0, -999, 3.0, np.inf])
def test_a_wrapper_to_which_a_number_is_an_empty_cell_is_refused(missing: float) -> None:
    xgboost = pytest.importorskip("xgboost")
    wrapper = xgboost.XGBClassifier(n_estimators=2, max_depth=2, n_jobs=1, missing=missing)
    wrapper.fit(NUMBERS.round().to_numpy(), (TWO == "yes").astype(int))
    with pytest.raises(ModelFileError, match="Replace that number by an empty cell in your table"):
        cw.import_model(wrapper)


def test_a_wrapper_is_asked_itself() -> None:
    xgboost = pytest.importorskip("xgboost")
    wrapper = xgboost.XGBClassifier(n_estimators=3, max_depth=3, n_jobs=1)
    wrapper.fit(NUMBERS, (TWO == "yes").astype(int))
    model = cw.import_model(wrapper)
    assert cw.prove_import(model, wrapper, NUMBERS).holds
    wrapper.set_params(missing=0.0)  # changes its answers, and not those of its booster
    rows = NUMBERS.assign(kind=0.0)
    assert wrapper.predict_proba(rows).tolist() != cw.shares(model, rows).tolist()
    assert not cw.prove_import(model, wrapper, rows).holds


def wrappers() -> dict[str, Any]:
    xgboost, lightgbm = pytest.importorskip("xgboost"), pytest.importorskip("lightgbm")
    return {
        "XGBoost": xgboost.XGBClassifier(
            n_estimators=3, max_depth=3, n_jobs=1, enable_categorical=True, max_cat_to_onehot=1
        ),
        "LightGBM": lightgbm.LGBMClassifier(
            n_estimators=3, verbose=-1, n_jobs=1, min_child_samples=5, min_data_per_group=5, cat_smooth=1
        ),
    }


@pytest.mark.parametrize("program", ["XGBoost", "LightGBM"])
def test_values_in_a_wrong_order_are_found_in_a_wrapper(program: str) -> None:
    frame, target = colours()
    wrapper = wrappers()[program].fit(frame, target)
    proof = cw.prove_import(cw.import_model(wrapper), wrapper, frame)
    assert proof.holds, str(proof)
    assert proof.given == 200
    assert not proof.on_trust
    swapped = cw.import_model(wrapper, values={"d": CATEGORIES[::-1]})
    assert not cw.prove_import(swapped, wrapper, frame, values={"d": CATEGORIES[::-1]}).holds


def test_categories_that_are_numbers_are_asked_as_such() -> None:
    frame, target = colours()
    frame = frame.assign(d=frame["d"].cat.rename_categories([10, 20, 30, 40]))
    for wrapper in wrappers().values():
        wrapper.fit(frame, target)
        proof = cw.prove_import(cw.import_model(wrapper), wrapper, frame)
        assert proof.holds, str(proof)
        assert proof.given == 200


def test_a_new_value_that_xgboost_takes_for_another_is_not_compared() -> None:
    frame, target = colours()
    frame = frame.assign(d=frame["d"].cat.rename_categories(["FALSE", "TRUE", "b", "c"]))
    wrapper = wrappers()["XGBoost"].fit(frame, target)
    rows = frame.assign(d=pd.Categorical(["Other", *frame["d"][1:]]))
    proof = cw.prove_import(cw.import_model(wrapper), wrapper, rows)
    assert proof.holds, str(proof)
    assert proof.given == 199
    assert "of 'd', which it may take for another." in str(proof)


def test_an_order_of_values_that_nobody_can_see_is_said_to_be_trusted() -> None:
    xgboost = pytest.importorskip("xgboost")
    frame, target = colours()
    codes = frame.assign(d=frame["d"].cat.codes).to_numpy()
    matrix = xgboost.DMatrix(codes, target, feature_types=["q", "c"], enable_categorical=True)
    booster = xgboost.train({"nthread": 1, "objective": "binary:logistic"}, matrix, 2)
    values = {"x1": CATEGORIES}
    model = cw.import_model(booster, values=values)
    proof = cw.prove_import(model, booster, values=values)
    assert proof.holds
    assert "The order of the values of 'x1' is taken on trust" in str(proof)
    assert proof.to_json()["on_trust"]
    assert not cw.prove_import(cw.import_model(booster), booster).on_trust


def test_one_row_that_is_refused_does_not_take_the_others_with_it() -> None:
    source = behind(LogisticRegression(), unknown="error").fit(MIXED, TWO)
    model = cw.import_model(source)
    rows = MIXED.copy()
    rows.loc[0, "town"] = "Paris"
    proof = cw.prove_import(model, source, rows)
    assert proof.holds
    assert (proof.given, proof.offered) == (199, 200)
    assert proof.refused["given rows"] == 1
    assert "about 199 of 200 given rows" in str(proof)


def test_nothing_is_proven_where_every_given_row_is_refused() -> None:
    source = behind(LogisticRegression(), unknown="error").fit(MIXED, TWO)
    proof = cw.prove_import(cw.import_model(source), source, MIXED.assign(town="Paris"))
    assert proof.given == 0
    assert proof.made > 0
    assert not proof.holds
    assert "none of yours was compared, so that nothing is proven" in str(proof)


def test_a_mistake_of_ours_is_not_taken_for_a_refusal(monkeypatch: pytest.MonkeyPatch) -> None:
    source = DecisionTreeClassifier(max_depth=2).fit(NUMBERS, TWO)
    model = cw.import_model(source)
    monkeypatch.setattr("clearwood.importing.scikit_learn.importer._frame", lambda *_: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        cw.prove_import(model, source)


def test_what_is_refused_is_halved_only_so_often() -> None:
    asked: list[int] = []

    def refuse(rows: list[RowCells]) -> OwnAnswers:
        asked.append(len(rows))
        raise OriginRefusesError("no")

    answered = asked_by_halves(refuse, [{"x": float(each)} for each in range(100)], 10)
    assert not answered.rows
    assert len(answered.reasons) == 100
    assert len(asked) < 20


def test_a_step_that_passes_everything_through_is_no_obstacle() -> None:
    tree = DecisionTreeClassifier(max_depth=3)
    source = Pipeline([("a", "passthrough"), ("b", tree)]).fit(NUMBERS, TWO)
    model = cw.import_model(source)
    assert [each.name for each in model.schema.attributes] == list(NUMBERS)
    assert cw.prove_import(model, source, NUMBERS).holds


def test_the_proof_takes_what_the_import_was_given() -> None:
    source = DecisionTreeClassifier(max_depth=3).fit(NUMBERS.to_numpy(), TWO)
    names: Any = {"columns": ["a", "b", "c"], "classes": ["bad", "good"], "target": "y"}
    assert cw.prove_import(cw.import_model(source, **names), source, **names).holds


def test_what_the_origin_says_has_no_clock_and_no_source_path() -> None:
    xgboost = pytest.importorskip("xgboost")
    matrix = xgboost.DMatrix(NUMBERS, (TWO == "yes").astype(int))
    booster = xgboost.train({"nthread": 1, "objective": "binary:logistic"}, matrix, 2)
    proof = cw.prove_import(cw.import_model(booster), booster)
    assert proof.refused["numbers beyond single precision"]
    assert not proof.because.startswith("[")
    assert "data.cc" not in proof.because
