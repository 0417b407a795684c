"""Learning curves: how good is a learner by the number of rows that it learns from?"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, Literal, TypeAlias

import numpy as np

from clearwood.arrays import Floats, Longs
from clearwood.bounds import whole
from clearwood.errors import Advice, LearningError, NamedOption, SchemaError, SettingError
from clearwood.learners.learner import Learner
from clearwood.learners.parts import FinishedTask, PartNotes, RowPart, TaskCounter, run_in_order, taken_from
from clearwood.learners.progress import give_again, kept_warnings
from clearwood.models.model import Model
from clearwood.models.predicted import predicted_quantile
from clearwood.records import json_of
from clearwood.scoring import Better, Stakes
from clearwood.scoring.positive import check_stakes
from clearwood.scoring.predictions import predictions_of
from clearwood.scoring.scores import score_called, usual_score
from clearwood.study.behaviour.repeated_learning import Learners, named_learners
from clearwood.study.designs import Design, Folds
from clearwood.study.dividing import judged_to_learned, parts_by_design, predicted_column, rows_to_learn
from clearwood.study.recipe import threads_that_pay
from clearwood.study.tuning.trials import guessed_positive_of
from clearwood.table.attributes import Numeric
from clearwood.table.folding import classes_by_name, shuffled_rows
from clearwood.table.table import Table
from clearwood.words.columns import named_columns
from clearwood.words.numbers import many

On: TypeAlias = Literal["training", "held_out"]

_SIZES: Final = 8
_FOLDS: Final = 5
_FEWEST: Final = 10  # rows to begin with, where there are as many
_SPAN: Final = 64  # the most rows over the fewest


@dataclass(frozen=True, slots=True, eq=False)
class LearnerCurve:
    """A learner's scores by number of rows, fold by fold; NaN where it could not learn from so few."""

    name: str
    training: Floats  # [fold, size] on the rows learned from
    held_out: Floats  # [fold, size] on the rows of the fold
    shared: float = 0.0  # rows that judge for each learned from, where rows judge more than once

    def mean(self, on: On = "held_out") -> Floats:
        """[size] over the folds."""
        return _over_folds(getattr(self, on), self.shared)[0]

    def standard_error(self, on: On = "held_out") -> Floats:
        """[size] of the mean over the folds, corrected for what repeated folds share (Nadeau and Bengio
        2003); NaN with a single fold."""
        return _over_folds(getattr(self, on), self.shared)[1]


@dataclass(frozen=True, slots=True, eq=False)
class LearningCurves:
    """The scores of one or several learners on the same rows, by how many they learned from.

    `rows` is rising; every learner is judged on the same held-out rows, fold by fold.
    """

    score: str
    better: Better
    rows: Longs  # [size]
    folds: int
    curves: tuple[LearnerCurve, ...]

    def __getitem__(self, name: str) -> LearnerCurve:
        for curve in self.curves:
            if curve.name == name:
                return curve
        raise SettingError(
            f"There is no curve of '{name}'. Curves: {', '.join(c.name for c in self.curves)}."
        )

    def last_doubling(self, curve: LearnerCurve) -> tuple[float, float]:
        """How much the held-out score rose (or fell) when the rows doubled to all there are, and its standard
        error over the folds; the score at half the rows is read off the curve. NaN of a curve too short."""
        half = self.rows[-1] / 2
        if half < self.rows[0]:
            return math.nan, math.nan
        at = np.log(self.rows.astype(np.float64))
        gains = np.array([scores[-1] - np.interp(np.log(half), at, scores) for scores in curve.held_out])
        mean, error = _over_folds(gains[:, None], curve.shared)
        return float(mean[0]), float(error[0])

    def __str__(self) -> str:
        over = f"± 1 standard error over {many(self.folds, 'fold')}" if self.folds > 1 else "1 fold"
        columns: dict[str, Iterable[str]] = {"rows": (f"{rows:,}" for rows in self.rows.tolist())}
        for curve in self.curves:
            name = f"{curve.name} " if len(self.curves) > 1 else ""
            for head, on in (("training", "training"), ("held out", "held_out")):
                means, errors = _over_folds(getattr(curve, on), curve.shared)
                cells = [f"{mean:.4f}" if np.isfinite(mean) else "–" for mean in means]
                if on == "held_out":
                    doubts = [f" ± {error:.4f}" if np.isfinite(error) else "" for error in errors]
                    cells = [cell + doubt for cell, doubt in zip(cells, doubts, strict=True)]
                columns[f"{name}{head}"] = cells
        heading = f"{self.score} by number of rows learned from ({over})"
        return "\n".join([heading, *named_columns(columns), *self.conclusions])

    @property
    def conclusions(self) -> list[str]:
        """What the last doubling of the rows brought each learner, and whether more rows may help."""
        sentences = []
        for curve in self.curves:
            gain, error = self.last_doubling(curve)
            if not np.isfinite(gain):
                continue
            helped = gain > 0 if self.better == "more" else gain < 0
            verdict = "more rows may help" if helped else "more rows would hardly help"
            if not np.isfinite(error) or abs(gain) <= 2 * error:
                verdict = "that may be chance, and whether more rows would help is not shown"
            doubt = f" ± {error:.4f}" if np.isfinite(error) else ""
            moved = f"{'rose' if gain >= 0 else 'fell'} by {abs(gain):.4f}{doubt}"
            rows = f"{self.rows[-1] // 2:,} to {self.rows[-1]:,} rows"
            sentences.append(f"{curve.name}: from {rows} {self.score} {moved}: {verdict}.")
        return sentences

    def to_json(self) -> dict[str, Any]:
        learners = []
        for curve in self.curves:
            figures = {"mean": curve.mean(), "standard_error": curve.standard_error()}
            learners.append(json_of(curve, "shared", **figures, last_doubling=self.last_doubling(curve)))
        return json_of(self, "folds", "curves", conclusions=self.conclusions, learners=learners)


