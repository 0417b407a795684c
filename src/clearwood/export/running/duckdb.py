"""DuckDB runs queries in a database of its own, in memory."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from clearwood.export.exported import Exported
from clearwood.export.running.processes import TargetFailedError
from clearwood.export.running.runner import NotRun, Ran, Runner, one_by_one
from clearwood.export.running.sql_rows import SqlTask, SqlValue, places_of_answers, ran_from_rows, sql_task
from clearwood.export.sql.dialects import DUCKDB
from clearwood.export.sql.source import source_in_sql
from clearwood.table.row import Row

_THERE: Final = "memory"  # the database that a connection in memory has from the start
_OWN: Final = ("system", "temp")  # those that it keeps to itself


def run_duckdb(exported: Exported, rows: Sequence[Row]) -> Ran | NotRun:
    """What DuckDB answers, row by row."""
    task = sql_task(exported)
    if isinstance(task, NotRun):
        return task
    fetched = fetched_by_duckdb(task, task.query, rows)
    if isinstance(fetched, NotRun):
        return fetched
    return ran_from_rows(task, exported, fetched[0], {"DuckDB": fetched[1]})


def fetched_by_duckdb(
    task: SqlTask, query: str, rows: Sequence[Row]
) -> tuple[list[list[SqlValue]], str] | NotRun:
    """The columns that the task asks for, row by row, and DuckDB's version."""
    try:
        import duckdb
    except ImportError:
        return NotRun("DuckDB is not installed: pip install 'clearwood[sql]'.")
    if len(task.source) > DUCKDB.name_parts:
        return NotRun(
            f"DuckDB has no tables of {len(task.source)} names. Prove the same query with another source."
        )
    if len(task.source) == DUCKDB.name_parts and task.source[0].lower() in _OWN:
        return NotRun(
            f"DuckDB keeps the database '{task.source[0]}' to itself. Prove the query with another source."
        )
    lists = ", ".join(
        f"unnest(?::{'DOUBLE' if number else 'VARCHAR'}[]) AS {DUCKDB.quote(name)}"
        for name, number in task.columns.items()
    )
    with duckdb.connect(":memory:", config={"threads": 1}) as connection:
        cells = [task.cells(rows, name) for name in task.columns]
        try:
            for made in _made_above(task.source):
                connection.execute(made)
            connection.execute(f"CREATE TABLE {source_in_sql(task.source, DUCKDB)} AS SELECT {lists}", cells)
            found = connection.execute(query)
            names = [each[0] for each in found.description or ()]
            places = places_of_answers(task, names)
            fetched = [[row[place] for place in places] for row in found.fetchall()]
        except duckdb.Error as error:
            raise TargetFailedError(f"DuckDB does not run the query: {str(error)[:1000]}") from error
    return fetched, str(duckdb.__version__)


def _made_above(source: Sequence[str]) -> Iterator[str]:
    """What makes the database and the schema that the table is in, where they are not there."""
    for number in range(1, len(source)):
        above = source_in_sql(source[:number], DUCKDB)
        if number > 1 or len(source) < DUCKDB.name_parts:
            yield f"CREATE SCHEMA IF NOT EXISTS {above}"
        elif source[0].lower() != _THERE:
            yield f"ATTACH ':memory:' AS {above}"


RUNNER = Runner("duckdb", one_by_one(run_duckdb))
