"""Learning on parts: in order, the same on any number of threads, stopped by whoever watches or the clock."""

from __future__ import annotations

import threading
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from time import perf_counter, sleep
from typing import Any

import numpy as np
import pytest

import clearwood as cw
from clearwood import _native
from clearwood.errors import ClearwoodWarning, LearningError
from clearwood.learners import parts
from clearwood.learners.parts import OutOfTimeError, PartNotes, TaskCounter, over_parts, run_in_order
from clearwood.learners.progress import Progress, is_enough
from clearwood.study.dividing import parts_by_design
from clearwood.study.recipe import bears_threads
from clearwood.table.table import Table

THREADS = (1, 2, 5)


def numbers_table(rows: int = 120) -> Table:
    random = np.random.default_rng(0)
    x, z = random.normal(size=(2, rows))
    return cw.read_table({"x": x, "z": z, "y": np.where(x + z > 0, "yes", "no")}, target="y")


def late_for_early(task: int) -> int:
    """The first tasks take longest, so that threads end the last ones first."""
    sleep(0.02 if task < 2 else 0.0)
    warnings.warn(f"Task {task}.", ClearwoodWarning, stacklevel=1)
    return task * task


@pytest.mark.parametrize("threads", THREADS)
def test_results_and_warnings_come_in_the_order_of_the_tasks(threads: int) -> None:
    heard: list[tuple[int, list[str]]] = []
    results = run_in_order(
        range(12),
        late_for_early,
        lambda done: heard.append((done.task, [str(each.message) for each in done.remarks])),
        threads=threads,
    )
    assert results == [task * task for task in range(12)]
    assert heard == [(task, [f"Task {task}."]) for task in range(12)]


@pytest.mark.parametrize("threads", THREADS)
def test_enough_ends_after_the_same_task_on_any_number_of_threads(threads: int) -> None:
    begun = threading.active_count()
    assert run_in_order(range(50), late_for_early, lambda done: done.task == 3, threads=threads) == [
        0,
        1,
        4,
        9,
    ]
    assert threading.active_count() == begun


@pytest.mark.parametrize("threads", THREADS)
def test_the_first_refusal_in_order_is_raised_and_names_its_fold(threads: int) -> None:
    table = numbers_table()

    def refuse(part: parts.TakenPart) -> int:
        sleep(0.02 if part.place == 1 else 0.0)
        if part.place:
            raise LearningError("Too few rows.")
        return 0

    with pytest.raises(LearningError, match=r"^In fold 2: Too few rows\.$"):
        over_parts(table, parts_by_design(cw.Folds(5), table), refuse, notes=PartNotes(), threads=threads)


@pytest.mark.parametrize("threads", THREADS)
def test_a_deadline_ends_the_work_and_says_how_much_was_done(threads: int) -> None:
    def work(task: int) -> None:
        while task == 3 and not is_enough(Progress(1, 2, "tree")):  # as a learner of many members asks
            sleep(0.001)

    with pytest.raises(OutOfTimeError) as late:
        run_in_order(range(9), work, lambda _: False, threads=threads, deadline=perf_counter() + 0.2)
    assert late.value.done == 3


def test_work_within_work_stays_on_its_thread() -> None:
    def inner(_: int) -> int:
        return threading.get_ident()

    def outer(_: int) -> bool:
        here = threading.get_ident()
        return set(run_in_order(range(3), inner, lambda _: False, threads=3)) == {here}

    assert all(run_in_order(range(4), outer, lambda _: False, threads=2))


@dataclass(frozen=True)
class Mine:
    """Somebody else's learner, of which nobody knows whether it bears threads."""

    def learn(self, table: Table) -> Any:
        assert threading.current_thread() is threading.main_thread()
        return cw.CART().learn(table)


def test_learners_of_others_stay_on_the_callers_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parts, "_CELLS_THAT_PAY", 0)
    assert cw.cross_validate(Mine(), numbers_table(), folds=3).folds
    assert not bears_threads(Mine())
    assert bears_threads(cw.Recipe(cw.CART()))
    assert bears_threads(cw.Recipe(cw.CART(), after=(cw.Deciding(refer=0.8),)))
    assert not bears_threads(cw.Recipe(cw.CART(), after=(cw.Deciding(calibrate="platt"),)))


