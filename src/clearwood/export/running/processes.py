"""Rows to a process and its answers back: a line of JSON each way."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

from clearwood.errors import ClearwoodError
from clearwood.export.exported import Exported
from clearwood.export.running.runner import Ran
from clearwood.table.row import Row


class TargetFailedError(ClearwoodError):
    """The program that an export was run in stopped with an error."""


def program_at(name: str) -> str | None:
    """Where a program is installed; None: it is not."""
    return shutil.which(name)


def output_of(command: Sequence[str | Path], *, given: str = "", folder: str | Path | None = None) -> str:
    """What a command prints; one that fails is an error with its last lines."""
    done = subprocess.run(
        [str(each) for each in command], input=given.encode(), capture_output=True, cwd=folder, check=False
    )
    if done.returncode:
        last = "\n".join(done.stderr.decode(errors="replace").splitlines()[-8:])
        raise TargetFailedError(f"{Path(str(command[0])).name} failed on the export: {last}")
    return done.stdout.decode()


def as_lines(rows: Sequence[Row]) -> str:
    """Each row as a line of JSON."""
    return "".join(json.dumps(dict(row)) + "\n" for row in rows)


def ran_from_lines(exported: Exported, lines: str, versions: dict[str, str]) -> Ran:
    """The answers of lines `[answer, [share, …]]`, or with the reason behind them."""
    given = [json.loads(line) for line in lines.splitlines()]
    shares = tuple(tuple(map(float, by_class)) for _, by_class, *_ in given)
    reasons = tuple(reason for _, _, *reasons in given for reason in reasons)
    return Ran(
        tuple(answer for answer, *_ in given),
        shares if exported.model.schema.classes else None,
        versions,
        reasons=reasons if given and len(reasons) == len(given) else None,
    )
