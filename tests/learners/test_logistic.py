"""Logistic regression on awkward tables: what it leaves out, refuses, fills, and says of it."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings

from clearwood import _native
from clearwood.errors import ClearwoodWarning, LearningError, SettingError
from clearwood.learners.linear.logistic import Logistic
from clearwood.models.kinds.linear.linear_model import LinearModel, NumberTerm
from clearwood.predicting.estimates import estimates
from clearwood.predicting.of_linear import (
    intervals_of_linear,
    shares_of_linear,
)
from clearwood.table.table import Table
from tests.learners.linear_tables import linear_table, noisy_table
from tests.learners.random_tables import random_tables


def _quietly(learner: Logistic, table: Table) -> LinearModel:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ClearwoodWarning)
        return learner.learn(table)


def _likelihood_of_answers(model: LinearModel, table: Table) -> float:
    own = shares_of_linear(model, table)[np.arange(len(table)), table.target]
    weights = np.ones(len(table)) if table.weights is None else table.weights
    return float((weights * np.log(own)).sum())


@pytest.fixture
def one_thread_after() -> Iterator[None]:
    yield
    _native.set_thread_count(0)


# what must hold of every fit


@pytest.mark.slow
@given(table=random_tables(("nominal",), max_rows=60, max_values=20))
@settings(max_examples=60, deadline=None)
def test_the_model_that_is_printed_is_the_model_that_was_fitted(table: Table) -> None:
    known = table.weights is None or bool((table.weights > 0).all())
    try:
        model = _quietly(Logistic(), table)
    except LearningError:
        return
    assert model.fit is not None
    if known and model.fit.separation is None:
        assert _likelihood_of_answers(model, table) == pytest.approx(
            model.fit.log_likelihood, rel=1e-7, abs=1e-7
        )
    assert str(model)
    assert shares_of_linear(model, table).sum(axis=1) == pytest.approx(np.ones(len(table)))


@given(table=random_tables(("nominal",), max_rows=40, max_values=8, weights=("whole", "some zero")))
@settings(max_examples=40, deadline=None)
def test_a_weight_of_two_is_the_row_twice(table: Table) -> None:
    assert table.weights is not None
    again = Table(table.schema, table.columns).take(
        np.repeat(np.arange(len(table)), table.weights.astype(int))
    )
    learner = Logistic(penalty="l2", strength=0.5)
    try:
        weighed = learner.learn(table)
    except LearningError:
        with pytest.raises(LearningError):
            learner.learn(again)
        return
    assert np.array(weighed.weights) == pytest.approx(np.array(learner.learn(again).weights), abs=1e-7)


@pytest.mark.usefixtures("one_thread_after")
@pytest.mark.parametrize("classes", [2, 3])
def test_the_number_of_threads_changes_no_digit(classes: int) -> None:
    table = noisy_table(30_000, classes=classes)
    models = []
    for threads in (1, 2, 5):
        _native.set_thread_count(threads)
        models.append(Logistic().learn(table))
    assert models[0] == models[1] == models[2]


@pytest.mark.parametrize("unit", [1e-12, 1e12])
def test_units_change_a_weight_by_their_factor_and_nothing_else(unit: float) -> None:
    table = noisy_table()
    plain = Logistic().learn(table)
    scaled = Logistic().learn(Table(table.schema, {**table.columns, "z": table.columns["z"] * unit}))
    assert scaled.weights[0][1] * unit == pytest.approx(plain.weights[0][1], rel=1e-9)
    assert scaled.fit is not None
    assert plain.fit is not None
    assert scaled.fit.errors[0][2] * unit == pytest.approx(plain.fit.errors[0][2], rel=1e-6)  # type: ignore[operator]
    assert scaled.fit.log_likelihood == pytest.approx(plain.fit.log_likelihood, rel=1e-12)


def test_the_log_likelihood_rises_from_iteration_to_iteration() -> None:
    fit = Logistic().learn(noisy_table()).fit
    assert fit is not None
    assert fit.iterations[0] == pytest.approx(fit.null_log_likelihood)
    assert list(fit.iterations) == sorted(fit.iterations)
    assert fit.iterations[-1] == fit.log_likelihood


def test_another_class_to_compare_with_gives_the_same_shares() -> None:
    table = noisy_table(classes=3)
    first, last = Logistic().learn(table), Logistic(against="C").learn(table)
    assert (first.against, first.contrasts) == ("A", ("B", "C"))
    assert (last.against, last.contrasts) == ("C", ("A", "B"))
    assert shares_of_linear(first, table) == pytest.approx(shares_of_linear(last, table), abs=1e-9)


def test_more_weights_than_fit_a_matrix_give_the_weights_of_the_matrix(monkeypatch: Any) -> None:
    table = noisy_table(2000, classes=3)
    by_matrix = Logistic(tolerance=1e-8).learn(table)
    for home in ("linear.newton", "linear.logistic"):
        monkeypatch.setattr(f"clearwood.learners.{home}.MOST_IN_A_MATRIX", 3)
    by_products = Logistic(tolerance=1e-8).learn(table)
    assert np.array(by_products.weights) == pytest.approx(np.array(by_matrix.weights), rel=1e-6)
    assert by_products.fit is not None
    assert by_products.fit.errors == ()
    assert "too many for standard errors" in by_products.fit.notes[0]


def test_a_part_of_many_rows_to_start_from_changes_the_way_but_not_the_weights(monkeypatch: Any) -> None:
    table = noisy_table(5000)
    plain = Logistic(tolerance=1e-9).learn(table)
    monkeypatch.setattr("clearwood.learners.linear.logistic._MANY_ROWS", 1000)
    started = Logistic(tolerance=1e-9).learn(table)
    assert np.array(started.weights) == pytest.approx(np.array(plain.weights), rel=1e-9)
    assert started.fit is not None
    assert plain.fit is not None
    assert len(started.fit.iterations) < len(plain.fit.iterations)


def test_standard_errors_are_those_of_the_last_weights() -> None:
    table = noisy_table(classes=3)
    plain, closer = (Logistic(tolerance=each).learn(table).fit for each in (1e-2, 1e-12))
    assert plain is not None
    assert closer is not None
    # The weights are off by the square of the last step, and the errors by no more.
    assert np.array(plain.errors, dtype=float) == pytest.approx(
        np.array(closer.errors, dtype=float), rel=1e-4
    )


# tests


def test_the_likelihood_ratio_of_an_attribute_is_that_of_a_fit_without_it() -> None:
    table = noisy_table()
    model = Logistic(test="likelihood ratio").learn(table)
    fewer = Logistic().learn(linear_table({n: table.columns[n] for n in ("x", "z", "noise")}, table.target))
    assert model.fit is not None
    assert fewer.fit is not None
    actual = {each.name: each for each in model.fit.tests}["c"]
    assert actual.df == 3
    assert actual.statistic == pytest.approx(2 * (model.fit.log_likelihood - fewer.fit.log_likelihood))


def test_walds_test_of_one_number_is_its_z_squared() -> None:
    model = Logistic().learn(noisy_table())
    assert model.fit is not None
    tests = {each.name: each for each in model.fit.tests}
    x = next(each for each in estimates(model) if each.term == NumberTerm("x"))
    assert x.z is not None
    assert tests["x"].statistic == pytest.approx(x.z**2)
    assert tests["x"].p == pytest.approx(x.p)
    assert tests["c"].df == 3


def test_an_interval_holds_its_answer_and_grows_with_confidence() -> None:
    table = noisy_table(classes=3)
    model = Logistic().learn(table)
    share = shares_of_linear(model, table).max(axis=1)
    narrow, wide = (intervals_of_linear(model, table, c) for c in (0.5, 0.99))
    assert (wide[:, 0] < narrow[:, 0]).all()
    assert (narrow[:, 0] < share).all()
    assert (share < narrow[:, 1]).all()
    assert (narrow[:, 1] < wide[:, 1]).all()
    with pytest.raises(SettingError, match="has no covariances"):
        intervals_of_linear(Logistic(penalty="l2").learn(table), table, 0.95)


# separation


# columns of no use


# empty cells and values never met


# what is refused


# priors, costs and the rest
