"""A Runner: a program that exports are run in, many of them in one process; and what it gives the rows.

Most targets take longer to start than to answer, so a runner is written for a batch, and one export is a
batch of one.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, TypeAlias

from clearwood.errors import ClearwoodError
from clearwood.exporting.exportable import gives_points
from clearwood.exporting.exported import Exported
from clearwood.table.raw import Row

# The programs that exports are run in: where they are, and what they print.


MOST_SECONDS: Final = 600.0  # a target that takes longer on some thousand rows does not end
_MORE_SECONDS: Final = 60.0  # for every further export of a batch


class TargetFailedError(ClearwoodError):
    """The program that an export was run in stopped with an error."""


def program_at(*names: str) -> str | None:
    """Where the first of these programs that is installed is; None: none is."""
    return next((found for name in names if (found := shutil.which(name))), None)


@contextmanager
def exports_in_folder(tasks: Sequence[RunTask], named: str) -> Iterator[Path]:
    """A temporary folder with the export of each task; in their name `{}` is the task's place."""
    with tempfile.TemporaryDirectory() as folder:
        for place, task in enumerate(tasks):
            Path(folder, named.format(place)).write_bytes(task.exported.data)
        yield Path(folder)


def seconds_for(exports: int) -> float:
    """How long a batch of so many may take."""
    return MOST_SECONDS + _MORE_SECONDS * (exports - 1)


def output_of(
    command: Sequence[str | Path],
    *,
    given: str = "",
    folder: str | Path | None = None,
    environment: Mapping[str, str] | None = None,
    seconds: float = MOST_SECONDS,
) -> str:
    """What a command prints; one that fails, or takes longer than that, is an error with its last lines."""
    with within(seconds, command):
        done = subprocess.run(
            [str(each) for each in command],
            input=given.encode(),
            capture_output=True,
            cwd=folder,
            env=environment,
            check=False,
            timeout=seconds,
        )
    if done.returncode:
        last = "\n".join(done.stderr.decode(errors="replace").splitlines()[-8:])
        raise TargetFailedError(f"{Path(str(command[0])).name} failed on the export: {last}")
    return done.stdout.decode()


@contextmanager
def within(seconds: float, command: Sequence[str | Path]) -> Iterator[None]:
    """A command that `subprocess` stops because it takes longer than that has failed."""
    try:
        yield
    except subprocess.TimeoutExpired as error:
        raise TargetFailedError(
            f"{Path(str(command[0])).name} was stopped: it did not end within {seconds:g} seconds."
        ) from error


REASONED_OUTPUTS: Final = ("leaf or rule", "reason")


@dataclass(frozen=True, slots=True)
class RunTask:
    """An export and the rows that it is to answer."""

    exported: Exported
    rows: Sequence[Row]


@dataclass(frozen=True, slots=True)
class Ran:
    """What the target gave each row: its class or number (None: no answer) and the shares by class, or None
    where the format gives none; and the versions of the programs that were run.

    `reasons` has the text of the leaf or rule by which each row was answered (None: of several), and
    `reasons_by` the outputs that it is from. It is None where the runner does not ask for it, and empty where
    the export names none. `points` has each row's sum of points, of a scorecard. `instead` says what was run
    in the target's place, where the target itself was not: then the text was checked, and the target is "not
    run".
    """

    answers: tuple[str | float | None, ...]
    shares: tuple[tuple[float, ...], ...] | None
    versions: Mapping[str, str]
    instead: str = ""
    reasons: tuple[str | None, ...] | None = None
    reasons_by: tuple[str, ...] = REASONED_OUTPUTS
    points: tuple[float, ...] | None = None


AnsweredRow: TypeAlias = tuple[str | float | None, Sequence[float], str | None]


def ran_with(
    exported: Exported, given: Iterable[AnsweredRow], versions: Mapping[str, str], *, reasons: bool = True
) -> Ran:
    """What a target gave: each row's answer, its shares, of a scorecard with its points behind them, and the
    text of the leaf or rule."""
    rows = list(given)
    numbers, points = tuple(tuple(each) for _, each, _ in rows), None
    if gives_points(exported.model):
        numbers, points = tuple(each[:-1] for each in numbers), tuple(each[-1] for each in numbers)
    shares = numbers if exported.model.schema.classes else None
    answers, named = tuple(each for each, _, _ in rows), tuple(each for _, _, each in rows)
    return Ran(answers, shares, versions, reasons=named if reasons else None, points=points)


@dataclass(frozen=True, slots=True)
class NotRun:
    """Why the target was not run: a sentence that says what is missing."""

    because: str


RunOutcome: TypeAlias = Ran | NotRun | TargetFailedError
RunningBatch: TypeAlias = Callable[[Sequence[RunTask]], Sequence[Ran | NotRun]]


@dataclass(frozen=True, slots=True)
class Runner:
    """A program that exports are run in, at most so many in one process.

    `run_batch` gives one outcome per task, or raises TargetFailedError if the program fails on any of them.
    `is_target`: it is what they were written for, not another in its place.
    """

    name: str
    run_batch: RunningBatch
    most: int = 1
    is_target: bool = True

    def run(self, exported: Exported, rows: Sequence[Row]) -> Ran | NotRun:
        """What the target gives the rows of one export; an export that it fails on is an error."""
        return self.run_batch([RunTask(exported, rows)])[0]

    def run_many(self, tasks: Sequence[RunTask]) -> list[RunOutcome]:
        """What the target gives each of many; one that it fails on does not spoil the others."""
        outcomes: list[RunOutcome] = []
        for start in range(0, len(tasks), self.most):
            outcomes += self._apart(tasks[start : start + self.most])
        return outcomes

    def _apart(self, tasks: Sequence[RunTask]) -> list[RunOutcome]:
        """The outcomes of a batch. Where it fails its halves are run, down to the export that fails."""
        try:
            return list(self.run_batch(tasks))
        except TargetFailedError as error:
            if len(tasks) == 1:
                return [error]
        middle = len(tasks) // 2
        return self._apart(tasks[:middle]) + self._apart(tasks[middle:])


def one_by_one(run: Callable[[Exported, Sequence[Row]], Ran | NotRun]) -> RunningBatch:
    """A batch of a target that takes no time to start: each export by itself."""
    return lambda tasks: [run(task.exported, task.rows) for task in tasks]


# Tasks to a process and its answers back: a line of JSON each way for each task.


def as_lines(tasks: Sequence[RunTask]) -> str:
    """The rows of each task as a line of JSON."""
    return "".join(json.dumps([dict(row) for row in task.rows]) + "\n" for task in tasks)


def ran_from_lines(tasks: Sequence[RunTask], lines: str, versions: Mapping[str, str]) -> list[Ran]:
    """The answers of lines `[[answer, [share, …], reason], …]`, one line per task.

    A card's points stand behind its shares.
    """
    try:
        return [
            ran_with(task.exported, map(_as_answered, json.loads(line)), versions)
            for task, line in zip(tasks, filter(None, lines.split("\n")), strict=True)
        ]
    except (TypeError, ValueError) as error:
        raise TargetFailedError(f"The target's predictions cannot be read: {error}") from error


def _as_answered(given: Sequence[Any]) -> AnsweredRow:
    answer, numbers, reason = given
    return answer, tuple(map(float, numbers)), reason
