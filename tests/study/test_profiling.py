"""A profile says what the rows held: counts by value, quantiles, mean and deviation, by weight."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import clearwood as cw
from clearwood.errors import LearningError
from clearwood.models.files import load, save
from clearwood.models.kinds.kind import NumbersProfile, TextProfile, ValuesProfile
from clearwood.study.profiling import profile_of
from clearwood.table.table import Column, Table


def numbers(cells: list[float], weights: list[float] | None = None) -> NumbersProfile:
    schema = cw.Schema((cw.Numeric("x"),))
    given = None if weights is None else np.array(weights)
    actual = profile_of(Table(schema, {"x": np.array(cells, dtype=np.float64)}, given)).columns["x"]
    assert isinstance(actual, NumbersProfile)
    return actual


def test_numbers_have_mean_deviation_and_every_twentieth_quantile() -> None:
    actual = numbers([*map(float, range(101)), float("nan")])
    assert (actual.mean, actual.known, actual.missing) == (50.0, 101.0, 1.0)
    assert actual.deviation == pytest.approx(np.arange(101).std())
    assert actual.quantiles == tuple(float(each) for each in range(0, 101, 5))


def test_a_row_of_weight_two_counts_as_two_rows() -> None:
    twice, weighed = numbers([1, 2, 2, 5, 5, 5]), numbers([1, 2, 5, 9], [1, 2, 3, 0])
    assert replace(weighed, deviation=twice.deviation) == twice
    assert weighed.deviation == pytest.approx(twice.deviation)


def test_rows_without_weights_are_profiled_as_rows_of_weight_one() -> None:
    random = np.random.default_rng(0)
    schema = cw.Schema((cw.Numeric("x"), cw.Nominal("v", ("a", "b", "c"))))
    columns: dict[str, Column] = {
        "x": random.normal(size=500),
        "v": random.integers(-2, 3, 500).astype(np.int32),
    }
    columns["x"][:7] = [np.nan, np.inf, *[3.0] * 5]
    plain = profile_of(Table(schema, columns))
    assert plain.columns == profile_of(Table(schema, columns, np.ones(500))).columns
    values = plain.columns["v"]
    assert isinstance(values, ValuesProfile)
    unlisted = int((columns["v"] == -2).sum())
    assert sum(values.counts) + values.missing == 500 - unlisted


def test_of_many_rows_every_kth_is_sorted_and_the_ends_are_exact() -> None:
    cells = np.random.default_rng(1).normal(size=50_001)
    actual = numbers(cells.tolist())
    assert (actual.quantiles[0], actual.quantiles[-1]) == (cells.min(), cells.max())
    np.testing.assert_allclose(actual.quantiles[1:-1], np.quantile(cells, np.arange(1, 20) / 20), atol=0.05)
    assert list(actual.quantiles) == sorted(actual.quantiles)


@pytest.mark.parametrize("cells", [[], [float("nan")], [float("inf")]])
def test_a_column_without_numbers_has_none(cells: list[float]) -> None:
    assert numbers(cells) == NumbersProfile(None, None, (), 0.0, float(len(cells)))


def test_large_numbers_do_not_overflow() -> None:
    actual = numbers([1e308, 1.5e308])
    assert actual.mean == pytest.approx(1.25e308)
    assert actual.deviation == pytest.approx(2.5e307)


def test_values_and_texts_are_counted_by_weight() -> None:
    schema = cw.Schema((cw.Nominal("c", ("a", "b")), cw.Text("t"), cw.Ignored("id")), cw.Nominal("y", ("n",)))
    columns = {
        "c": np.array([1, -1, -2, 1], dtype=np.int32),
        "t": np.array(["one two", None, "three", ""], dtype=object),
        "y": np.zeros(4, dtype=np.int32),
    }
    profile = profile_of(Table(schema, columns, np.array([1.0, 2.0, 4.0, 0.5])))
    assert profile.columns == {
        "c": ValuesProfile((0.0, 1.5), 2.0),
        "t": TextProfile(5.5, 6 / 5.5, 2.0),
        "y": ValuesProfile((7.5,), 0.0),
    }
    assert (profile.rows, profile.weight) == (4, 7.5)


@pytest.mark.parametrize("name", ["tennis", "tennis_numeric"])
def test_a_model_is_saved_with_the_profile_of_its_rows(name: str, tmp_path: Path) -> None:
    table = cw.read_table(cw.datasets.path(name), target={"tennis": "PlayTennis"}.get(name, "Play"))
    model = replace(cw.NaiveBayes().learn(table), profile=profile_of(table))
    assert load(save(model, tmp_path / "m.json")) == model


def test_a_model_learned_in_python_is_given_the_profile_of_its_own_rows_only() -> None:
    table = cw.read_table({"x": [1, 2, 3, 4, 5, 6], "y": list("aababb")}, target="y")
    model = cw.Logistic().learn(table)
    kept = cw.with_profile(model, table)
    assert kept == replace(model, profile=profile_of(table))
    assert cw.estimates(kept, per="sd")[1].odds_ratio != cw.estimates(kept)[1].odds_ratio
    with pytest.raises(LearningError, match="learned from other rows"):
        cw.with_profile(model, table.take(np.arange(4)))
