"""Naive Bayes beside scikit-learn's, on a million rows of 20 columns: codes, strings, numbers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from benchmarks.comparison import OURS, Comparison, Contestant, Entrant, Goal, Size, entrant, faster, or_none
from benchmarks.tables import codes_table, linear_table, nominal_table, string_frame
from clearwood.learners.bayes.naive_bayes import NaiveBayes
from clearwood.predicting import predict, shares
from clearwood.table import learn_table, read_table

ROWS = 1_000_000
VALUES = 10


def _codes(size: Size) -> Sequence[Entrant]:
    codes, y = codes_table(size.rows(ROWS), values=VALUES)
    table = nominal_table(codes, y, VALUES)
    names = [attribute.name for attribute in table.schema.inputs]
    kinds = dict.fromkeys(names, "nominal")
    by_column = np.asfortranarray(codes)
    return [
        Contestant(OURS, lambda: NaiveBayes().learn(table)),
        Contestant(
            f"{OURS}, from the array",
            lambda: NaiveBayes().learn(learn_table(codes, y, kinds=kinds, names=names)),
        ),
        Contestant("NumPy bincount", lambda: [np.bincount(y * VALUES + column) for column in by_column.T]),
        entrant("scikit-learn", "sklearn.naive_bayes", lambda: _categorical(codes, y)),
        entrant("scikit-learn, array by column", "sklearn.naive_bayes", lambda: _categorical(by_column, y)),
    ]


def _categorical(codes: Any, y: Any) -> Any:
    from sklearn.naive_bayes import CategoricalNB

    return CategoricalNB().fit(codes, y)


def _strings(size: Size) -> Sequence[Entrant]:
    frame = string_frame(*codes_table(size.rows(ROWS), values=VALUES))
    return [
        Contestant(OURS, lambda: NaiveBayes().learn(read_table(frame, target="y"))),
        entrant("scikit-learn", "sklearn.naive_bayes", lambda: _encoded(frame)),
    ]


def _encoded(frame: Any) -> Any:
    from sklearn.preprocessing import OrdinalEncoder

    return _categorical(OrdinalEncoder(dtype=np.int64).fit_transform(frame.drop(columns="y")), frame["y"])


def _codes_answers(size: Size) -> Sequence[Entrant]:
    codes, y = codes_table(size.rows(ROWS), values=VALUES)
    table = nominal_table(codes, y, VALUES)
    model = NaiveBayes().learn(table)
    peer = or_none(lambda: _categorical(codes, y))
    return [
        Contestant(OURS, lambda: predict(model, table)),
        entrant("scikit-learn", "sklearn.naive_bayes", lambda: peer.predict(codes)),
        Contestant(f"{OURS}, shares", lambda: shares(model, table)),
        entrant("scikit-learn, shares", "sklearn.naive_bayes", lambda: peer.predict_proba(codes)),
    ]


def _gaussian(size: Size) -> Sequence[Entrant]:
    x, y = linear_table(size.rows(ROWS))
    return [
        Contestant(OURS, lambda: NaiveBayes().learn(learn_table(x, y))),
        entrant("scikit-learn", "sklearn.naive_bayes", lambda: _normal(x, y)),
    ]


def _normal(x: Any, y: Any) -> Any:
    from sklearn.naive_bayes import GaussianNB

    return GaussianNB().fit(x, y)


def _gaussian_answers(size: Size) -> Sequence[Entrant]:
    x, y = linear_table(size.rows(ROWS))
    model = NaiveBayes().learn(learn_table(x, y))
    peer = or_none(lambda: _normal(x, y))
    return [
        Contestant(OURS, lambda: predict(model, x)),
        entrant("scikit-learn", "sklearn.naive_bayes", lambda: peer.predict(x)),
        Contestant(f"{OURS}, shares", lambda: shares(model, x)),
        entrant("scikit-learn, shares", "sklearn.naive_bayes", lambda: peer.predict_proba(x)),
    ]


def _both(times: float) -> tuple[Goal, ...]:
    return faster("scikit-learn", times), faster("scikit-learn, shares", times, f"{OURS}, shares")


COMPARISONS = (
    Comparison(
        "bayes",
        "Categorical Naive Bayes on 1,000,000 × 20 codes of ten values, two classes, learning alone",
        _codes,
        (faster("scikit-learn", 20),),
    ),
    Comparison(
        "bayes-strings",
        "The same from a pandas frame of strings to a model; scikit-learn with its OrdinalEncoder",
        _strings,
        (faster("scikit-learn", 5),),
    ),
    Comparison("bayes-answers", "Classes and shares of the same coded rows", _codes_answers, _both(5)),
    Comparison(
        "gaussian",
        "Gaussian Naive Bayes on 1,000,000 × 20 float64, two classes, from NumPy arrays",
        _gaussian,
        (faster("scikit-learn", 5),),
    ),
    Comparison("gaussian-answers", "Classes and shares of the same rows", _gaussian_answers, _both(3)),
)
