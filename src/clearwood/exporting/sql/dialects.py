"""The dialects: eight databases, each by what it spells in its own way."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from clearwood.exporting.sql.literals import (
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
from clearwood.files import text_beside
from clearwood.registry import Listed

# What a database lets be a name: how long it may be, and which characters it may have.


NameUnit: TypeAlias = Literal["bytes", "characters", "UTF-16 units"]
_MEASURED: Final[Mapping[NameUnit, Callable[[str], int]]] = {
    "bytes": lambda name: len(name.encode()),
    "characters": len,
    "UTF-16 units": lambda name: len(name.encode("utf-16-le")) // 2,
}


@dataclass(frozen=True, slots=True)
class NameRules:
    """The most that a name may have, of which unit; `basic`: no character beyond U+FFFF, and no blank at the
    end."""

    most: int | None = None
    unit: NameUnit = "characters"
    basic: bool = False

    def broken_by(self, name: str) -> str | None:
        """What of a name the database does not take; None: it takes it.

        >>> NameRules(5, "bytes").broken_by("größe")
        'is longer than 5 bytes'
        """
        if self.most is not None and _MEASURED[self.unit](name) > self.most:
            return f"is longer than {self.most} {self.unit}"
        if self.basic and name and ord(max(name)) > 0xFFFF:
            return f"has the character {max(name)}, which is beyond U+FFFF"
        if self.basic and name.endswith(" "):
            return "ends with a blank"
        return None

    def fitted(self, name: str) -> str:
        """A name of ours without the characters that it may not have.

        >>> NameRules(basic=True).fitted("share_😀 ")
        'share__'
        """
        if not self.basic:
            return name
        return "".join("_" if ord(each) > 0xFFFF else each for each in name).rstrip(" ")


ANY_NAME: Final = NameRules()


# Words that a database keeps for itself: a table of such a name is written in quotes.


def _words(file: str) -> frozenset[str]:
    return frozenset(text_beside(__file__, file).split())


# These two change the case of a name without quotes, so that no other word may be quoted there.
OF_POSTGRES: Final = _words("reserved_postgres.txt")
OF_SNOWFLAKE: Final = _words("reserved_snowflake.txt")
# Elsewhere quotes change nothing, and a word is quoted that any of the databases keeps for itself.
OF_ANY: Final = OF_POSTGRES | OF_SNOWFLAKE | _words("reserved_others.txt")


# A SqlDialect: what one database's SQL spells in its own way, and how much it takes.


Keeping: TypeAlias = Literal["EXCLUDE", "EXCEPT", "row", "rowid", "list"]


@dataclass(frozen=True, slots=True, kw_only=True)
class SqlDialect:
    """The spellings of one database.

    `number` writes a literal that is a double, to the last bit; `limit` one beside a double, where it may be
    shorter. `known_number` and `known_text` make of a cell what conditions ask: a double or NULL, a
    text that is compared byte by byte or NULL. `text_cell` is the text where the cell is used as it stands.

    `nan` is the literal where a NaN is above all numbers, so that `>` holds of it; `is_nan` the test of one.
    `guarded`: overflow is an error, so that powers are kept in reach. `mark` ends every text where the
    database would ignore blanks at its end. `in_list` takes the entry at a place from a list of them, where
    there are lists. `fence` keeps a database from copying a step into each place that uses it, where there
    are `fence_from` steps or more. `keeping` is how all columns of the source go along without the helping
    ones.

    `nesting` is how deep CASE may stand within CASE, `columns` how many a SELECT may have, `arguments` a
    function and `terms` a sum. `name_rules` are those of names in quotes, and `name_bytes` is how long
    our own may be. `name_parts` is how many names, of schema and database too, a table has, and `reserved`
    the words that are no name without quotes.
    """

    name: str
    title: str
    number: Callable[[float], str]
    text: Callable[[str], str]
    quote: Callable[[str], str]
    known_number: Callable[[str], str]
    known_text: Callable[[str], str]
    text_cell: Callable[[str], str]
    keeping: Keeping
    limit: Callable[[float], str] | None = None
    nan: str = ""
    is_nan: Callable[[str], str] | None = None
    in_list: Callable[[str, str], str] | None = None
    guarded: bool = True
    largest: str = "GREATEST"
    log: str = "LN"
    mark: str = ""
    fence: str = ""
    fence_from: int = 0
    hint: str = ""
    nesting: int = 14
    columns: int = 10_000
    arguments: int = 200
    terms: int = 300
    name_bytes: int = 120
    name_rules: NameRules = ANY_NAME
    plain_names: bool = False
    ignores_case: bool = True
    name_parts: int = 3
    reserved: frozenset[str] = OF_ANY
    notes: tuple[str, ...] = ()

    def beside(self, value: float) -> str:
        """A literal that a double is compared with."""
        return self.number(value) if self.limit is None else self.limit(value)


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
