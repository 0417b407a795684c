"""The dialects: eight databases, each by what it spells in its own way."""

from __future__ import annotations

import math
from typing import Final

from clearwood.export.sql.dialect import SqlDialect
from clearwood.export.sql.literals import (
    bracketed,
    doubled,
    of_bigquery,
    of_sql_server,
    of_sqlite,
    quoted_name,
    shortest_digits,
    with_backslashes,
    with_exponent,
)
from clearwood.export.sql.name_rules import NameRules
from clearwood.export.sql.reserved import OF_POSTGRES, OF_SNOWFLAKE
from clearwood.registry import Listed


def _postgres_limit(value: float) -> str:
    """Beside a double a decimal becomes the nearest double."""
    return _postgres_number(value) if math.isinf(value) else shortest_digits(value)


def _postgres_number(value: float) -> str:
    written = f"{'-' if value < 0 else ''}Infinity" if math.isinf(value) else shortest_digits(value)
    return f"float8 '{written}'"


def _snowflake_number(value: float) -> str:
    written = f"{'-' if value < 0 else ''}inf" if math.isinf(value) else shortest_digits(value)
    return f"'{written}'::DOUBLE"


DUCKDB: Final = SqlDialect(
    name="duckdb",
    title="DuckDB",
    number=with_exponent("Infinity"),
    text=doubled("'"),
    quote=quoted_name('"'),
    known_number=lambda cell: f"NULLIF(CAST({cell} AS DOUBLE), 'NaN'::DOUBLE)",
    known_text=lambda cell: f"CAST({cell} AS VARCHAR) COLLATE C",
    text_cell=lambda cell: cell,
    keeping="EXCLUDE",
    nan="'NaN'::DOUBLE",
    in_list=lambda entries, at: f"([{entries}])[{at} + 1]",
    guarded=False,
    # A tree of 2,400 leaves that divides rows is planned in a third of the time if levels are stored.
    fence="MATERIALIZED ",
    fence_from=1_500,
    columns=4_000,
)
SQLITE: Final = SqlDialect(
    name="sqlite",
    title="SQLite",
    number=of_sqlite,
    text=doubled("'"),
    quote=quoted_name('"'),
    # A text without a digit, such as '' or 'NA', would be cast to 0.
    known_number=lambda cell: (
        f"CASE WHEN typeof({cell}) <> 'text' OR {cell} GLOB '*[0-9]*' THEN CAST({cell} AS REAL) END"
    ),
    known_text=lambda cell: f"CAST({cell} AS TEXT) COLLATE BINARY",
    text_cell=lambda cell: f"{cell} COLLATE BINARY",
    keeping="rowid",
    guarded=False,
    largest="MAX",
    fence="MATERIALIZED ",
    columns=1_900,
    arguments=100,
    name_parts=2,
    notes=("SQLite 3.35 or later.",),
)
POSTGRES: Final = SqlDialect(
    name="postgres",
    title="PostgreSQL",
    number=_postgres_number,
    limit=_postgres_limit,
    text=doubled("'"),
    quote=quoted_name('"'),
    known_number=lambda cell: f"NULLIF(CAST({cell} AS double precision), 'NaN')",
    known_text=lambda cell: f'CAST({cell} AS text) COLLATE "C"',
    text_cell=lambda cell: cell,
    keeping="row",
    nan="float8 'NaN'",
    in_list=lambda entries, at: f"(ARRAY[{entries}])[{at} + 1]",
    fence="MATERIALIZED ",
    columns=1_600,
    name_bytes=63,
    name_rules=NameRules(63, "bytes"),  # longer names are cut, and then two may be one
    ignores_case=False,
    reserved=OF_POSTGRES,
    notes=("PostgreSQL 12 or later.",),
)
BIGQUERY: Final = SqlDialect(
    name="bigquery",
    title="BigQuery",
    number=lambda value: (
        f"CAST('{'-' if value < 0 else ''}inf' AS FLOAT64)" if math.isinf(value) else with_exponent()(value)
    ),
    text=with_backslashes(lines=True),
    quote=of_bigquery,
    known_number=lambda cell: f"IF(IS_NAN(CAST({cell} AS FLOAT64)), NULL, CAST({cell} AS FLOAT64))",
    known_text=lambda cell: f"CAST({cell} AS STRING)",
    text_cell=lambda cell: cell,
    keeping="EXCEPT",
    is_nan=lambda cell: f"IS_NAN({cell})",
    plain_names=True,
    name_rules=NameRules(300),
)
SNOWFLAKE: Final = SqlDialect(
    name="snowflake",
    title="Snowflake",
    number=_snowflake_number,
    text=with_backslashes(double_quotes=True),
    quote=quoted_name('"'),
    known_number=lambda cell: f"NULLIF(CAST({cell} AS DOUBLE), 'NaN'::DOUBLE)",
    known_text=lambda cell: f"CAST({cell} AS VARCHAR)",
    text_cell=lambda cell: cell,
    keeping="EXCLUDE",
    nan="'NaN'::DOUBLE",
    ignores_case=False,
    name_rules=NameRules(255),
    reserved=OF_SNOWFLAKE,
)
SQL_SERVER: Final = SqlDialect(
    name="mssql",
    title="SQL Server",
    number=with_exponent(),
    text=of_sql_server,
    quote=bracketed,
    known_number=lambda cell: f"CAST({cell} AS DOUBLE PRECISION)",
    known_text=lambda cell: f"CAST({cell} AS NVARCHAR(MAX)) COLLATE Latin1_General_BIN2 + N'|'",
    text_cell=lambda cell: f"({cell} COLLATE Latin1_General_BIN2 + N'|')",
    keeping="list",
    log="LOG",
    mark="|",
    nesting=8,
    columns=4_000,
    name_parts=4,
    name_rules=NameRules(128, "UTF-16 units"),
    notes=(
        "SQL Server 2022 or later where GREATEST is used.",
        "A text is compared with a | at its end, because = ignores blanks there.",
    ),
)
MYSQL: Final = SqlDialect(
    name="mysql",
    title="MySQL",
    number=with_exponent(),
    text=with_backslashes(double_quotes=True),
    quote=quoted_name("`"),
    known_number=lambda cell: f"CAST({cell} AS DOUBLE)",
    known_text=lambda cell: f"CONCAT(CAST({cell} AS CHAR CHARACTER SET utf8mb4), '|') COLLATE utf8mb4_bin",
    text_cell=lambda cell: f"CONCAT({cell}, '|') COLLATE utf8mb4_bin",
    keeping="list",
    mark="|",
    hint="/*+ NO_MERGE({}) */ ",
    columns=4_000,
    name_bytes=64,
    name_rules=NameRules(64, basic=True),
    name_parts=2,
    notes=(
        "MySQL 8.0.17 or later, with backslashes as escapes (not NO_BACKSLASH_ESCAPES).",
        "A text is compared with a | at its end, because some collations ignore blanks there.",
    ),
)
SPARK: Final = SqlDialect(
    name="spark",
    title="Spark",
    number=with_exponent("Infinity"),
    text=with_backslashes(),
    quote=quoted_name("`"),
    known_number=lambda cell: f"NULLIF(CAST({cell} AS DOUBLE), CAST('NaN' AS DOUBLE))",
    known_text=lambda cell: f"CAST({cell} AS STRING)",
    text_cell=lambda cell: cell,
    keeping="EXCEPT",
    nan="CAST('NaN' AS DOUBLE)",
    guarded=False,
    notes=("Spark 4 or Databricks for SELECT * EXCEPT; with keep=… Spark 3 as well.",),
)
DIALECTS: Final[Listed[SqlDialect]] = Listed(
    "dialect",
    {each.name: each for each in (DUCKDB, SQLITE, POSTGRES, BIGQUERY, SNOWFLAKE, SQL_SERVER, MYSQL, SPARK)},
)
