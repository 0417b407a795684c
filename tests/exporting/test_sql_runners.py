"""What databases are given to run: any names of columns and tables, and only so much time."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

import clearwood as cw
from clearwood.exporting.running import servers
from clearwood.exporting.running.runner import TargetFailedError
from clearwood.exporting.running.servers import MariadbServer, PostgresServer, ServerFolder

ROWS = [{"number of the row": float(x), "y": "yes" if x > 4 else "no"} for x in range(10)]
SCHEMA = cw.Schema((cw.Numeric("number of the row"),), cw.Nominal("y", ("no", "yes")))
NUMBERED = cw.CART().learn(cw.encode(ROWS, SCHEMA))


@pytest.mark.parametrize("form", ["select", "expression"])
@pytest.mark.parametrize("dialect", ["duckdb", "sqlite", "bigquery", "mssql", "mysql"])
def test_a_column_may_be_called_as_the_number_of_the_row_is(dialect: str, form: str) -> None:
    pytest.importorskip("sqlglot")
    proof = cw.prove(cw.export(NUMBERED, "sql", dialect=dialect, form=form), most=20)
    assert proof.status != "failed", proof.because
    assert proof.certificate.compared == len(proof.rows)


@pytest.mark.prove
@pytest.mark.parametrize("dialect", ["postgres", "mysql"])
def test_a_server_tells_such_a_column_from_its_own(dialect: str) -> None:
    proof = cw.prove(cw.export(NUMBERED, "sql", dialect=dialect), most=20)
    assert proof.status != "failed", proof.because


@pytest.mark.parametrize("source", ["memory.main.t", "Memory.other.t", "sales.main.t"])
def test_duckdb_has_a_database_from_the_start(source: str) -> None:
    pytest.importorskip("duckdb")
    assert cw.prove(cw.export(NUMBERED, "sql", source=source), most=10).passed


def test_duckdb_makes_no_table_in_a_database_of_its_own() -> None:
    pytest.importorskip("duckdb")
    proof = cw.prove(cw.export(NUMBERED, "sql", source="temp.main.t"), most=10)
    assert (proof.status, "DuckDB keeps the database 'temp'" in proof.because) == ("not run", True)


def test_a_client_or_server_that_does_not_end_has_failed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    client = tmp_path / "psql"
    client.write_text("#!/bin/sh\nexec sleep 60\n")
    client.chmod(0o755)
    monkeypatch.setattr(servers, "program_of_mariadb", lambda *_: str(client))
    late = r"psql was stopped: it did not end within 0\.1 seconds"
    with pytest.raises(TargetFailedError, match=late):
        MariadbServer(tmp_path).client("SELECT 1;", seconds=0.1)
    with pytest.raises(TargetFailedError, match=late):
        PostgresServer(tmp_path, tmp_path).psql("SELECT 1;", seconds=0.1)
    with pytest.raises(TargetFailedError, match=late):
        ServerFolder(tmp_path).call([client], seconds=0.1)


@pytest.mark.prove
@pytest.mark.parametrize("dialect", ["postgres", "mysql"])
def test_a_server_that_does_not_run_a_query_says_why(dialect: str) -> None:
    exported = cw.export(NUMBERED, "sql", dialect=dialect)
    proof = cw.prove(replace(exported, content="SELECT nothing FROM nowhere"), most=10)
    if proof.status == "not run":
        pytest.skip(proof.because)
    assert proof.status == "failed"
    assert "nowhere" in proof.because
