"""The importer of scikit-learn: which estimators and steps in front of them are read, and which are not."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any, Final

import numpy as np

from clearwood.importing.asked_origin import (
    BOUND,
    AskedOrigin,
    OriginRefusesError,
    OwnAnswers,
    RowCells,
    called,
)
from clearwood.importing.given import GivenNames, spelled_value
from clearwood.importing.importer import Importer
from clearwood.importing.scikit_learn.estimator import count_of_columns, fitted_names, taken_apart, version_of
from clearwood.importing.scikit_learn.front import STEPS
from clearwood.importing.scikit_learn.reading import READ, REFUSED, is_estimator, read_estimator
from clearwood.models.model import Model
from clearwood.words.numbers import brief

# scikit-learn's own answers: the estimator itself is asked, by a table as it was fitted to.


_COMPETES: Final = 40.0  # a class whose log is further below the largest has a share below 1e-17


def ask_estimator(source: Any, model: Model, given: GivenNames) -> AskedOrigin:
    """The estimator itself, asked about cells as its encoders know them."""
    apart = taken_apart(source, given)
    own = fitted_names(source)
    width = count_of_columns(source)
    names = given.column_names(None if own is None else list(map(str, own)), width)
    lookups = apart.lookups

    read = {each.column for each in apart.features}
    texts = {
        name for name, each in lookups.items() if any(isinstance(value, str) for value in each.originals)
    }

    def cell(name: str, value: float | str | None) -> Any:
        if name not in read:  # left out, but what stands before the selector may want a cell there
            return next(iter(lookups[name].originals or lookups[name].numbers)) if name in lookups else 0.0
        if name not in lookups:
            return np.nan if value is None else value
        known = lookups[name]
        if value is None:
            return known.original_missing
        if str(value) in known.values:
            return (known.originals or known.numbers)[known.values.index(str(value))]
        if not all(isinstance(each, str) for each in known.originals or known.numbers):
            raise OriginRefusesError(f"There is no code for '{value}'.")
        return value

    def ask(rows: list[RowCells]) -> OwnAnswers:
        columns = {name: [cell(name, row.get(name)) for row in rows] for name in names}
        table = _frame(columns, own, texts)
        if model.is_numeric:
            return OwnAnswers(np.asarray(called(source.predict, table), dtype=np.float64)[:, None])
        refused = _without_digits(source, apart.estimator, table)
        answers = [spelled_value(each) for each in called(source.predict, table).tolist()]
        places = {spelled_value(each): place for place, each in enumerate(apart.estimator.classes_.tolist())}
        shares = np.asarray(called(source.predict_proba, table))
        return OwnAnswers(shares, [places[each] for each in answers], refused)

    return AskedOrigin(f"scikit-learn {version_of(apart.estimator)}".rstrip(), ask)


def _without_digits(source: Any, estimator: Any, table: Any) -> list[str]:
    """[row] of Naive Bayes, which adds up logs: why the row has no answer, where the logs of classes that
    compete are so large that their last digits decide."""
    if not hasattr(estimator, "predict_joint_log_proba"):
        return []
    while type(source).__name__ == "Pipeline":
        table = called(source[:-1].transform, table) if len(source.steps) > 1 else table
        source = source.steps[-1][1]
    logs = np.asarray(called(estimator.predict_joint_log_proba, table), dtype=np.float64)
    top = logs.max(axis=1, keepdims=True)
    with np.errstate(invalid="ignore", over="ignore"):
        rounding = np.finfo(np.float64).eps * (np.abs(logs) + np.abs(top))
        competes = (top - logs - rounding < _COMPETES) & (
            logs.argmax(axis=1)[:, None] != np.arange(logs.shape[1])
        )
        lost = (competes & (rounding > BOUND)).any(axis=1)
    return [
        f"Its logs reach {brief(float(size))}, so that its probabilities have lost their digits."
        if each
        else ""
        for each, size in zip(lost.tolist(), top[:, 0].tolist(), strict=True)
    ]


def _frame(columns: dict[str, list[Any]], own: Any, texts: Collection[str]) -> Any:
    """The rows as the estimator was fitted: a frame with names, or an array without."""
    if own is not None:
        import pandas as pd

        # Texts as objects: pandas would have NaN for None, which encoders tell apart, and make numbers of a
        # column of NaN alone, which they refuse.
        cells = [pd.Series(each, dtype=object if name in texts else None) for name, each in columns.items()]
        return pd.DataFrame(dict(zip(own, cells, strict=True)))
    numeric = all(not isinstance(each, str) for column in columns.values() for each in column)
    return np.array(list(columns.values()), dtype=np.float64 if numeric else object).T


def _listed(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)


IMPORTER: Final = Importer(
    is_estimator,
    read_estimator,
    ask_estimator,
    reads=(
        *((f"{_listed(each.names)} {each.of}".strip(), each.becomes) for each in READ),
        (f"`Pipeline` in front, with {_listed(sorted(STEPS))}", "the same in your own columns"),
    ),
    refuses=(
        *((_listed(each.names), each.because) for each in REFUSED),
        (
            "`AdaBoostClassifier` by SAMME.R, and of other models than trees, as `Bagging…` of them",
            "Logarithms of probabilities, and other models, are no sum or mean of trees.",
        ),
        ("steps in front that mix columns, such as `PCA`", "A condition here asks one column."),
    ),
)