def learning_curve(
    learners: Learners,
    table: Table,
    *,
    sizes: int | Sequence[int] = _SIZES,
    design: Design | None = None,
    score: str | None = None,
    positive: str | None = None,
    costs: Mapping[tuple[str, str], float] | None = None,
    seed: int = 0,
) -> LearningCurves:
    """Learn from ever more of each fold's training rows, and judge on the rows of the fold.

    `design` says which rows judge; by default five folds, drawn with `seed`. `sizes` are numbers of rows, or
    how many of them, each larger than the one before by the same factor. The rows of a size are among those
    of the next, and every class has its part in them. A learner that cannot learn from so few rows has no
    score there. `score` is one of the list, by default accuracy or RMSE, or what the learner's model calls
    for; `positive` and `costs` are what is at stake.

    >>> import clearwood as cw
    >>> days = cw.read_table(cw.datasets.path("tennis"), target="PlayTennis")
    >>> curves = learning_curve([cw.ID3(), cw.NaiveBayes()], days, sizes=[4, 7, 10], design=cw.Folds(4))
    >>> [curve.name for curve in curves.curves], curves.curves[0].held_out.shape
    (['ID3', 'NaiveBayes'], (4, 3))
    """
    named = named_learners("learning_curve", learners)
    target = predicted_column(table)
    numbers = isinstance(target, Numeric)
    if score is not None:
        score_called(score, numbers=numbers)
    stakes = Stakes(positive or "", costs)
    if not numbers:
        check_stakes(stakes, table.schema.classes)
    if design is None:
        if len(table) < 2:
            raise SchemaError(
                "A learning curve needs at least two rows: one to learn from and one to test on."
            )
        design = Folds(min(_FOLDS, len(table)), seed)
    parts = parts_by_design(design, table)
    if not parts:
        raise SettingError("A learning curve needs test rows. Give a design such as Folds(5).")
    table = rows_to_learn(design, table)
    rows = _sizes(table, sizes, min(len(part.learn) for part in parts))
    notes = PartNotes()
    judging = _Judging(table, score, _with_positive(stakes, score, table), notes)
    scores = _scores(judging, list(named.values()), parts, rows.tolist(), seed)
    notes.warn(len(parts))
    shared = judged_to_learned(parts)
    curves = [LearnerCurve(name, own[0], own[1], shared) for name, own in zip(named, scores, strict=True)]
    entry = score_called(judging.score or usual_score(numbers=numbers), numbers=numbers)
    of = f" of {judging.stakes.positive}" if entry.about_positive and judging.stakes.positive else ""
    return LearningCurves(f"{entry.label}{of}", entry.better, rows, len(parts), tuple(curves))


@dataclass(frozen=True, slots=True, eq=False)
class _Task:
    """A learner and the rows of a fold, counted from 0, that it learns from; the last are all of the fold."""

    learner: Learner[Model]
    fold: int
    rows: Longs
    held_out: Table
    is_last: bool


@dataclass(slots=True, eq=False)
class _Judging:
    """What every learner is judged by; the score is known, where none was named, with the first model."""

    table: Table
    score: str | None
    stakes: Stakes
    notes: PartNotes

    def both(self, task: _Task) -> tuple[float, float] | None:
        """The scores on the rows learned from and on those held out; None of too few rows to learn from."""
        rows = self.table.take(task.rows)
        try:
            with self.notes.naming(task.fold + 1), kept_warnings() as remarks:
                model = task.learner.learn(rows)
        except LearningError:
            if task.is_last:  # it cannot learn from all rows either: say why
                raise
            return None
        give_again(remarks)
        return self._value(model, rows), self._value(model, task.held_out)

    def _value(self, model: Model, rows: Table) -> float:
        predictions = predictions_of(model, rows)
        if self.score is None:
            costs = bool(model.decision.costs) if not model.is_numeric else False
            quantile = predicted_quantile(model) if model.is_numeric else None
            self.score = usual_score(numbers=model.is_numeric, quantile=quantile, costs=costs)
        return score_called(self.score, numbers=model.is_numeric).value(predictions, self.stakes)


