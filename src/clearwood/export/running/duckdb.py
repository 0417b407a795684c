"""DuckDB runs queries in a database of its own, in memory."""

from __future__ import annotations

from collections.abc import Sequence

from clearwood.export.exported import Exported
from clearwood.export.running.processes import TargetFailedError
from clearwood.export.running.runner import NotRun, Ran, Runner
from clearwood.export.running.sql_rows import SqlTask, SqlValue, places_of_answers, ran_in_order, sql_task
from clearwood.export.sql.dialects import DUCKDB
from clearwood.table.row import Row


def run_duckdb(exported: Exported, rows: Sequence[Row]) -> Ran | NotRun:
    """What DuckDB answers, row by row."""
    task = sql_task(exported)
    if isinstance(task, NotRun):
        return task
    fetched = fetched_by_duckdb(task, task.query, rows)
    if isinstance(fetched, NotRun):
        return fetched
    return ran_in_order(exported, task, fetched[0], {"DuckDB": fetched[1]})


def fetched_by_duckdb(
    task: SqlTask, query: str, rows: Sequence[Row]
) -> tuple[list[list[SqlValue]], str] | NotRun:
    """The columns that the task asks for, row by row, and DuckDB's version."""
    try:
        import duckdb
    except ImportError:
        return NotRun("DuckDB is not installed: pip install 'clearwood[sql]'.")
    lists = ", ".join(
        f"unnest(?::{'DOUBLE' if number else 'VARCHAR'}[]) AS {DUCKDB.quote(name)}"
        for name, number in task.columns.items()
    )
    with duckdb.connect(":memory:", config={"threads": 1}) as connection:
        cells = [task.cells(rows, name) for name in task.columns]
        try:
            connection.execute(f"CREATE TABLE {task.source} AS SELECT {lists}", cells)
            found = connection.execute(query)
            names = [each[0] for each in found.description or ()]
            places = places_of_answers(task, names)
            fetched = [[row[place] for place in places] for row in found.fetchall()]
        except duckdb.Error as error:
            raise TargetFailedError(f"DuckDB does not run the query: {str(error)[:1000]}") from error
    return fetched, str(duckdb.__version__)


RUNNER = Runner("duckdb", run_duckdb)
