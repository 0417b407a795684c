"""Models that other programs made, read as models of ours. A new origin is a file here and a line in the
list."""

from __future__ import annotations

from typing import Final

from clearwood.importing.importer import Importer
from clearwood.registry import Listed

IMPORTERS: Final[Listed[Importer]] = Listed(
    "origin",
    {
        "pmml": f"{__name__}.pmml.reading:IMPORTER",
        "lightgbm": f"{__name__}.lightgbm.reading:IMPORTER",
        "xgboost": f"{__name__}.xgboost:IMPORTER",
        # Last, since wrappers of the others are estimators too.
        "scikit-learn": f"{__name__}.scikit_learn.reading:IMPORTER",
    },
)
