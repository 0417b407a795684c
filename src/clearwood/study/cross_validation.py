"""Cross-validation: how well does a learner do on rows it has not seen, and how sure are we?"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np

from clearwood.bounds import whole
from clearwood.errors import SettingError
from clearwood.learners.learner import Learner
from clearwood.models.model import Model, size_of
from clearwood.scoring.evaluation import ClassEvaluation, Evaluation, NumberEvaluation, evaluate
from clearwood.scoring.judged import Judged, judged_together, shares_beside
from clearwood.scoring.true_and_predicted import TrueAndPredicted, numbers_beside, numbers_together
from clearwood.study.fold_notes import FoldNotes
from clearwood.table.folding import RowPositions
from clearwood.table.folding import folds as fold_rows
from clearwood.table.table import Table, as_counts
from clearwood.words.columns import in_columns


@dataclass(frozen=True, slots=True)
class CrossValidation:
    """The evaluations fold by fold and of all held-out rows together.

    `score` is the mean over the folds of the accuracy (for numbers of the RMSE, of the MAE where medians are
    predicted, of the quantile loss where other quantiles are) and `standard_error`
    its standard error: the folds' standard deviation over the root of their number. Rows left unanswered are
    counted apart, and a fold without an answered row has no score (NaN), and none in the mean. `held_out` has
    the shares, or the numbers, that each row got from the model that did not see it, fold after fold.
    """

    folds: tuple[Evaluation, ...]
    sizes: tuple[int, ...]
    unit: str  # what a size counts: leaves, rules, …
    together: Evaluation
    held_out: Judged | TrueAndPredicted | None = field(default=None, compare=False, repr=False)

    @property
    def scores(self) -> tuple[float, ...]:
        return tuple(
            each.accuracy if isinstance(each, ClassEvaluation) else each.score[1] for each in self.folds
        )

    @property
    def score_name(self) -> str:
        """What the scores are."""
        return "accuracy" if isinstance(self.together, ClassEvaluation) else self.together.score[0]

    @property
    def costs(self) -> tuple[float, ...]:
        """The expected cost of a row, fold by fold; none where the learner was given no costs."""
        if not isinstance(self.together, ClassEvaluation) or not self.together.costs:
            return ()
        costs = [each.cost for each in self.folds if isinstance(each, ClassEvaluation)]
        return tuple(float("nan") if each is None else each.per_row for each in costs)

    @property
    def score(self) -> float:
        known = self._known_scores
        return float(np.mean(known)) if known else float("nan")

    @property
    def standard_error(self) -> float:
        """Of the mean over the folds; NaN for one fold, which has no spread."""
        known = self._known_scores
        if len(known) < 2:
            return float("nan")
        return float(np.std(known, ddof=1) / np.sqrt(len(known)))

    @property
    def _known_scores(self) -> list[float]:
        return [score for score in self.scores if not np.isnan(score)]

    def __str__(self) -> str:
        name = self.score_name
        costs = self.costs
        rows = [["fold", name, *(["cost"] if costs else []), self.unit]]
        rows += [
            [
                str(i + 1),
                "–" if np.isnan(score) else f"{score:.4g}",
                *([f"{costs[i]:.4g}"] if costs else []),
                str(size),
            ]
            for i, (score, size) in enumerate(zip(self.scores, self.sizes, strict=True))
        ]
        folds = len(self.folds)
        known = len(self._known_scores)
        counted = f"{folds} folds" if known == folds else f"{known} of {folds} folds"
        over = f"± {self.standard_error:.4f} over {counted}" if folds > 1 else "on 1 fold"
        heading = f"{name} {self.score:.4f} {over}"
        return "\n".join([heading, *in_columns(rows, "figures"), "", str(self.together)])


def cross_validate(
    learner: Learner[Model],
    table: Table,
    *,
    folds: int | Iterable[tuple[RowPositions, RowPositions]] = 10,
    seed: int = 0,
) -> CrossValidation:
    """Learn on each fold's rows, evaluate on those held out; `folds` is a number, or the pairs themselves."""
    if not callable(getattr(learner, "learn", None)):
        raise SettingError(
            f"cross_validate takes a learner, such as C45(), not a {type(learner).__name__}:"
            " it learns anew on each fold."
        )
    if not isinstance(folds, Iterable) or isinstance(folds, str):
        folds = fold_rows(table, whole("folds", folds, 0), seed)
    evaluations, sizes, unit = [], [], ""
    apart = as_counts(table)  # what is held out is added up: one scale for every fold
    shares: list[Judged] = []
    numbers: list[TrueAndPredicted] = []
    notes = FoldNotes()
    for fold, (train, test) in enumerate(folds, 1):
        with notes.of(fold):
            model = learner.learn(table.take(train))
        size, unit = size_of(model)
        sizes.append(size)
        rows = apart.take(test)
        evaluations.append(evaluate(model, rows))
        if model.is_numeric:
            numbers.append(numbers_beside(model, rows))
        else:
            shares.append(shares_beside(model, rows))
    notes.warn(len(evaluations))
    held_out = numbers_together(numbers) if numbers else judged_together(shares)
    return CrossValidation(tuple(evaluations), tuple(sizes), unit, together(evaluations), held_out)


def together(parts: Sequence[Evaluation]) -> Evaluation:
    """All held-out rows as one evaluation."""
    first = parts[0]
    left_out = sum(part.left_out for part in parts)
    if isinstance(first, ClassEvaluation):
        classes = [part for part in parts if isinstance(part, ClassEvaluation)]
        counted = np.sum([part.confusion for part in classes], axis=0)
        unknown = [part.unknown for part in classes if part.unknown]
        silent = [part.silent for part in classes if part.silent]
        return ClassEvaluation(
            first.classes,
            tuple(map(tuple, counted.tolist())),
            tuple(np.sum(unknown, axis=0).tolist()) if unknown else (),
            left_out,
            tuple(np.sum(silent, axis=0).tolist()) if silent else (),
            costs=first.costs,
            cutoff=first.cutoff,
        )
    numbers = [part for part in parts if isinstance(part, NumberEvaluation)]
    return NumberEvaluation(
        sum(part.weight for part in numbers),
        sum(part.absolute for part in numbers),
        sum(part.squared for part in numbers),
        sum(part.spread for part in numbers),
        left_out,
        sum(part.silent for part in numbers),
        numbers[0].quantile,
        sum(part.pinball for part in numbers),
        sum(part.at_or_below for part in numbers),
    )
