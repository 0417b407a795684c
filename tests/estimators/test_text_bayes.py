"""Texts under scikit-learn's contract: lists, series and frames of one column, in pieces and weighted."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.utils.estimator_checks import parametrize_with_checks

from clearwood.errors import SchemaError, SettingError
from clearwood.estimators import NaiveBayesClassifier, TextBayesClassifier
from clearwood.models.kinds.bayes.distributions import Words

TEXTS = ["Free prize!", "win a free prize", "see you soon", "call you soon", None, ""]
LABELS = ["spam", "spam", "ham", "ham", "ham", "ham"]


every_check: pytest.MarkDecorator = parametrize_with_checks([TextBayesClassifier()])


@every_check
def test_scikit_learn_is_satisfied(estimator: Any, check: Any) -> None:
    check(estimator)


@pytest.mark.parametrize(
    "X",
    [
        TEXTS,
        tuple(TEXTS),
        np.array(TEXTS, dtype=object),
        np.array(TEXTS, dtype=object)[:, None],
        pd.Series(TEXTS),
        pd.DataFrame({"message": TEXTS}),
    ],
    ids=["list", "tuple", "array", "column", "series", "frame"],
)
def test_texts_come_in_many_shapes(X: Any) -> None:  # noqa: N803
    model = TextBayesClassifier().fit(X, LABELS)
    assert model.classes_.tolist() == ["ham", "spam"]
    assert model.predict(X).tolist() == ["spam", "spam", "ham", "ham", "ham", "ham"]
    np.testing.assert_array_equal(
        model.predict_proba(X), TextBayesClassifier().fit(TEXTS, LABELS).predict_proba(TEXTS)
    )


def test_pieces_make_the_model_of_the_whole() -> None:
    pieces = TextBayesClassifier(ngrams=(1, 2))
    for i in range(len(TEXTS)):
        pieces.partial_fit(TEXTS[i : i + 1], LABELS[i : i + 1])
    whole = clone(pieces).fit(TEXTS, LABELS)
    assert pieces.model_.distributions == whole.model_.distributions
    np.testing.assert_array_equal(pieces.predict_proba(TEXTS), whole.predict_proba(TEXTS))


def test_a_weight_of_two_is_a_text_twice_and_of_none_is_no_text() -> None:
    weighed = TextBayesClassifier().fit(TEXTS, LABELS, sample_weight=[2, 1, 1, 0, 1, 1])
    repeated = TextBayesClassifier().fit(
        [TEXTS[0], *TEXTS[:3], *TEXTS[4:]], [LABELS[0], *LABELS[:3], *LABELS[4:]]
    )
    one, other = weighed.model_.distributions[0], repeated.model_.distributions[0]
    assert isinstance(one, Words)
    assert isinstance(other, Words)
    assert (one.counts, one.documents, one.known) == (other.counts, other.documents, other.known)
    assert (one.read, other.read) == (4, 5)
    np.testing.assert_array_equal(weighed.predict_proba(TEXTS), repeated.predict_proba(TEXTS))
    heavy = TextBayesClassifier(class_weight={"spam": 3}).fit(TEXTS, LABELS)
    assert heavy.model_.classes == (4, 6)


def test_it_stands_in_pipelines_and_cross_validation() -> None:
    pipeline = make_pipeline(TextBayesClassifier(event="complement", stop_words="english"))
    assert cross_val_score(pipeline, np.array(TEXTS * 5, dtype=object), LABELS * 5, cv=3).min() == 1


def test_numbers_as_labels_stay_numbers() -> None:
    model = TextBayesClassifier(priors={0: 1, 1: 1}).fit(TEXTS, [1, 1, 0, 0, 0, 0])
    assert model.predict(["free"]).tolist() == [1]


def test_what_is_no_list_of_texts_is_refused() -> None:
    for wrong, sentence in (
        ("free", "X is one text"),
        ([1, "a", "b", "c", "d", "e"], "row 1: a text is a str or None, not 1"),
        (pd.DataFrame({"a": TEXTS, "b": TEXTS}), "X has 2 columns"),
    ):
        with pytest.raises(SchemaError, match=sentence):
            TextBayesClassifier().fit(wrong, LABELS)
    with pytest.raises(SettingError, match="balanced"):
        TextBayesClassifier(class_weight="balanced").partial_fit(TEXTS, LABELS)


def test_a_mixed_table_has_its_text_column_by_kind() -> None:
    frame = pd.DataFrame({"message": TEXTS, "length": [11.0, 16, 12, 13, np.nan, 0]})
    model = NaiveBayesClassifier(kinds={"message": "text"}, text="bernoulli").fit(frame, LABELS)
    words = model.tables_["message"]
    assert isinstance(words, Words)
    assert words.event == "bernoulli"
    assert model.predict(frame).tolist() == LABELS


def test_labels_of_numbers_and_text_in_pieces_are_refused_and_change_nothing() -> None:
    model = TextBayesClassifier().partial_fit(TEXTS, [1, 1, 0, 0, 0, 0])
    with pytest.raises(SchemaError, match="y mixes labels that cannot be compared"):
        model.partial_fit(TEXTS, LABELS)
    assert model.classes_.tolist() == [0, 1]
