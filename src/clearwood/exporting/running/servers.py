"""Servers of databases, PostgreSQL and MariaDB: in a temporary folder, on a socket, and stopped after."""

import os
import re
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final

from clearwood.exporting.exported import Exported
from clearwood.exporting.running.databases import run_transpiled
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
from clearwood.exporting.sql.dialects import MYSQL as IN_MYSQL
from clearwood.exporting.sql.dialects import POSTGRES as IN_POSTGRES
from clearwood.exporting.sql.naming import source_in_sql
from clearwood.table.raw import Row

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


# PostgreSQL.


_POSTGRES_HAS: Final = "postgres"
_ESCAPES = {"\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r"}
_READ = {"\\": "\\", "t": "\t", "n": "\n", "r": "\r", "b": "\b", "f": "\f", "v": "\v"}


@dataclass(frozen=True, slots=True)
class PostgresServer:
    """A server that is running: its programs and the folder with its socket."""

    programs: Path
    folder: Path

    def psql(self, script: str, *, seconds: float = MOST_SECONDS) -> str:
        """What the client prints for a script."""
        asked = ["-X", "-q", "-v", "ON_ERROR_STOP=1", "-U", "clearwood", "-d", _POSTGRES_HAS, "-f", "-", "-h"]
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
    programs = _postgres_programs()
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
    if len(database) > 1 and database[0] != _POSTGRES_HAS:
        return NotRun(
            f"The query is of the database '{database[0]}', and the server has '{_POSTGRES_HAS}' alone."
        )
    schema = source_in_sql(database[-1:], IN_POSTGRES)
    script = [
        "BEGIN;",
        *([f"CREATE SCHEMA IF NOT EXISTS {schema};"] if database else []),
        f"{task.table(IN_POSTGRES, numbers='double precision', texts='text')};",
        f"COPY {source_in_sql(task.source, IN_POSTGRES)} FROM STDIN;",
        *("\t".join(map(_copied, line)) for line in task.lines(rows)),
        "\\.",
        f"COPY (SELECT {', '.join(map(IN_POSTGRES.quote, task.answers))} FROM (",
        task.select,
        ") AS answered) TO STDOUT;",
        "ROLLBACK;",
        "",
    ]
    printed = server.psql("\n".join(script))
    fetched = [[_read_copied(each) for each in line.split("\t")] for line in printed.split("\n")[:-1]]
    version = server.psql("COPY (SELECT current_setting('server_version')) TO STDOUT;").strip()
    return ran_from_rows(task, fetched, {"PostgreSQL": version})


def _postgres_programs() -> Path | None:
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


def _read_copied(cell: str) -> SqlValue:
    if cell == "\\N":
        return None
    return re.sub(r"\\(.)", lambda found: _READ.get(found[1], found[1]), cell)


POSTGRES: Final = Runner("postgres", run_postgres, most=100)


# MariaDB runs the text for MySQL where it is installed. MariaDB is not MySQL, and the proof says so.


_MARIADB_HAS: Final = "clearwood"
_STARTED: Final = 60.0  # seconds until a server has to answer
_AT_ONCE: Final = 500  # rows in one INSERT


@dataclass(frozen=True, slots=True)
class MariadbServer:
    """A server that is running, by the folder with its socket."""

    folder: Path

    def client(self, script: str, *, seconds: float = MOST_SECONDS) -> str:
        """What the client prints for a script: a line for each row, tabs between cells."""
        command = [
            str(program_of_mariadb("mariadb", "mysql")),
            *["--no-defaults", "--batch", "--skip-column-names", "--default-character-set=utf8mb4"],
            *["--max-allowed-packet=1G", "--user=clearwood", f"--socket={self.folder / 'socket'}"],
        ]
        return output_of(command, given=script, seconds=seconds)


def program_of_mariadb(*names: str) -> str | None:
    """The first of these programs that is installed, on the path or where Debian has it."""
    beyond = os.pathsep.join([os.environ.get("PATH", os.defpath), "/usr/sbin"])
    return next((found for name in names if (found := shutil.which(name, path=beyond))), None)


def mariadb_is_here() -> bool:
    """Are the server, the client and what makes a database installed?"""
    return all(
        program_of_mariadb(*names)
        for names in (("mariadbd",), ("mariadb", "mysql"), ("mariadb-install-db", "mysql_install_db"))
    )


