"""Cross-validation: how well does a learner do on rows it has not seen, and how sure are we?"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import field, replace
from itertools import starmap
from typing import Any, Final

import numpy as np

from clearwood.arrays import Floats, Longs
from clearwood.bounds import whole
from clearwood.errors import SettingError
from clearwood.learners.learner import Learner
from clearwood.learners.parts import PartNotes, RowPart, TakenPart, TaskCounter, over_parts
from clearwood.models.model import Model, reading_size, size_of
from clearwood.records import dataclass, json_of
from clearwood.scoring.evaluation import ClassEvaluation, Evaluation, NumberEvaluation, evaluate
from clearwood.scoring.intervals import CORRECTED, error_of_terms, terms_of_parts, with_fitting_intervals
from clearwood.scoring.predictions import (
    ClassPredictions,
    Judged,
    NumberPredictions,
    Predictions,
    TrueAndPredicted,
    counted_once,
    predictions_of,
    predictions_together,
)
from clearwood.study.designs import FOLDS, Bootstrap, Design, Folds, design_in_words
from clearwood.study.dividing import judged_to_learned, parts_by_design, rows_to_learn, units_of
from clearwood.study.recipe import threads_that_pay
from clearwood.table.folding import RowPositions
from clearwood.table.table import Table, as_counts
from clearwood.words.columns import named_columns


@dataclass(frozen=True, slots=True)
class CrossValidation:
    """The evaluations fold by fold, or part by part of another design, and of all held-out rows together.

    `score` is the accuracy of all held-out rows together (for numbers the RMSE, the MAE where medians are
    predicted, the quantile loss where other quantiles are) and `standard_error` its standard error: the
    folds' standard deviation times √(1/folds + rows that judge ÷ rows learned from), which corrects it for
    the rows that the folds' models share, in one round of folds as in many (Nadeau and Bengio 2003); of roots
    on the scale of squares. Rows left unanswered are counted apart, and a fold without an answered row has no
    score (NaN). `predictions` are those that each row got from the models that did not see it, fold after
    fold; `together` counts a row once, however many judged it. `bootstrap` has the .632+ estimate where the
    design is one.
    """

    folds: tuple[Evaluation, ...]
    sizes: tuple[int, ...]
    unit: str  # what a size counts: leaves, rules, …
    together: Evaluation
    predictions: Predictions = field(compare=False, repr=False)
    design: Design | None = None  # None: pairs of rows were given
    judged_to_learned: float = 0.0  # rows that judge to different rows learned from, in the average part
    bootstrap: BootstrapError | None = None
    reading_sizes: tuple[int, ...] = ()  # how much there is to read of each fold's model

    @property
    def held_out(self) -> Judged | TrueAndPredicted:
        """The shares, or the numbers, of the rows that can be judged by them, fold after fold."""
        rows = counted_once(self.predictions)
        return rows.judged if isinstance(rows, ClassPredictions) else rows.answered

    @property
    def design_in_words(self) -> str:
        """What judged, in a few words."""
        return design_in_words(self.design, len(self.folds))

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
        """Of all held-out rows together, each counted once: where folds have as many rows, the mean of their
        scores, or of a root that of their squares."""
        whole = self.together
        return whole.accuracy if isinstance(whole, ClassEvaluation) else whole.score[1]

    @property
    def standard_error(self) -> float:
        """Of the score, by how it varies over the folds; NaN for one fold, which has no spread."""
        terms = terms_of_parts(self.scores, "root" if self.score_name == "RMSE" else "mean")
        return error_of_terms(terms, self.judged_to_learned)

    def __str__(self) -> str:
        name = self.score_name
        columns: dict[str, Iterable[str]] = {"fold": map(str, range(1, len(self.folds) + 1))}
        columns[name] = ("–" if np.isnan(score) else f"{score:.4g}" for score in self.scores)
        if self.costs:
            columns["cost"] = (f"{cost:.4g}" for cost in self.costs)
        columns[self.unit] = map(str, self.sizes)
        folds, known = len(self.folds), int((~np.isnan(self.scores)).sum())
        counted = self.design_in_words if known == folds else f"{known} of {folds} folds"
        over = f"± {self.standard_error:.4f} over {counted}, by {CORRECTED}" if folds > 1 else "on 1 fold"
        heading = [f"{name} {self.score:.4f} {over}"]
        if self.bootstrap is not None:
            heading.append(str(self.bootstrap))
        return "\n".join([*heading, *named_columns(columns), "", str(self.together)])


def cross_validate(
    learner: Learner[Model],
    table: Table,
    *,
    folds: int | Iterable[tuple[RowPositions, RowPositions]] = FOLDS,
    design: Design | None = None,
    seed: int = 0,
) -> CrossValidation:
    """Learn on each fold's rows, evaluate on those held out.

    `design` says how the rows are divided: `Folds(10, repeats=5, group="customer")`, `Bootstrap(200)`, …; or
    `folds` is a number of them, 10 by default, or the pairs of rows themselves. Of large tables several folds
    are learned from at once, with the same result.

    >>> import clearwood as cw
    >>> table = cw.read_table(cw.datasets.path("tennis"), target="PlayTennis")
    >>> cw.cross_validate(cw.ID3(), table, design=cw.Folds(7, repeats=3)).design_in_words
    '7 folds, 3 times'
    """
    if not callable(getattr(learner, "learn", None)):
        raise SettingError(
            f"cross_validate takes a learner, such as C45(), not a {type(learner).__name__}:"
            " it learns again on each fold."
        )
    units: Longs | None = None
    if isinstance(folds, Iterable) and not isinstance(folds, str):
        _refuse_both(design)
        parts: Sequence[RowPart] = list(starmap(RowPart, folds))
    else:
        if design is None:
            design = Folds(whole("folds", folds, 0), seed)
        elif folds != FOLDS:
            _refuse_both(design)
        parts, units = parts_by_design(design, table), units_of(design, table)
        table = rows_to_learn(design, table, getattr(learner, "divides_by", ()))
    if not parts:
        raise SettingError(
            "This design holds no rows out: nothing can be evaluated by it. Take Folds() or another."
        )

    def judged(part: TakenPart) -> _JudgedFold:
        model = learner.learn(part.learn)
        judge = part.part.judge
        belonging = None if units is None else units[judge]
        given = predictions_of(model, part.held_out, places=judge, part=part.place, units=belonging)
        given = replace(given, weights_are=table.weights_are)
        evaluation = evaluate(model, part.held_out)
        if isinstance(evaluation, ClassEvaluation) and isinstance(given, ClassPredictions):
            # The rows that weights amount to, which those that are added up no longer say.
            evaluation = replace(evaluation, effective=given.evaluation.effective)
        return _JudgedFold(
            with_fitting_intervals(evaluation, given), given, size_of(model), reading_size(model)
        )

    notes, counter = PartNotes(), TaskCounter(len(parts), "fold")
    threads = threads_that_pay(table, learner)
    done = over_parts(table, parts, judged, notes=notes, threads=threads, counter=counter)
    notes.warn(len(done))
    evaluations = [each.evaluation for each in done]
    predictions = predictions_together([each.predictions for each in done])
    once = counted_once(predictions)
    whole_score = together(evaluations) if once is predictions else once.evaluation
    if isinstance(whole_score, ClassEvaluation) and not whole_score.costs:  # each fold has others
        evaluations = [
            replace(each, costs=()) if isinstance(each, ClassEvaluation) else each for each in evaluations
        ]
    return CrossValidation(
        tuple(evaluations),
        tuple(each.size[0] for each in done),
        done[-1].size[1],
        with_fitting_intervals(whole_score, once),
        predictions,
        design,
        judged_to_learned(parts),
        bootstrap_error(learner, table, once) if isinstance(design, Bootstrap) else None,
        tuple(each.reading_size for each in done),
    )


@dataclass(frozen=True, slots=True, eq=False)
class _JudgedFold:
    """What the model of one fold gave the rows held out, how well, and how large it is."""

    evaluation: Evaluation
    predictions: Predictions
    size: tuple[int, str]
    reading_size: int


def _refuse_both(design: Design | None) -> None:
    if design is not None:
        raise SettingError("Give folds or a design, not both.")


def together(parts: Sequence[Evaluation]) -> Evaluation:
    """All held-out rows as one evaluation; without costs where those of the parts differ."""
    first, left_out = parts[0], sum(part.left_out for part in parts)
    if isinstance(first, ClassEvaluation):
        classes = [part for part in parts if isinstance(part, ClassEvaluation)]

        def summed(rows: list[tuple[float, ...]]) -> tuple[float, ...]:
            return tuple(np.sum([row for row in rows if row], axis=0).tolist()) if any(rows) else ()

        # Kish's number of all rows: (Σw)² ÷ Σw², where the Σw² of a part is (its Σw)² ÷ its own number.
        squares = [part.weight_answered**2 / part.effective for part in classes if part.effective]
        weight = sum(part.weight_answered for part in classes)
        return ClassEvaluation(
            first.classes,
            tuple(map(tuple, np.sum([part.confusion for part in classes], axis=0).tolist())),
            summed([part.unknown for part in classes]),
            left_out,
            summed([part.silent for part in classes]),
            costs=first.costs if all(part.costs == first.costs for part in classes) else (),
            effective=float(weight**2 / sum(squares)) if squares else None,
        )
    numbers = [part for part in parts if isinstance(part, NumberEvaluation)]
    weight = sum(part.weight for part in numbers)
    mean = sum(part.weight * part.mean for part in numbers) / weight if weight else 0.0
    return NumberEvaluation(
        weight,
        sum(part.absolute for part in numbers),
        sum(part.squared for part in numbers),
        # The spread is about the mean of all rows, not about that of each part.
        sum(part.spread + part.weight * (part.mean - mean) ** 2 for part in numbers),
        left_out,
        sum(part.silent for part in numbers),
        numbers[0].quantile,
        sum(part.pinball for part in numbers),
        sum(part.at_or_below for part in numbers),
        mean,
    )


# The .632+ estimate: the error on rows that were not drawn, moved towards that on the training rows.
#
# A sample of rows drawn with replacement has 63.2 % of the different ones, so that models of samples are
# worse than one of all rows. The correction weighs both errors by how much the learner overfits (Efron and
# Tibshirani 1997).


_DRAWN: Final = 1 - np.exp(-1.0)  # the part of the rows in a large sample: .632


@dataclass(frozen=True, slots=True)
class BootstrapError:
    """The part of wrong answers (of numbers the mean squared error) on rows not drawn, on the training rows,
    and where answers had nothing to do with the truth."""

    not_drawn: float
    training: float
    no_information: float
    squared: bool = False

    @property
    def overfitting(self) -> float:
        """From 0, none, to 1: as if there were nothing to learn."""
        reach = self.no_information - self.training
        return float(np.clip((self._bounded - self.training) / reach, 0, 1)) if reach > 0 else 0.0

    @property
    def estimate(self) -> float:
        """The .632+ estimate."""
        weight = _DRAWN / (1 - (1 - _DRAWN) * self.overfitting)
        return float((1 - weight) * self.training + weight * self._bounded)

    @property
    def plain(self) -> float:
        """The .632 estimate, without regard to overfitting."""
        return float((1 - _DRAWN) * self.training + _DRAWN * self.not_drawn)

    @property
    def _bounded(self) -> float:
        return min(self.not_drawn, self.no_information) if self.not_drawn > self.training else self.not_drawn

    def to_json(self) -> dict[str, Any]:
        """Plain values, ready for `json.dumps`."""
        return json_of(self, estimate_632_plus=self.estimate)

    @property
    def phrase(self) -> str:
        """The estimate on the scale of the scores."""
        if self.squared:
            return f"by the .632+ estimate {self.estimate**0.5:.4g} (root mean square)"
        return f"by the .632+ estimate accuracy {100 * (1 - self.estimate):.1f} %"

    def __str__(self) -> str:
        what = "squared error" if self.squared else "error"
        return (
            f".632+ estimate of the {what} {self.estimate:.4g}: on rows not drawn {self.not_drawn:.4g}, on "
            f"the training rows {self.training:.4g}, without information {self.no_information:.4g}, relative "
            f"overfitting {self.overfitting:.2f}"
        )


def bootstrap_error(learner: Learner[Model], table: Table, not_drawn: Predictions) -> BootstrapError:
    """Of the predictions of rows not drawn, each row counted once; the learner learns all rows once more."""
    return error_from(predictions_of(learner.learn(table), as_counts(table)), not_drawn)


def error_from(training: Predictions, not_drawn: Predictions) -> BootstrapError:
    """Of what a model of all rows gives them, and of the predictions of rows not drawn."""
    return BootstrapError(
        _mean_error(not_drawn),
        _mean_error(training),
        _no_information(training),
        isinstance(training, NumberPredictions),
    )


def _mean_error(predictions: Predictions) -> float:
    if isinstance(predictions, ClassPredictions):
        return 1 - predictions.evaluation.accuracy
    return predictions.evaluation.rmse**2


def _no_information(predictions: Predictions) -> float:
    """The error of the answers, each beside every truth."""
    weights = predictions.weights
    if isinstance(predictions, NumberPredictions):
        known = ~np.isnan(predictions.answers)
        y, answers, w = predictions.truth[known], predictions.answers[known], weights[known]
        mean_y, mean_a = _mean(y, w), _mean(answers, w)
        return _mean((y - mean_y) ** 2, w) + _mean((answers - mean_a) ** 2, w) + (mean_y - mean_a) ** 2
    answered = predictions.answers >= 0
    width = len(predictions.classes)
    known = answered & (predictions.truth >= 0)
    true = np.bincount(predictions.truth[known], weights[known], minlength=width)
    called = np.bincount(predictions.answers[answered], weights[answered], minlength=width)
    total = float(weights[answered].sum())
    return float(1 - (true / total) @ (called / total)) if total > 0 else float("nan")


def _mean(values: Floats, weights: Floats) -> float:
    return float(values @ weights / weights.sum()) if len(values) else float("nan")
