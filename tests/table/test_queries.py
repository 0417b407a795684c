"""A query reads the files it names and does nothing else; its faults are told with our file names."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pytest
from pyarrow import parquet

from clearwood.errors import Advice, SettingError, SourceError
from clearwood.table import read_table
from clearwood.table.sources.sql import _OFFLINE, _lock


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("kept.csv").write_text("a,b\n1,x\n2,y\n")
    Path("bücher.csv").write_text("a,c\n1,p\n2,q\n")
    Path("m.json").write_text('{"a": 1, "k": "u"}\n{"a": 2, "k": "v"}\n')
    for part in (1, 2):
        parquet.write_table(pa.table({"a": [part], "k": ["uv"[part - 1]]}), f"part{part}.parquet")
    return tmp_path


@pytest.mark.parametrize(
    "query",
    [
        "WITH t AS (COPY (SELECT 666) TO 'kept.csv') SELECT * FROM t",
        "WITH t AS (COPY (SELECT 666) TO 'new.csv') SELECT * FROM t",
        "SELECT * FROM (WITH t AS (COPY (SELECT 666) TO 'new.csv') SELECT * FROM t)",
        "SELECT a FROM 'kept.csv' WHERE a IN (WITH t AS (COPY (SELECT 1) TO 'new.csv') SELECT * FROM t)",
        "SELECT * FROM enable_logging(storage='file', storage_path='new.csv')",
        "SELECT * FROM query('COPY (SELECT 666) TO ''new.csv''')",
        "SELECT * FROM json_execute_serialized_sql('{}')",
        "SELECT 1; COPY (SELECT 666) TO 'new.csv'",
        "COPY (SELECT 666) TO 'new.csv'",
        "ATTACH 'new.csv' AS d",
        "CREATE TABLE t AS SELECT 1",
        "SET threads = 1",
    ],
)
def test_a_query_cannot_write(folder: Path, query: str) -> None:
    before = {path: path.read_bytes() for path in folder.iterdir()}
    with pytest.raises(SourceError, match=r"A query (must be one SELECT|may not call)"):
        read_table(query=query)
    assert {path: path.read_bytes() for path in folder.iterdir()} == before


@pytest.mark.parametrize(
    "query",
    [
        "SELECT content FROM read_text('/etc/' || 'hostname')",
        "SELECT * FROM read_csv(concat('kept', '.csv'))",
    ],
)
def test_a_query_reads_no_file_that_it_does_not_name(query: str) -> None:
    with pytest.raises(SourceError, match="A query names its files in quotes"):
        read_table(query=query)


def test_the_lock_holds_where_the_tree_would_not(folder: Path) -> None:
    import duckdb

    before = {path: path.read_bytes() for path in folder.iterdir()}
    with duckdb.connect(config=_OFFLINE) as connection:
        _lock(connection, ["kept.csv"])
        assert len(connection.execute("SELECT * FROM 'kept.csv'").fetchall()) == 2
        for query in (
            "COPY (SELECT 666) TO 'new.csv'",
            "WITH t AS (COPY (SELECT 666) TO 'kept.csv') SELECT * FROM t",
            "SELECT * FROM enable_logging(storage='file', storage_path='new.csv')",
            "SELECT * FROM 'm.json'",
            "SET enable_external_access = true",
            "INSTALL httpfs",
        ):
            with pytest.raises(duckdb.Error):
                connection.execute(query).fetchall()
    assert {path: path.read_bytes() for path in folder.iterdir()} == before


def test_the_variables_of_the_program_are_no_tables() -> None:
    with pytest.raises(SourceError, match="Table with name renamed does not exist"):
        read_table(query="SELECT * FROM renamed")


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("SELECT k, sum(a) AS a FROM 'part*.parquet' GROUP BY k ORDER BY k", [1, 2]),
        ("SELECT a FROM read_parquet('part*.parquet') ORDER BY a", [1, 2]),
        ("SELECT a FROM read_parquet(['part1.parquet', 'part2.parquet']) ORDER BY a", [1, 2]),
        ("SELECT a FROM 'm.json'", [1, 2]),
        ("SELECT 'ü' AS u, m.a FROM 'bücher.csv' AS m, 'kept.csv' AS n WHERE m.a = n.a", [1, 2]),
        ('FROM "kept.csv" SELECT a', [1, 2]),
        ("SELECT (SELECT max(a) FROM 'kept.csv') + i AS a FROM range(2) AS r(i)", [2, 3]),
        (
            "WITH RECURSIVE t(a) AS (SELECT 1 UNION ALL SELECT a + 1 FROM t WHERE a < 2) SELECT a FROM t",
            [1, 2],
        ),
        ("SELECT a FROM 'kept.csv' UNION ALL SELECT a + 1 FROM 'm.json' WHERE a = 2 ORDER BY 1", [1, 2, 3]),
    ],
)
def test_a_query_reads_what_it_names(query: str, expected: list[float]) -> None:
    table = read_table(query=query, kinds={"a": "numeric"})
    assert table.columns["a"].tolist() == expected


def test_a_file_that_no_query_reads_is_pointed_to_source() -> None:
    Path("x.arff").write_text("@relation r\n@attribute a numeric\n@data\n1\n2\n")
    with pytest.raises(SourceError, match=r"reads \.csv, .* files, and 'x\.arff' is none") as caught:
        read_table("SELECT * FROM 'x.arff'")
    (advice,) = caught.value.advice
    assert (advice.option, advice.value) == ("query", "SELECT * FROM source")
    table = read_table("x.arff", query=advice.value, kinds={"a": "numeric"})
    assert table.columns["a"].tolist() == [1, 2]


@pytest.mark.parametrize(
    ("query", "sentence"),
    [
        ("SELECT * FROM 'kapt.csv'", r"No file kapt.csv. Did you mean kept.csv\?"),
        ("SELECT * FROM 'no*.parquet'", "No file no"),
        ("SELECT * FROM 'https://example.org/x.parquet'", "files of this machine"),
        ("SELECT nope FROM 'kept.csv'", 'Referenced column "nope" not found'),
        ("SELECT FROM WHERE", "The query failed: "),
        ("SELECT * FROM 'kept.csv' LIMIT 'x'", "The query failed: "),
    ],
)
def test_what_is_wrong_with_a_query_is_one_sentence(query: str, sentence: str) -> None:
    with pytest.raises(SourceError, match=sentence) as caught:
        read_table(query=query)
    assert "\n" not in str(caught.value)
    assert "temp.main" not in str(caught.value)


def test_a_query_ends_in_time() -> None:
    endless = "WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t) SELECT count(*) AS n FROM t"
    with pytest.raises(SourceError, match=r"more than 0\.2 seconds") as refused:
        read_table(query=endless, query_seconds=0.2)
    assert refused.value.advice == (Advice("query_seconds", 0.4),)
    with pytest.raises(SettingError, match="query_seconds must be a number above 0"):
        read_table(query="SELECT 1 AS a", query_seconds=0)
    with pytest.raises(SettingError, match="query_seconds is for a query"):
        read_table("kept.csv", query_seconds=5)


def test_the_rows_and_the_work_of_a_query_are_bounded() -> None:
    for query in (
        "SELECT range AS a FROM range(1000000000000)",
        "SELECT list(range) AS a FROM range(100000000)",
    ):
        with pytest.raises(SourceError, match=r"needs more than 60,000,000 bytes") as refused:
            read_table(query=query, max_bytes="60MB")
        assert refused.value.advice == (Advice("max_bytes", "120MB"),)
    assert (
        len(read_table(query="SELECT range AS a FROM range(1000) ORDER BY a DESC", max_bytes="60MB")) == 1000
    )
