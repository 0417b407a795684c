"""Logistic regression on empty cells, columns without use, and requests that cannot be met."""

from __future__ import annotations

import pickle
from dataclasses import replace
from typing import Any, Literal

import numpy as np
import pytest

from clearwood import _native
from clearwood.errors import ClearwoodWarning, LearningError, SettingError
from clearwood.learners.linear.logistic import Logistic
from clearwood.learners.linear.terms import MissingCells
from clearwood.models.kinds.linear.linear_model import MissingTerm, NumberTerm
from clearwood.models.model import account_of
from clearwood.predicting.added import added_by
from clearwood.predicting.estimates import model_likelihood_ratio
from clearwood.predicting.of_linear import (
    codes_of_linear,
    intervals_of_linear,
    scores_of_linear,
    shares_of_linear,
    term_values,
)
from clearwood.table.table import MISSING, UNSEEN, Table
from tests.learners.linear_tables import linear_table, noisy_table
from tests.learners.test_logistic import _quietly


def test_the_interval_of_two_classes_is_that_of_the_log_odds() -> None:
    table = noisy_table()
    model = Logistic().learn(table)
    rows = term_values(model, table)
    assert model.fit is not None
    size = rows.shape[1]
    covariance = np.zeros((size, size))
    covariance[np.tril_indices(size)] = model.fit.covariance
    covariance = covariance + np.tril(covariance, -1).T
    score = scores_of_linear(model, table)[:, 0]
    reach = 1.959963984540054 * np.sqrt((rows @ covariance * rows).sum(axis=1))
    sure = 1 / (1 + np.exp(-(np.abs(score) - reach)))
    assert intervals_of_linear(model, table, 0.95)[:, 0] == pytest.approx(sure, rel=1e-9)


def test_a_constant_an_empty_and_a_copied_column_are_left_out_with_the_reason() -> None:
    table = noisy_table()
    x, z = table.columns["x"], table.columns["z"]
    columns = {
        "x": x,
        "seven": np.full(len(x), 7.0),
        "empty": np.full(len(x), np.nan),
        "z": z,
        "sum": 2 * x + z,
        "one": np.zeros(len(x), dtype=int),
    }
    model = Logistic().learn(linear_table(columns, table.target))
    assert [str(term) for term in model.terms] == ["x", "z"]
    assert {each.what: each.because for each in model.left_out} == {
        "seven": "it is 7 wherever it is known",
        "empty": "no row has a number there",
        "sum": "it follows from x, z",
        "one": "it is 'v0' wherever it is known",
    }
    assert model.dependent == (NumberTerm("sum"),)
    plain = Logistic().learn(linear_table({"x": x, "z": z}, table.target))
    assert np.array(model.weights) == pytest.approx(np.array(plain.weights), rel=1e-9)
    assert "it follows from x, z" in str(model)


