"""Databases within a process: DuckDB and SQLite in this one, in memory, and Spark in one of its own."""

import json
import sys
import tempfile
from collections.abc import Iterator, Sequence
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

from clearwood.exporting.running.runner import (
    NotRun,
    Ran,
    Runner,
    RunTask,
    TargetFailedError,
    one_by_one,
    output_of,
    program_at,
    seconds_for,
)
from clearwood.exporting.running.sql_rows import (
    SqlTask,
    SqlValue,
    of_queries,
    places_of_answers,
    ran_from_rows,
    sql_task,
)
from clearwood.exporting.sql.dialects import DUCKDB as IN_DUCKDB
from clearwood.exporting.sql.dialects import SPARK as IN_SPARK
from clearwood.exporting.sql.dialects import SQLITE as IN_SQLITE
from clearwood.exporting.sql.naming import source_in_sql
from clearwood.exporting.sql.to_sql import NEEDS_MATHS
from clearwood.files import text_beside
from clearwood.table.raw import Row

_THERE: Final = "memory"  # the database that a connection in memory has from the start
_OWN: Final = ("system", "temp")  # those that it keeps to itself


@of_queries
def run_duckdb(task: SqlTask, rows: Sequence[Row]) -> Ran | NotRun:
    """What DuckDB answers, row by row."""
    fetched = _fetched_by_duckdb(task, task.query, rows)
    return fetched if isinstance(fetched, NotRun) else ran_from_rows(task, fetched[0], {"DuckDB": fetched[1]})


def _fetched_by_duckdb(
    task: SqlTask, query: str, rows: Sequence[Row]
) -> tuple[list[list[SqlValue]], str] | NotRun:
    """The columns that the task asks for, row by row, and DuckDB's version."""
    try:
        import duckdb
    except ImportError:
        return NotRun("DuckDB is not installed: pip install 'clearwood[sql]'.")
    if len(task.source) > IN_DUCKDB.name_parts:
        return NotRun(
            f"DuckDB has no tables of {len(task.source)} names. Prove the same query with another source."
        )
    if len(task.source) == IN_DUCKDB.name_parts and task.source[0].lower() in _OWN:
        return NotRun(
            f"DuckDB keeps the database '{task.source[0]}' to itself. Prove the query with another source."
        )
    lists = ", ".join(
        f"unnest(?::{'DOUBLE' if is_number else 'VARCHAR'}[]) AS {IN_DUCKDB.quote(name)}"
        for name, is_number in task.columns.items()
    )
    with duckdb.connect(":memory:", config={"threads": 1}) as connection:
        cells = [task.cells(rows, name) for name in task.columns]
        try:
            for made in _made_above(task.source):
                connection.execute(made)
            connection.execute(
                f"CREATE TABLE {source_in_sql(task.source, IN_DUCKDB)} AS SELECT {lists}", cells
            )
            found = connection.execute(query)
            places = places_of_answers(task, [each[0] for each in found.description or ()])
            fetched = [[row[place] for place in places] for row in found.fetchall()]
        except duckdb.Error as error:
            raise TargetFailedError(f"DuckDB does not run the query: {str(error)[:1000]}") from error
    return fetched, str(duckdb.__version__)


def _made_above(source: Sequence[str]) -> Iterator[str]:
    """What makes the database and the schema that the table is in, where they are not there."""
    for number in range(1, len(source)):
        above = source_in_sql(source[:number], IN_DUCKDB)
        if number > 1 or len(source) < IN_DUCKDB.name_parts:
            yield f"CREATE SCHEMA IF NOT EXISTS {above}"
        elif source[0].lower() != _THERE:
            yield f"ATTACH ':memory:' AS {above}"


DUCKDB: Final = Runner("duckdb", one_by_one(run_duckdb))


# Databases that are not here: their text is parsed as theirs, rewritten for DuckDB by sqlglot and run there.
#
# That shows that the text is theirs and says what the model does; it does not show what the database itself
# would do, so the target counts as not run.


_READ_AS: Final = {"mssql": "tsql"}


@of_queries
def run_transpiled(task: SqlTask, rows: Sequence[Row]) -> Ran | NotRun:
    """What DuckDB answers to the rewritten text, row by row."""
    try:
        of_sqlglot = version("sqlglot")
    except PackageNotFoundError:
        return NotRun("sqlglot is not installed: pip install 'clearwood[sql]'.")
    query = _rewritten_for_duckdb(task.query, str(task.exported.options["dialect"]))
    fetched = _fetched_by_duckdb(task, query, rows)
    if isinstance(fetched, NotRun):
        return fetched
    versions = {"sqlglot": of_sqlglot, "DuckDB": fetched[1]}
    return ran_from_rows(task, fetched[0], versions, instead="DuckDB, with the text rewritten by sqlglot")


