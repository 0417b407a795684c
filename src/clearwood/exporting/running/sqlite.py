"""SQLite runs queries in a database of its own, in memory, by the library that Python brings."""

import sqlite3
from collections.abc import Sequence

from clearwood.exporting.exported import Exported
from clearwood.exporting.running.runner import NotRun, Ran, Runner, TargetFailedError, one_by_one
from clearwood.exporting.running.sql_rows import places_of_answers, ran_from_rows, sql_task
from clearwood.exporting.sql.dialects import SQLITE
from clearwood.exporting.sql.source import source_in_sql
from clearwood.exporting.sql.to_sql import NEEDS_MATHS
from clearwood.table.raw import Row


def run_sqlite(exported: Exported, rows: Sequence[Row]) -> Ran | NotRun:
    """What SQLite answers, row by row."""
    task = sql_task(exported)
    if isinstance(task, NotRun):
        return task
    if sqlite3.sqlite_version_info < (3, 35):
        return NotRun(f"SQLite {sqlite3.sqlite_version} is too old: the query needs 3.35 or later.")
    connection = sqlite3.connect(":memory:")
    try:
        asked = "SELECT sqlite_compileoption_used('ENABLE_MATH_FUNCTIONS')"
        if NEEDS_MATHS in exported.notes and not connection.execute(asked).fetchone()[0]:
            return NotRun("This SQLite was built without mathematical functions, which the query needs.")
        columns = ", ".join(
            f"{SQLITE.quote(name)} {'REAL' if number else 'TEXT'}" for name, number in task.columns.items()
        )
        for database in task.source[:-1]:
            if database.lower() not in ("main", "temp"):
                connection.execute(f"ATTACH ':memory:' AS {source_in_sql([database], SQLITE)}")
        table = source_in_sql(task.source, SQLITE)
        connection.execute(f"CREATE TABLE {table} ({columns})")
        cells = zip(*(task.cells(rows, name) for name in task.columns), strict=True)
        marks = ", ".join("?" for _ in task.columns)
        connection.executemany(f"INSERT INTO {table} VALUES ({marks})", cells)
        found = connection.execute(task.query)
        names = [each[0] for each in found.description]
        places = places_of_answers(task, names)
        fetched = [[row[place] for place in places] for row in found]
    except sqlite3.Error as error:
        raise TargetFailedError(f"SQLite does not run the query: {error}") from error
    finally:
        connection.close()
    return ran_from_rows(task, exported, fetched, {"SQLite": sqlite3.sqlite_version})


RUNNER = Runner("sqlite", one_by_one(run_sqlite))
