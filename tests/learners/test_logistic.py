"""Logistic regression on awkward tables: what it leaves out, refuses, fills, and says of it."""

from __future__ import annotations

import math
import pickle
import warnings
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Literal

import numpy as np
import pytest
from hypothesis import given, settings
from scipy.optimize import linprog

from clearwood import _native
from clearwood.errors import ClearwoodWarning, LearningError, SettingError
from clearwood.learners.linear.logistic import Logistic
from clearwood.learners.linear.terms import MissingCells
from clearwood.models.linear_model import LinearModel, Missing, Number, Value
from clearwood.predict.estimates import estimates, likelihood_ratio
from clearwood.predict.of_linear import (
    codes_of_linear,
    contributions,
    intervals_of_linear,
    scores_of_linear,
    shares_of_linear,
    term_values,
)
from clearwood.table.table import MISSING, UNSEEN, Table
from tests.generated_tables import generated_table
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
    x = next(each for each in estimates(model) if each.term == Number("x"))
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


# separation


def _separable(model: LinearModel, table: Table) -> bool:
    """Linear programming: does a direction exist in which some row's class gains and none loses?"""
    rows = term_values(model, table)
    rows[:, 1:] -= rows[:, 1:].mean(axis=0)
    rows /= np.maximum(np.abs(rows).max(axis=0), 1e-300)
    assert model.against is not None
    order = (*model.contrasts, model.against)
    vectors, leads = len(model.contrasts), []
    for row, code in zip(rows, table.target.tolist(), strict=True):
        own = order.index(table.schema.classes[code])
        for other in range(vectors + 1):
            if other != own:
                lead = np.zeros((vectors + 1, rows.shape[1]))
                lead[own], lead[other] = row, -row
                leads.append(lead[:vectors].ravel())
    matrix = np.array(leads)
    best = linprog(-matrix.sum(axis=0), A_ub=-matrix, b_ub=np.zeros(len(matrix)), bounds=(-1, 1))
    assert best.fun is not None
    return bool(-best.fun > 1e-6)


@pytest.mark.slow
@pytest.mark.parametrize("flavour", ["mixed", "nominal", "numeric", "missing", "many"])
def test_classes_are_called_separated_exactly_where_linear_programming_separates_them(flavour: str) -> None:
    seen = set()
    for seed in (*range(16), 58):
        table = generated_table(flavour, seed)
        try:
            model = _quietly(Logistic(), table)
        except LearningError:
            continue
        assert model.fit is not None
        separated = model.fit.separation is not None
        assert separated == _separable(model, table), seed
        seen.add(separated)
    assert True in seen


def test_a_value_with_one_class_alone_is_named_and_has_no_finite_weight() -> None:
    table = noisy_table()
    target = np.where(table.columns["c"] == 2, 1, table.target)
    table = linear_table({name: table.columns[name] for name in ("x", "c")}, target)
    with pytest.warns(ClearwoodWarning, match=r"Every row with c = v2 \(\d+\) is 'B'") as text:
        model = Logistic().learn(table)
    assert text[0].filename == __file__
    value = next(each for each in estimates(model) if each.term == Value("c", "v2"))
    assert (value.infinite, value.error, value.odds_ratio) == (1, None, math.inf)
    x = next(each for each in estimates(model) if each.term == Number("x"))
    assert x.error is not None
    assert "+∞" in str(model)
    assert shares_of_linear(model, table)[table.columns["c"] == 2, 1].min() > 0.999


def test_a_number_that_tells_the_classes_apart_is_named_with_its_limit() -> None:
    x = np.array([1.0, 2.0, 3.0, 4.0, 5.0, 6.0])
    model = _quietly(Logistic(), linear_table({"x": x}, x > 3))
    assert model.fit is not None
    assert model.fit.separation is not None
    assert model.fit.separation.complete
    assert model.fit.separation.because == ("Every row with x up to 3, and no other, is 'A'.",)
    assert codes_of_linear(model, linear_table({"x": x}, x > 3)).tolist() == [0, 0, 0, 1, 1, 1]


def test_numbers_that_meet_at_a_point_are_separated_but_for_it() -> None:
    x = np.array([1.0, 2.0, 3.0, 3.0, 4.0, 5.0])
    model = _quietly(Logistic(), linear_table({"x": x}, [0, 0, 0, 1, 1, 1]))
    assert model.fit is not None
    assert model.fit.separation is not None
    assert not model.fit.separation.complete
    assert "x = 3 alone" in model.fit.separation.because[0]


def test_an_intercept_that_separation_leaves_finite_is_estimated_with_its_error() -> None:
    x = np.array([-2.0, -1.0, 0.0, 0.0, 0.0, 1.0, 2.0, 3.0])
    start, slope = estimates(_quietly(Logistic(), linear_table({"x": x}, [0, 0, 0, 0, 1, 1, 1, 1])))
    assert slope.infinite == 1
    # Where x is 0 there are two of A and one of B, and no other row has a say.
    assert (start.infinite, start.settled) == (0, True)
    assert start.weight == pytest.approx(math.log(1 / 2), abs=1e-4)
    assert start.error == pytest.approx(math.sqrt(1 / 2 + 1 / 1), rel=1e-4)


def test_the_sign_of_an_infinite_intercept_is_that_of_a_row_of_noughts() -> None:
    columns = {"x": np.array([1.0, 2.0, 3.0]), "z": np.array([3.0, 1.0, 2.0])}
    weights = estimates(_quietly(Logistic(), linear_table(columns, [0, 1, 0])))
    assert (
        [each.infinite for each in weights] == [int(np.sign(each.weight)) for each in weights] == [1, -1, -1]
    )


