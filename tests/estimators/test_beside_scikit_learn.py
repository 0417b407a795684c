"""On numbers, CART answers as scikit-learn's trees do, up to ties between columns."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, load_diabetes, load_digits, load_iris, load_wine
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from clearwood import CARTClassifier, CARTRegressor

CLASSES = {"iris": load_iris, "wine": load_wine, "digits": load_digits, "cancer": load_breast_cancer}
SEEDS = range(6)  # where two columns cut the rows alike scikit-learn draws one: some draw must be ours


@pytest.mark.slow
@pytest.mark.parametrize("name", CLASSES)
@pytest.mark.parametrize("measure", ["gini", "entropy"])
@pytest.mark.parametrize("depth", [1, 2, 3, 5, None])
def test_classes(name: str, measure: str, depth: int | None) -> None:
    rows, y = CLASSES[name](return_X_y=True)
    ours = CARTClassifier(measure=measure, max_depth=depth).fit(rows, y)
    theirs = [
        DecisionTreeClassifier(criterion=measure, max_depth=depth, random_state=seed).fit(rows, y)
        for seed in SEEDS
    ]
    shares = ours.predict_proba(rows)
    assert any(np.allclose(shares, each.predict_proba(rows)) for each in theirs)


@pytest.mark.parametrize("measure", ["squared", "absolute"])
@pytest.mark.parametrize("depth", [1, 3, 5])
def test_numbers(measure: str, depth: int) -> None:
    rows, y = load_diabetes(return_X_y=True)
    answers = CARTRegressor(measure=measure, max_depth=depth).fit(rows, y).predict(rows)
    theirs = [
        DecisionTreeRegressor(criterion=f"{measure}_error", max_depth=depth, random_state=seed).fit(rows, y)
        for seed in SEEDS
    ]
    assert any(np.allclose(answers, each.predict(rows)) for each in theirs)


@pytest.mark.parametrize("seed", range(5))
def test_without_ties_new_rows_importances_and_weights_agree_too(seed: int) -> None:
    draw = np.random.default_rng(seed)
    rows, new = draw.normal(size=(2, 2000, 6)).astype(np.float32)
    noise, weights = draw.normal(size=2000), draw.uniform(0.5, 2.0, 2000)
    number = rows[:, 0] * rows[:, 1] + rows[:, 2] + noise
    y = np.digitize(number, [-1, 1])
    ours = CARTClassifier(max_depth=6, min_leaf=20).fit(rows, y, weights)
    theirs = DecisionTreeClassifier(max_depth=6, min_weight_fraction_leaf=20 / weights.sum(), random_state=0)
    theirs.fit(rows, y, weights)
    assert ours.predict(new).tolist() == theirs.predict(new).tolist()
    np.testing.assert_allclose(ours.predict_proba(new), theirs.predict_proba(new), atol=1e-9)
    np.testing.assert_allclose(ours.feature_importances_, theirs.feature_importances_, atol=1e-9)
    assert (ours.get_depth(), ours.get_n_leaves()) == (theirs.get_depth(), theirs.get_n_leaves())
    regressor = CARTRegressor(max_depth=5, min_leaf=20).fit(rows, number)
    numbers = DecisionTreeRegressor(max_depth=5, min_samples_leaf=20, random_state=0).fit(rows, number)
    np.testing.assert_allclose(regressor.predict(new), numbers.predict(new))
    np.testing.assert_allclose(regressor.feature_importances_, numbers.feature_importances_, atol=1e-9)


def test_class_weights_grow_the_tree_of_scikit_learn() -> None:
    draw = np.random.default_rng(0)
    rows = draw.normal(size=(1500, 5))
    y = (rows[:, 0] + rows[:, 1] ** 2 + draw.normal(size=1500) > 2.5).astype(int)
    for weight in ("balanced", {0: 1, 1: 4.5}):
        # Our limits are of weight, theirs of rows: here they set none.
        ours = CARTClassifier(max_depth=4, min_rows=0, min_leaf=0, class_weight=weight).fit(rows, y)
        theirs = DecisionTreeClassifier(max_depth=4, class_weight=weight, random_state=0).fit(rows, y)
        np.testing.assert_allclose(ours.predict_proba(rows), theirs.predict_proba(rows), atol=1e-9)
