"""DuckDB runs queries in a database of its own, in memory."""

from collections.abc import Iterator, Sequence
from importlib.metadata import PackageNotFoundError, version
from typing import Final

from clearwood.exporting.exported import Exported
from clearwood.exporting.running.runner import NotRun, Ran, Runner, TargetFailedError, one_by_one
from clearwood.exporting.running.sql_rows import SqlTask, SqlValue, places_of_answers, ran_from_rows, sql_task
from clearwood.exporting.sql.dialects import DUCKDB
from clearwood.exporting.sql.source import source_in_sql
from clearwood.table.raw import Row

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


# Databases that are not here: their text is parsed as theirs, rewritten for DuckDB by sqlglot and run there.
#
# That shows that the text is theirs and says what the model does; it does not show what the database itself
# would do, so the target counts as not run.


_READ_AS: Final = {"mssql": "tsql"}


def run_transpiled(exported: Exported, rows: Sequence[Row]) -> Ran | NotRun:
    """What DuckDB answers to the rewritten text, row by row."""
    task = sql_task(exported)
    if isinstance(task, NotRun):
        return task
    try:
        of_sqlglot = version("sqlglot")
    except PackageNotFoundError:
        return NotRun("sqlglot is not installed: pip install 'clearwood[sql]'.")
    dialect = str(exported.options["dialect"])
    query = rewritten_for_duckdb(task.query, dialect)
    fetched = fetched_by_duckdb(task, query, rows)
    if isinstance(fetched, NotRun):
        return fetched
    versions = {"sqlglot": of_sqlglot, "DuckDB": fetched[1]}
    return ran_from_rows(
        task, exported, fetched[0], versions, instead="DuckDB, with the text rewritten by sqlglot"
    )


def rewritten_for_duckdb(query: str, dialect: str) -> str:
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


BIGQUERY = Runner("bigquery", one_by_one(run_transpiled), is_target=False)
SNOWFLAKE = Runner("snowflake", one_by_one(run_transpiled), is_target=False)
SQL_SERVER = Runner("mssql", one_by_one(run_transpiled), is_target=False)
