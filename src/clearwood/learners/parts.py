"""Learn from parts of the rows, evaluate each model, add up: the one engine of all studies in folds.

Every fold, sample or size of a study is a task. Tasks run one after another, or side by side on threads where
that pays; their results, their warnings and the first refusal come in the order of the tasks, so that a study
is the same on any number of threads.
"""

from __future__ import annotations

import math
import warnings
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import copy_context
from dataclasses import field
from threading import Event, local
from time import perf_counter
from typing import TYPE_CHECKING, Any, Final, Generic, Literal, TypeVar

from clearwood import _native
from clearwood.arrays import Longs
from clearwood.errors import ClearwoodError, ClearwoodWarning, Sentence
from clearwood.learners.progress import (
    Progress,
    Watch,
    give_again,
    is_enough,
    kept_warnings,
    watcher,
    watching,
)
from clearwood.records import dataclass
from clearwood.table.table import Table, as_counts

if TYPE_CHECKING:
    from concurrent.futures import Future

_Task = TypeVar("_Task")
_Result = TypeVar("_Result")

_AHEAD: Final = 4  # tasks on each thread, begun or waiting, before the first of them is passed on
_CELLS_THAT_PAY: Final = 10_000  # below, a fold is mostly Python, which runs on one thread at a time
_CELLS_AT_ONCE: Final = 250_000_000  # in the rows that all threads hold: 2 GB
_MOST_NAMED: Final = 5  # folds; of more, their number is enough


@dataclass(frozen=True, slots=True, eq=False)
class RowPart:
    """Positions of the rows learned from (one may come several times) and of those that judge."""

    learn: Longs
    judge: Longs
    repeat: int = 0


@dataclass(frozen=True, slots=True, eq=False)
class TakenPart:
    """A part, counted from 0, with its rows: those to learn from, and those held out, whose weights stay on
    the scale of the whole table, since what is found on them is added up over the parts."""

    place: int
    part: RowPart
    learn: Table
    held_out: Table


@dataclass(frozen=True, slots=True, eq=False)
class FinishedTask(Generic[_Task, _Result]):
    """A task with its result, and the warnings that were given meanwhile."""

    task: _Task
    result: _Result
    remarks: Sequence[warnings.WarningMessage]


class OutOfTimeError(Exception):
    """A task had not ended at the deadline, when so many before it were done."""

    def __init__(self, done: int = 0) -> None:
        self.done = done
        super().__init__(done)


