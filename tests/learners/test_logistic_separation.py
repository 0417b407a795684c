"""Logistic regression where classes are separated: named, with the infinite weights, and nothing else is."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from scipy.optimize import linprog

from clearwood.errors import ClearwoodWarning, LearningError
from clearwood.learners.linear.logistic import Logistic
from clearwood.models.kinds.linear.linear_model import LinearModel, NumberTerm, ValueTerm
from clearwood.predicting.estimates import estimates
from clearwood.predicting.of_linear import (
    codes_of_linear,
    shares_of_linear,
    term_values,
)
from clearwood.table.table import Table
from tests.generated_tables import generated_table
from tests.learners.linear_tables import linear_table, noisy_table
from tests.learners.test_logistic import _quietly


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
    with pytest.warns(ClearwoodWarning, match=r"Every training row with c = v2 \(\d+\) is 'B'") as text:
        model = Logistic().learn(table)
    assert text[0].filename == __file__
    value = next(each for each in estimates(model) if each.term == ValueTerm("c", "v2"))
    assert (value.infinite, value.error, value.odds_ratio) == (1, None, math.inf)
    x = next(each for each in estimates(model) if each.term == NumberTerm("x"))
    assert x.error is not None
    assert "+∞" in str(model)
    assert shares_of_linear(model, table)[table.columns["c"] == 2, 1].min() > 0.999


def test_a_number_that_tells_the_classes_apart_is_named_with_its_limit() -> None:
    x = np.array([1.0, 2.0, 3.0, 4.0, 5.0, 6.0])
    model = _quietly(Logistic(), linear_table({"x": x}, x > 3))
    assert model.fit is not None
    assert model.fit.separation is not None
    assert model.fit.separation.complete
    assert model.fit.separation.because == ("Every training row with x up to 3, and no other, is 'A'.",)
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
