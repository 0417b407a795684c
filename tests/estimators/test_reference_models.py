"""Reference models and wrapped estimators give what scikit-learn gives in a loop over the same folds."""

from __future__ import annotations

import builtins
from typing import Any

import numpy as np
import pytest
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LinearRegression, RidgeClassifier
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier

import clearwood as cw
from clearwood.errors import MissingExtraError
from clearwood.estimators.reference_models import table_coding
from clearwood.scoring.predictions import ClassPredictions
from clearwood.study.contest import contenders as reference_models
from clearwood.study.dividing import parts_by_design
from clearwood.table.folding import in_order_of_content
from tests.study.contest.tables import credit, prices

DESIGN = cw.Folds(4, seed=3)


def naive(estimator: Any, table: cw.Table) -> list[float]:
    """Columns by hand: one-hot, medians of the training rows."""
    classes = np.array(table.schema.classes)
    accuracies = []
    for part in parts_by_design(DESIGN, table):
        train, test = in_order_of_content(table.take(part.learn)), table.take(part.judge)
        arrays = []
        for rows in (train, test):
            columns = []
            for name in ("income", "age"):
                median = np.nanmedian(train.columns[name])
                cells = rows.columns[name]
                columns.append(np.where(np.isnan(cells), median, cells))
                if np.isnan(train.columns[name]).any():
                    columns.append(np.isnan(cells).astype(float))
            for name in ("house", "customer"):
                codes = np.unique(train.columns[name])
                columns += [(rows.columns[name] == code).astype(float) for code in codes]
            arrays.append(np.column_stack(columns))
        fitted = estimator.fit(arrays[0], classes[train.target])
        accuracies.append(float(np.mean(fitted.predict(arrays[1]) == classes[test.target])))
    return accuracies


@pytest.mark.parametrize(
    ("name", "estimator"),
    [
        ("svm", make_pipeline(StandardScaler(), SVC())),
        ("knn", make_pipeline(StandardScaler(), KNeighborsClassifier())),
        ("random_forest", RandomForestClassifier(random_state=0)),
    ],
)
def test_a_reference_model_is_scikit_learns_in_the_same_folds(name: str, estimator: Any) -> None:
    table = credit(missing=True)
    choice = cw.choose(table, [name], design=DESIGN)
    assert list(choice[name].scores) == naive(estimator, table)


def test_any_estimator_given_is_wrapped_and_copied() -> None:
    own = DecisionTreeClassifier(max_depth=3, random_state=0)
    table = credit(missing=True)
    choice = cw.choose(table, [own, cw.C45()], design=DESIGN)
    assert list(choice["DecisionTreeClassifier"].scores) == naive(own, table)
    assert not hasattr(DecisionTreeClassifier(), "tree_")
    assert choice["DecisionTreeClassifier"].size is None
    assert choice.best().name == "c45"


def test_our_own_estimators_are_read_as_their_learners() -> None:
    choice = cw.choose(credit(), [cw.CARTClassifier(max_depth=2)], design=DESIGN)
    assert choice["cart:max_depth=2"].readable


def test_regressors_predict_numbers_and_classifiers_do_not() -> None:
    choice = cw.choose(
        prices(), [LinearRegression(), "svm", "knn", RidgeClassifier(), cw.CART()], design=DESIGN
    )
    assert choice["LinearRegression"].score > 0
    assert choice["RidgeClassifier"].refused.endswith("tells classes apart, but the target is a number.")


def test_what_scikit_learn_refuses_is_a_sentence_of_the_contender() -> None:
    few = cw.read_table({"x": [1.0, 2.0, 3.0, 4.0], "y": ["a", "b", "a", "b"]}, target="y")
    choice = cw.choose(few, ["knn", "c45"], design=cw.Folds(2))
    assert "scikit-learn's KNeighborsClassifier refuses these rows" in choice["knn"].refused


def test_shares_come_from_calibration_where_an_estimator_has_none() -> None:
    pytest.importorskip("clearwood.scoring.share_scores")
    choice = cw.choose(credit(300), [RidgeClassifier(), "svm"], design=DESIGN, by="auc", positive="good")
    for each in choice.judged:
        assert isinstance(each.predictions, ClassPredictions)
        shares = each.predictions.shares
        assert shares.sum(axis=1) == pytest.approx(np.ones(len(shares)))
        assert each.score > 0.75