@pytest.mark.parametrize("shift", [-1000.0, 0.0, 1000.0])
def test_an_infinite_intercept_moves_with_the_numbers(shift: float) -> None:
    x = np.array([1.0, 2.0, 3.0, 4.0]) + shift
    start, slope = estimates(_quietly(Logistic(), linear_table({"x": x}, [0, 0, 1, 1])))
    assert (start.infinite, slope.infinite) == (1 if shift < 0 else -1, 1)


def test_what_only_rows_that_run_away_could_tell_has_no_estimate() -> None:
    v = np.repeat([0, 1, 2], [6, 4, 8])  # every row with v0 is of class C, which no other row is
    target = np.array([2] * 6 + [0, 0, 1, 1] + [0, 0, 0, 0, 0, 0, 1, 1])
    learner = Logistic(against="B", reference={"v": "v0"})
    model = _quietly(learner, linear_table({"v": v}, target, classes=3))
    actual = [each for each in estimates(model) if each.contrast == "A"]
    assert [(each.infinite, each.settled, each.error, each.p) for each in actual] == [
        (0, False, None, None)
    ] * 3
    assert str(model).count("no estimate") == 3
    assert model.fit is not None
    assert model.fit.tests == ()
    # Against a value that stays, the other that stays is known; A against B never ran away there.
    known = _quietly(Logistic(against="B", reference={"v": "v1"}), linear_table({"v": v}, target, classes=3))
    start, _, other = [each for each in estimates(known) if each.contrast == "A"]
    assert start.weight == pytest.approx(0.0, abs=1e-6)
    assert start.error == pytest.approx(1.0, rel=1e-6)
    assert other.weight == pytest.approx(math.log(3), abs=1e-4)
    assert other.error == pytest.approx(math.sqrt(1 / 2 + 1 / 2 + 1 / 6 + 1 / 2), rel=1e-4)


def test_the_equation_says_which_weights_stand_where_the_search_stopped() -> None:
    x = np.array([-2.0, -1.0, 0.0, 0.0, 0.0, 1.0, 2.0, 3.0])
    separated = _quietly(Logistic(), linear_table({"x": x}, [0, 0, 0, 0, 1, 1, 1, 1]))
    assert separated.equation().splitlines()[1:] == [
        "  (no finite estimate, shown where the search stopped: x)"
    ]
    held = Logistic(penalty="l2").learn(linear_table({"x": x}, [0, 0, 0, 0, 1, 1, 1, 1]))
    assert len(held.equation().splitlines()) == 1


def test_columns_that_only_together_separate_are_named_together() -> None:
    random = np.random.default_rng(3)
    x, z = random.normal(size=(2, 60))
    model = _quietly(Logistic(), linear_table({"x": x, "z": z}, x + z > 0))
    assert model.fit is not None
    assert model.fit.separation is not None
    assert model.fit.separation.because == ("Together x and z tell classes apart without an error.",)


def test_a_number_far_out_is_not_mistaken_for_separation() -> None:
    table = noisy_table()
    x = table.columns["x"].copy()
    x[np.argmax(table.target)] = 1e8
    model = Logistic().learn(linear_table({"x": x}, table.target))
    plain = Logistic().learn(linear_table({"x": np.delete(x, np.argmax(table.target))},
                                          np.delete(table.target, np.argmax(table.target))))  # fmt: skip
    assert model.weights[0][0] == pytest.approx(plain.weights[0][0], rel=1e-6)
    assert model.fit is not None
    assert model.fit.separation is None


def test_a_penalty_ends_what_separation_does_not() -> None:
    x = np.array([1.0, 2.0, 3.0, 4.0])
    model = Logistic(penalty="l2").learn(linear_table({"x": x}, x > 2))
    assert model.fit is not None
    assert model.fit.separation is None
    assert 0 < model.weights[0][0] < 5


@pytest.mark.parametrize(
    ("penalty", "way_on"),
    [
        (None, "Raise max_iterations, or use penalty='l2'."),
        ("l1", "Raise max_iterations or strength, or use penalty='l2'."),
        ("l2", "Raise max_iterations or strength."),
    ],
)
def test_a_search_that_ends_too_soon_is_told_with_a_way_on_that_is_not_taken_yet(
    penalty: Any, way_on: str
) -> None:
    with pytest.warns(ClearwoodWarning) as text:
        Logistic(penalty=penalty, max_iterations=1).learn(noisy_table())
    assert [str(each.message) for each in text] == [f"The weights still moved after 1 iteration. {way_on}"]


# columns of no use


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
    assert model.dependent == (Number("sum"),)
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


# empty cells and values never met


def _with_gaps() -> Table:
    table = noisy_table()
    x, c = table.columns["x"].copy(), table.columns["c"].astype(int)
    x[::7], c[::5] = np.nan, MISSING
    return linear_table({"x": x, "z": table.columns["z"], "c": c}, table.target)


def test_by_default_empty_cells_have_a_weight_of_their_own() -> None:
    model = Logistic().learn(_with_gaps())
    assert Missing("x") in model.terms
    assert Missing("c") in model.terms
    assert Missing("z") not in model.terms


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
    added = contributions(replace(model, averages={}), rows)
    means = np.average(added, axis=0, weights=rows.weights)
    assert np.array([model.averages[name] for name in model.columns()]) == pytest.approx(means)


# what is refused


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


# priors, costs and the rest


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
    test = likelihood_ratio(model)
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
