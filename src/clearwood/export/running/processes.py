"""Rows to a process and its answers back: a line of JSON each way."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

from clearwood.errors import ClearwoodError
from clearwood.export.exported import Exported
from clearwood.export.running.runner import Ran, ran_with
from clearwood.table.row import Row

MOST_SECONDS: Final = 600.0  # a target that takes longer on some thousand rows does not end


class TargetFailedError(ClearwoodError):
    """The program that an export was run in stopped with an error."""


def program_at(name: str) -> str | None:
    """Where a program is installed; None: it is not."""
    return shutil.which(name)


def output_of(
    command: Sequence[str | Path],
    *,
    given: str = "",
    folder: str | Path | None = None,
    seconds: float = MOST_SECONDS,
) -> str:
    """What a command prints; one that fails, or takes longer than that, is an error with its last lines."""
    try:
        done = subprocess.run(
            [str(each) for each in command],
            input=given.encode(),
            capture_output=True,
            cwd=folder,
            check=False,
            timeout=seconds,
        )
    except subprocess.TimeoutExpired as error:
        raise TargetFailedError(
            f"{Path(str(command[0])).name} was stopped: it did not end within {seconds:g} seconds."
        ) from error
    if done.returncode:
        last = "\n".join(done.stderr.decode(errors="replace").splitlines()[-8:])
        raise TargetFailedError(f"{Path(str(command[0])).name} failed on the export: {last}")
    return done.stdout.decode()


def as_lines(rows: Sequence[Row]) -> str:
    """Each row as a line of JSON."""
    return "".join(json.dumps(dict(row)) + "\n" for row in rows)


def ran_from_lines(exported: Exported, lines: str, versions: dict[str, str]) -> Ran:
    """The answers of lines `[answer, [share, …]]`, a card's points behind the shares, or then the reason."""
    try:
        given = [json.loads(line) for line in lines.split("\n") if line]
        shares = tuple(tuple(map(float, by_class)) for _, by_class, *_ in given)
        reasons = tuple(reason for _, _, *reasons in given for reason in reasons)
    except (TypeError, ValueError) as error:
        raise TargetFailedError(f"The target's answers cannot be read: {error}") from error
    ran = ran_with(exported, (answer for answer, *_ in given), shares, versions)
    return replace(ran, reasons=reasons if given and len(reasons) == len(given) else None)
