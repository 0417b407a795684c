"""LightGBM's own answers: of the wrapper where there is one, else of the booster."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from clearwood.importing.asked_boosters import (
    answers_of_wrapper,
    booster_frame,
    booster_rows,
    both_classes,
    places_of_values,
    values_on_trust,
)
from clearwood.importing.asked_origin import AskedOrigin, OwnAnswers, called
from clearwood.importing.given import GivenNames
from clearwood.importing.hurting_rows import RowCells
from clearwood.importing.importer import Content
from clearwood.importing.lightgbm.text import is_text
from clearwood.models.model import Model


def ask_lightgbm(source: Any, model: Model, _: GivenNames) -> AskedOrigin:
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
    nominal = places_of_values(model)
    own: dict[int, Sequence[Any]] = {}
    if booster.pandas_categorical and len(booster.pandas_categorical) == len(nominal):
        own = dict(zip(nominal, booster.pandas_categorical, strict=True))
    names = booster.feature_name()
    wrapper = source if hasattr(source, "booster_") else None

    def ask(rows: list[RowCells]) -> OwnAnswers:
        table = booster_frame(rows, model, names, own) if own else booster_rows(rows, model)
        if wrapper is not None:
            return answers_of_wrapper(wrapper, table, model)
        return OwnAnswers(both_classes(called(booster.predict, table), model))

    return AskedOrigin(program, ask, on_trust=values_on_trust(model, own))
