"""Ensembles: learners that combine many models, or add up many small steps. A new learner is a line here."""

from __future__ import annotations

from typing import Final

from clearwood.learners.entry import LearnerEntry

LEARNERS: Final[dict[str, LearnerEntry]] = {
    "bagging": LearnerEntry(
        f"{__name__}.bagging:Bagging", "Many models from rows drawn with replacement, averaged.", "ensemble"
    ),
    "adaboost": LearnerEntry(
        f"{__name__}.adaboost:AdaBoost",
        "Members that look harder at what was wrong before; of=c45: boosted C4.5.",
        "ensemble",
    ),
    "gam": LearnerEntry(
        f"{__name__}.gam:GAM", "One curve per column and a few pairs, that add up.", "additive"
    ),
}