def _scores(
    judging: _Judging,
    learners: Sequence[Learner[Model]],
    parts: Sequence[RowPart],
    sizes: Sequence[int],
    seed: int,
) -> Floats:
    """[learner, (training, held out), fold, size]; NaN where there is none."""
    counter = TaskCounter(len(learners) * len(parts) * len(sizes))

    def heed(done: FinishedTask[_Task, tuple[float, float] | None]) -> None:
        judging.notes.add(done.task.fold + 1, done.remarks)
        if done.result is None:
            counter.done += 1
        else:
            counter.add()

    tasks = (task for learner in learners for task in _tasks(judging.table, learner, parts, sizes, seed))
    found: list[tuple[float, float] | None] = []
    while judging.score is None and (first := next(tasks, None)) is not None:  # before threads ask for it
        found += run_in_order([first], judging.both, heed)
    threads = threads_that_pay(judging.table, *learners)
    found += run_in_order(tasks, judging.both, heed, threads=threads)
    scores = np.array([(math.nan, math.nan) if each is None else each for each in found])
    return np.moveaxis(scores.reshape(len(learners), len(parts), len(sizes), 2), 3, 1)


def _tasks(
    table: Table, learner: Learner[Model], parts: Sequence[RowPart], sizes: Sequence[int], seed: int
) -> Iterator[_Task]:
    take = taken_from(table)
    for fold, part in enumerate(parts):
        taken = take((fold, part))
        order = part.learn[_mixed_evenly(taken.learn, seed + fold)]
        for size in sizes:
            yield _Task(learner, fold, np.sort(order[:size]), taken.held_out, size == sizes[-1])


def _with_positive(stakes: Stakes, score: str | None, table: Table) -> Stakes:
    """The same with a positive class where the score is about one; of two it is guessed, once for all."""
    numbers = isinstance(table.schema.target, Numeric)
    if score is None or numbers or not score_called(score, numbers=False).about_positive:
        if stakes.positive:
            raise SettingError(
                NamedOption("positive"),
                " names the class that a score such as recall is about. Name such a score, or leave it out.",
            )
        return stakes
    if stakes.positive or len(table.schema.classes) != 2:
        return stakes
    return replace(stakes, positive=guessed_positive_of(table))


def _sizes(table: Table, sizes: int | Sequence[int], most: int) -> Longs:
    """The numbers of rows, rising, refused where a fold has not as many."""
    if isinstance(sizes, int):
        whole("sizes", sizes, 1)
        if sizes > max(most, _SIZES):
            raise SettingError(
                NamedOption("sizes"),
                f" is how many points the curve has, and {sizes:,} of them are more than the {most:,} rows "
                "that each fold leaves to learn from. Take fewer, such as ",
                Advice("sizes", min(_SIZES, most)),
                ", or name numbers of rows, two or more: ",
                Advice("sizes", [max(1, most // 2), most]),
                ".",
            )
        fewest = min(most, max(_FEWEST, 2 * len(table.schema.classes), -(-most // _SPAN)))
        steps = np.geomspace(fewest, most, sizes) if sizes > 1 else np.array([float(most)])
        return np.unique(np.rint(steps).astype(np.int64))
    chosen = np.unique(np.array([whole("sizes", each, 1) for each in sizes], dtype=np.int64))
    if not len(chosen) or chosen[-1] > most:
        raise SettingError(
            NamedOption("sizes"),
            f" must be numbers of rows up to {most:,}, as many as each fold leaves to learn from.",
        )
    return chosen


def _mixed_evenly(rows: Table, seed: int) -> Longs:
    """The rows in an order of which every beginning has its part of each class."""
    order = shuffled_rows(rows, seed)
    if isinstance(rows.schema.target, Numeric):
        return order
    codes = classes_by_name(rows)[order]
    by_class = np.argsort(codes, kind="stable")
    _, starts, counts = np.unique(codes[by_class], return_index=True, return_counts=True)
    place = np.arange(len(rows)) - np.repeat(starts, counts)  # among the rows of the class
    part = (place + 0.5) / np.repeat(counts, counts)
    return order[by_class[np.argsort(part, kind="stable")]]


def _over_folds(scores: Floats, shared: float) -> tuple[Floats, Floats]:
    """[size] the mean over the folds that have a score, and its standard error."""
    known = np.isfinite(scores)
    count = known.sum(axis=0)
    with np.errstate(divide="ignore", invalid="ignore"):
        mean = np.where(known, scores, 0.0).sum(axis=0) / count
        squares = np.where(known, (scores - mean) ** 2, 0.0).sum(axis=0)
        error = np.where(count > 1, np.sqrt(squares / (count - 1) * (1 / count + shared)), np.nan)
    return np.where(count > 0, mean, np.nan), error
