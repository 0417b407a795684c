"""Gaussian Naive Bayes with shared variances is a logistic model: the same shares, by weights."""

from __future__ import annotations

import math

import numpy as np
import pytest

from clearwood.draw.linear import side_by_side
from clearwood.errors import LearningError, SettingError
from clearwood.learners.bayes.naive_bayes import NaiveBayes
from clearwood.learners.linear.bayes_as_logistic import gaussian_bayes_as_logistic
from clearwood.learners.linear.logistic import Logistic
from clearwood.predicting.of_linear import shares_of_linear
from clearwood.table.table import Table
from tests.learners.linear_tables import linear_table, noisy_table


def _by_the_formula(table: Table, names: list[str]) -> np.ndarray:
    """P(class) · Π N(x; μ, σ²), normalised, with empty cells left out of the product."""
    classes = len(table.schema.classes)
    joint = np.tile(np.log(np.bincount(table.target, minlength=classes) / len(table)), (len(table), 1))
    for name in names:
        x = table.columns[name]
        means = np.array([np.nanmean(x[table.target == c]) for c in range(classes)])
        variance = np.nanmean((x - means[table.target]) ** 2)
        joint += np.nan_to_num(-((x[:, None] - means) ** 2) / (2 * variance))
    shares = np.exp(joint - joint.max(axis=1, keepdims=True))
    return np.asarray(shares / shares.sum(axis=1, keepdims=True))


@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("gaps", [False, True])
def test_its_shares_are_those_of_bayes_rule(classes: int, gaps: bool) -> None:
    table = noisy_table(classes=classes)
    columns = {name: table.columns[name].copy() for name in ("x", "z")}
    if gaps:
        columns["x"][::3] = np.nan
    table = linear_table(columns, table.target, classes)
    model = gaussian_bayes_as_logistic(table)
    assert shares_of_linear(model, table) == pytest.approx(_by_the_formula(table, ["x", "z"]), abs=1e-9)


def test_the_textbooks_weights_have_the_other_sign() -> None:
    x = np.array([1.0, 3.0, 4.0, 6.0, 8.0])
    model = gaussian_bayes_as_logistic(linear_table({"x": x}, [0, 0, 1, 1, 1]))
    variance = (2 + 8) / 5
    assert model.weights[0][0] == pytest.approx(-(2 - 6) / variance)
    pi = 3 / 5  # of Y = 1
    w0 = math.log((1 - pi) / pi) + (6**2 - 2**2) / (2 * variance)
    assert model.intercepts[0] == pytest.approx(-w0)


def test_a_bayes_model_gives_the_weights_of_its_table() -> None:
    table = noisy_table()
    ours = gaussian_bayes_as_logistic(NaiveBayes().learn(table))
    assert ours.weights == gaussian_bayes_as_logistic(table).weights
    assert [each.what for each in ours.left_out] == ["c"]


def test_the_two_stand_side_by_side() -> None:
    table = noisy_table()
    shown = side_by_side({"fitted": Logistic().learn(table), "Bayes": gaussian_bayes_as_logistic(table)})
    head, intercept, x, *_, last = shown.splitlines()
    assert head.split()[-2:] == ["fitted", "Bayes"]
    assert intercept.startswith("(intercept)")
    assert len(x.split()) == 3
    assert last.endswith("–")
    with pytest.raises(SettingError, match="does not tell the same classes apart"):
        side_by_side({"two": Logistic().learn(table), "other": Logistic(against="B").learn(table)})


def test_one_class_and_flat_numbers_are_said() -> None:
    with pytest.raises(LearningError, match="nothing to learn"):
        gaussian_bayes_as_logistic(linear_table({"x": np.array([1.0, 2.0])}, [1, 1]))
    model = gaussian_bayes_as_logistic(linear_table({"x": np.array([1.0, 1.0, 2.0])}, [0, 0, 1]))
    assert model.terms == ()
    assert model.left_out[0].because == "within each class all its numbers are the same"
