"""Under sampling weights a logistic model has the sandwich's standard errors, and says so."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import clearwood as cw
from clearwood.deriving.linear.weights import weight_figure
from clearwood.errors import ClearwoodWarning, LearningError, ModelFileError
from clearwood.learners.linear.logistic import Logistic
from clearwood.models.files import from_json, to_json
from clearwood.predicting.estimates import model_likelihood_ratio
from clearwood.predicting.of_linear import shares_of_linear, term_values
from clearwood.table.table import Table
from tests.learners.linear_tables import linear_table, noisy_table

_ROBUST = "robust (sandwich) standard errors: rows are weighted"


def _weighed(table: Table, weights_are: Any = "sampling") -> tuple[Table, Any]:
    weights = np.random.default_rng(9).lognormal(4.0, 1.0, len(table))
    return replace(table, weights=weights, weights_are=weights_are), weights


def _errors(model: Any) -> list[float | None]:
    return [each.error for each in cw.estimates(model)]


@pytest.mark.slow
@pytest.mark.parametrize("seed", [0, 1, 2])
def test_errors_z_and_p_are_those_of_statsmodels_sandwich(seed: int) -> None:
    api = pytest.importorskip("statsmodels.api")
    table, weights = _weighed(noisy_table(300, seed=seed))
    model = Logistic(reference="first").learn(table)
    theirs = api.GLM(
        (table.target == 1).astype(float),
        term_values(model, table),
        family=api.families.Binomial(),
        var_weights=weights,
    ).fit(cov_type="HC0", tol=1e-13)
    correction = np.sqrt(300 / 299)  # n ÷ (n − 1), as for a sample of rows; HC0 has none
    ours = cw.estimates(model)
    assert [each.weight for each in ours] == pytest.approx(theirs.params, rel=1e-6)
    assert _errors(model) == pytest.approx(theirs.bse * correction, rel=1e-6)
    assert [each.z for each in ours] == pytest.approx(theirs.tvalues / correction, rel=1e-5)
    values = [each.p for each in ours]
    assert values == pytest.approx([_two_sided(z) for z in theirs.tvalues / correction], abs=1e-6)


def _two_sided(z: float) -> float:
    return float(pytest.importorskip("scipy.stats").norm.sf(abs(z)) * 2)


@pytest.mark.parametrize("classes", [2, 3, 4])
def test_covariances_are_the_sandwich_written_out(classes: int) -> None:
    table, weights = _weighed(noisy_table(300, seed=classes, classes=classes))
    model = Logistic().learn(table)
    rows, shares = term_values(model, table), shares_of_linear(model, table)[:, 1:]
    slopes, bend = [], 0.0
    for x, share, target, weight in zip(rows, shares, table.target, weights, strict=True):
        slopes.append(weight * np.kron((np.arange(1, classes) == target) - share, x))
        bend = bend + weight * np.kron(np.diag(share) - np.outer(share, share), np.outer(x, x))
    inverse = np.linalg.inv(bend)
    between = np.array(slopes).T @ np.array(slopes)
    expected = np.sqrt(np.diag(inverse @ between @ inverse) * 300 / 299)
    assert _errors(model) == pytest.approx(expected, rel=1e-5)


def test_the_unit_of_the_weights_changes_no_error() -> None:
    table, weights = _weighed(noisy_table())
    other = replace(table, weights=1000 * weights, weights_are="sampling")
    assert _errors(Logistic().learn(other)) == pytest.approx(_errors(Logistic().learn(table)), rel=1e-6)


@pytest.mark.parametrize("weights_are", ["counts", "importance"])
def test_other_weights_keep_the_errors_of_the_likelihood(weights_are: str) -> None:
    model = Logistic().learn(_weighed(noisy_table(), weights_are)[0])
    assert model.fit is not None
    assert not model.fit.robust
    assert _ROBUST not in str(model)


def test_equal_sampling_weights_are_no_weights() -> None:
    table = noisy_table()
    equal = Logistic().learn(replace(table, weights=np.full(len(table), 37.3), weights_are="sampling"))
    assert equal.fit is not None
    assert not equal.fit.robust
    assert _errors(equal) == pytest.approx(_errors(Logistic().learn(table)), rel=1e-9)


@pytest.mark.slow
def test_an_interval_covers_the_truth_as_often_as_it_says() -> None:
    """Rows with large weights are all that some part of the people has: the likelihood's errors are short."""
    dice = np.random.default_rng(3)
    hits = 0
    for _ in range(200):
        x = dice.normal(size=300)
        target = dice.random(300) < 1 / (1 + np.exp(-0.5 * x))
        weights = np.where(dice.random(300) < 0.1, 20.0, 1.0) * dice.lognormal(0, 0.3, 300)
        table = replace(linear_table({"x": x}, target), weights=weights, weights_are="sampling")
        slope = cw.estimates(Logistic().learn(table))[1]
        assert slope.low is not None and slope.high is not None  # noqa: PT018 (for the type checker)
        hits += slope.low <= 0.5 <= slope.high
    assert 0.88 <= hits / 200 <= 0.98


