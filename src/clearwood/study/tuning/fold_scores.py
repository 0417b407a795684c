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

from clearwood import _native
from clearwood.errors import ClearwoodError
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
from clearwood.study.recipe import Recipe
from clearwood.study.tuning.judging_by_score import JudgingByScore
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
