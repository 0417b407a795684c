"""The importer of XGBoost: what of its boosters is read, and what is no sum of steps here."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

import numpy as np

from clearwood.importing.asked_boosters import (
    answers_of_wrapper,
    booster_frame,
    booster_rows,
    both_classes,
    places_of_values,
    values_on_trust,
)
from clearwood.importing.asked_origin import SINGLE_BOUND, AskedOrigin, OwnAnswers, RowCells, called
from clearwood.importing.given import GivenNames
from clearwood.importing.importer import Content, Importer
from clearwood.importing.xgboost.reading import categories_of_file, is_xgboost, read_xgboost, rounds_of_file
from clearwood.models.model import Model

# XGBoost's own answers: of the wrapper where there is one, else of the booster.


# Of the values that it has kept, XGBoost 3 gives a new one the code of the next in order, and refuses only
# those behind the last: its answer is that of a value which the row does not have.
_NEW_VALUE: Final = "no code for the value '{}' of '{}', which it may take for another."


def ask_xgboost(source: Any, model: Model, _: GivenNames) -> AskedOrigin:
    """XGBoost, asked about a wrapper, a booster or its file."""
    try:
        import xgboost
    except ImportError:
        return AskedOrigin("XGBoost", None, SINGLE_BOUND, "XGBoost is not installed; install it")
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
    own = (
        {place: named.get(place, ()) for place in places_of_values(model)}
        if wrapper is not None and names
        else {}
    )

    def ask(rows: list[RowCells]) -> OwnAnswers:
        if wrapper is not None:
            if not names:
                return answers_of_wrapper(wrapper, booster_rows(rows, model), model)
            met, refused = _without_new_values(rows, model, [place for place in own if named.get(place)])
            answers = answers_of_wrapper(wrapper, booster_frame(met, model, names, own), model)
            return replace(answers, refused=refused)
        matrix = called(
            xgboost.DMatrix,
            booster_rows(rows, model),
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
        return OwnAnswers(both_classes(np.asarray(figures, dtype=np.float64), model))

    trusted = values_on_trust(model, named if wrapper is None else own)
    return AskedOrigin(f"XGBoost {xgboost.__version__}", ask, SINGLE_BOUND, on_trust=trusted)


def _without_new_values(
    rows: list[RowCells], model: Model, places: Sequence[int]
) -> tuple[list[RowCells], list[str]]:
    """The rows with new values of these columns taken out, and of each row why it then has no answer."""
    met, refused = [], []
    for row in rows:
        new = {}
        for place in places:
            name = model.schema.attributes[place].name
            value = row.get(name)
            if value is not None and str(value) not in model.schema.codes(name):
                new[name] = value
        met.append({**row, **dict.fromkeys(new)})
        refused.append(next((_NEW_VALUE.format(value, name) for name, value in new.items()), ""))
    return met, refused


IMPORTER: Final = Importer(
    is_xgboost,
    read_xgboost,
    ask_xgboost,
    reads=(
        (
            "a booster, its JSON, or its UBJSON, which `save_model` writes by default (`gbtree` and `dart`)",
            "an ensemble: a sum of steps",
        ),
    ),
    refuses=(
        ("a wrapper with `missing=` a number", "its booster does not know of it"),
        (
            "`gblinear`, leaves of several numbers, several targets, `survival:…`, `binary:hinge` and others",
            "single precision without a bound; the same",
        ),
    ),
)
