"""A Runner: a program that exports are run in, many of them in one process; and what it gives the rows.

Most targets take longer to start than to answer, so a runner is written for a batch, and one export is a
batch of one.
"""

import json
import shutil
import subprocess
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TypeAlias

from clearwood.errors import ClearwoodError
from clearwood.exporting.exportable import gives_points
from clearwood.exporting.exported import Exported
from clearwood.table.raw import Row

# The programs that exports are run in: where they are, and what they print.


MOST_SECONDS: Final = 600.0  # a target that takes longer on some thousand rows does not end
_MORE_SECONDS: Final = 60.0  # for every further export of a batch


class TargetFailedError(ClearwoodError):
    """The program that an export was run in stopped with an error."""


def program_at(name: str) -> str | None:
    """Where a program is installed; None: it is not."""
    return shutil.which(name)


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


def ran_with(
    exported: Exported,
    answers: Iterable[str | float | None],
    numbers: Iterable[Sequence[float]],
    versions: Mapping[str, str],
    *,
    reasons: Iterable[str | None] | None = None,
) -> Ran:
    """What a target gave: `numbers` are each row's shares, of a scorecard with its points behind them."""
    given, named = tuple(map(tuple, numbers)), None if reasons is None else tuple(reasons)
    if not exported.model.schema.classes:
        return Ran(tuple(answers), None, versions, reasons=named)
    if not gives_points(exported.model):
        return Ran(tuple(answers), given, versions, reasons=named)
    shares = tuple(each[:-1] for each in given)
    return Ran(tuple(answers), shares, versions, reasons=named, points=tuple(each[-1] for each in given))


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
        given = [json.loads(line) for line in lines.split("\n") if line]
        return [_ran(task, answers, versions) for task, answers in zip(tasks, given, strict=True)]
    except (TypeError, ValueError) as error:
        raise TargetFailedError(f"The target's predictions cannot be read: {error}") from error


def _ran(
    task: RunTask,
    given: Sequence[tuple[str | float | None, Sequence[float], str | None]],
    versions: Mapping[str, str],
) -> Ran:
    shares = tuple(tuple(map(float, by_class)) for _, by_class, _ in given)
    answers, reasons = (answer for answer, _, _ in given), (reason for _, _, reason in given)
    return ran_with(task.exported, answers, shares, versions, reasons=reasons)
