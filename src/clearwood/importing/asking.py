"""The origin's own answers to rows: the program that made the model is run, where it is installed."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import numpy as np

from clearwood.export.running.java_with_jpmml import jpmml_missing
from clearwood.importing.asked_boosters import asked_lightgbm, asked_xgboost
from clearwood.importing.asked_origin import BOUND, AskedOrigin, OriginRefusesError, OwnAnswers, called
from clearwood.importing.features import LookupFeature
from clearwood.importing.given import GivenNames, spelled_value
from clearwood.importing.hurting_rows import RowCells
from clearwood.importing.import_model import content_of
from clearwood.importing.importer import Content
from clearwood.importing.lightgbm.reading import is_lightgbm
from clearwood.importing.pmml.engine import ask_engine, engine_name
from clearwood.importing.pmml.reading import is_pmml, read_pmml
from clearwood.importing.scikit_learn.estimator import count_of_columns, fitted_names, taken_apart, version_of
from clearwood.importing.scikit_learn.reading import is_estimator
from clearwood.importing.xgboost import BOUND as XGBOOST_BOUND
from clearwood.importing.xgboost import is_xgboost
from clearwood.models.model import Model
from clearwood.models.rule_list import RuleList


def program_behind(source: Any, model: Model, given: GivenNames) -> AskedOrigin:
    """Who can be asked about this source."""
    asked = content_of(source) if isinstance(source, str | Path) else source
    if is_lightgbm(asked):
        return asked_lightgbm(asked, model)
    if is_xgboost(asked):
        return asked_xgboost(asked, model)
    if is_estimator(asked):
        return _scikit_learn(asked, model, given)
    if isinstance(asked, Content) and is_pmml(asked):
        return _pmml(asked, model)
    return AskedOrigin("", None, not_run="this is the file of no program that can be asked")


def _pmml(content: Content, model: Model) -> AskedOrigin:
    because = jpmml_missing()
    if because:
        return AskedOrigin("JPMML-Evaluator", None, not_run=f"{because}; give its answers")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # what was warned of when the document was imported
        own = read_pmml(content, GivenNames()).schema
    named = dict(zip(own.positions, model.schema.positions, strict=True))
    # Rules may have no answer, as PMML may; of other models such rows are outside of what they can say.
    may_be_silent = isinstance(model, RuleList)

    def ask(rows: list[RowCells]) -> OwnAnswers:
        asked = [{theirs: row.get(ours) for theirs, ours in named.items()} for row in rows]
        answers = ask_engine(content, own, asked)
        silent = "" if may_be_silent else "There is no prediction."
        refused = [each.refused or (silent if each.answer is None else "") for each in answers]
        if model.is_numeric:
            numbers = [np.nan if each.answer is None else float(each.answer) for each in answers]
            return OwnAnswers(np.array(numbers)[:, None], refused=refused)
        places = {name: place for place, name in enumerate(own.classes)}
        nothing = (0.0,) * len(own.classes)
        figures = np.array([each.shares or nothing for each in answers])
        codes = [-1 if each.answer is None else places[str(each.answer)] for each in answers]
        # Of rules it may give the class alone.
        has_shares = any(
            code >= 0 and not np.isnan(row).any() for code, row in zip(codes, figures, strict=True)
        )
        return OwnAnswers(figures if has_shares else None, codes, refused)

    # Sums in single precision, which XGBoost's documents ask for, are double ones here.
    bound = XGBOOST_BOUND if b'x-mathContext="float"' in content.first(len(content.data)) else BOUND
    return AskedOrigin(engine_name(), ask, bound, at_once=True)


def _scikit_learn(source: Any, model: Model, given: GivenNames) -> AskedOrigin:
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
