"""PostgreSQL runs queries in a server of its own: in a temporary folder, on a socket, and stopped after."""

import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from clearwood.exporting.exported import Exported
from clearwood.exporting.running.runner import (
    MOST_SECONDS,
    NotRun,
    Ran,
    Runner,
    RunTask,
    TargetFailedError,
    output_of,
    within,
)
from clearwood.exporting.running.sql_rows import SqlValue, ran_from_rows, sql_task
from clearwood.exporting.sql.dialects import POSTGRES
from clearwood.exporting.sql.source import source_in_sql
from clearwood.table.raw import Row

_DATABASE: Final = "postgres"
_ESCAPES = {"\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r"}
_READ = {"\\": "\\", "t": "\t", "n": "\n", "r": "\r", "b": "\b", "f": "\f", "v": "\v"}


@dataclass(frozen=True, slots=True)
class PostgresServer:
    """A server that is running: its programs and the folder with its socket."""

    programs: Path
    folder: Path

    def psql(self, script: str, *, seconds: float = MOST_SECONDS) -> str:
        """What the client prints for a script."""
        asked = ["-X", "-q", "-v", "ON_ERROR_STOP=1", "-U", "clearwood", "-d", _DATABASE, "-f", "-", "-h"]
        limited = {"PGCLIENTENCODING": "UTF8", "PGOPTIONS": f"-c statement_timeout={seconds:g}s"}
        return output_of(
            [self.programs / "psql", *asked, self.folder],
            given=script,
            environment={**os.environ, **limited},
            seconds=seconds,
        )


def run_postgres(tasks: Sequence[RunTask]) -> list[Ran | NotRun]:
    """What PostgreSQL answers, row by row, in a server made for these exports."""
    with postgres_server() as server:
        return [
            server if isinstance(server, NotRun) else run_in_server(server, task.exported, task.rows)
            for task in tasks
        ]


@contextmanager
def postgres_server() -> Iterator[PostgresServer | NotRun]:
    """A server for as long as it is needed; it does not run as root, nor listens to a network."""
    programs = _programs()
    if programs is None:
        yield NotRun("PostgreSQL is not installed; on Debian: apt-get install postgresql.")
        return
    with server_folder("postgres", "nobody") as own:
        folder = own.path
        data, log = folder / "data", folder / "log"
        made_as = ["-U", "clearwood", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync"]
        own.call([programs / "initdb", *made_as, "-D", data])
        options = f"-k {folder} -h '' -F"
        own.call([programs / "pg_ctl", "-D", data, "-l", log, "-o", options, "-w", "start"])
        try:
            yield PostgresServer(programs, folder)
        finally:
            own.call([programs / "pg_ctl", "-D", data, "-m", "immediate", "-w", "stop"])


def run_in_server(server: PostgresServer, exported: Exported, rows: Sequence[Row]) -> Ran | NotRun:
    """What a running server answers, row by row."""
    task = sql_task(exported)
    if isinstance(task, NotRun):
        return task
    database = task.source[:-1]
    if len(database) > 1 and database[0] != _DATABASE:
        return NotRun(
            f"The query is of the database '{database[0]}', and the server has '{_DATABASE}' alone."
        )
    quote = POSTGRES.quote
    columns = ", ".join(
        f"{quote(name)} {'double precision' if number else 'text'}" for name, number in task.columns.items()
    )
    lines = zip(*(map(_copied, task.cells(rows, name)) for name in task.columns), strict=True)
    asked = ", ".join(map(quote, task.answers))
    source = source_in_sql(task.source, POSTGRES)
    script = [
        "BEGIN;",
        *([f"CREATE SCHEMA IF NOT EXISTS {source_in_sql(database[-1:], POSTGRES)};"] if database else []),
        f"CREATE TABLE {source} ({columns});",
        f"COPY {source} FROM STDIN;",
        *("\t".join(line) for line in lines),
        "\\.",
        "COPY (SELECT " + asked + " FROM (",
        task.query.rstrip().removesuffix(";"),
        ") AS answered) TO STDOUT;",
        "ROLLBACK;",
        "",
    ]
    printed = server.psql("\n".join(script))
    fetched = [[_read(each) for each in line.split("\t")] for line in printed.split("\n")[:-1]]
    version = server.psql("COPY (SELECT current_setting('server_version')) TO STDOUT;").strip()
    return ran_from_rows(task, exported, fetched, {"PostgreSQL": version})


def _programs() -> Path | None:
    """The folder with the server's programs: on the path, or where Debian has them."""
    found = shutil.which("initdb")
    if found is not None:
        return Path(found).resolve().parent
    homes = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda each: _major(each.parts[-3]))
    return homes[-1].parent if homes else None


def _major(version: str) -> float:
    return float(version) if re.fullmatch(r"\d+(\.\d+)?", version) else 0.0


def _copied(value: SqlValue) -> str:
    """A cell as COPY takes it."""
    if value is None:
        return "\\N"
    return repr(value) if isinstance(value, float) else "".join(_ESCAPES.get(each, each) for each in value)


def _read(cell: str) -> SqlValue:
    if cell == "\\N":
        return None
    return re.sub(r"\\(.)", lambda found: _READ.get(found[1], found[1]), cell)


RUNNER = Runner("postgres", run_postgres, most=100)


# What servers of databases have in common: a folder of their own, and a user that is not root.


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
