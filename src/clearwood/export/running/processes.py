"""The programs that exports are run in: where they are, and what they print."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from clearwood.errors import ClearwoodError

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
