"""What we promise beyond scikit-learn's checks: labels, weights, settings, importances, and sentences."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import fields
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

from clearwood import CART, CARTClassifier, CARTRegressor, CHAIDClassifier, ID3Classifier, leaf_of, read_table
from clearwood.errors import ClearwoodError
from clearwood.estimators import ESTIMATORS, C45Classifier
from clearwood.estimators.estimator import SmoothedClassifier
from clearwood.estimators.rules import THEIR_OWN
from clearwood.estimators.trees import BY_SIZE
from clearwood.models.kinds.additive.additive_model import AdditiveModel
from clearwood.models.kinds.bayes.bayes_tables import BayesTables
from clearwood.models.kinds.ensemble.ensemble import Ensemble
from clearwood.models.kinds.linear.linear_model import LinearModel
from clearwood.models.kinds.rules.rule_list import RuleList
from clearwood.table.attributes import Nominal, Ordinal
from tests.estimators.tables import CLASSIFIERS, TREES, fruit, make, ripe, target_for
from tests.typed import mistyped

pytestmark = pytest.mark.filterwarnings("ignore::clearwood.errors.ClearwoodWarning")  # columns of noise go

FRAME = fruit()
LABELS = ripe(FRAME)
OURS = {"kinds", "ordered", "dates", "weights_are", "class_weight", "variant"}
NAMED: dict[str, dict[str, str | None]] = {  # learners within the settings, which clones take by name
    "TreeRulesClassifier": {"tree": "c45"},
    "BaggingClassifier": {"of": "c45"},
    "BaggingRegressor": {"of": "cart"},
    "AdaBoostClassifier": {"of": None},
}
FOR_CLASSES = {"priors", "costs", "statistic", "combine"}


@pytest.mark.parametrize("name", ESTIMATORS)
def test_the_parameters_are_the_learners_settings(name: str) -> None:
    estimator = ESTIMATORS[name]()
    settings = {each.name: each.default for each in fields(estimator.LEARNER)}
    ours = OURS | ({"smoothing"} if isinstance(estimator, SmoothedClassifier) else set())
    given = {key: value for key, value in estimator.get_params().items() if key not in ours}
    unused = set() if name in CLASSIFIERS else FOR_CLASSES
    by_name = NAMED.get(name, {})
    by_variant = dict.fromkeys(THEIR_OWN) if name == "ILAClassifier" else {}
    by_size = dict.fromkeys(BY_SIZE) if name.startswith("CHAID") else {}
    expected = {key: value for key, value in settings.items() if key not in unused}
    assert given == expected | by_name | by_variant | by_size


@pytest.mark.parametrize(
    "y",
    [
        LABELS,
        LABELS.astype(object),
        LABELS == "yes",
        (LABELS == "yes").astype(np.int8),
        (LABELS == "yes") * 1.0,
        pd.Series(LABELS),
        pd.Series(LABELS).astype("category"),
        pl.Series(LABELS),
        LABELS.tolist(),
    ],
    ids=lambda y: type(y).__name__ + " " + str(getattr(y, "dtype", "")),
)
def test_classes_are_those_of_numpy(y: Any) -> None:
    model = CARTClassifier().fit(FRAME, y)
    expected = np.unique(np.asarray(y))
    assert model.classes_.dtype == expected.dtype
    assert model.classes_.tolist() == expected.tolist()
    assert model.predict(FRAME).tolist() == np.asarray(y).tolist()
    assert model.predict(FRAME).dtype == expected.dtype
    assert model.predict_proba(FRAME).argmax(axis=1).tolist() == (LABELS == "yes").tolist()


@pytest.mark.parametrize("name", [name for name in CLASSIFIERS if name != "LogisticClassifier"])
def test_one_class_is_predicted_surely(name: str) -> None:
    model = make(name).fit(FRAME, ["only"] * len(FRAME))
    assert set(model.predict(FRAME)) == {"only"}
    assert model.predict_proba(FRAME).tolist() == [[1.0]] * len(FRAME)
    if name in TREES:
        assert model.feature_importances_.tolist() == [0.0] * 4


@pytest.mark.parametrize("name", [name for name in ESTIMATORS if name != "RIPPERClassifier"])  # it deals rows
@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_a_weight_is_so_many_rows_and_zero_is_none(name: str, library: str) -> None:
    weights = np.random.default_rng(3).integers(0, 4, len(FRAME))
    # A value and a class that occur in rows without weight alone.
    frame, labels = FRAME.copy(), LABELS.astype(object)
    frame.loc[0, "colour"], labels[0], weights[0] = "gold", "rotten", 0
    y = target_for(name, labels)
    order = np.repeat(np.arange(len(frame)), weights)
    repeated, y_repeated = frame.iloc[order], y[order]
    if library == "polars":
        weighed = make(name).fit(pl.from_pandas(frame), y, sample_weight=weights)
        spelled = make(name).fit(pl.from_pandas(repeated), y_repeated)
    else:
        weighed = make(name).fit(frame, y, sample_weight=weights)
        spelled = make(name).fit(repeated, y_repeated)
    assert weighed.model_.schema == spelled.model_.schema
    if isinstance(weighed.model_, RuleList):
        assert weighed.model_.entries == spelled.model_.entries
    elif isinstance(weighed.model_, BayesTables):
        assert weighed.model_.distributions == spelled.model_.distributions
    elif isinstance(weighed.model_, AdditiveModel):
        assert weighed.model_.shapes == spelled.model_.shapes
    elif isinstance(weighed.model_, Ensemble):
        np.testing.assert_allclose(weighed.model_.weights, spelled.model_.weights, atol=1e-12)
        np.testing.assert_allclose(weighed.predict(frame) == y, spelled.predict(frame) == y)
    elif isinstance(weighed.model_, LinearModel):
        np.testing.assert_allclose(weighed.model_.weights, spelled.model_.weights, rtol=1e-6)
        one, other = (np.array(each.model_.fit.errors, dtype=float) for each in (weighed, spelled))
        np.testing.assert_allclose(one, other, rtol=1e-6)
    elif isinstance(weighed.model_, Ensemble):
        one, other = (each.model_.trees.nodes for each in (weighed, spelled))
        np.testing.assert_allclose(one.counts, other.counts)
        np.testing.assert_allclose(one.high, other.high)
    else:
        ensemble = isinstance(weighed.model_, Ensemble)
        one, other = (
            each.model_.trees.nodes if ensemble else each.tree_.nodes for each in (weighed, spelled)
        )
        # Steps of an ensemble are of whole units, which the largest weight chooses: tiny ones differ by some.
        np.testing.assert_allclose(one.counts, other.counts, atol=1e-9 if ensemble else 0)
        np.testing.assert_allclose(one.high, other.high)
    if name in CLASSIFIERS:
        assert weighed.classes_.tolist() == ["no", "yes"]


def test_class_weights_multiply_the_rows() -> None:
    positive = (LABELS == "yes").sum()
    balanced = CARTClassifier(class_weight="balanced").fit(FRAME, LABELS)
    np.testing.assert_allclose(balanced.tree_.nodes.counts[0], [150, 150])
    tripled = CARTClassifier(class_weight={"yes": 3}).fit(FRAME, LABELS)
    assert tripled.tree_.nodes.counts[0].tolist() == [300 - positive, 3 * positive]
    # "balanced" sees weights as repeated rows.
    weights = np.where(LABELS == "yes", 2.0, 1.0)
    both = CARTClassifier(class_weight="balanced").fit(FRAME, LABELS, weights)
    assert np.ptp(both.tree_.nodes.counts[0]) == pytest.approx(0)


def test_priors_and_costs_name_classes_by_their_labels() -> None:
    y = (LABELS == "yes").astype(int)
    model = CARTClassifier(priors={0: 0.5, np.int64(1): 0.5}, costs={(1, 0): 3}, max_depth=0).fit(FRAME, y)
    named = CARTClassifier(priors={"no": 0.5, "yes": 0.5}, costs={("yes", "no"): 3})
    assert model.tree_.decision == named.fit(FRAME, LABELS).tree_.decision
    assert set(model.predict(FRAME)) == {1}
    assert set(CARTClassifier(max_depth=0).fit(FRAME, y).predict(FRAME)) == {0}


def test_smoothing_is_for_probabilities_alone() -> None:
    plain = CARTClassifier().fit(FRAME, LABELS)
    smooth = CARTClassifier(smoothing="laplace").fit(FRAME, LABELS)
    assert plain.predict_proba(FRAME).min() == 0.0
    assert np.isneginf(plain.predict_log_proba(FRAME)).any()
    assert smooth.predict_proba(FRAME).min() > 0.0
    assert smooth.predict(FRAME).tolist() == plain.predict(FRAME).tolist()


def test_kinds_and_orders_are_obeyed_by_name_and_by_position() -> None:
    model = CARTClassifier(kinds={"shelf": "nominal"}, ordered={"colour": ["blue", "green", "red"]})
    named = model.fit(FRAME, LABELS).tree_.schema
    assert named["shelf"] == Nominal("shelf", ("0", "1", "2", "3"))
    assert named["colour"] == Ordinal("colour", ("blue", "green", "red"))
    placed = CARTClassifier(kinds={1: "nominal"}).fit(np.array([[1, 5], [2, 6]]), [0, 1]).tree_.schema
    assert placed["x1"] == Nominal("x1", ("5", "6"))


def test_apply_names_the_leaf() -> None:
    model = ID3Classifier(max_depth=2).fit(FRAME, LABELS)
    leaves = model.apply(FRAME)
    assert leaves.tolist() == leaf_of(model.tree_, FRAME).tolist()
    assert model.tree_.nodes.is_leaf[leaves].all()
    assert model.get_n_leaves() == model.tree_.leaves
    assert model.get_depth() == 2


@pytest.mark.parametrize("name", TREES)
def test_importances_are_parts_of_a_whole(name: str) -> None:
    parts = make(name).fit(FRAME, target_for(name, LABELS)).feature_importances_
    assert parts.sum() == pytest.approx(1)
    assert set(np.argsort(parts)[2:]) == {0, 2}  # the two columns that decide


def test_the_estimator_learns_the_learners_tree() -> None:
    table = read_table(FRAME.assign(target=LABELS), target="target", kinds={"shelf": "numeric"})
    assert CARTClassifier().fit(FRAME, LABELS).tree_.nodes == CART().learn(table).nodes


def test_floats_are_not_copied(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = []
    learn = CART.learn
    monkeypatch.setattr(CART, "learn", lambda self, table: seen.append(table) or learn(self, table))  # type: ignore[func-returns-value]
    rows = np.random.default_rng(0).normal(size=(50, 3)).astype(np.float32)
    CARTClassifier().fit(rows, rows[:, 0] > 0)
    assert all(np.shares_memory(seen[0].columns[name], rows) for name in ("x0", "x1", "x2"))


MISSING_LABEL = np.array(["a", None] * 150, dtype=object)


@pytest.mark.parametrize(
    ("model", "rows", "y", "sentence"),
    [
        (CARTClassifier(max_depth=-1), FRAME, LABELS, "max_depth must be at least 0"),
        (C45Classifier(confidence=2), FRAME, LABELS, "confidence must lie between 0 and 1"),
        (CARTClassifier(smoothing=-1), FRAME, LABELS, "smoothing must be None, 'laplace' or a number"),
        (CARTClassifier(class_weight="even"), FRAME, LABELS, "'balanced' or a dict, not 'even'"),
        (CARTClassifier(class_weight=mistyped([1])), FRAME, LABELS, "'balanced' or a dict"),
        (
            CARTClassifier(class_weight=mistyped({"yes": "a"})),
            FRAME,
            LABELS,
            "a number from 0 upward, not 'a'",
        ),
        (CARTClassifier(class_weight={"yas": 2}), FRAME, LABELS, "Did you mean 'yes'"),
        (CARTClassifier(priors={"yas": 2}), FRAME, LABELS, "Did you mean 'yes'"),
        (CARTClassifier(measure="squared"), FRAME, LABELS, "does not fit a nominal target"),
        (CARTClassifier(kinds={"wieght": "numeric"}), FRAME, LABELS, "Did you mean 'weight'"),
        (CARTClassifier(), FRAME.assign(weight=np.inf), LABELS, "column 'weight', row 1: inf is infinite"),
        (CARTClassifier(), FRAME, MISSING_LABEL, "y holds missing values"),
        (CARTClassifier(), FRAME, pd.Series(["a", pd.NA] * 150, dtype="string"), "y holds missing values"),
        (CARTClassifier(), FRAME, [1.0, np.nan] * 150, "y holds missing or infinite values"),
        (CHAIDClassifier(), FRAME, np.linspace(0, 1, 300), "Take CARTRegressor or CHAIDRegressor"),
        (CARTRegressor(), FRAME, LABELS, "Convert y, or take a classifier"),
        (CARTRegressor(), FRAME, LABELS.astype(object), "Convert y, or take a classifier"),
        (CARTRegressor(), FRAME, [1.0, None] * 150, "y, row 2: nan is not a finite number"),
        (CARTClassifier(), FRAME[:0], LABELS[:0], "the pandas frame, has no rows"),
    ],
)
def test_what_cannot_be_learned_is_refused(model: Any, rows: Any, y: Any, sentence: str) -> None:
    with pytest.raises(ClearwoodError) as caught:
        model.fit(rows, y)
    assert sentence in str(caught.value)
    assert isinstance(caught.value, ValueError)


def test_wrong_weights_and_wrong_rows_are_refused() -> None:
    with pytest.raises(ValueError, match=r"sample_weight is negative \(-1\) in row 1"):
        CARTClassifier().fit(FRAME, LABELS, -np.ones(300))
    with pytest.raises(ValueError, match="Give one number a row"):
        CARTClassifier().fit(FRAME, LABELS, np.ones((300, 1)))
    model = CARTClassifier().fit(FRAME, LABELS)
    with pytest.raises(ValueError, match="'weight', row 1: 'heavy' is not a number"):
        model.predict(FRAME.assign(weight="heavy"))
    with pytest.raises(ValueError, match="same order as they were in fit"):
        model.predict(FRAME[["size", "colour", "weight", "shelf"]])
    with pytest.raises(ValueError, match="inf is infinite"):
        model.predict(FRAME.assign(weight=-np.inf))


def test_without_scikit_learn_a_sentence_says_how_to_get_it() -> None:
    text = "import sys; sys.modules['sklearn'] = None; import clearwood; clearwood.C45Classifier"
    done = subprocess.run([sys.executable, "-c", text], check=False, capture_output=True, text=True)
    assert "pip install 'clearwood[sklearn]'" in done.stderr.splitlines()[-1]