def test_one_part_has_all_threads_of_native_code() -> None:
    table = numbers_table()
    found = over_parts(
        table, parts_by_design(cw.HoldOut(0.3), table), lambda _: threading.get_ident(), threads=2
    )
    assert found == [threading.get_ident()]


def test_threads_are_for_tables_neither_small_nor_too_large_to_copy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_native, "thread_count", lambda: 8)
    table = numbers_table()  # 360 cells
    assert parts.threads_for(table) == 1
    monkeypatch.setattr(parts, "_CELLS_THAT_PAY", 360)
    assert parts.threads_for(table) == 8
    monkeypatch.setattr(parts, "_CELLS_AT_ONCE", 3 * 360)
    assert parts.threads_for(table) == 3
    monkeypatch.setattr(parts, "_CELLS_AT_ONCE", 100)
    assert parts.threads_for(table) == 1


STUDIES: dict[str, Callable[[Table], object]] = {
    "cross_validate": lambda t: str(cw.cross_validate(cw.C45(), t)),
    "of a forest": lambda t: str(cw.cross_validate(cw.Forest(trees=5), t, folds=4)),
    "bootstrap": lambda t: str(cw.cross_validate(cw.CART(), t, design=cw.Bootstrap(8))),
    "separated": lambda t: str(cw.cross_validate(cw.Logistic(), t, folds=4)),
    "learning_curve": lambda t: cw.learning_curve([cw.CART(), cw.NaiveBayes()], t).to_json(),
    "bias_variance": lambda t: str(cw.bias_variance([cw.CART(), cw.C45()], t, samples=6)),
    "stability": lambda t: cw.stability(cw.CART(), t, samples=6).to_json(),
    "overfitting": lambda t: cw.overfitting(cw.CART(min_rows=2), t, folds=4, noise=0.1).to_json(),
    "alpha": lambda t: str(cw.cross_validated_alpha(cw.CART(), t)),
    "calibration": lambda t: repr(
        cw.Recipe(cw.CART(), after=(cw.Deciding(calibrate="isotonic"),)).learn(t).decision
    ),
    "selection": lambda t: str(cw.Selection("forward", learner=cw.CART()).rank(t)),
}


@pytest.mark.slow
@pytest.mark.parametrize("study", STUDIES)
def test_a_study_is_the_same_on_threads(study: str, monkeypatch: pytest.MonkeyPatch) -> None:
    table = numbers_table()
    found = []
    for cells, threads in ((10**9, 1), (0, 2), (0, 3)):
        monkeypatch.setattr(parts, "_CELLS_THAT_PAY", cells)
        monkeypatch.setattr(_native, "thread_count", lambda count=threads: count)
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            result = STUDIES[study](table)
        found.append((repr(result), [str(each.message) for each in caught]))
    assert found[0] == found[1] == found[2]


def test_cross_validation_reports_its_folds_and_a_watcher_can_cut_its_members_short() -> None:
    table = numbers_table()
    seen: list[Progress] = []
    with cw.watching(seen.append):
        cw.cross_validate(cw.CART(), table, folds=4)
    assert [str(each) for each in seen] == [f"{done} of 4 folds" for done in range(1, 5)]
    with cw.watching(lambda _: True):
        short = cw.cross_validate(cw.Bagging(trees=20), table, folds=4)
    whole = cw.cross_validate(cw.Bagging(trees=20), table, folds=4)
    assert max(short.reading_sizes) < min(whole.reading_sizes)


def test_a_counter_over_several_calls_says_when_it_is_enough() -> None:
    counter = TaskCounter(6)
    with cw.watching(lambda progress: progress.done == 4):
        assert not any(counter.add() for _ in range(3))
        assert counter.add()
        assert counter.add()
    assert (counter.done, counter.enough) == (5, True)


def test_an_interrupted_choice_still_has_its_baseline() -> None:
    table = numbers_table()
    with cw.watching(lambda progress: progress.unit == "model" and progress.done >= 5):
        choice = cw.choose(table, [cw.CART(), cw.C45()], design=cw.Folds(5))
    assert len([each for each in choice.judged if not each.refused]) == 1
    assert len(choice.baseline.scores) == 5
    assert any("the work was interrupted" in note for note in choice.notes)
