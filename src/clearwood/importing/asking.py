"""The origin's own answers to rows: the program that made the model is run, where it is installed."""

from __future__ import annotations

import json
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

from clearwood.arrays import Floats
from clearwood.export.running.java_with_jpmml import jpmml_missing
from clearwood.importing.features import LookupFeature
from clearwood.importing.given import GivenNames, spelled_value
from clearwood.importing.hurting_rows import RowCells
from clearwood.importing.import_model import content_of
from clearwood.importing.importer import Content
from clearwood.importing.lightgbm.reading import is_lightgbm
from clearwood.importing.lightgbm.text import is_text
from clearwood.importing.pmml.engine import ask_engine, engine_name
from clearwood.importing.pmml.reading import is_pmml, read_pmml
from clearwood.importing.scikit_learn.estimator import taken_apart, version_of
from clearwood.importing.scikit_learn.reading import is_estimator
from clearwood.importing.xgboost import BOUND as XGBOOST_BOUND
from clearwood.importing.xgboost import is_xgboost, rounds_of_file
from clearwood.models.model import Model
from clearwood.models.rule_list import RuleList
from clearwood.table.attributes import Nominal, Ordinal

BOUND: Final = 1e-12  # of a share, and of a number relative to its size


@dataclass(frozen=True, slots=True)
class OwnAnswers:
    """Shares [row, class] or numbers [row, 1], in the order of the model's classes; None where only classes
    are known, which then are in `codes`."""

    figures: Floats | None
    codes: Sequence[int] | None = None  # the classes that it answers, where it says so itself
    refused: Sequence[str] = ()  # [row] why it has no answer; empty: it has one


@dataclass(frozen=True, slots=True)
class AskedOrigin:
    """A program that can be asked, within which bound it must agree, or why it cannot be run. One that is
    asked `at_once` refuses each row by itself; others may refuse many for the sake of one."""

    program: str
    ask: Callable[[list[RowCells]], OwnAnswers] | None
    bound: float = BOUND
    not_run: str = ""
    at_once: bool = False


def program_behind(source: Any, model: Model, given: GivenNames) -> AskedOrigin:
    """Who can be asked about this source."""
    asked = content_of(source) if isinstance(source, str | Path) else source
    if is_lightgbm(asked):
        return _lightgbm(asked, model)
    if is_xgboost(asked):
        return _xgboost(asked, model)
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
    bound = XGBOOST_BOUND if b'x-mathContext="float"' in content.data else BOUND
    return AskedOrigin(engine_name(), ask, bound, at_once=True)


def _scikit_learn(source: Any, model: Model, given: GivenNames) -> AskedOrigin:
    apart = taken_apart(source, given)
    own = getattr(source, "feature_names_in_", None)
    width = int(source.n_features_in_)
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
            raise ValueError(f"There is no code for '{value}'.")
        return value

    def ask(rows: list[RowCells]) -> OwnAnswers:
        columns = {name: [cell(name, row.get(name)) for row in rows] for name in names}
        table = _frame(columns, own)
        if model.is_numeric:
            return OwnAnswers(np.asarray(source.predict(table), dtype=np.float64)[:, None])
        answers = [spelled_value(each) for each in source.predict(table).tolist()]
        places = {spelled_value(each): place for place, each in enumerate(apart.estimator.classes_.tolist())}
        return OwnAnswers(np.asarray(source.predict_proba(table)), [places[each] for each in answers])

    return AskedOrigin(f"scikit-learn {version_of(apart.estimator)}".rstrip(), ask)


def _frame(columns: dict[str, list[Any]], own: Any) -> Any:
    """The rows as the estimator was fitted: a frame with names, or an array without."""
    if own is not None:
        import pandas as pd

        return pd.DataFrame(dict(zip(own, columns.values(), strict=True)))
    numeric = all(not isinstance(each, str) for column in columns.values() for each in column)
    return np.array(list(columns.values()), dtype=np.float64 if numeric else object).T


def _coded(rows: list[RowCells], model: Model) -> Floats:
    """[row, column] numbers, and codes of values: a value never met has a code beyond them."""
    table = np.full((len(rows), len(model.schema.attributes)), np.nan)
    for place, attribute in enumerate(model.schema.attributes):
        for number, row in enumerate(rows):
            value = row.get(attribute.name)
            if value is None:
                continue
            if isinstance(attribute, Nominal | Ordinal):
                known = model.schema.codes(attribute.name)
                table[number, place] = known.get(str(value), len(known))
            else:
                table[number, place] = value
    return table


def _lightgbm(source: Any, model: Model) -> AskedOrigin:
    try:
        import lightgbm
    except ImportError:
        return AskedOrigin("LightGBM", None, not_run="LightGBM is not installed")
    program = f"LightGBM {lightgbm.__version__}"
    if isinstance(source, Content):
        if not is_text(source):
            return AskedOrigin(program, None, not_run="LightGBM does not read its JSON dump; prove its text")
        booster = lightgbm.Booster(model_str=source.data.decode("utf-8-sig"))
    else:
        booster = getattr(source, "booster_", source)

    def ask(rows: list[RowCells]) -> OwnAnswers:
        return OwnAnswers(_both_classes(booster.predict(_coded(rows, model)), model))

    return AskedOrigin(program, ask)


def _xgboost(source: Any, model: Model) -> AskedOrigin:
    try:
        import xgboost
    except ImportError:
        return AskedOrigin("XGBoost", None, XGBOOST_BOUND, "XGBoost is not installed")
    if isinstance(source, Content):
        booster = xgboost.Booster()
        booster.load_model(bytearray(source.data))
        rounds = (0, rounds_of_file(json.loads(bytes(booster.save_raw("json")))) or 0)
    else:
        booster = source.get_booster() if hasattr(source, "get_booster") else source
        best = booster.attr("best_iteration") if booster is not source else None
        rounds = (0, 0) if best is None else (0, int(best) + 1)

    def ask(rows: list[RowCells]) -> OwnAnswers:
        kinds = booster.feature_types
        matrix = xgboost.DMatrix(
            _coded(rows, model),
            feature_names=booster.feature_names,
            feature_types=kinds,
            enable_categorical=True,
        )
        figures = booster.predict(matrix, iteration_range=rounds)
        name = json.loads(booster.save_config())["learner"]["objective"]["name"]
        if name == "multi:softmax":  # answers classes only
            margins = np.asarray(
                booster.predict(matrix, iteration_range=rounds, output_margin=True), np.float64
            )
            parts = np.exp(margins - margins.max(axis=1, keepdims=True))
            figures = parts / parts.sum(axis=1, keepdims=True)
        return OwnAnswers(_both_classes(np.asarray(figures, dtype=np.float64), model))

    return AskedOrigin(f"XGBoost {xgboost.__version__}", ask, XGBOOST_BOUND)


def _both_classes(figures: Any, model: Model) -> Floats:
    """[row, ·] shares of every class; of two classes only the second is answered."""
    numbers = np.asarray(figures, dtype=np.float64)
    if model.is_numeric:
        return numbers[:, None]
    return np.stack([1.0 - numbers, numbers], axis=1) if numbers.ndim == 1 else numbers
