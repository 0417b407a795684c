"""Tasks to a process and its answers back: a line of JSON each way for each task."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from clearwood.export.running.processes import TargetFailedError
from clearwood.export.running.runner import Ran, RunTask, ran_with


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