def test_the_table_the_file_and_the_derivation_say_that_errors_are_robust() -> None:
    table, _ = _weighed(noisy_table())
    model = Logistic().learn(table)
    assert _ROBUST in str(model)
    assert model.fit is not None
    stored = json.loads(to_json(model))
    assert stored["body"]["fit"]["robust"] is True
    assert _fit_in(to_json(model)) == model.fit
    del stored["body"]["fit"]["robust"]
    with pytest.raises(ModelFileError, match=r"body\.fit: 'robust' is missing"):
        from_json(json.dumps(stored))
    of_x = weight_figure(model, cw.estimates(model)[1], 1)
    (error,) = [each for each in of_x.under if each.name.startswith("std. error")]
    assert "the sandwich n ÷ (n − 1) · A⁻¹ B A⁻¹" in error.because


def _fit_in(text: str) -> Any:
    model = from_json(text)
    assert isinstance(model, cw.LinearModel)
    return model.fit


def test_likelihood_ratios_have_no_p() -> None:
    table, _ = _weighed(noisy_table())
    model = Logistic().learn(table)
    ratio = model_likelihood_ratio(model)
    assert ratio is not None
    assert np.isnan(ratio[2])
    assert "(no p: its distribution is not known of weighted rows)" in str(model)
    assert model.fit is not None
    assert {each.kind for each in model.fit.tests} == {"wald"}
    z = {str(each.term): each.z or 0.0 for each in cw.estimates(model)}
    statistics = {each.name: each.statistic for each in model.fit.tests}
    assert statistics["x"] == pytest.approx(z["x"] ** 2, rel=1e-6)  # Wald's, with the robust error
    with pytest.raises(LearningError, match=r"no known distribution.*Use test='wald'"):
        Logistic(test="likelihood ratio").learn(table)


def test_weights_that_separated_rows_leave_settled_have_robust_errors() -> None:
    dice = np.random.default_rng(5)
    x, c = dice.normal(size=300), dice.integers(0, 3, 300)
    target = (dice.random(300) < 1 / (1 + np.exp(-x))) | (c == 2)
    table, weights = _weighed(linear_table({"x": x, "c": c}, target))
    with pytest.warns(ClearwoodWarning, match="separated"):
        model = Logistic(reference="first").learn(table)
    stay = c != 2
    alone = linear_table({"x": x[stay], "c": c[stay]}, target[stay])
    alone = replace(alone, weights=weights[stay], weights_are="sampling")
    expected = cw.estimates(Logistic(reference="first").learn(alone))[1].error
    actual = cw.estimates(model)[1].error
    assert actual is not None
    assert expected is not None
    of_rows = np.sqrt(300 / 299) / np.sqrt(stay.sum() / (stay.sum() - 1))
    assert actual == pytest.approx(expected * of_rows, rel=1e-4)