def test_values_that_follow_from_another_column_add_nothing_when_predicting() -> None:
    table = noisy_table()
    city = table.columns["c"]
    columns = {"x": table.columns["x"], "city": city, "country": city // 2}
    nested = linear_table(columns, table.target)
    model = Logistic().learn(nested)
    assert [str(term) for term in model.dependent] == ["country = v0"] or [
        str(term) for term in model.dependent
    ] == ["country = v1"]
    alone = linear_table({"x": table.columns["x"], "city": city}, table.target)
    assert shares_of_linear(model, nested) == pytest.approx(
        shares_of_linear(Logistic().learn(alone), alone), abs=1e-9
    )


def test_a_table_without_a_column_of_use_predicts_the_classes_as_they_came() -> None:
    table = linear_table({"k": np.full(4, 2.0)}, [0, 1, 1, 1])
    model = Logistic().learn(table)
    assert model.terms == ()
    assert shares_of_linear(model, table)[0].tolist() == pytest.approx([0.25, 0.75])
    assert str(model)


def _with_gaps() -> Table:
    table = noisy_table()
    x, c = table.columns["x"].copy(), table.columns["c"].astype(int)
    x[::7], c[::5] = np.nan, MISSING
    return linear_table({"x": x, "z": table.columns["z"], "c": c}, table.target)


def test_by_default_empty_cells_have_a_weight_of_their_own() -> None:
    model = Logistic().learn(_with_gaps())
    assert MissingTerm("x") in model.terms
    assert MissingTerm("c") in model.terms
    assert MissingTerm("z") not in model.terms


def test_filled_cells_are_taken_for_the_mean_and_the_most_common_value() -> None:
    table = _with_gaps()
    x, c = table.columns["x"], table.columns["c"]
    common = int(np.bincount(c[c >= 0]).argmax())
    filled = linear_table(
        {
            "x": np.where(np.isnan(x), np.nanmean(x), x),
            "z": table.columns["z"],
            "c": np.where(c < 0, common, c),
        },
        table.target,
    )
    model, plain = Logistic(missing="fill").learn(table), Logistic().learn(filled)
    assert np.array(model.weights) == pytest.approx(np.array(plain.weights), rel=1e-9)
    known = c >= 0
    assert shares_of_linear(model, table)[known] == pytest.approx(shares_of_linear(plain, filled)[known])


def test_dropped_rows_are_counted_and_still_answered() -> None:
    table = _with_gaps()
    model = Logistic(missing="drop").learn(table)
    whole = ~np.isnan(table.columns["x"]) & (table.columns["c"] >= 0)
    assert model.fit is not None
    assert model.fit.rows == whole.sum()
    assert model.fit.notes == (f"{(~whole).sum()} rows with an empty cell left out.",)
    assert np.isfinite(shares_of_linear(model, table)).all()


@pytest.mark.parametrize("cell", [MISSING, UNSEEN])
@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("reference", ["most common", "first"])
def test_a_cell_without_a_weight_adds_what_its_column_adds_on_average(
    cell: int, classes: int, reference: Literal["most common", "first"]
) -> None:
    table = noisy_table(150, 1, classes)
    model = Logistic(reference=reference).learn(table)
    one, every = table.take(np.arange(1)), table.take(np.zeros(len(table), dtype=np.intp))
    one.columns["c"][:] = cell
    every.columns["c"][:] = table.columns["c"]
    assert scores_of_linear(model, one)[0] == pytest.approx(scores_of_linear(model, every).mean(axis=0))


@pytest.mark.parametrize("missing", ["indicator", "fill", "drop"])
def test_averages_are_the_means_over_the_rows_that_were_learned_from(missing: MissingCells) -> None:
    table = _with_gaps()
    weights = np.random.default_rng(1).integers(1, 4, len(table)).astype(np.float64)
    table = replace(table, weights=weights)
    model = Logistic(missing=missing).learn(table)
    whole = ~np.isnan(table.columns["x"]) & (table.columns["c"] >= 0)
    rows = table.take(whole) if missing == "drop" else table
    # In learning, "fill" takes empty cells for the most common value, as a model without averages does.
    plain = replace(model, averages={})
    added = np.stack([added_by(model.schema, term, rows) for term in account_of(plain).terms], axis=1)[
        ..., 1:
    ]
    means = np.average(added, axis=0, weights=rows.weights)
    assert np.array([model.averages[name] for name in model.columns()]) == pytest.approx(means)


@pytest.mark.parametrize(
    ("columns", "target", "sentence"),
    [
        ({"x": [1.0, 2.0]}, [1, 1], "Every row is of one class, 'B': there is nothing to learn"),
        ({"x": [1.0, np.inf, 2.0]}, [0, 1, 1], "Column 'x', row 2: inf is too large"),
        ({"x": [1.0, -1e200, 2.0]}, [0, 1, 1], "Column 'x', row 2: -1e[+]200 is too large"),
        ({"x": [1.0, 2.0], "z": [1.0, 3.0]}, [0, 1], "2 rows cannot settle 3 weights"),
    ],
)
def test_what_cannot_be_learned_is_said_in_a_sentence(
    columns: dict[str, list[float]], target: list[int], sentence: str
) -> None:
    table = linear_table({name: np.array(cells) for name, cells in columns.items()}, target)
    with pytest.raises(LearningError, match=sentence):
        Logistic().learn(table)


def test_more_columns_than_rows_are_learned_with_a_penalty() -> None:
    random = np.random.default_rng(0)
    table = linear_table({f"x{i}": random.normal(size=6) for i in range(9)}, [0, 1, 0, 1, 0, 1])
    assert len(Logistic(penalty="l2").learn(table).terms) == 9
    assert any(weight == 0 for weight in Logistic(penalty="l1", strength=2).learn(table).weights[0])


def test_weights_that_still_move_are_warned_of() -> None:
    with pytest.warns(ClearwoodWarning, match="still moved after 2 iterations"):
        model = Logistic(max_iterations=2).learn(noisy_table())
    assert model.fit is not None
    assert not model.fit.converged


@pytest.mark.parametrize(
    ("settings_of", "sentence"),
    [
        ({"penalty": "l3"}, "No penalty called 'l3'"),
        ({"strength": -1}, "strength must be at least 0"),
        ({"missing": "mean"}, "No missing called 'mean'"),
        ({"reference": "last"}, "No reference called 'last'"),
        ({"reference": {"c": 3}}, "reference must name a value by column"),
        ({"max_iterations": 0}, "max_iterations must be at least 1"),
    ],
)
def test_a_wrong_setting_is_refused_when_the_learner_is_made(
    settings_of: dict[str, Any], sentence: str
) -> None:
    with pytest.raises(SettingError, match=sentence):
        Logistic(**settings_of)


@pytest.mark.parametrize(
    ("learner", "sentence"),
    [
        (Logistic(reference={"d": "v0"}), "No nominal column 'd'. Did you mean 'c'|No nominal column 'd'"),
        (Logistic(reference={"c": "v9"}), "No value of c called 'v9'"),
        (Logistic(against="Z"), "No class 'Z'"),
    ],
)
def test_a_setting_that_does_not_fit_the_table_is_refused(learner: Logistic, sentence: str) -> None:
    with pytest.raises(SettingError, match=sentence):
        learner.learn(noisy_table())


def test_priors_and_costs_move_the_answers_but_not_the_weights() -> None:
    table = noisy_table()
    plain = Logistic().learn(table)
    steered = Logistic(priors={"A": 1, "B": 9}, costs={("B", "A"): 5}).learn(table)
    assert steered.weights == plain.weights
    odds = shares_of_linear(steered, table)
    before = shares_of_linear(plain, table)
    counts = np.bincount(table.target)
    ratio = (odds[:, 1] / odds[:, 0]) / (before[:, 1] / before[:, 0])
    assert ratio == pytest.approx(9 * counts[0] / counts[1])
    assert codes_of_linear(steered, table).mean() > codes_of_linear(plain, table).mean()


def test_a_class_without_rows_has_share_nought() -> None:
    table = linear_table({"x": np.array([1.0, 2.0, 3.0, 4.0, 5.0])}, [0, 2, 0, 2, 2], classes=3)
    model = _quietly(Logistic(), table)
    assert (model.against, model.contrasts) == ("A", ("C",))
    assert shares_of_linear(model, table)[:, 1].tolist() == [0.0] * 5


def test_the_whole_model_is_tested_against_none_of_its_terms() -> None:
    model = Logistic().learn(noisy_table())
    test = model_likelihood_ratio(model)
    assert test is not None
    assert model.fit is not None
    assert test[0] == pytest.approx(2 * (model.fit.log_likelihood - model.fit.null_log_likelihood))
    assert test[1] == 6
    assert test[2] < 1e-6


def test_a_model_is_plain_data_that_can_be_copied() -> None:
    model = Logistic().learn(noisy_table())
    assert pickle.loads(pickle.dumps(model)) == model


@pytest.mark.parametrize("weighted", [False, True])
def test_the_curvature_is_the_same_from_spreads_that_are_kept(weighted: bool) -> None:
    rows, random = 777, np.random.default_rng(2)
    columns: list[tuple[Any, ...]] = [
        (random.normal(size=rows), 1, -1, 0.0, 1.0, 0.0, []),
        (random.integers(0, 3, rows).astype(np.int32), -1, -1, 0.0, 1.0, 0.0, [-1, -1, -1, 2, 3]),
    ]
    target = random.integers(0, 2, rows).astype(np.int32)
    weights = random.random(rows) if weighted else None
    theta, way = random.normal(size=(1, 4)), random.normal(size=(1, 4))
    spreads = _native.logistic_spreads(columns, target, weights, 2, theta)
    assert spreads.max() <= 0.25
    np.testing.assert_array_equal(
        _native.logistic_curve(columns, target, weights, 2, theta, way, spreads),
        _native.logistic_curve(columns, target, weights, 2, theta, way, None),
    )
    with pytest.raises(ValueError, match="two classes"):
        _native.logistic_spreads(columns, target, weights, 3, np.zeros((2, 4)))
