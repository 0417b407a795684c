"""Naive Bayes: counts and curves of each column by class. A new learner is a line here."""

from typing import Final

from clearwood.learners.entry import LearnerEntry

LEARNERS: Final[dict[str, LearnerEntry]] = {
    "bayes": LearnerEntry(
        f"{__name__}.naive_bayes:NaiveBayes", "Probabilities of values in each class.", "bayes"
    )
}
