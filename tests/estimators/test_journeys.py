"""What scikit-learn's users do: pipelines, searches, frames of any library, strings and holes in them."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from sklearn.base import clone
from sklearn.compose import make_column_transformer
from sklearn.ensemble import BaggingClassifier
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from clearwood import CARTClassifier, load, save
from clearwood.estimators import ESTIMATORS, C45Classifier
from clearwood.models.model import size_of
from tests.estimators.tables import CLASSIFIERS, RIGHT_AT_LEAST, fruit, make, ripe, target_for

pytestmark = pytest.mark.filterwarnings("ignore::clearwood.errors.ClearwoodWarning")  # columns of noise go

FRAME = fruit()
LABELS = ripe(FRAME)

FORMS: dict[str, Any] = {
    "pandas": lambda frame: frame,
    "pandas strings": lambda frame: frame.assign(colour=frame["colour"].astype("string")),
    "polars": pl.from_pandas,
    "polars, lazy": lambda frame: pl.from_pandas(frame).lazy(),
    "pyarrow": pa.Table.from_pandas,
    "objects": lambda frame: frame.to_numpy(dtype=object),
    "lists": lambda frame: frame.to_numpy(dtype=object).tolist(),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", ESTIMATORS)
@pytest.mark.parametrize("form", FORMS)
def test_strings_categories_and_holes_go_in_as_they_are(name: str, form: str) -> None:
    rows, y = FORMS[form](FRAME), target_for(name, LABELS)
    model = make(name).fit(rows, y)
    assert model.n_features_in_ == 4
    if form.startswith(("pandas", "polars", "pyarrow")):
        assert model.feature_names_in_.tolist() == list(FRAME.columns)
    assert model.score(rows, y) > RIGHT_AT_LEAST.get(name, 0.9)
    again = make(name).fit(FRAME, y)
    assert size_of(model.model_) == size_of(again.model_) or form in ("objects", "lists")  # no order of sizes


@pytest.mark.slow
@pytest.mark.parametrize("name", ESTIMATORS)
def test_cross_validation_of_frames(name: str) -> None:
    y = target_for(name, LABELS)
    pandas = cross_val_score(make(name), FRAME, y, cv=4, error_score="raise")
    polars = cross_val_score(make(name), pl.from_pandas(FRAME), y, cv=4, error_score="raise")
    assert pandas.mean() > RIGHT_AT_LEAST.get(name, 0.85)
    if name.startswith(("Bagging", "Forest", "GAM")):
        # 'size' is ordered in pandas and nominal in polars: other columns are drawn, or other cuts.
        without = FRAME.drop(columns="size")
        pandas = cross_val_score(make(name), without, y, cv=4, error_score="raise")
        polars = cross_val_score(make(name), pl.from_pandas(without), y, cv=4, error_score="raise")
    assert pandas.tolist() == polars.tolist()


def test_a_search_over_a_grid_of_numpy_numbers() -> None:
    grid = {"min_rows": np.array([2, 5]), "confidence": np.linspace(0.1, 0.4, 3), "prune": [True, False]}
    actual = GridSearchCV(C45Classifier(), grid, cv=3, error_score="raise").fit(FRAME, LABELS)
    assert actual.score(FRAME, LABELS) > 0.9


@pytest.mark.parametrize("output", ["default", "pandas", "polars"])
def test_behind_a_column_transformer_that_lets_strings_through(output: str) -> None:
    columns = make_column_transformer(
        (StandardScaler(), ["weight"]), remainder="passthrough", verbose_feature_names_out=False
    )
    pipeline = make_pipeline(columns, CARTClassifier()).set_output(transform=output)
    rows = pl.from_pandas(FRAME) if output == "polars" else FRAME
    assert pipeline.fit(rows, LABELS).score(rows, LABELS) == 1.0


def test_bagged_with_weights() -> None:
    bag = BaggingClassifier(CARTClassifier(), n_estimators=5, random_state=0)
    assert bag.fit(FRAME.to_numpy(dtype=object), LABELS).score(FRAME.to_numpy(dtype=object), LABELS) > 0.9


@pytest.mark.parametrize("name", ESTIMATORS)
def test_cloned_copied_and_pickled(name: str) -> None:
    model = make(name).fit(FRAME, target_for(name, LABELS))
    assert clone(model).get_params() == model.get_params()
    for twin in (pickle.loads(pickle.dumps(model)), copy.deepcopy(model)):
        assert twin.model_ == model.model_
        assert twin.predict(FRAME).tolist() == model.predict(FRAME).tolist()


def test_a_copied_tree_stays_frozen() -> None:
    model = CARTClassifier().fit(FRAME, LABELS)
    for twin in (pickle.loads(pickle.dumps(model)), copy.deepcopy(model)):
        assert not twin.tree_.nodes.counts.flags.writeable


def test_a_tree_deeper_than_the_stack_is_pickled() -> None:
    rows = np.arange(4000.0)[:, None]
    model = CARTClassifier().fit(rows, np.arange(4000) % 2)
    assert model.get_depth() > 2000
    assert model.tree_.root is not None
    assert pickle.loads(pickle.dumps(model)).tree_ == model.tree_


def test_the_tree_is_a_model_like_any_other(tmp_path: Any) -> None:
    model = C45Classifier().fit(FRAME, LABELS)
    assert "colour = red" in str(model.tree_)
    assert load(save(model.tree_, tmp_path / "fruit.json")) == model.tree_


@pytest.mark.parametrize("name", ESTIMATORS)
def test_unseen_values_and_empty_rows_get_an_answer(name: str) -> None:
    y = target_for(name, LABELS)
    model = make(name).fit(FRAME, y)
    colours: list[Any] = ["violet", pd.NA, None, np.nan, "red", ""]
    weights: list[Any] = [None, pd.NA, np.nan, 1e9, -1e9, 0]
    strange = FRAME.head(6).assign(colour=colours, weight=weights)
    answers = model.predict(strange)
    assert np.isin(answers, y).all() or name not in CLASSIFIERS
    if name in CLASSIFIERS:
        np.testing.assert_allclose(model.predict_proba(strange).sum(axis=1), 1)


@pytest.mark.parametrize("name", ESTIMATORS)
def test_columns_without_a_single_cell_are_no_hindrance(name: str) -> None:
    rows = FRAME.assign(nothing=None, nan=np.nan, never=pd.Categorical([None] * len(FRAME), ["u", "v"]))
    y = target_for(name, LABELS)
    model = make(name).fit(rows, y)
    assert model.predict(rows).tolist() == make(name).fit(FRAME, y).predict(FRAME).tolist()
    assert len(model.predict(rows.assign(nothing="x", nan=1.0, never="u"))) == len(rows)
