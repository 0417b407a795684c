"""AdaBoost by SAMME: the weights, errors and answers of scikit-learn's, on numeric tables."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, load_iris, load_wine, make_classification
from sklearn.ensemble import AdaBoostClassifier
from sklearn.tree import DecisionTreeClassifier

import clearwood as cw
from clearwood.errors import ClearwoodWarning, LearningError, SettingError
from clearwood.models.lineage import EndedEarly
from clearwood.table.table import Table
from tests.typed import mistyped

TENNIS = cw.read_table(cw.datasets.path("tennis"), target="PlayTennis")


def noisy(*, return_X_y: bool) -> Any:  # noqa: N803  as scikit-learn's loaders are called
    """Three classes that overlap, so that small nodes are not pure and splits do not tie."""
    assert return_X_y
    return make_classification(
        600,
        6,
        n_informative=4,
        n_redundant=0,
        n_classes=3,
        n_clusters_per_class=1,
        flip_y=0.3,
        random_state=1,
    )


def numeric_table(load: object, *, noise: int = 0) -> tuple[Table, np.ndarray, np.ndarray]:
    x, y = load(return_X_y=True)  # type: ignore[operator]
    # Distinct numbers, so that the two never meet a tie between columns, which scikit-learn breaks by chance.
    x = (
        (x * (1 + np.random.default_rng(noise).normal(0, 1e-3, x.shape)))
        .astype(np.float32)
        .astype(np.float64)
    )
    columns = {f"x{i}": x[:, i] for i in range(x.shape[1])}
    names = tuple(f"c{c}" for c in range(y.max() + 1))
    schema = cw.Schema(tuple(map(cw.Numeric, columns)), cw.Nominal("y", names))
    return cw.encode({**columns, "y": [f"c{c}" for c in y]}, schema), x, y


@pytest.mark.parametrize("rate", [1.0, 0.5])
@pytest.mark.parametrize(
    ("load", "depth"), [(load_breast_cancer, 1), (load_iris, 1), (load_wine, 1), (noisy, 2)]
)
def test_the_weights_errors_and_answers_are_those_of_scikit_learn(
    load: object, depth: int, rate: float
) -> None:
    table, x, y = numeric_table(load)
    model = cw.AdaBoost(of=cw.CART(max_depth=depth), trees=20, rate=rate).learn(table)
    theirs = AdaBoostClassifier(
        DecisionTreeClassifier(max_depth=depth, random_state=0),
        n_estimators=20,
        learning_rate=rate,
        random_state=0,
    ).fit(x, y)
    size = len(theirs.estimators_)
    assert model.size == size
    np.testing.assert_allclose(model.weights, theirs.estimator_weights_[:size], rtol=1e-9)
    np.testing.assert_allclose(model.curves[1].values, theirs.estimator_errors_[:size], rtol=1e-9)
    answers = np.array([int(name[1:]) for name in cw.predict(model, table)])
    assert (answers == theirs.predict(x)).all()


def test_rows_begin_with_their_own_weights() -> None:
    table, x, y = numeric_table(load_breast_cancer)
    weights = np.random.default_rng(1).integers(1, 5, len(y)).astype(float)
    model = cw.AdaBoost(trees=10).learn(replace(table, weights=weights))
    theirs = AdaBoostClassifier(DecisionTreeClassifier(max_depth=1), n_estimators=10).fit(
        x, y, sample_weight=weights
    )
    np.testing.assert_allclose(model.weights, theirs.estimator_weights_, rtol=1e-9)


def test_a_member_without_error_is_kept_with_weight_1_and_ends_it() -> None:
    model = cw.AdaBoost(of=cw.ID3()).learn(TENNIS)
    assert model.size == 1
    assert model.weights == (1.0,)
    assert model.curves[1].values == (0.0,)


def test_a_first_member_no_better_than_chance_is_refused() -> None:
    coin = cw.read_table({"x": ["a", "a", "b", "b"], "y": ["n", "p", "n", "p"]}, target="y")
    with pytest.raises(LearningError, match="no better than chance"):
        cw.AdaBoost().learn(coin)


def test_it_is_not_advised_to_grow_where_no_column_tells_rows_apart() -> None:
    same = cw.Schema((cw.Nominal("x", ("a", "b")),), cw.Nominal("y", ("n", "p")))
    table = cw.encode({"x": ["a"] * 4, "y": ["n", "p", "n", "p"]}, same)
    with pytest.raises(LearningError, match="nothing tells the classes apart") as refused:
        cw.AdaBoost().learn(table)
    assert "let it grow" not in str(refused.value)
    words = cw.Schema((cw.Text("x"),), cw.Nominal("y", ("n", "p")))
    table = cw.encode({"x": ["good day", "bad", "a day", "no"], "y": ["n", "p", "n", "p"]}, words)
    with (
        pytest.warns(ClearwoodWarning, match="cannot ask about text"),
        pytest.raises(LearningError, match="no column that CART can learn from"),
    ):
        cw.AdaBoost().learn(table)


def test_a_member_without_error_ends_it_and_the_model_says_so() -> None:
    model = cw.AdaBoost(of=cw.ID3()).learn(TENNIS)
    assert model.origin.after == (EndedEarly(1, 50, "member", "no error"),)
    assert "Learning ended after 1 of 50 members: the last makes no error" in str(model)
    assert model.origin.title == "AdaBoost"


def test_a_member_no_better_than_chance_ends_it_and_the_model_says_so() -> None:
    # One column that says nothing: after the first member both classes weigh the same.
    table = cw.read_table({"x": list("ababab"), "y": list("ppppnn")}, target="y")
    model = cw.AdaBoost(trees=30).learn(table)
    assert model.origin.after == (EndedEarly(1, 30, "member", "chance"),)
    assert "the next was no better than chance" in str(model)


def test_one_member_does_not_vote_with_others() -> None:
    assert "they" not in str(cw.AdaBoost(of=cw.ID3()).learn(TENNIS)).split("\n")[0]


def test_one_class_needs_one_member() -> None:
    table = cw.read_table({"x": [1.0, 2.0], "y": ["a", "a"]}, target="y")
    model = cw.AdaBoost().learn(table)
    assert (model.size, cw.predict(model, table).tolist()) == (1, ["a", "a"])


def test_it_boosts_c45_rules_and_bayes() -> None:
    for of in (cw.C45(), cw.CN2(), cw.NaiveBayes(), cw.PRISM()):
        model = cw.AdaBoost(of=of, trees=5).learn(TENNIS)
        assert 1 <= model.size <= 5
        assert model.curves[0].values[-1] <= 0.4


def test_it_learns_classes_only() -> None:
    numbers = cw.read_table({"x": [1.0, 2.0], "y": [1.5, 2.5]}, target="y")
    with pytest.raises(LearningError, match="AdaBoost learns classes"):
        cw.AdaBoost().learn(numbers)


def test_costs_of_its_learner_are_refused() -> None:
    with pytest.raises(SettingError, match="leave costs of CART out"):
        cw.AdaBoost(of=cw.CART(costs={("a", "b"): 2}))


def test_the_learner_must_be_one() -> None:
    with pytest.raises(SettingError, match="of must be a learner"):
        cw.AdaBoost(of=mistyped("c45"))
    with pytest.raises(SettingError, match="learner of single models"):
        cw.Bagging(of=cw.Bagging(trees=2), trees=2).learn(TENNIS)