def _rewritten_for_duckdb(query: str, dialect: str) -> str:
    """The query in DuckDB's SQL.

    What sqlglot passes on as it is, though DuckDB has no such thing, is put in its words first: collations of
    bytes, by which DuckDB compares anyway; types of texts; `+` between texts; hints.
    """
    import sqlglot
    from sqlglot import exp
    from sqlglot.errors import SqlglotError

    try:
        parsed = sqlglot.parse_one(query, read=_READ_AS.get(dialect, dialect))
    except SqlglotError as error:
        raise TargetFailedError(f"sqlglot does not read the query: {str(error)[:1000]}") from error
    for collate in list(parsed.find_all(exp.Collate)):
        collate.replace(collate.this)
    for added in list(parsed.find_all(exp.Add)):
        if isinstance(added.expression, exp.National):
            added.replace(exp.DPipe(this=added.this, expression=added.expression))
    for kind in list(parsed.find_all(exp.DataType)):
        if kind.this in (exp.DataType.Type.CHARACTER_SET, exp.DataType.Type.NVARCHAR):
            kind.replace(exp.DataType.build("text"))
    for hint in list(parsed.find_all(exp.Hint)):
        hint.pop()
    return str(parsed.sql(dialect="duckdb"))


BIGQUERY, SNOWFLAKE, SQL_SERVER = (
    Runner(name, one_by_one(run_transpiled), is_target=False) for name in ("bigquery", "snowflake", "mssql")
)


# SQLite, by the library that Python brings.


@of_queries
def run_sqlite(task: SqlTask, rows: Sequence[Row]) -> Ran | NotRun:
    """What SQLite answers, row by row."""
    import sqlite3

    if sqlite3.sqlite_version_info < (3, 35):
        return NotRun(f"SQLite {sqlite3.sqlite_version} is too old: the query needs 3.35 or later.")
    connection = sqlite3.connect(":memory:")
    try:
        asked = "SELECT sqlite_compileoption_used('ENABLE_MATH_FUNCTIONS')"
        if NEEDS_MATHS in task.exported.notes and not connection.execute(asked).fetchone()[0]:
            return NotRun("This SQLite was built without mathematical functions, which the query needs.")
        for database in task.source[:-1]:
            if database.lower() not in ("main", "temp"):
                connection.execute(f"ATTACH ':memory:' AS {source_in_sql([database], IN_SQLITE)}")
        connection.execute(task.table(IN_SQLITE, numbers="REAL", texts="TEXT"))
        marks = ", ".join("?" for _ in task.columns)
        table = source_in_sql(task.source, IN_SQLITE)
        connection.executemany(f"INSERT INTO {table} VALUES ({marks})", task.lines(rows))
        found = connection.execute(task.query)
        places = places_of_answers(task, [each[0] for each in found.description])
        fetched = [[row[place] for place in places] for row in found]
    except sqlite3.Error as error:
        raise TargetFailedError(f"SQLite does not run the query: {error}") from error
    finally:
        connection.close()
    return ran_from_rows(task, fetched, {"SQLite": sqlite3.sqlite_version})


SQLITE: Final = Runner("sqlite", one_by_one(run_sqlite))


# Spark, where pyspark and Java are installed: on this machine alone.


def spark_is_here() -> bool:
    """Are pyspark and Java installed?"""
    return find_spec("pyspark") is not None and program_at("java") is not None


def run_spark(tasks: Sequence[RunTask]) -> list[Ran | NotRun]:
    """What Spark answers, row by row; where it is not installed, DuckDB to the rewritten texts."""
    if not spark_is_here():
        return [run_transpiled(task.exported, task.rows) for task in tasks]
    asked = [_asked_of_spark(sql_task(task.exported)) for task in tasks]
    given = [
        _given_to_spark(each, task.rows)
        for each, task in zip(asked, tasks, strict=True)
        if isinstance(each, SqlTask)
    ]
    with tempfile.TemporaryDirectory(prefix="cw_spark_") as folder:
        Path(folder, "tasks.json").write_text(json.dumps(given), "utf-8")
        command = [sys.executable, "-c", text_beside(__file__, "call_spark.py.in"), folder]
        output_of(command, folder=folder, seconds=seconds_for(len(tasks)))
        answered = json.loads(Path(folder, "answers.json").read_text("utf-8"))
    answers, outcomes = iter(answered["answers"]), list[Ran | NotRun]()
    for each in asked:
        if isinstance(each, SqlTask):
            own = next(answers)
            places_of_answers(each, own["columns"])  # the process leaves out what is not there
            outcomes.append(ran_from_rows(each, own["rows"], {"Spark": answered["version"]}))
        else:
            outcomes.append(each)
    return outcomes


def _asked_of_spark(task: SqlTask | NotRun) -> SqlTask | NotRun:
    if isinstance(task, SqlTask) and len(task.source) > 2:
        return NotRun("Spark has one catalog here. Prove the same query with schema.table as its source.")
    return task


def _given_to_spark(task: SqlTask, rows: Sequence[Row]) -> dict[str, Any]:
    """A task as the process reads it."""
    database = [source_in_sql(task.source[:-1], IN_SPARK)] if len(task.source) > 1 else []
    return {
        "columns": list(task.columns.items()),
        "rows": list(task.lines(rows)),
        "made": [f"CREATE DATABASE IF NOT EXISTS {each}" for each in database],
        "source": source_in_sql(task.source, IN_SPARK),
        "query": task.select,
        "answers": task.answers,
    }


SPARK: Final = Runner("spark", run_spark, most=50, is_target=spark_is_here())
