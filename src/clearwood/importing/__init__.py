"""Models that other programs made, read as models of ours. A new origin is a file here and a line in the
list."""

from typing import Final

from clearwood.importing.importer import ImporterEntry
from clearwood.words.numbers import in_short

IMPORTERS: Final[dict[str, ImporterEntry]] = {
    "pmml": ImporterEntry(f"{__name__}.pmml.importer:IMPORTER", "PMML", files="PMML", runs="JPMML-Evaluator"),
    "lightgbm": ImporterEntry(
        f"{__name__}.lightgbm.importer:IMPORTER",
        "LightGBM",
        files="LightGBM's text or JSON",
        objects="a booster of LightGBM",
    ),
    "xgboost": ImporterEntry(
        f"{__name__}.xgboost.importer:IMPORTER",
        "XGBoost",
        files="XGBoost's JSON or UBJSON",
        objects="a booster of XGBoost",
    ),
    # Last, since wrappers of the others are estimators too.
    "scikit-learn": ImporterEntry(
        f"{__name__}.scikit_learn.importer:IMPORTER",
        "scikit-learn",
        objects="a fitted estimator or pipeline of scikit-learn",
    ),
}


def importable_files() -> str:
    """The forms of files that are read.

    >>> importable_files().split(", ")[:2]
    ['PMML', "LightGBM's text or JSON"]
    """
    return ", ".join(each.files for each in IMPORTERS.values() if each.files)


def importable_objects() -> str:
    """What is imported from memory."""
    return ", ".join(each.objects for each in IMPORTERS.values() if each.objects)


def programs_with_files() -> str:
    """Whose files are read."""
    return ", ".join(each.program for each in IMPORTERS.values() if each.files)


def programs_run() -> str:
    """Who is run to answer the rows of a file."""
    names = [each.runs or each.program for each in IMPORTERS.values() if each.files]
    return in_short(names, "or", len(names))
