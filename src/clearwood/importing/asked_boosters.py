"""LightGBM's and XGBoost's own answers: of the wrapper where there is one, else of the booster.

A table with names, as the booster was fitted to, is asked as such a table: then the origin itself finds the
code of each value, and an order of values that is not its own is seen.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from clearwood.arrays import Floats
from clearwood.importing.asked_origin import AskedOrigin, OriginRefusesError, OwnAnswers, called
from clearwood.importing.given import spelled_value
from clearwood.importing.hurting_rows import RowCells
from clearwood.importing.importer import Content
from clearwood.importing.lightgbm.text import is_text
from clearwood.importing.xgboost import BOUND as XGBOOST_BOUND
from clearwood.importing.xgboost import categories_of_file, rounds_of_file
from clearwood.models.model import Model
from clearwood.table.attributes import Nominal, Ordinal


def asked_lightgbm(source: Any, model: Model) -> AskedOrigin:
    """LightGBM, asked about a wrapper, a booster or its text."""
    try:
        import lightgbm
    except ImportError:
        return AskedOrigin("LightGBM", None, not_run="LightGBM is not installed; install it")
    program = f"LightGBM {lightgbm.__version__}"
    if isinstance(source, Content):
        if not is_text(source):
            because = "LightGBM does not read its JSON dump itself; import and prove its text (save_model)"
            return AskedOrigin(program, None, not_run=because)
        booster = lightgbm.Booster(model_str=source.data.decode("utf-8-sig"))
    else:
        booster = getattr(source, "booster_", source)
    nominal = _nominal(model)
    own: dict[int, Sequence[Any]] = {}
    if booster.pandas_categorical and len(booster.pandas_categorical) == len(nominal):
        own = dict(zip(nominal, booster.pandas_categorical, strict=True))
    names = booster.feature_name()
    wrapper = source if hasattr(source, "booster_") else None

    def ask(rows: list[RowCells]) -> OwnAnswers:
        table = _frame(rows, model, names, own) if own else _coded(rows, model)
        if wrapper is not None:
            return _of_wrapper(wrapper, table, model)
        return OwnAnswers(_both_classes(called(booster.predict, table), model))

    return AskedOrigin(program, ask, on_trust=_on_trust(model, own))


def asked_xgboost(source: Any, model: Model) -> AskedOrigin:
    """XGBoost, asked about a wrapper, a booster or its file."""
    try:
        import xgboost
    except ImportError:
        return AskedOrigin("XGBoost", None, XGBOOST_BOUND, "XGBoost is not installed; install it")
    rounds = (0, 0)
    wrapper = source if hasattr(source, "get_booster") else None
    if isinstance(source, Content):
        booster = xgboost.Booster()
        booster.load_model(bytearray(source.data))
    else:
        booster = source if wrapper is None else wrapper.get_booster()
    data = json.loads(bytes(booster.save_raw("json")))
    if isinstance(source, Content):
        rounds = (0, rounds_of_file(data) or 0)
    named = categories_of_file(data)
    kinds = booster.feature_types
    names = booster.feature_names
    # Of a wrapper that was fitted to a table with names; one of an array is asked by an array.
    own = {place: named.get(place, ()) for place in _nominal(model)} if wrapper is not None and names else {}

    def ask(rows: list[RowCells]) -> OwnAnswers:
        if wrapper is not None:
            table = _frame(rows, model, names, own) if names else _coded(rows, model)
            return _of_wrapper(wrapper, table, model)
        matrix = called(
            xgboost.DMatrix,
            _coded(rows, model),
            feature_names=names,
            feature_types=kinds,
            enable_categorical=True,
        )
        figures = called(booster.predict, matrix, iteration_range=rounds)
        name = json.loads(booster.save_config())["learner"]["objective"]["name"]
        if name == "multi:softmax":  # answers classes only
            margins = np.asarray(
                called(booster.predict, matrix, iteration_range=rounds, output_margin=True), np.float64
            )
            parts = np.exp(margins - margins.max(axis=1, keepdims=True))
            figures = parts / parts.sum(axis=1, keepdims=True)
        return OwnAnswers(_both_classes(np.asarray(figures, dtype=np.float64), model))

    trusted = _on_trust(model, named if wrapper is None else own)
    return AskedOrigin(f"XGBoost {xgboost.__version__}", ask, XGBOOST_BOUND, on_trust=trusted)


def _nominal(model: Model) -> list[int]:
    """The places of the columns that have values."""
    return [
        place for place, each in enumerate(model.schema.attributes) if isinstance(each, Nominal | Ordinal)
    ]


def _spelled(originals: Sequence[Any]) -> tuple[str, ...]:
    return tuple(map(spelled_value, originals))


def _on_trust(model: Model, own: Mapping[int, Sequence[Any]]) -> str:
    """Whose values are known by their order alone: the origin does not name them, or otherwise."""
    names = []
    for place in _nominal(model):
        attribute = model.schema.attributes[place]
        assert isinstance(attribute, Nominal | Ordinal)
        codes = tuple(map(str, range(len(attribute.values))))
        known = _spelled(own.get(place, ()))
        if attribute.values != codes and set(known) != set(attribute.values):
            names.append(f"'{attribute.name}'")
    if not names:
        return ""
    return f"The order of the values of {', '.join(names)} is taken on trust: the origin sees codes."


def _frame(rows: list[RowCells], model: Model, names: Sequence[str], own: Mapping[int, Sequence[Any]]) -> Any:
    """The rows as a table with names, its values by name where the origin has the same, else by place."""
    import pandas as pd

    columns: dict[str, Any] = {}
    for place, (name, attribute) in enumerate(zip(names, model.schema.attributes, strict=True)):
        cells = [row.get(attribute.name) for row in rows]
        if not isinstance(attribute, Nominal | Ordinal):
            columns[name] = np.array([np.nan if each is None else each for each in cells], dtype=np.float64)
            continue
        originals = [_whole(each) for each in own.get(place) or attribute.values]
        spelled = _spelled(originals)
        by_name = spelled if set(spelled) == set(attribute.values) else attribute.values
        known = dict(zip(by_name, originals, strict=False))
        unseen = [each for each in cells if each is not None and str(each) not in known]
        if unseen:
            originals.append(_never_met(originals, str(unseen[0])))
        values = [None if each is None else known.get(str(each), originals[-1]) for each in cells]
        columns[name] = pd.Categorical(values, categories=originals)
    return pd.DataFrame(columns)


def _whole(value: Any) -> Any:
    """A whole number as an int: files have it as a float, which no table has as a value."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _never_met(originals: Sequence[Any], value: str) -> Any:
    """A value that is none of these, and of their kind."""
    if all(isinstance(each, str) for each in originals):
        return value
    if all(isinstance(each, int | float) for each in originals):
        return max(originals) + 1
    raise OriginRefusesError(f"There is no code for '{value}'.")


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


def _of_wrapper(wrapper: Any, table: Any, model: Model) -> OwnAnswers:
    """The wrapper's own answers, by its own settings."""
    if model.is_numeric or not hasattr(wrapper, "predict_proba"):
        return OwnAnswers(_both_classes(called(wrapper.predict, table), model))
    figures = np.asarray(called(wrapper.predict_proba, table), dtype=np.float64)
    places = {each: place for place, each in enumerate(wrapper.classes_.tolist())}
    answers = np.asarray(called(wrapper.predict, table)).tolist()
    return OwnAnswers(figures, [places[each] for each in answers])


def _both_classes(figures: Any, model: Model) -> Floats:
    """[row, ·] shares of every class; of two classes only the second is answered."""
    numbers = np.asarray(figures, dtype=np.float64)
    if model.is_numeric:
        return numbers[:, None]
    return np.stack([1.0 - numbers, numbers], axis=1) if numbers.ndim == 1 else numbers
