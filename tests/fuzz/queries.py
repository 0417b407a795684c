"""Queries: SQL over files, damaged; and statements that would write, fetch, set, or read what is hidden."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Final

from clearwood.errors import SourceError
from clearwood.table import read_table
from tests.fuzz.cases import Case
from tests.fuzz.mutation import NASTY_TEXT, mutated
from tests.fuzz.readers import check, whole_files
from tests.fuzz.watching import nothing_is_run

_QUERIES: Final = (
    "SELECT * FROM 't.csv'",
    "SELECT outlook, avg(humidity) AS h, play FROM 't.parquet' GROUP BY ALL",
    "WITH m AS (SELECT * FROM 't.jsonl') SELECT m.outlook, code FROM m WHERE humidity > 70",
    "SELECT * FROM read_parquet('*.parquet') WHERE outlook IN (SELECT outlook FROM 't.csv')",
    "SELECT play FROM 't.csv' UNION ALL SELECT play FROM read_csv('t.csv')",
)
_SQL_TOKENS: Final = (
    tuple(
        token.encode()
        for token in (
            *(
                " COPY (SELECT 1) TO 'new.csv' ",
                "; DROP TABLE t",
                " AS (COPY t TO 'new.csv') ",
                " SET threads=1 ",
            ),
            *(
                "enable_logging(storage='file')",
                "read_text('/etc/passwd')",
                "query('SELECT 1')",
                "glob('*')",
                "range(3)",
            ),
            *(
                "--",
                "/*",
                "$$",
                "?",
                "$1",
                "'",
                '"',
                "(",
                ")",
                ",",
                ".",
                "1e999",
                "NULL",
                "é",
                "SELECT",
                "FROM",
                "'no.csv'",
            ),
        )
    )
    + NASTY_TEXT[:20]
)
_HOSTILE: Final = (
    *(
        "COPY (SELECT 1) TO 'new.csv'",
        "COPY (SELECT 1) TO 'new.parquet' (FORMAT parquet)",
        "ATTACH 'new.db' AS n",
    ),
    *(
        "COPY t FROM 'secret.txt'",
        "EXPORT DATABASE 'new'",
        "IMPORT DATABASE 'new'",
        "CREATE TABLE n AS SELECT 1",
    ),
    *("SET threads=1", "SET enable_external_access=true", "RESET lock_configuration", "PRAGMA database_list"),
    *("CALL enable_logging(storage='file')", "SELECT * FROM enable_logging(storage='file')", "CHECKPOINT"),
    *("INSTALL httpfs", "LOAD httpfs", "FORCE INSTALL spatial", "INSERT INTO t VALUES (1)", "DROP TABLE t"),
    *("SELECT * FROM read_blob('secret.txt')", "SELECT * FROM glob('*')", "SELECT * FROM duckdb_settings()"),
    *("SELECT * FROM read_text('secret' || '.txt')", "SELECT * FROM sniff_csv('secret.txt')"),
    *(
        "SELECT * FROM query('SELECT * FROM read_text(''secret.txt'')')",
        "SELECT * FROM query_table('secret.txt')",
    ),
    *("SELECT * FROM 'https://example.com/t.csv'", "SELECT * FROM read_csv('s3://bucket/t.csv')"),
    *("SELECT * FROM parquet_metadata('t.parquet')", "SELECT * FROM pragma_storage_info('t')"),
    *("EXPLAIN ANALYZE COPY (SELECT 1) TO 'new.csv'", "PREPARE p AS COPY (SELECT 1) TO 'new.csv'", "VACUUM"),
)
_AROUND: Final = (
    *(
        "{}",
        "SELECT * FROM 't.csv'; {}",
        "{}; SELECT 1",
        "WITH x AS ({}) SELECT * FROM x",
        "SELECT * FROM ({})",
    ),
    *(
        "SELECT 1 UNION ALL {}",
        "/* */ {} --",
        "SELECT * FROM 't.csv' WHERE EXISTS ({})",
        "({})",
        "EXPLAIN {}",
    ),
    *(
        "WITH RECURSIVE x AS ({}) SELECT * FROM 't.csv', x",
        "FROM ({}) SELECT *",
        "SELECT ({})",
        "DESCRIBE {}",
    ),
)


def case(random: Random, folder: Path) -> Case:
    """A damaged query that reads, or one that must be refused however it is wrapped."""
    for name in _NAMES:
        (folder / name).write_bytes(whole_files()[name])
    (folder / "secret.txt").write_text("a,b\n1,the secret\n")
    if random.random() < 0.4:
        text = _in_folder(random.choice(_AROUND).format(random.choice(_HOSTILE)), folder)
        return Case(f"query {text!r}", lambda: _must_refuse(text, folder))
    query = random.choice(_QUERIES).encode()
    for _ in range(random.choice((0, 1, 1, 2))):
        query = mutated(query, random, _SQL_TOKENS)
    text = _in_folder(query.decode("utf-8", "replace"), folder)
    return Case(f"query {text!r}", lambda: _read(text, folder))


_NAMES: Final = ("t.csv", "t.parquet", "t.jsonl")


def _in_folder(text: str, folder: Path) -> str:
    """The query with its files in the folder of the case."""
    for name in (*_NAMES, "*.parquet", "secret.txt", "new.csv", "new.parquet", "new.db", "new"):
        text = text.replace(f"'{name}'", f"'{folder}/{name}'")
    return text


def _read(text: str, folder: Path) -> None:
    before = {each.name: each.read_bytes() for each in folder.iterdir()}
    try:
        with nothing_is_run():
            check(read_table(query=text))
    finally:
        assert {each.name: each.read_bytes() for each in folder.iterdir()} == before, "a query wrote"


def _must_refuse(text: str, folder: Path) -> None:
    try:
        _read(text, folder)
    except SourceError as error:
        if "the secret" in str(error):
            raise AssertionError("the refusal tells it") from error
        raise
    raise AssertionError("this was let through")
