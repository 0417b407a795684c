"""A small table is no reason to refuse, and what is predicted is what is most probable."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn.datasets import load_diabetes, load_iris

from clearwood import CHAID, CN2, ILA, PRISM, derive, read_table
from clearwood.errors import ClearwoodWarning, LearningError
from clearwood.estimators import (
    ESTIMATORS,
    CHAIDClassifier,
    CHAIDRegressor,
    CN2Classifier,
    ILAClassifier,
    LogisticClassifier,
    PRISMClassifier,
)
from tests.estimators.tables import CLASSIFIERS

IRIS = load_iris(return_X_y=True)
TWINS = [["a", "x"]] * 5 + [["b", "x"]] * 4  # equal cells, several classes
OF_TWINS = ["no", "yes", "yes", "yes", "no", "yes", "yes", "yes", "no"]


def test_chaid_asks_a_tenth_and_a_twentieth_of_few_rows() -> None:
    rows, y = IRIS
    small = CHAIDClassifier().fit(rows, y)
    assert small.tree_.origin.settings["min_rows"] == 15
    assert small.tree_.origin.settings["min_leaf"] == 7
    assert small.score(rows, y) > 0.9 > CHAIDClassifier(min_rows=100, min_leaf=50).fit(rows, y).score(rows, y)
    weighed = CHAIDClassifier().fit(rows, y, sample_weight=np.full(150, 10))
    assert weighed.tree_.origin.settings["min_rows"] == CHAID().min_rows
    assert weighed.tree_.origin.settings["min_leaf"] == CHAID().min_leaf


def test_chaid_on_a_handful_of_rows_answers_without_a_split() -> None:
    model = CHAIDClassifier().fit([[1.0], [2.0], [3.0]], ["a", "b", "a"])
    assert model.get_n_leaves() == 1
    assert model.predict([[2.0]]).tolist() == ["a"]
    rows, y = load_diabetes(return_X_y=True)
    assert CHAIDRegressor().fit(rows, y).score(rows, y) > 0.4


@pytest.mark.filterwarnings("ignore::clearwood.errors.ClearwoodWarning")
@pytest.mark.parametrize("name", CLASSIFIERS)
def test_one_row_and_one_column_are_a_table(name: str) -> None:
    if name != "LogisticClassifier":
        assert ESTIMATORS[name]().fit([["x"]], ["only"]).predict([["x"], ["y"]]).tolist() == ["only"] * 2
    model = ESTIMATORS[name]().fit([["x"], ["y"]], [0, 1])
    assert model.predict_proba([["x"], ["y"]]).shape == (2, 2)


def test_logistic_regression_holds_weights_down_that_the_rows_cannot_settle() -> None:
    draw = np.random.default_rng(0)
    rows, y = draw.normal(size=(15, 30)), draw.integers(0, 3, 15)
    with pytest.warns(ClearwoodWarning, match=r"15 rows cannot settle 31 weights .* penalty='l2'"):
        model = LogisticClassifier().fit(rows, y)
    penalised = LogisticClassifier(penalty="l2").fit(rows, y)
    np.testing.assert_array_equal(model.predict_proba(rows), penalised.predict_proba(rows))
    assert model.weights_.penalised
    table = read_table({**{f"x{j}": rows[:, j] for j in range(30)}, "y": list("abc") * 5}, target="y")
    with pytest.raises(LearningError, match="cannot settle"):  # the learner leaves the choice to its user
        LogisticClassifier.LEARNER().learn(table)


@pytest.mark.filterwarnings("ignore::clearwood.errors.ClearwoodWarning")
@pytest.mark.parametrize("estimator", [PRISMClassifier(), ILAClassifier(), CN2Classifier()])
def test_rules_answer_what_their_rows_make_most_probable(estimator: Any) -> None:
    for rows, y in ((TWINS, OF_TWINS), (np.round(IRIS[0]), IRIS[1])):
        model = estimator.fit(rows, y)
        likeliest = model.classes_[model.predict_proba(rows).argmax(axis=1)]
        assert model.predict(rows).tolist() == likeliest.tolist()


def test_a_rule_of_prism_that_is_not_pure_answers_its_most_common_class() -> None:
    table = read_table(
        [{"x": a, "z": b, "y": c} for (a, b), c in zip(TWINS, OF_TWINS, strict=True)], target="y"
    )
    assert PRISM().learn(table).rules[0].then == "no"
    assert PRISMClassifier().fit(TWINS, OF_TWINS).predict(TWINS).tolist() == ["yes"] * 9


@pytest.mark.filterwarnings("ignore::clearwood.errors.ClearwoodWarning")
@pytest.mark.parametrize("estimator", [PRISMClassifier(), ILAClassifier()])
def test_the_derivation_ends_with_the_answers_that_the_estimator_changed(estimator: Any) -> None:
    names = ["x0", "x1", "x2", "x3"]
    rows, y = np.round(IRIS[0]), IRIS[1].astype(str)
    table = read_table(
        {**dict(zip(names, rows.T, strict=True)), "target": y},
        target="target",
        kinds=dict.fromkeys(names, "numeric"),
    )
    *_, last = derive(estimator.fit(rows, y).rules_, table)
    assert last.decision.startswith("Every prediction is the most common class of the rows behind it: ")


@pytest.mark.filterwarnings("ignore::clearwood.errors.ClearwoodWarning")
def test_ila_describes_classes_in_one_order_whichever_row_comes_first() -> None:
    rows = [["a", "u"], ["a", "v"], ["b", "u"], ["b", "w"]]
    y = ["yes", "no", "no", "yes"]
    forward, backward = (ILAClassifier().fit(rows[::step], y[::step]) for step in (1, -1))
    assert [rule.then for rule in forward.rules_] == [rule.then for rule in backward.rules_]
    assert forward.rules_.rules[0].then == "no"
    assert ILA().learn(_table(rows, y)).rules[0].then == "no"


def test_what_cn2_leaves_answers_otherwise_only_if_it_weighs_a_row() -> None:
    rows, y = [["a"]] * 6 + [["b"]] * 2, ["no"] * 6 + ["yes"] * 2
    weights = [1.0] * 6 + [1e-3] * 2
    assert CN2Classifier().fit(rows, y).predict([["c"]]).tolist() == ["yes"]
    assert CN2Classifier().fit(rows, y, weights).predict([["c"]]).tolist() == ["no"]
    table = _table(rows, y, weights)
    assert CN2().learn(table).otherwise == CN2().learn_with_steps(table)[0].otherwise


def _table(rows: list[list[str]], y: list[str], weights: list[float] | None = None) -> Any:
    cells = [{f"x{j}": cell for j, cell in enumerate(row)} | {"y": c} for row, c in zip(rows, y, strict=True)]
    if weights is None:
        return read_table(cells, target="y")
    weighed = [{**row, "w": weight} for row, weight in zip(cells, weights, strict=True)]
    return read_table(weighed, target="y", weight="w", weights_are="counts")
