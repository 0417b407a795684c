"""What servers of databases have in common: a folder of their own, and a user that is not root."""

from __future__ import annotations

import os
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from clearwood.export.running.processes import MOST_SECONDS, TargetFailedError, within


@dataclass(frozen=True, slots=True)
class ServerFolder:
    """Where a server keeps its files, and as whom `subprocess` shall start it."""

    path: Path
    as_user: dict[str, Any] = field(default_factory=dict)

    def call(self, command: Sequence[str | Path], *, seconds: float = MOST_SECONDS) -> None:
        """Run a program of the server's to its end."""
        printed = self.path / "out"
        with printed.open("w") as out, within(seconds, command):
            done = subprocess.run(
                [str(each) for each in command],
                stdout=out,
                stderr=out,
                cwd=self.path,
                check=False,
                timeout=seconds,
                **self.as_user,
            )
        if done.returncode:
            raise TargetFailedError(f"{command[0]} fails: {printed.read_text()[-2000:]}")


@contextmanager
def server_folder(*users: str) -> Iterator[ServerFolder]:
    """A temporary folder; where this is root it belongs to the first of these users that there is."""
    # A socket's path may have some hundred characters, which the folders of some systems have already.
    short = "/tmp" if Path("/tmp").is_dir() else None
    with tempfile.TemporaryDirectory(prefix="cw_", dir=short) as name:
        folder = Path(name)
        if os.geteuid() != 0:
            yield ServerFolder(folder)
            return
        user, group = _ids_of_first(users)
        os.chown(folder, user, group)
        yield ServerFolder(folder, {"user": user, "group": group, "extra_groups": []})


def _ids_of_first(names: Sequence[str]) -> tuple[int, int]:
    import pwd

    for name in names:
        try:
            found = pwd.getpwnam(name)
        except KeyError:
            continue
        return found.pw_uid, found.pw_gid
    raise TargetFailedError(f"A database does not run as root, and there is no user {' or '.join(names)}.")
