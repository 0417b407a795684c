"""MariaDB runs the text for MySQL where it is installed: in a server of its own, in a temporary folder, on a
socket, and stopped after. MariaDB is not MySQL, and the proof says so."""

import os
import shutil
import subprocess
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from clearwood.exporting.exported import Exported
from clearwood.exporting.running.duckdb import run_transpiled
from clearwood.exporting.running.postgres import server_folder
from clearwood.exporting.running.runner import (
    MOST_SECONDS,
    NotRun,
    Ran,
    Runner,
    RunTask,
    TargetFailedError,
    output_of,
)
from clearwood.exporting.running.sql_rows import SqlValue, ran_from_rows, sql_task
from clearwood.exporting.sql.dialects import MYSQL
from clearwood.exporting.sql.source import source_in_sql
from clearwood.table.raw import Row

_DATABASE: Final = "clearwood"
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
            f"CREATE DATABASE {_DATABASE} CHARACTER SET utf8mb4;\nCREATE USER clearwood@localhost;\n"
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
            _wait_for(server, folder)
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
    database = task.source[0] if len(task.source) > 1 else _DATABASE
    quote = MYSQL.quote
    columns = ", ".join(
        f"{quote(name)} {'DOUBLE' if number else 'LONGTEXT'}" for name, number in task.columns.items()
    )
    source = source_in_sql(task.source, MYSQL)
    cells = list(zip(*(map(_literal, task.cells(rows, name)) for name in task.columns), strict=True))
    script = [
        f"CREATE DATABASE IF NOT EXISTS {quote(database)} CHARACTER SET utf8mb4;",
        f"USE {quote(database)};",
        "SET SESSION optimizer_switch = 'derived_merge=off';",  # what the hint NO_MERGE is to MySQL
        f"DROP TABLE IF EXISTS {source};",
        f"CREATE TABLE {source} ({columns}) CHARACTER SET utf8mb4 ENGINE=MyISAM;",
    ]
    for at in range(0, len(cells), _AT_ONCE):
        values = ",\n".join(f"({', '.join(row)})" for row in cells[at : at + _AT_ONCE])
        script.append(f"INSERT INTO {source} VALUES {values};")
    query = task.query.rstrip().removesuffix(";")
    kept, number = task.kept or (), task.number
    placed = bool(task.place) or all(each in kept for each in task.columns if each != number)
    cells_of = [f"answered.{quote(each)}" for each in task.answers]
    asked = f"(\n{query}\n) AS answered"
    if placed and not task.place:
        # The query has no number of the row, and its rows come in any order: they are known by their cells.
        cells_of = [f"asked.{quote(number)}", *cells_of]
        same = [
            f"{by}asked.{quote(name)} <=> {by}answered.{quote(name)}"
            for name, by in ((name, "" if task.columns[name] else "BINARY ") for name in task.columns)
            if name != number and name in kept
        ]
        asked = f"{source} AS asked JOIN {asked} ON {' AND '.join(same) or '1 = 1'}"
        task = replace(task, place=number)
    listed = ", ".join(f"IF({each} IS NULL, 'N', CONCAT('V', {each}))" for each in cells_of)
    script.append(f"SELECT {listed} FROM {asked};")
    printed = server.client("\n".join([*script, f"DROP TABLE {source};", ""]))
    fetched = [[_read(each) for each in line.split("\t")] for line in printed.split("\n")[:-1]]
    if placed:  # rows that are alike are answered alike, and each of them once for each
        fetched = list({row[0]: row for row in fetched}.values())
    version = server.client("SELECT VERSION();").strip()
    return ran_from_rows(task, exported, fetched, {"MariaDB": version}, instead="MariaDB, which is not MySQL")


def _wait_for(server: subprocess.Popen[bytes], folder: Path) -> None:
    until = time.monotonic() + _STARTED
    while True:
        try:
            MariadbServer(folder).client(f"USE {_DATABASE};", seconds=_STARTED)
            return
        except TargetFailedError:
            if server.poll() is not None or time.monotonic() > until:
                log = (folder / "log").read_text(errors="replace")
                raise TargetFailedError(f"MariaDB does not start: {log[-2000:]}") from None
        time.sleep(0.2)


def _literal(value: SqlValue) -> str:
    if value is None:
        return "NULL"
    return MYSQL.number(value) if isinstance(value, float) else MYSQL.text(value)


def _read(cell: str) -> SqlValue:
    """A cell as the client prints it, with backslashes before what divides rows and cells."""
    if cell == "N":
        return None
    parts = cell[1:].split("\\\\")
    return "\\".join(part.replace("\\t", "\t").replace("\\n", "\n").replace("\\0", "\0") for part in parts)


RUNNER = Runner("mysql", run_mariadb, most=100, is_target=False)
