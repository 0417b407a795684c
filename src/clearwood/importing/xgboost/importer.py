"""The importer of XGBoost: what of its boosters is read, and what is no sum of steps here."""

from __future__ import annotations

from typing import Final

from clearwood.importing.importer import Importer
from clearwood.importing.xgboost.asking import ask_xgboost
from clearwood.importing.xgboost.reading import is_xgboost, read_xgboost

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