def test_cells_are_coded_by_the_training_rows_alone() -> None:
    table = cw.read_table(
        {
            "size": ["low", "high", None, "low"],
            "kind": ["a", "b", "a", "c"],
            "n": [1.0, None, 3.0, 9.0],
            "y": list("uvuv"),
        },
        target="y",
        ordered={"size": ["low", "high"]},
    )
    coding = table_coding(table.take(np.arange(3)))
    assert coding.array(table.take(np.array([3]))).tolist() == [[0.0, 0.0, 0.0, 0.0, 9.0, 0.0]]
    assert coding.array(table.take(np.array([1, 2]))).tolist() == [
        [1.0, 0.0, 0.0, 1.0, 2.0, 1.0],
        [0.5, 1.0, 1.0, 0.0, 3.0, 0.0],
    ]


def test_without_scikit_learn_a_named_reference_model_is_refused_and_the_usual_ones_are_noted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    real = builtins.__import__

    def without(name: str, *more: Any, **rest: Any) -> Any:
        if name.partition(".")[0] == "sklearn":
            raise ModuleNotFoundError(name)
        return real(name, *more, **rest)

    def missing(_: str) -> Any:
        raise MissingExtraError("The estimators follow scikit-learn's contract; install it")

    monkeypatch.setattr(builtins, "__import__", without)
    monkeypatch.setattr(reference_models, "find_spec", lambda _: None)
    monkeypatch.setattr("clearwood.registry.imported", missing)
    monkeypatch.setattr(
        reference_models.REFERENCE_MODELS, "_entries", {"svm": "clearwood.estimators.reference_models:svm"}
    )
    with pytest.raises(MissingExtraError, match="'svm' is scikit-learn's; install it"):
        cw.choose(credit(), ["c45", "svm"], design=DESIGN)
    usual = reference_models.usual_reference_models(100, numbers=False)
    assert usual.contenders == ()
    assert usual.notes[0].startswith("No reference models: they are scikit-learn's")


def test_on_many_rows_reference_models_stand_in_the_table_learned_from_a_sample(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """No contender is left to a note: random_forest was, from 10,000 rows on, where it is the strongest."""
    most = {"lda": 999, "knn": 40, "svm": 50, "random_forest": 60}
    monkeypatch.setattr(reference_models, "MOST_ROWS", most)
    table = credit(90)
    choice = cw.choose(table, design=cw.Folds(3), tune=False)
    names = {each.name for each in choice.judged if each.predictions is not None}
    assert {"lda", "knn:rows=40", "svm:rows=50"} <= names
    assert any("svm 50, random_forest 60. One that is named learns" in note for note in choice.notes)
    assert all(len(choice.predictions[name]) == 90 for name in names)  # all rows are predicted
    # A forest of all 60 rows of each part is the same as one of at most 60; one of 59 is another.
    named = cw.choose(table, ["random_forest", "cart"], design=cw.Folds(3))
    assert choice["random_forest:rows=60"].scores == named["random_forest"].scores
    assert "knn" in {each.name for each in cw.choose(table, ["knn", "cart"], design=cw.Folds(3)).judged}


def test_the_sample_of_a_reference_model_does_not_depend_on_the_order_of_rows(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(reference_models, "MOST_ROWS", {"lda": 30, "knn": 30, "svm": 30, "random_forest": 30})
    table = credit(90)
    turned = table.take(np.arange(90)[::-1])
    one, other = (cw.choose(each, design=cw.HoldOut(0.3), tune=False) for each in (table, turned))
    for name in ("lda:rows=30", "knn:rows=30", "svm:rows=30", "random_forest:rows=30"):
        assert one[name].score == other[name].score


def test_a_budget_counts_the_rows_that_a_sampled_contender_predicts(monkeypatch: pytest.MonkeyPatch) -> None:
    most = {"lda": 999, "knn": 40, "svm": 50, "random_forest": 60}
    monkeypatch.setattr(reference_models, "MOST_ROWS", most)
    choice = cw.choose(credit(200), design=cw.Folds(2), budget=120)
    assert "svm:rows=50" in {each.name for each in choice.judged if not each.refused}


def test_a_bug_around_an_estimator_is_no_refusal_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    def coding(_: cw.Table) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr("clearwood.estimators.reference_models.table_coding", coding)
    with pytest.raises(ZeroDivisionError):
        cw.choose(credit(), ["knn", cw.C45()], design=DESIGN)
