"""The importer of LightGBM: what of its boosters is read, and what its leaves or links forbid."""

from __future__ import annotations

from typing import Final

from clearwood.importing.importer import Importer
from clearwood.importing.lightgbm.asking import ask_lightgbm
from clearwood.importing.lightgbm.reading import is_lightgbm, read_lightgbm

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
