"""Logistic regression gives statsmodels' figures, and under a penalty scikit-learn's."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from clearwood.learners.linear.logistic import Logistic
from clearwood.predicting.estimates import estimates
from clearwood.predicting.of_linear import codes_of_linear, shares_of_linear
from tests.generated_tables import generated_table
from tests.learners.linear_tables import noisy_table

FIGURES = json.loads((Path(__file__).parents[1] / "figures" / "logistic.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("figure", FIGURES["fits"], ids=lambda f: f"{f['flavour']} {f['seed']}")
def test_weights_errors_and_p_values_are_those_of_statsmodels(figure: dict[str, Any]) -> None:
    model = Logistic(reference="first").learn(generated_table(figure["flavour"], figure["seed"]))
    weights = estimates(model)
    assert [each.weight for each in weights] == pytest.approx(figure["weights"], rel=1e-6, abs=1e-6)
    assert [each.error for each in weights] == pytest.approx(figure["errors"], rel=1e-6, abs=1e-6)
    assert [each.p for each in weights] == pytest.approx(figure["p"], abs=1e-6)
    assert model.fit is not None
    assert model.fit.log_likelihood == pytest.approx(figure["log_likelihood"], rel=1e-9)
    assert model.fit.null_log_likelihood == pytest.approx(figure["null"], rel=1e-9)


@pytest.mark.slow
@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("penalty", ["l1", "l2"])
@pytest.mark.parametrize("strength", [0.1, 2.0, 30.0])
@pytest.mark.parametrize("standardise", [True, False])
def test_penalised_weights_and_answers_are_those_of_scikit_learn(
    classes: int, penalty: Any, strength: float, standardise: bool
) -> None:
    linear = pytest.importorskip("sklearn.linear_model")
    table = noisy_table(300, seed=classes, classes=classes)
    numbers = np.column_stack([table.columns[name] for name in ("x", "z", "noise")])
    numbers[:, 1] /= 10  # saga needs columns of like size where nothing is scaled
    table = table.take(np.arange(300))
    table.columns["z"][:] = numbers[:, 1]
    scale = numbers.std(axis=0) if standardise else np.ones(3)
    indicators = (table.columns["c"][:, None] == np.arange(1, 4)).astype(float)
    rows = np.column_stack([(numbers - numbers.mean(axis=0)) / scale, indicators])
    theirs = linear.LogisticRegression(
        C=1 / strength,
        l1_ratio=1.0 if penalty == "l1" else 0.0,
        solver="saga" if penalty == "l1" else "lbfgs",
        tol=1e-9,
        max_iter=50_000,
    ).fit(rows, table.target)
    learner = Logistic(penalty=penalty, strength=strength, standardise=standardise, reference="first")
    model = learner.learn(table)
    ours = np.array(model.weights) * np.append(scale, np.ones(3))
    expected = theirs.coef_
    if classes > 2 and model.against is not None:
        # Differences to the first class: what is common to all classes cannot be seen in the data.
        expected = expected[1:] - expected[0]
    assert ours == pytest.approx(expected, abs=1e-4)
    assert shares_of_linear(model, table) == pytest.approx(theirs.predict_proba(rows), abs=1e-4)
    assert (codes_of_linear(model, table) == theirs.predict(rows)).mean() > 0.99
