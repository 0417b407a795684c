"""Scores fold by fold: contenders learn from each fold's rows, side by side on threads, and are judged on it.

The rows of a fold are taken once for all contenders, and trees that differ only in where they stop are grown
once. Every score is the same at any number of threads.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from threading import Lock
from typing import Any, TypeAlias

import numpy as np

from clearwood import _native
from clearwood.advice import Advice
from clearwood.errors import ClearwoodError, SchemaError
from clearwood.learners.learner import Learner
from clearwood.learners.parts import FinishedTask, PartNotes, RowPart, TakenPart, run_in_order, taken_from
from clearwood.learners.trees.shared_growth import (
    growing_alike,
    grown_for,
    learned_from_grown,
    same_tree_key,
)
from clearwood.models.kinds.tree.tree import Tree
from clearwood.models.model import Model
from clearwood.models.reading_size import reading_size
from clearwood.scoring import ScoreEntry, Stakes
from clearwood.scoring.answer_scores import counting_all_rows
from clearwood.scoring.positive import check_stakes, guessed_positive
from clearwood.scoring.predictions import predictions_of
from clearwood.scoring.scores import score_called, usual_score
from clearwood.study.recipe import Recipe
from clearwood.table.attributes import Numeric
from clearwood.table.table import Table

ContenderFold: TypeAlias = tuple[int, int]  # a contender and a fold


@dataclass(frozen=True, slots=True)
class FoldScore:
    """What a contender's model of one fold got; `failed` says why there is none."""

    score: float = math.nan
    size: int = 0  # reading size
    training: float = math.nan  # on the rows learned from, where it was asked for
    failed: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class FoldWork:
    """Contenders, rows, how they are divided and what judges; `training`: on the rows learned from too."""

    learners: Sequence[Learner[Model]]
    table: Table
    parts: Sequence[RowPart]
    judging: JudgingByScore
    training: bool = False


def fold_scores(
    work: FoldWork,
    *,
    known: Mapping[ContenderFold, FoldScore],
    heed: Callable[[Mapping[ContenderFold, FoldScore]], object],
    threads: int | None = None,
) -> tuple[dict[ContenderFold, FoldScore], PartNotes]:
    """The score of every contender in every fold, and what their learners remarked on.

    Those `known` are not computed again. `heed` gets each new bundle of scores, on the thread that calls; if
    what it returns counts as true, that is enough: the scores so far are given, of the last folds those of
    some contenders only.
    """
    tasks = list(_tasks(work, known))
    count = _native.thread_count() if threads is None else threads
    done, notes, rows = dict(known), PartNotes(), _RowsOfFolds(work, tasks)

    def run(task: _Task) -> Mapping[int, FoldScore]:
        with rows.of(task.fold) as fold:
            return _judged(work, task, fold)

    def settle(ended: FinishedTask[_Task, Mapping[int, FoldScore]]) -> object:
        fold = ended.task.fold
        new = {(place, fold): score for place, score in ended.result.items()}
        done.update(new)
        notes.add(fold + 1, ended.remarks)
        return heed(new)

    run_in_order(tasks, run, settle, threads=min(count, len(tasks)))
    return done, notes


@dataclass(frozen=True, slots=True)
class _Task:
    """Contenders that learn together, by their places, in one fold."""

    fold: int
    places: tuple[int, ...]


def _tasks(work: FoldWork, known: Mapping[ContenderFold, FoldScore]) -> Iterator[_Task]:
    """Fold after fold, so that every contender is as far as the others if the work ends early."""
    together = growing_alike(map(_bare, work.learners))
    for fold in range(len(work.parts)):
        for places in together:
            missing = tuple(place for place in places if (place, fold) not in known)
            if missing:
                yield _Task(fold, missing)


def _bare(learner: Any) -> Any:
    """A recipe that does nothing but learn is its learner."""
    plain = isinstance(learner, Recipe) and not (learner.prunings or learner.before or learner.after)
    return learner.learner if plain else learner


def _judged(work: FoldWork, task: _Task, fold: TakenPart) -> Mapping[int, FoldScore]:
    learners = {place: _bare(work.learners[place]) for place in task.places}
    grown = _grown(list(learners.values()), fold.learn)
    if grown is not None:
        return _scored_together(work, task, fold, learners, grown)
    return {
        place: _scored(work, task, fold, partial(learner.learn, fold.learn))
        for place, learner in learners.items()
    }


def _grown(learners: Sequence[Any], rows: Table) -> Tree | None:
    """The tree that several can share; None of a single one, and where each has to say what is wrong."""
    if len(learners) < 2:
        return None
    try:
        return grown_for(learners, rows)
    except ClearwoodError:
        return None


def _scored_together(
    work: FoldWork, task: _Task, fold: TakenPart, learners: Mapping[int, Any], grown: Tree
) -> dict[int, FoldScore]:
    """Those that come to the same tree, as deep limits do on few rows, are judged once."""
    of_tree: dict[object, FoldScore] = {}
    scores: dict[int, FoldScore] = {}
    for place, learner in learners.items():
        key = same_tree_key(learner, grown)
        if key not in of_tree:
            learn = partial(learned_from_grown, learner, grown, fold.learn)
            of_tree[key] = _scored(work, task, fold, learn)
        scores[place] = of_tree[key]
    return scores


def _scored(work: FoldWork, task: _Task, fold: TakenPart, learn: Callable[[], Model]) -> FoldScore:
    try:
        model = learn()
        return FoldScore(
            work.judging.score(model, fold.held_out),
            reading_size(model),
            work.judging.score(model, fold.learn) if work.training else math.nan,
        )
    except ClearwoodError as error:
        return FoldScore(failed=f"In fold {task.fold + 1}: {error}")


@dataclass(slots=True, eq=False)
class _RowsOfFolds:
    """The rows of each fold, taken by the first task that needs them and let go after the last."""

    work: FoldWork
    tasks: Sequence[_Task]
    taken: dict[int, TakenPart] = field(default_factory=dict)
    left: dict[int, int] = field(default_factory=dict)
    lock: Lock = field(default_factory=Lock)
    take: Callable[[tuple[int, RowPart]], TakenPart] = field(init=False)

    def __post_init__(self) -> None:
        self.take = taken_from(self.work.table)
        for task in self.tasks:
            self.left[task.fold] = self.left.get(task.fold, 0) + 1

    @contextmanager
    def of(self, fold: int) -> Iterator[TakenPart]:
        with self.lock:
            if fold not in self.taken:
                self.taken[fold] = self.take((fold, self.work.parts[fold]))
            rows = self.taken[fold]
        try:
            yield rows
        finally:
            with self.lock:
                self.left[fold] -= 1
                if not self.left[fold]:
                    del self.taken[fold]


# How contenders are judged: by which score, with what at stake, and which way is better.


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
