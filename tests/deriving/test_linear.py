"""Derivations of linear models: the figures printed beside the weights, and the scores of an answer."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import clearwood as cw
from clearwood.deriving.linear.answer import derive_linear_answer
from clearwood.deriving.linear.weights import derive_weights
from clearwood.errors import SettingError
from clearwood.predicting.estimates import estimates
from clearwood.working.derivation import Answered
from tests.deriving.checking import check
from tests.learners.linear_tables import linear_table, noisy_table


@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("test", ["wald", "likelihood ratio"])
def test_every_weight_shows_its_error_its_test_and_its_odds_ratio(classes: int, test: Any) -> None:
    table = noisy_table(classes=classes)
    model = cw.Logistic(test=test).learn(table)
    derivation = derive_weights(model, table)
    assert check(derivation) > 20
    for each in estimates(model):
        if each.term is None:
            continue
        name = f"({each.term} | {each.contrast})"
        assert derivation.figure(f"weight{name}").value == each.weight
        assert derivation.figure(f"odds ratio{name}").value == pytest.approx(math.exp(each.weight))
        assert derivation.figure(f"p{name}").value == each.p


def test_the_log_likelihood_is_the_sum_over_the_rows() -> None:
    table = noisy_table(classes=3)
    model = cw.Logistic().learn(table)
    assert model.fit is not None
    derivation = derive_weights(model, table)
    height = derivation.figure("log-likelihood of the rows").value
    assert height == pytest.approx(model.fit.log_likelihood, rel=1e-9)
    iterations = derivation.figure("log-likelihood, by iteration").grids[0]
    assert [row[1] for row in iterations.rows] == list(model.fit.iterations)


def test_a_penalty_leaves_no_tests() -> None:
    table = noisy_table()
    derivation = derive_weights(cw.Logistic(penalty="l2").learn(table), table)
    check(derivation)
    with pytest.raises(SettingError, match="No figure"):
        derivation.figure("p of the likelihood ratio")


@pytest.mark.filterwarnings("ignore:The classes are")
def test_separated_classes_are_named() -> None:
    table = linear_table({"x": np.arange(8.0)}, [0, 0, 0, 0, 1, 1, 1, 1])
    derivation = derive_weights(cw.Logistic().learn(table), table)
    assert "separated" in derivation[0].decision
    check(derivation)


@pytest.mark.filterwarnings("ignore:The classes are")
def test_separated_weights_are_the_same_in_the_table_and_in_an_answer() -> None:
    table = linear_table({"x": np.arange(8.0)}, [0, 0, 0, 0, 1, 1, 1, 1])
    model = cw.Logistic().learn(table)
    actual, answer = derive_weights(model, table), derive_linear_answer(model, {"x": 1.0})
    (step,) = [step for step in actual if step.title.startswith("The weights of")]
    texts = [row[1] for row in step.figures[0].grids[0].rows]
    assert texts == [model.intercepts[0], model.weights[0][0]]
    assert answer.figure("score of B").value == pytest.approx(model.intercepts[0] + model.weights[0][0])
    for sentence in (step.decision, answer[1].decision):
        assert "where the search stopped" in sentence


@pytest.mark.parametrize("rows", [12, 60])
def test_rows_of_a_weight_count_by_it_in_the_log_likelihood(rows: int) -> None:
    table = noisy_table(rows)
    table = replace(table, weights=np.resize([1.0, 2.0, 3.0], len(table)))
    model = cw.Logistic(penalty="l2").learn(table)
    derivation = derive_weights(model, table)
    check(derivation)
    assert model.fit is not None
    height = derivation.figure("log-likelihood of the rows")
    assert height.value == pytest.approx(model.fit.log_likelihood, rel=1e-6)
    assert height.put_in is not None
    assert "weight" in repr(height.formula)
    assert derivation.figure("log-likelihood without terms").put_in is not None


@pytest.mark.filterwarnings("ignore:The classes are")
@settings(max_examples=20, deadline=None)
@given(
    seed=st.integers(0, 99),
    classes=st.integers(2, 4),
    x=st.one_of(st.none(), st.floats(-1e5, 1e5)),
    c=st.sampled_from(["v0", "v1", "v2", "never met", None]),
    penalty=st.sampled_from([None, "l1", "l2"]),
    priors=st.sampled_from([None, "equal"]),
)
def test_scores_and_shares_are_those_of_prediction(
    seed: int, classes: int, x: float | None, c: str | None, penalty: Any, priors: Any
) -> None:
    model = cw.Logistic(penalty=penalty, priors=priors).learn(noisy_table(120, seed, classes))
    row = {"x": x, "z": 50.0, "noise": 0.0, "c": c}
    derivation = derive_linear_answer(model, row)
    check(derivation)
    for share, name in zip(cw.shares(model, [row])[0].tolist(), model.schema.classes, strict=True):
        assert derivation.figure(f"P({name} | the row)").value == pytest.approx(share, rel=1e-9, abs=1e-12)
    assert derivation[-1].outcome == Answered(cw.predict(model, [row])[0])


def test_an_answer_is_derived_from_where_the_average_row_stands() -> None:
    model = cw.Logistic().learn(noisy_table())
    row = {"x": 1.0, "z": 50.0, "noise": 0.0, "c": None}
    derivation = derive_linear_answer(model, row)
    check(derivation)
    step = next(step for step in derivation if step.title == "Compared with the average row")
    start = model.intercepts[0] + sum(each[0] for each in model.averages.values())
    assert abs(step.figures[0].value) == pytest.approx(abs(start))  # type: ignore[arg-type]
    assert [row for row in step.figures[1].grids[0].rows if row[0] == "c"] == [("c", "missing", 0.0)]


def test_an_empty_or_unseen_cell_says_what_it_is_taken_for() -> None:
    table = cw.read_table(cw.datasets.path("tennis_numeric"), target="Play")
    model = cw.Logistic(penalty="l2").learn(table)
    derivation = derive_linear_answer(model, {"Outlook": "Foggy", "Humidity": 80})
    assert "Outlook is unseen, and adds what its column adds on average" in derivation[0].decision
    assert "Temperature is missing, and is taken for" in derivation[0].decision


def test_costs_decide_after_the_shares() -> None:
    table = noisy_table()
    model = cw.Logistic(costs={("A", "B"): 50.0, ("B", "A"): 1.0}).learn(table)
    row = {"x": 1.0, "z": 50.0, "noise": 0.0, "c": "v0"}
    derivation = derive_linear_answer(model, row)
    check(derivation)
    assert derivation[-1].outcome == Answered(cw.predict(model, [row])[0])


@pytest.mark.parametrize("classes", [2, 3])
def test_gaussian_bayes_as_weights_shows_means_and_the_shared_variance(classes: int) -> None:
    table = noisy_table(classes=classes)
    model = cw.gaussian_bayes_as_logistic(table)
    derivation = derive_weights(model, table)
    assert check(derivation) > 10
    assert derivation.figure("weight(x | B)").value == model.weights[0][0]
    assert derivation.figure("intercept | B").value == model.intercepts[0]
