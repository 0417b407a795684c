"""Ensembles: learners that combine many models, or add up many small steps. A new learner is a line here."""

from collections.abc import Mapping
from typing import Any, Final

from clearwood.learners.entry import LearnerEntry


def _rounds(settings: Mapping[str, Any]) -> tuple[str, ...]:
    return ("the number of rounds, by held-out rows",) if settings.get("early_stopping") else ()


def _entry(home: str, about: str, steps: str = "", **more: Any) -> LearnerEntry:
    """A learner by its "module:class" here; its steps by those in deriving."""
    worker = f"clearwood.deriving.ensembles.{steps}" if steps else ""
    return LearnerEntry(f"{__name__}.{home}", about, "ensemble", steps=worker, by_members=True, **more)


LEARNERS: Final[dict[str, LearnerEntry]] = {
    "bagging": _entry(
        "bagging:Bagging",
        "Many models from rows drawn with replacement, averaged.",
        "forest:derive_bagging",
    ),
    "forest": _entry(
        "forest:Forest", "Trees on drawn rows and columns, averaged (Breiman 2001).", "forest:derive_forest"
    ),
    "adaboost": _entry(
        "adaboost:AdaBoost",
        "Each member gives more weight to rows that earlier ones misclassify; of=c45: boosted C4.5.",
        "adaboost:derive_adaboost",
    ),
    "boosting": _entry(
        "boosting:Boosting",
        "Trees that each take a step down the loss (Friedman 2001).",
        "boosting:derive_boosting",
        chooses=_rounds,
    ),
    "gam": LearnerEntry(
        f"{__name__}.gam:GAM",
        "One curve per column and a few pairs, that add up.",
        "additive",
        by_members=True,
    ),
}
