"""Dates as days, and weights that are a sample's or of importance, by a setting of the estimator."""

from __future__ import annotations

from datetime import date
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

from clearwood import read_table
from clearwood.errors import ClearwoodError, SettingError
from clearwood.estimators import (
    ESTIMATORS,
    C45Classifier,
    CARTClassifier,
    CARTRegressor,
    NaiveBayesClassifier,
    TextBayesClassifier,
)
from clearwood.table.schema import effective_rows
from tests.typed import mistyped

DAYS = [date(2024, 1, day) for day in range(1, 21)]
EARLY = np.array(["early"] * 10 + ["late"] * 10)
FORMS: dict[str, Any] = {
    "dates in pandas": lambda days: pd.DataFrame({"day": pd.to_datetime(days)}),
    "text in pandas": lambda days: pd.DataFrame({"day": [f"{day:%Y-%m-%d}" for day in days]}),
    "dates in polars": lambda days: pl.DataFrame({"day": days}),
    "objects": lambda days: np.array([[day] for day in days], dtype=object),
    "numbers": lambda days: pd.DataFrame({"day": [int(f"{day:%Y%m%d}") for day in days]}),
}


@pytest.mark.parametrize("form", FORMS)
def test_dates_are_days_where_asked(form: str) -> None:
    rows = FORMS[form](DAYS)
    model = CARTClassifier(dates="days").fit(rows, EARLY)
    assert model.tree_.nodes.high[1] == (DAYS[9] - date(1970, 1, 1)).days + 0.5
    assert model.predict(FORMS[form](DAYS[9:11])).tolist() == ["early", "late"]


def test_dates_are_refused_with_the_setting_that_takes_them() -> None:
    with pytest.raises(ClearwoodError, match=r"take dates as numbers: dates='days'"):
        CARTClassifier().fit(FORMS["dates in pandas"](DAYS), EARLY)
    with pytest.raises(SettingError, match="dates must be 'days'"):
        CARTClassifier(dates=mistyped("weeks")).fit(FORMS["dates in pandas"](DAYS), EARLY)


def test_a_number_that_looks_like_a_date_is_a_number_where_others_were() -> None:
    rows = pd.DataFrame({"day": pd.to_datetime(DAYS), "sum": np.linspace(1e7, 3e7, 20)})
    model = CARTClassifier(dates="days", kinds={"day": "ignored"}).fit(rows, EARLY)
    assert model.predict(rows[:1].assign(sum=20240131)).tolist() == ["late"]


def test_a_piece_of_rows_has_its_dates_where_the_first_had() -> None:
    rows = FORMS["dates in pandas"](DAYS)
    whole = NaiveBayesClassifier(dates="days").fit(rows, EARLY)
    parts = NaiveBayesClassifier(dates="days").partial_fit(rows[::2], EARLY[::2])
    parts.partial_fit(rows[1::2], EARLY[1::2])
    assert parts.tables_.distributions == whole.tables_.distributions


WEIGHTS = np.array([100.0, 300.0] * 10)


@pytest.mark.parametrize("name", ESTIMATORS)
@pytest.mark.filterwarnings("ignore::clearwood.errors.ClearwoodWarning")
def test_a_sample_counts_as_its_effective_number_of_rows(name: str) -> None:
    rows, y = np.arange(20.0)[:, None] % 7, (np.arange(20) // 3 % 2).astype(float)
    scaled = WEIGHTS * effective_rows(WEIGHTS) / WEIGHTS.sum()
    sampled = ESTIMATORS[name](weights_are="sampling").fit(rows, y, WEIGHTS)
    counted = ESTIMATORS[name]().fit(rows, y, scaled)
    assert sampled.model_.origin.weights_are == "sampling"
    assert sampled.predict(rows).tolist() == pytest.approx(counted.predict(rows).tolist())


def test_importance_counts_rows_and_not_weight() -> None:
    rows, y = np.arange(20.0)[:, None], np.arange(20) // 10
    assert C45Classifier(weights_are="importance").fit(rows, y, WEIGHTS).tree_.nodes.counts[0].sum() == 20
    regressor = CARTRegressor(weights_are="importance").fit(rows, y * 1.0, WEIGHTS)
    assert regressor.tree_.nodes.counts[0, 0] == pytest.approx(20)
    texts = TextBayesClassifier(weights_are="importance").fit(["a", "b"], [0, 1], [3, 9])
    assert texts.model_.classes == pytest.approx((0.5, 1.5))


def test_factors_of_classes_are_counts_whatever_weights_are() -> None:
    rows, y = np.arange(20.0)[:, None], np.arange(20) // 10
    model = CARTClassifier(weights_are="sampling", class_weight={0: 3}).fit(rows, y)
    assert model.tree_.nodes.counts[0].tolist() == [30, 10]


def test_pieces_are_not_scaled_each_for_itself() -> None:
    model = NaiveBayesClassifier(weights_are="sampling")
    with pytest.raises(SettingError, match="scales weights by all rows at once"):
        model.partial_fit([[1.0], [2.0]], [0, 1], sample_weight=[2, 5])
    assert model.partial_fit([[1.0], [2.0]], [0, 1]).tables_.classes == (1, 1)
    with pytest.raises(ClearwoodError, match="No meaning of weights 'sample'"):
        NaiveBayesClassifier(weights_are=mistyped("sample")).fit([[1.0], [2.0]], [0, 1])


def test_the_table_of_the_reader_is_weighed_alike() -> None:
    rows, y = np.arange(20.0)[:, None] % 7, np.array(["a", "b"])[np.arange(20) // 3 % 2]
    table = read_table(
        {"x0": rows[:, 0], "target": y, "w": WEIGHTS}, target="target", weight="w", weights_are="sampling"
    )
    model = CARTClassifier(weights_are="sampling").fit(rows, y, WEIGHTS)
    assert model.tree_.nodes == CARTClassifier.LEARNER().learn(table).nodes