def over_parts(
    table: Table,
    parts: Iterable[RowPart],
    work: Callable[[TakenPart], _Result],
    *,
    notes: PartNotes | None = None,
    threads: int = 1,
    counter: TaskCounter | None = None,
) -> list[_Result]:
    """What `work` finds in each part: it learns from its rows, and evaluates on those held out.

    With `notes`, a refusal names its part, and warnings are kept there; without, both are passed on as they
    are, equal warnings once. The `counter` reports each part to whoever watches.

    >>> import numpy as np
    >>> import clearwood as cw
    >>> days = cw.read_table(cw.datasets.path("tennis"), target="PlayTennis")
    >>> halves = [RowPart(np.arange(7), np.arange(7, 14)), RowPart(np.arange(7, 14), np.arange(7))]
    >>> over_parts(days, halves, lambda part: cw.ID3().learn(part.learn).leaves)
    [4, 4]
    """
    take = taken_from(table)
    unnamed = set[tuple[type[Warning], str]]()

    def run(task: tuple[int, RowPart]) -> _Result:
        if notes is None:
            return work(take(task))
        with notes.naming(task[0] + 1):
            return work(take(task))

    def heed(done: FinishedTask[tuple[int, RowPart], _Result]) -> None:
        if notes is not None:
            notes.add(done.task[0] + 1, done.remarks)
        else:
            give_again([each for each in done.remarks if _is_new(each, unnamed)])
        if counter is not None:
            counter.add()

    watch, pairs = watcher(), list(enumerate(parts))

    def ask(progress: Progress) -> object:
        return watch is not None and watch(progress if counter is None else counter.progress)

    # Native code has all threads for a part that is alone, or one of few.
    return run_in_order(
        pairs, run, heed, threads=threads if len(pairs) > max(1, threads // 2) else 1, watch=ask
    )


def taken_from(table: Table) -> Callable[[tuple[int, RowPart]], TakenPart]:
    """What takes the rows of a part, given with its place, from the table."""
    apart = as_counts(table)

    def take(task: tuple[int, RowPart]) -> TakenPart:
        place, part = task
        return TakenPart(place, part, table.take(part.learn), apart.take(part.judge))

    return take


def _is_new(remark: warnings.WarningMessage, known: set[tuple[type[Warning], str]]) -> bool:
    key = (remark.category, str(remark.message))
    is_new = key not in known
    known.add(key)
    return is_new


def run_in_order(
    tasks: Iterable[_Task],
    work: Callable[[_Task], _Result],
    heed: Callable[[FinishedTask[_Task, _Result]], object],
    *,
    threads: int = 1,
    deadline: float = math.inf,
    watch: Watch | None = None,
) -> list[_Result]:
    """The result of each task. `heed` gets one after the other, on the thread that calls; if what it returns
    counts as true, that is enough: no further task begins, and the results are those until then.

    A task that has not ended at the `deadline`, by the clock that counts up, ends the work with
    `OutOfTimeError`. A learner of many members ends early only where nobody waits for it any more, or where
    `watch` says so. Whatever ends the work, no thread of it is left running.
    """
    results: list[_Result] = []
    stop = Event()

    def ends(progress: Progress) -> bool:
        late = stop.is_set() or perf_counter() > deadline
        return late or (watch is not None and bool(watch(progress)))

    def run(task: _Task) -> FinishedTask[_Task, _Result]:
        if perf_counter() > deadline:
            raise OutOfTimeError
        with kept_warnings() as remarks, watching(ends):
            result = work(task)
        if perf_counter() > deadline:  # what was learned may have ended early
            raise OutOfTimeError
        return FinishedTask(task, result, remarks)

    def settle(done: FinishedTask[_Task, _Result]) -> bool:
        results.append(done.result)
        return bool(heed(done))

    try:
        if threads <= 1 or _INSIDE.working:
            for task in tasks:
                if settle(run(task)):
                    break
        else:
            _on_threads(tasks, run, settle, threads, stop)
    except OutOfTimeError:
        raise OutOfTimeError(len(results)) from None
    return results


def _on_threads(
    tasks: Iterable[_Task],
    run: Callable[[_Task], FinishedTask[_Task, _Result]],
    settle: Callable[[FinishedTask[_Task, _Result]], bool],
    threads: int,
    stop: Event,
) -> None:
    from concurrent.futures import ThreadPoolExecutor

    running: deque[Future[FinishedTask[_Task, _Result]]] = deque()
    pool = ThreadPoolExecutor(threads, "clearwood", initializer=_begin_thread)
    try:
        for task in tasks:
            running.append(pool.submit(copy_context().run, run, task))
            while len(running) >= _AHEAD * threads or (running and running[0].done()):
                if settle(running.popleft().result()):
                    return
        while running:
            if settle(running.popleft().result()):
                return
    finally:
        stop.set()
        pool.shutdown(wait=True, cancel_futures=True)


class _Inside(local):
    """Is this thread one of several at work? Native code then keeps to it, and so does work within work."""

    working = False


_INSIDE: Final = _Inside()


def _begin_thread() -> None:
    _INSIDE.working = True
    _native.work_alone(True)


def threads_for(table: Table) -> int:
    """As many as there are where native code has so much to do that threads are worth it; one for a small
    table, and for one of which no two copies should be held at once."""
    cells = len(table) * len(table.columns)
    if _INSIDE.working or cells < _CELLS_THAT_PAY:
        return 1
    return min(_native.thread_count(), max(1, _CELLS_AT_ONCE // max(cells, 1)))


# How far the work is, over one or several calls, reported to whoever watches.


@dataclass(slots=True)
class TaskCounter:
    """How many models or folds are done, of how many; `enough`: whoever watches has said so."""

    of: int
    unit: Literal["model", "fold"] = "model"
    done: int = 0
    enough: bool = False

    @property
    def progress(self) -> Progress:
        return Progress(self.done, self.of, self.unit)

    def add(self, count: int = 1) -> bool:
        """So many more; is it enough?"""
        self.done += count
        self.enough = is_enough(self.progress) or self.enough
        return self.enough


# Notes of parts: a warning from learning on a part of the rows is passed on with the part that gave it.


@dataclass(slots=True)
class PartNotes:
    """Warnings by their text, with the folds (or what the `noun` says), counted from 1, that gave them."""

    noun: str = "fold"
    given: dict[Sentence, list[int]] = field(default_factory=dict)

    @contextmanager
    def naming(self, place: int) -> Iterator[None]:
        """A refusal within the block names the fold."""
        try:
            yield
        except ClearwoodError as error:
            raise type(error)(f"In {self.noun} {place}: ", error.sentence, place=error.place) from error

    def add(self, place: int, remarks: Sequence[warnings.WarningMessage]) -> None:
        """Ours are kept, others passed on."""
        for each in remarks:
            if not isinstance(each.message, ClearwoodWarning):
                give_again([each])
                continue
            places = self.given.setdefault(each.message.sentence, [])
            if place not in places:
                places.append(place)

    def warn(self, count: int) -> None:
        """Pass them on, equal ones once."""
        for sentence in sentences_of(self.given, count, self.noun):
            warnings.warn(sentence, ClearwoodWarning, stacklevel=3)


def sentences_of(given: Mapping[Any, Sequence[int]], count: int, noun: str = "fold") -> list[Sentence]:
    """Each note, with its advice, after the folds, out of `count`, that gave it.

    >>> sentences_of({"No row is 'good'.": [3], "Too few rows.": [1, 4]}, 10)
    ["In fold 3 of 10: No row is 'good'.", 'In 2 of 10 folds (1, 4): Too few rows.']
    """
    return [Sentence(f"{_where(places, count, noun)}: ", text) for text, places in given.items()]


def _where(places: Sequence[int], count: int, noun: str) -> str:
    if len(places) == count:
        return f"In each of the {count} {noun}s" if count > 1 else f"In the one {noun}"
    if len(places) == 1:
        return f"In {noun} {places[0]} of {count}"
    named = f" ({', '.join(map(str, places))})" if len(places) <= _MOST_NAMED else ""
    return f"In {len(places)} of {count} {noun}s{named}"
