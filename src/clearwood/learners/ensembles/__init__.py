"""Ensembles: learners that combine many models, or add up many small steps. A new learner is a line here."""

from collections.abc import Mapping
from functools import partial
from typing import Any, Final

from clearwood.learners.entry import LearnerEntry, family_entry


def _rounds(settings: Mapping[str, Any]) -> tuple[str, ...]:
    return ("the number of rounds, by held-out rows",) if settings.get("early_stopping") else ()


_entry: Final = partial(family_entry, "ensembles", "ensemble", "", by_members=True)
LEARNERS: Final[dict[str, LearnerEntry]] = {
    "bagging": _entry(
        "bagging:Bagging",
        "Many models from rows drawn with replacement, averaged.",
        steps="forest:derive_bagging",
    ),
    "forest": _entry(
        "forest:Forest",
        "Trees on drawn rows and columns, averaged (Breiman 2001).",
        steps="forest:derive_forest",
    ),
    "adaboost": _entry(
        "adaboost:AdaBoost",
        "Each member gives more weight to rows that earlier ones misclassify; of=c45: boosted C4.5.",
        steps="adaboost:derive_adaboost",
    ),
    "boosting": _entry(
        "boosting:Boosting",
        "Trees that each take a step down the loss (Friedman 2001).",
        steps="boosting:derive_boosting",
        chooses=_rounds,
    ),
    "gam": LearnerEntry(
        f"{__name__}.gam:GAM",
        "One curve per column and a few pairs, that add up.",
        "additive",
        by_members=True,
    ),
}
