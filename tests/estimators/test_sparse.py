"""Sparse X: Bayes and linear models learn from it, and answer, what they would of the same numbers, dense."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy import sparse
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.naive_bayes import BernoulliNB, ComplementNB, MultinomialNB
from sklearn.pipeline import make_pipeline

import clearwood.estimators.inputs as made_dense
from clearwood.errors import ClearwoodError
from clearwood.estimators import ESTIMATORS, LogisticClassifier, NaiveBayesClassifier
from clearwood.table.table import SparseColumns

READERS = ["NaiveBayesClassifier", "LogisticClassifier"]
DRAWN = np.random.default_rng(0)
COUNTS = DRAWN.poisson(0.4, (200, 12)).astype(float)
LABELS = np.array(["a", "b", "c"])[(COUNTS[:, 0] + COUNTS[:, 1] + DRAWN.integers(0, 2, 200)).astype(int) % 3]
WEIGHTS = DRAWN.integers(0, 3, 200) * 0.75
SETTINGS: list[dict[str, Any]] = [
    {},
    {"numeric": "multinomial"},
    {"numeric": "bernoulli"},
    {"numeric": "complement"},
    {"numeric": "bernoulli", "alpha": 0.0},
    {"numeric": "multinomial", "alpha": 0.0},
    {"numeric": "kernel"},
    {"numeric": "cuts"},
    {"distributions": {3: "gaussian"}, "numeric": "multinomial", "costs": {("a", "b"): 4}},
]


@pytest.mark.parametrize("form", ["csr_array", "csc_array", "coo_array", "lil_matrix", "csr_matrix"])
@pytest.mark.parametrize("settings", SETTINGS, ids=str)
def test_bayes_learns_and_answers_as_of_dense_rows(settings: dict[str, Any], form: str) -> None:
    held = getattr(sparse, form)(COUNTS)
    few, dense = (NaiveBayesClassifier(**settings).fit(rows, LABELS, WEIGHTS) for rows in (held, COUNTS))
    assert few.tables_.distributions == dense.tables_.distributions
    assert few.tables_.classes == dense.tables_.classes
    assert few.predict(held).tolist() == dense.predict(COUNTS).tolist()
    np.testing.assert_allclose(few.predict_proba(held), dense.predict_proba(COUNTS), rtol=1e-9, atol=1e-15)
    np.testing.assert_allclose(few.predict_joint_log_proba(held), dense.predict_joint_log_proba(COUNTS))
    np.testing.assert_allclose(few.decision_function(held), dense.decision_function(COUNTS), atol=1e-9)


@pytest.mark.parametrize("labels", [LABELS, LABELS == "a"], ids=["three classes", "two"])
@pytest.mark.parametrize(
    "settings", [{}, {"penalty": "l1", "strength": 2.0}, {"penalty": "l2", "priors": "equal"}], ids=str
)
def test_logistic_regression_learns_and_answers_as_of_dense_rows(
    settings: dict[str, Any], labels: Any
) -> None:
    held = sparse.csr_array(COUNTS)
    few, dense = (LogisticClassifier(**settings).fit(rows, labels) for rows in (held, COUNTS))
    assert few.weights_.weights == dense.weights_.weights
    assert few.predict(held).tolist() == dense.predict(COUNTS).tolist()
    np.testing.assert_allclose(few.predict_proba(held), dense.predict_proba(COUNTS), rtol=1e-9)
    np.testing.assert_allclose(few.decision_function(held), dense.decision_function(COUNTS), atol=1e-9)


@pytest.mark.parametrize("name", READERS)
def test_empty_cells_among_the_stored_are_empty(name: str) -> None:
    holes = COUNTS.copy()
    holes[::5, 2] = np.nan
    few, dense = (ESTIMATORS[name]().fit(rows, LABELS) for rows in (sparse.csc_array(holes), holes))
    np.testing.assert_allclose(few.predict_proba(sparse.csr_array(holes)), dense.predict_proba(holes))
    np.testing.assert_allclose(few.predict_proba(sparse.csr_array(COUNTS)), dense.predict_proba(COUNTS))
    assert few.predict(sparse.csr_array(holes)).tolist() == dense.predict(holes).tolist()


def test_stored_zeros_and_cells_stored_twice_count_once() -> None:
    twice = sparse.coo_array(([1.0, 2.0, 0.0, 3.0], ([0, 0, 1, 2], [0, 0, 1, 1])), shape=(3, 2))
    few = NaiveBayesClassifier(numeric="multinomial").fit(twice, [0, 1, 1])
    dense = NaiveBayesClassifier(numeric="multinomial").fit(twice.toarray(), [0, 1, 1])
    assert few.tables_.distributions == dense.tables_.distributions
    assert len(twice.data) == 4


@pytest.mark.parametrize("numeric", ["gaussian", "multinomial", "bernoulli"])
def test_pieces_may_be_sparse(numeric: Any) -> None:
    held = sparse.csr_array(COUNTS)
    whole = NaiveBayesClassifier(numeric=numeric).fit(held, LABELS)
    parts = NaiveBayesClassifier(numeric=numeric).partial_fit(held[:90], LABELS[:90])
    parts.partial_fit(held[90:], LABELS[90:])
    assert parts.tables_.distributions == whole.tables_.distributions


@pytest.mark.parametrize(
    ("numeric", "theirs"),
    [("multinomial", MultinomialNB()), ("bernoulli", BernoulliNB()), ("complement", ComplementNB())],
)
def test_bags_are_scikit_learns(numeric: Any, theirs: Any) -> None:
    held = sparse.csr_array(COUNTS)
    ours = NaiveBayesClassifier(numeric=numeric, priors="equal" if numeric == "complement" else None)
    theirs.fit(held, LABELS)
    np.testing.assert_allclose(
        ours.fit(held, LABELS).predict_proba(held), theirs.predict_proba(held), atol=1e-9
    )


@pytest.mark.slow
def test_a_wide_bag_is_never_dense(monkeypatch: pytest.MonkeyPatch) -> None:
    rows, columns = 20_000, 20_000  # dense 3 GB
    cells = DRAWN.integers(0, rows, 200_000), DRAWN.integers(0, columns, 200_000)
    wide = sparse.csr_array((np.ones(200_000), cells), shape=(rows, columns))
    fetched = 0

    def count(self: SparseColumns, name: str) -> Any:
        nonlocal fetched
        fetched += name not in self.dense
        return get(self, name)

    get = SparseColumns.__getitem__
    monkeypatch.setattr(SparseColumns, "__getitem__", count)
    model = NaiveBayesClassifier(numeric="multinomial").fit(wide, np.arange(rows) % 3)
    assert model.predict_proba(wide[:3000]).shape == (3000, 3)
    assert fetched < 10  # one column of a block tells how many rows it has


def test_words_counted_by_scikit_learn_go_in() -> None:
    texts = ["free prize", "free call", "see you", "call you"] * 5
    pipeline = make_pipeline(CountVectorizer(), NaiveBayesClassifier(numeric="multinomial"))
    assert pipeline.fit(texts, [1, 1, 0, 0] * 5).predict(["free", "you"]).tolist() == [1, 0]


@pytest.mark.filterwarnings("ignore::clearwood.errors.ClearwoodWarning")
@pytest.mark.parametrize("name", [name for name in ESTIMATORS if name not in READERS])
def test_the_others_say_how_to_go_on(name: str) -> None:
    y = np.arange(200) % 2 * 1.0
    with pytest.raises(
        ClearwoodError, match=rf"X is sparse, and {name} reads dense columns\. Give X\.toarray"
    ):
        ESTIMATORS[name]().fit(sparse.csr_array(COUNTS), y)
    model = ESTIMATORS[name]().fit(COUNTS[:20], y[:20])
    with pytest.raises(ClearwoodError, match="X is sparse"):
        model.predict(sparse.csr_array(COUNTS))


def test_what_would_not_fit_is_refused_before_it_is_made(monkeypatch: pytest.MonkeyPatch) -> None:
    huge = sparse.csr_array((100_000, 50_000))
    for model in (LogisticClassifier(), NaiveBayesClassifier(numeric="kernel")):
        with pytest.raises(
            ClearwoodError, match=r"100,000 × 50,000 cells would take 37\.3 GB .* stops at 2 GB"
        ):
            model.fit(huge, np.arange(100_000) % 2)
    monkeypatch.setattr(made_dense, "_MOST_BYTES", 100)
    with pytest.raises(ClearwoodError, match="Leave columns out"):
        LogisticClassifier().fit(sparse.csr_array(COUNTS), LABELS)


@pytest.mark.parametrize(
    ("settings", "rows", "sentence"),
    [
        ({"kinds": {0: "nominal"}}, COUNTS, "all numbers. Leave kinds and ordered away"),
        ({"numeric": "multinomial"}, -COUNTS, "Column 'x0', row 2: -1 is no count"),
        ({}, np.where(COUNTS > 0, np.inf, 0), "infinity"),
        ({}, COUNTS * 1e200, "too large to learn from"),
    ],
)
def test_wrong_numbers_are_refused_by_their_place(settings: dict[str, Any], rows: Any, sentence: str) -> None:
    rows = np.where(COUNTS > 0, rows, 0)
    rows[0] = 0
    rows[1, 0] = rows[1, 0] or rows.flat[np.argmax(rows != 0)]
    with pytest.raises(ValueError, match=sentence):
        NaiveBayesClassifier(**settings).fit(sparse.csr_array(rows), LABELS)


def test_another_width_is_refused() -> None:
    model = NaiveBayesClassifier().fit(sparse.csr_array(COUNTS), LABELS)
    with pytest.raises(ValueError, match="features"):
        model.predict(sparse.csr_array(COUNTS[:, :5]))
    assert model.predict(COUNTS).tolist() == model.predict(sparse.csr_array(COUNTS)).tolist()