@contextmanager
def mariadb_server() -> Iterator[MariadbServer | NotRun]:
    """A server for as long as it is needed; it does not run as root, nor listens to a network."""
    if not mariadb_is_here():
        yield NotRun("MariaDB is not installed; on Debian: apt-get install mariadb-server-core.")
        return
    with server_folder("mysql", "nobody") as own:
        folder = own.path
        start = folder / "start.sql"
        start.write_text(
            f"CREATE DATABASE {_MARIADB_HAS} CHARACTER SET utf8mb4;\nCREATE USER clearwood@localhost;\n"
            "GRANT ALL ON *.* TO clearwood@localhost;\n"
        )
        start.chmod(0o644)
        install = str(program_of_mariadb("mariadb-install-db", "mysql_install_db"))
        plain = ["--skip-test-db", "--auth-root-authentication-method=normal"]
        own.call([install, "--no-defaults", f"--datadir={folder / 'data'}", *plain])
        with (folder / "log").open("w") as log:
            server = subprocess.Popen(
                [
                    str(program_of_mariadb("mariadbd")),
                    *["--no-defaults", "--skip-networking", "--skip-log-bin", "--max-allowed-packet=1G"],
                    *["--thread-stack=16M", f"--datadir={folder / 'data'}", f"--socket={folder / 'socket'}"],
                    *[f"--pid-file={folder / 'pid'}", f"--init-file={start}"],
                ],
                stdout=log,
                stderr=log,
                cwd=folder,
                **own.as_user,
            )
        try:
            _wait_for_mariadb(server, folder)
            yield MariadbServer(folder)
        finally:
            server.terminate()
            try:
                server.wait(30)
            except subprocess.TimeoutExpired:
                server.kill()
                server.wait()


def run_mariadb(tasks: Sequence[RunTask]) -> list[Ran | NotRun]:
    """What MariaDB answers, in a server made for these exports; where there is none, DuckDB to the rewritten
    texts."""
    if not mariadb_is_here():
        return [run_transpiled(task.exported, task.rows) for task in tasks]
    with mariadb_server() as server:
        return [
            server if isinstance(server, NotRun) else run_in_mariadb(server, task.exported, task.rows)
            for task in tasks
        ]


def run_in_mariadb(server: MariadbServer, exported: Exported, rows: Sequence[Row]) -> Ran | NotRun:
    """What a running server answers, row by row."""
    task = sql_task(exported)
    if isinstance(task, NotRun):
        return task
    quote = IN_MYSQL.quote
    database = quote(task.source[0] if len(task.source) > 1 else _MARIADB_HAS)
    source = source_in_sql(task.source, IN_MYSQL)
    lines = [f"({', '.join(map(_literal, line))})" for line in task.lines(rows)]
    script = [
        f"CREATE DATABASE IF NOT EXISTS {database} CHARACTER SET utf8mb4;",
        f"USE {database};",
        "SET SESSION optimizer_switch = 'derived_merge=off';",  # what the hint NO_MERGE is to MySQL
        f"DROP TABLE IF EXISTS {source};",
        f"{task.table(IN_MYSQL, numbers='DOUBLE', texts='LONGTEXT')} CHARACTER SET utf8mb4 ENGINE=MyISAM;",
    ]
    for at in range(0, len(lines), _AT_ONCE):
        values = ",\n".join(lines[at : at + _AT_ONCE])
        script.append(f"INSERT INTO {source} VALUES {values};")
    kept, number = task.kept or (), task.number
    placed = bool(task.place) or all(each in kept for each in task.columns if each != number)
    cells_of = [f"answered.{quote(each)}" for each in task.answers]
    asked = f"(\n{task.select}\n) AS answered"
    if placed and not task.place:
        # The query has no number of the row, and its rows come in any order: they are known by their cells.
        cells_of = [f"asked.{quote(number)}", *cells_of]
        same = []
        for name, is_number in task.columns.items():
            if name != number and name in kept:
                by = "" if is_number else "BINARY "
                same.append(f"{by}asked.{quote(name)} <=> {by}answered.{quote(name)}")
        asked = f"{source} AS asked JOIN {asked} ON {' AND '.join(same) or '1 = 1'}"
        task = replace(task, place=number)
    listed = ", ".join(f"IF({each} IS NULL, 'N', CONCAT('V', {each}))" for each in cells_of)
    script.append(f"SELECT {listed} FROM {asked};")
    printed = server.client("\n".join([*script, f"DROP TABLE {source};", ""]))
    fetched = [[_read_printed(each) for each in line.split("\t")] for line in printed.split("\n")[:-1]]
    if placed:  # rows that are alike are answered alike, and each of them once for each
        fetched = list({row[0]: row for row in fetched}.values())
    version = server.client("SELECT VERSION();").strip()
    return ran_from_rows(task, fetched, {"MariaDB": version}, instead="MariaDB, which is not MySQL")


def _wait_for_mariadb(server: subprocess.Popen[bytes], folder: Path) -> None:
    until = time.monotonic() + _STARTED
    while True:
        try:
            MariadbServer(folder).client(f"USE {_MARIADB_HAS};", seconds=_STARTED)
            return
        except TargetFailedError:
            if server.poll() is not None or time.monotonic() > until:
                log = (folder / "log").read_text(errors="replace")
                raise TargetFailedError(f"MariaDB does not start: {log[-2000:]}") from None
        time.sleep(0.2)


def _literal(value: SqlValue) -> str:
    if value is None:
        return "NULL"
    return IN_MYSQL.number(value) if isinstance(value, float) else IN_MYSQL.text(value)


def _read_printed(cell: str) -> SqlValue:
    """A cell as the client prints it, with backslashes before what divides rows and cells."""
    if cell == "N":
        return None
    parts = cell[1:].split("\\\\")
    return "\\".join(part.replace("\\t", "\t").replace("\\n", "\n").replace("\\0", "\0") for part in parts)


MARIADB: Final = Runner("mysql", run_mariadb, most=100, is_target=False)
