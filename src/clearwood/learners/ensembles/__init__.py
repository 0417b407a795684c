"""Ensembles: learners that combine many models, or add up many small steps. A new learner is a line here."""

from collections.abc import Mapping
from typing import Any, Final

from clearwood.learners.entry import LearnerEntry


def _rounds(settings: Mapping[str, Any]) -> tuple[str, ...]:
    return ("the number of rounds, by held-out rows",) if settings.get("early_stopping") else ()


LEARNERS: Final[dict[str, LearnerEntry]] = {
    "bagging": LearnerEntry(
        f"{__name__}.bagging:Bagging",
        "Many models from rows drawn with replacement, averaged.",
        "ensemble",
        steps="clearwood.deriving.ensembles.forest:derive_bagging",
        by_members=True,
    ),
    "forest": LearnerEntry(
        f"{__name__}.forest:Forest",
        "Trees on drawn rows and columns, averaged (Breiman 2001).",
        "ensemble",
        steps="clearwood.deriving.ensembles.forest:derive_forest",
        by_members=True,
    ),
    "adaboost": LearnerEntry(
        f"{__name__}.adaboost:AdaBoost",
        "Each member gives more weight to rows that earlier ones misclassify; of=c45: boosted C4.5.",
        "ensemble",
        steps="clearwood.deriving.ensembles.adaboost:derive_adaboost",
        by_members=True,
    ),
    "boosting": LearnerEntry(
        f"{__name__}.boosting:Boosting",
        "Trees that each take a step down the loss (Friedman 2001).",
        "ensemble",
        steps="clearwood.deriving.ensembles.boosting:derive_boosting",
        by_members=True,
        chooses=_rounds,
    ),
    "gam": LearnerEntry(
        f"{__name__}.gam:GAM",
        "One curve per column and a few pairs, that add up.",
        "additive",
        by_members=True,
    ),
}
