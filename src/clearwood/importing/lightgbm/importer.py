"""The importer of LightGBM: what of its boosters is read, and what its leaves or links forbid."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from clearwood.importing.asked_boosters import (
    answers_of_wrapper,
    booster_frame,
    booster_rows,
    both_classes,
    places_of_values,
    values_on_trust,
)
from clearwood.importing.asked_origin import AskedOrigin, OwnAnswers, RowCells, called
from clearwood.importing.given import GivenNames
from clearwood.importing.importer import Content, Importer
from clearwood.importing.lightgbm.files import is_text
from clearwood.importing.lightgbm.reading import is_lightgbm, read_lightgbm
from clearwood.models.model import Model

# LightGBM's own answers: of the wrapper where there is one, else of the booster.


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


IMPORTER: Final = Importer(
    is_lightgbm,
    read_lightgbm,
    ask_lightgbm,
    reads=(
        (
            "a booster, its text (`save_model`), or the JSON of `dump_model`",
            "an ensemble: a sum of steps",
        ),
    ),
    refuses=(
        (
            "linear trees, `multiclassova`, `cross_entropy`, objectives of your own",
            "a leaf is one number; the link is not known",
        ),
    ),
)
