"""Databases that are not here: their text is parsed as theirs, rewritten for DuckDB by sqlglot and run there.

That shows that the text is theirs and says what the model does; it does not show what the database itself
would do, so the target counts as not run.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from importlib.metadata import PackageNotFoundError, version
from typing import Final

from clearwood.export.exported import Exported
from clearwood.export.running.duckdb import fetched_by_duckdb
from clearwood.export.running.processes import TargetFailedError
from clearwood.export.running.runner import NotRun, Ran, Runner
from clearwood.export.running.sql_rows import ran_in_order, sql_task
from clearwood.table.row import Row

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
    ran = ran_in_order(exported, task, fetched[0], versions)
    return replace(ran, instead="DuckDB, with the text rewritten by sqlglot")


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


BIGQUERY = Runner("bigquery", run_transpiled)
SNOWFLAKE = Runner("snowflake", run_transpiled)
SQL_SERVER = Runner("mssql", run_transpiled)
MYSQL = Runner("mysql", run_transpiled)
SPARK = Runner("spark", run_transpiled)
