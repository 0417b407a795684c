"""Linear models: weights that add up. A new learner is a line here."""

from typing import Final

from clearwood.learners.entry import LearnerEntry

LEARNERS: Final[dict[str, LearnerEntry]] = {
    "logistic": LearnerEntry(f"{__name__}.logistic:Logistic", "Weights that add up to log-odds.", "linear")
}
