"""How contenders are judged: by which score, with what at stake, and which way is better."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from clearwood.advice import Advice
from clearwood.errors import SchemaError
from clearwood.models.model import Model
from clearwood.scoring.answer_scores import counting_all_rows
from clearwood.scoring.positive import check_stakes, guessed_positive
from clearwood.scoring.predictions import predictions_of
from clearwood.scoring.score import ScoreEntry, Stakes
from clearwood.scoring.scores import score_called, usual_score
from clearwood.study.recipe import Recipe
from clearwood.table.attributes import Numeric
from clearwood.table.table import Table


@dataclass(frozen=True, slots=True)
class JudgingByScore:
    """A score by its name, and what is at stake. `guessed` is the positive class where none was named."""

    by: str
    entry: ScoreEntry
    stakes: Stakes
    guessed: str = ""

    def score(self, model: Model, rows: Table) -> float:
        """The score of a model on rows, all of them; NaN where they cannot tell."""
        answers_only = self.entry.of == "answers" and model.decision.is_plain
        predictions = predictions_of(model, rows, answers_only=answers_only)
        return self.entry.value(counting_all_rows(predictions, self.entry), self.stakes)

    @property
    def in_words(self) -> str:
        """The score, and of which class."""
        about = self.entry.about_positive and self.stakes.positive
        return f"{self.entry.label} of {self.stakes.positive}" if about else self.entry.label


def judging_by_score(
    learner: Any,
    table: Table,
    by: str | None = None,
    positive: str | None = None,
    costs: Mapping[tuple[str, str], float] | None = None,
) -> JudgingByScore:
    """Whatever is wrong with the score is refused here, before anything is learned.

    Where no score is named it is the usual one for what the learner predicts; of two classes the positive one
    is guessed once, from all rows, so that every fold has the same.
    """
    target = table.schema.target
    if target is None:
        raise SchemaError("Which column is predicted? Name it: ", Advice("target"), ".")
    own = learner.learner if isinstance(learner, Recipe) else learner
    numbers = isinstance(target, Numeric)
    if by is None:
        with_costs = costs is not None or getattr(own, "costs", None) is not None
        by = usual_score(numbers=numbers, quantile=_quantile(own) if numbers else None, costs=with_costs)
    entry = score_called(by, numbers=numbers)
    stakes = Stakes(positive or "", costs)
    if numbers:
        return JudgingByScore(by, entry, stakes)
    classes = table.schema.classes
    check_stakes(stakes, classes)
    guessed = ""
    if not positive and entry.about_positive and len(classes) == 2:
        codes = np.asarray(table.target)
        weights = np.ones(len(table)) if table.weights is None else table.weights
        known = codes >= 0
        by_class = np.bincount(codes[known], weights[known], minlength=2).astype(np.float64)
        guessed, _ = guessed_positive(classes, by_class)
        stakes = Stakes(guessed, costs)
    return JudgingByScore(by, entry, stakes, guessed)


def _quantile(learner: Any) -> float | None:
    """The quantile that a learner's models predict, as far as its settings tell; None: the mean."""
    if getattr(learner, "loss", None) == "quantile":
        quantile: float = learner.quantile
        return quantile
    medians = getattr(learner, "loss", None) == "absolute" or getattr(learner, "measure", None) == "absolute"
    return 0.5 if medians else None
