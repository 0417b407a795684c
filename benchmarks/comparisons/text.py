"""Naive Bayes on raw text: the SMS messages repeated to 200,000, beside CountVectorizer + MultinomialNB."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from benchmarks.comparison import OURS, Comparison, Contestant, Entrant, Size, entrant, faster, or_none
from benchmarks.reference import SMS
from clearwood.errors import ClearwoodWarning
from clearwood.learners.bayes.naive_bayes import NaiveBayes
from clearwood.models.kinds.bayes.bayes_tables import BayesTables
from clearwood.predicting import predict
from clearwood.table import read_table

MESSAGES = 200_000


def _learning(size: Size) -> Sequence[Entrant]:
    texts, labels = _messages(size)
    rows, right = {"message": texts}, _right(labels)
    return [
        Contestant(OURS, lambda: _ours(texts, labels), lambda model: right(predict(model, rows))),
        entrant(
            "scikit-learn",
            "sklearn.naive_bayes",
            lambda: _scikit_learn(texts, labels),
            lambda pipeline: right(pipeline.predict(texts)),
        ),
    ]


def _answers(size: Size) -> Sequence[Entrant]:
    texts, labels = _messages(size)
    model = _ours(texts, labels)
    peer = or_none(lambda: _scikit_learn(texts, labels))
    return [
        Contestant(OURS, lambda: predict(model, {"message": texts})),
        entrant("scikit-learn", "sklearn.naive_bayes", lambda: peer.predict(texts)),
    ]


def _messages(size: Size) -> tuple[list[str], list[str]]:
    """Each message a string object of its own, as a file gives them."""
    table = SMS.table(Size())
    (column,) = table.schema.inputs
    which = np.resize(np.arange(len(table)), size.rows(MESSAGES))
    texts = [("." + text)[1:] for text in table.columns[column.name][which].tolist()]
    return texts, np.array(table.schema.classes, dtype=object)[table.target[which]].tolist()


def _ours(texts: list[str], labels: list[str]) -> BayesTables:
    columns = {"message": texts, "label": labels}
    with warnings.catch_warnings():
        warnings.simplefilter("error", ClearwoodWarning)  # a text left out would be quick, and no answer
        return NaiveBayes().learn(read_table(columns, target="label", kinds={"message": "text"}))


def _scikit_learn(texts: list[str], labels: list[str]) -> Any:
    """As it comes: words of two letters and more, where ours also counts those of one."""
    from sklearn.feature_extraction.text import CountVectorizer
    from sklearn.naive_bayes import MultinomialNB
    from sklearn.pipeline import make_pipeline

    return make_pipeline(CountVectorizer(), MultinomialNB()).fit(texts, labels)


def _right(labels: list[str]) -> Callable[[Any], str]:
    return lambda answers: (
        f"{np.mean(np.asarray(answers) == np.array(labels, dtype=object)):.2%} of its rows right"
    )


COMPARISONS = (
    Comparison(
        "text",
        f"Raw strings to a model: {SMS.called} repeated to 200,000",
        _learning,
        (faster("scikit-learn", 5),),
    ),
    Comparison("text-answers", "Classes of the same raw strings", _answers, (faster("scikit-learn", 5),)),
)
