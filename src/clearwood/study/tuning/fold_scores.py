"""Scores fold by fold: contenders learn from each fold's rows, side by side on threads, and are judged on it.

The rows of a fold are taken once for all contenders, and trees that differ only in where they stop are grown
once. Every score is the same at any number of threads.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from threading import Event, Lock, local
from typing import Any, Final, TypeAlias
from warnings import WarningMessage

from clearwood import _native
from clearwood.errors import ClearwoodError
from clearwood.learners.learner import Learner
from clearwood.learners.progress import kept_warnings, watching
from clearwood.learners.trees.shared_growth import (
    growing_alike,
    grown_for,
    learned_from_grown,
    same_tree_key,
)
from clearwood.models.model import Model
from clearwood.models.reading_size import reading_size
from clearwood.models.tree import Tree
from clearwood.study.cross_validation import FoldNotes
from clearwood.study.dividing import RowPart
from clearwood.study.recipe import Recipe
from clearwood.study.tuning.judging_by_score import JudgingByScore
from clearwood.table.table import Table, as_counts

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
) -> tuple[dict[ContenderFold, FoldScore], FoldNotes]:
    """The score of every contender in every fold, and what their learners remarked on.

    Those `known` are not computed again. `heed` gets each new bundle of scores, on the thread that calls; if
    what it returns counts as true, that is enough: the scores so far are given, of the last folds those of
    some contenders only.
    """
    tasks = list(_tasks(work, known))
    count = _native.thread_count() if threads is None else threads
    count = 1 if _INSIDE.working else min(count, len(tasks))
    done, notes, rows = dict(known), FoldNotes(), _RowsOfFolds(work, tasks)
    stop = Event()

    def run(task: _Task) -> _Outcome:
        with rows.of(task.fold) as fold:
            return _judged(work, task, fold, stop)

    def settle(outcome: _Outcome) -> bool:
        fold = outcome.task.fold
        new = {(place, fold): score for place, score in outcome.scores.items()}
        done.update(new)
        notes.add(fold + 1, outcome.remarks)
        return bool(heed(new))

    if count <= 1:
        for task in tasks:
            if settle(run(task)):
                break
        return done, notes
    _on_threads(tasks, run, settle, count, stop)
    return done, notes


@dataclass(frozen=True, slots=True)
class _Task:
    """Contenders that learn together, by their places, in one fold."""

    fold: int
    places: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class _Outcome:
    task: _Task
    scores: Mapping[int, FoldScore]
    remarks: Sequence[WarningMessage]


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


def _judged(work: FoldWork, task: _Task, fold: _Fold, stop: Event) -> _Outcome:
    learners = {place: _bare(work.learners[place]) for place in task.places}
    # A learner of many members ends as soon as nobody waits for it any more.
    with kept_warnings() as remarks, watching(lambda _: stop.is_set()):
        grown = _grown(list(learners.values()), fold.learn)
        if grown is None:
            scores = {
                place: _scored(work, task, fold, partial(learner.learn, fold.learn))
                for place, learner in learners.items()
            }
        else:
            scores = _scored_together(work, task, fold, learners, grown)
    return _Outcome(task, scores, remarks)


def _grown(learners: Sequence[Any], rows: Table) -> Tree | None:
    """The tree that several can share; None of a single one, and where each has to say what is wrong."""
    if len(learners) < 2:
        return None
    try:
        return grown_for(learners, rows)
    except ClearwoodError:
        return None


def _scored_together(
    work: FoldWork, task: _Task, fold: _Fold, learners: Mapping[int, Any], grown: Tree
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


def _scored(work: FoldWork, task: _Task, fold: _Fold, learn: Callable[[], Model]) -> FoldScore:
    try:
        model = learn()
        return FoldScore(
            work.judging.score(model, fold.judge),
            reading_size(model),
            work.judging.score(model, fold.learn) if work.training else math.nan,
        )
    except ClearwoodError as error:
        return FoldScore(failed=f"In fold {task.fold + 1}: {error}")


@dataclass(frozen=True, slots=True, eq=False)
class _Fold:
    learn: Table
    judge: Table


@dataclass(slots=True, eq=False)
class _RowsOfFolds:
    """The rows of each fold, taken by the first task that needs them and let go after the last."""

    work: FoldWork
    tasks: Sequence[_Task]
    taken: dict[int, _Fold] = field(default_factory=dict)
    left: dict[int, int] = field(default_factory=dict)
    lock: Lock = field(default_factory=Lock)
    apart: Table = field(init=False)

    def __post_init__(self) -> None:
        self.apart = as_counts(self.work.table)  # what is held out is added up: one scale for every fold
        for task in self.tasks:
            self.left[task.fold] = self.left.get(task.fold, 0) + 1

    @contextmanager
    def of(self, fold: int) -> Iterator[_Fold]:
        with self.lock:
            if fold not in self.taken:
                part = self.work.parts[fold]
                self.taken[fold] = _Fold(self.work.table.take(part.learn), self.apart.take(part.judge))
            rows = self.taken[fold]
        try:
            yield rows
        finally:
            with self.lock:
                self.left[fold] -= 1
                if not self.left[fold]:
                    del self.taken[fold]


class _Inside(local):
    """Is this thread one of several at work? Native code then keeps to it, and so does work within work."""

    working = False


_INSIDE: Final = _Inside()


def _begin_thread() -> None:
    _INSIDE.working = True
    _native.work_alone(True)


def _on_threads(
    tasks: Sequence[_Task],
    run: Callable[[_Task], _Outcome],
    settle: Callable[[_Outcome], bool],
    count: int,
    stop: Event,
) -> None:
    """Tasks in order, a few ahead; whatever ends the work, no thread of it is left running."""
    waiting = iter(tasks)
    pool = ThreadPoolExecutor(count, "clearwood", initializer=_begin_thread)
    running: dict[Future[_Outcome], int] = {}
    try:
        for place, task in enumerate(waiting):
            running[pool.submit(run, task)] = place
            if len(running) < 2 * count:
                continue
            if _settled(running, settle):
                return
        while running:
            if _settled(running, settle):
                return
    finally:
        stop.set()
        pool.shutdown(wait=True, cancel_futures=True)


def _settled(running: dict[Future[_Outcome], int], settle: Callable[[_Outcome], bool]) -> bool:
    """Wait for the first that end, and pass on what they found in the order of their tasks."""
    ended, _ = wait(running, return_when=FIRST_COMPLETED)
    enough = False
    for each in sorted(ended, key=running.__getitem__):
        del running[each]
        enough = settle(each.result()) or enough
    return enough
