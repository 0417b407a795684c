"""scikit-learn's own answers: the estimator itself is asked, by a table as it was fitted to."""

from __future__ import annotations

from typing import Any

import numpy as np

from clearwood.importing.asked_origin import AskedOrigin, OriginRefusesError, OwnAnswers, called
from clearwood.importing.features import LookupFeature
from clearwood.importing.given import GivenNames, spelled_value
from clearwood.importing.hurting_rows import RowCells
from clearwood.importing.scikit_learn.estimator import count_of_columns, fitted_names, taken_apart, version_of
from clearwood.models.model import Model


def ask_estimator(source: Any, model: Model, given: GivenNames) -> AskedOrigin:
    """The estimator itself, asked about cells as its encoders know them."""
    apart = taken_apart(source, given)
    own = fitted_names(source)
    width = count_of_columns(source)
    names = given.column_names(None if own is None else list(map(str, own)), width)
    lookups = {each.column: each for each in apart.features if isinstance(each, LookupFeature)}

    def cell(name: str, value: float | str | None) -> Any:
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
        table = _frame(columns, own)
        if model.is_numeric:
            return OwnAnswers(np.asarray(called(source.predict, table), dtype=np.float64)[:, None])
        answers = [spelled_value(each) for each in called(source.predict, table).tolist()]
        places = {spelled_value(each): place for place, each in enumerate(apart.estimator.classes_.tolist())}
        return OwnAnswers(np.asarray(called(source.predict_proba, table)), [places[each] for each in answers])

    return AskedOrigin(f"scikit-learn {version_of(apart.estimator)}".rstrip(), ask)


def _frame(columns: dict[str, list[Any]], own: Any) -> Any:
    """The rows as the estimator was fitted: a frame with names, or an array without."""
    if own is not None:
        import pandas as pd

        return pd.DataFrame(dict(zip(own, columns.values(), strict=True)))
    numeric = all(not isinstance(each, str) for column in columns.values() for each in column)
    return np.array(list(columns.values()), dtype=np.float64 if numeric else object).T
