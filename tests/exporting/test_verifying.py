"""A certificate is verified wherever it was made, and what is damaged or was changed is named."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import clearwood as cw
from clearwood.errors import SettingError
from clearwood.exporting import FORMATS, RUNNERS
from clearwood.exporting import exported as writer_version
from clearwood.exporting.exported import Exported
from clearwood.exporting.proof import proving, verifying
from clearwood.exporting.proof.certificate import Proof
from clearwood.exporting.running.databases import run_transpiled
from clearwood.exporting.running.runner import NotRun, Runner
from clearwood.exporting.sql.dialects import DIALECTS
from tests.exporting.models_to_export import made_table

pytestmark = pytest.mark.filterwarnings("ignore::clearwood.errors.ClearwoodWarning")

TABLE = made_table()
TREE = cw.CART(max_depth=3).learn(TABLE)


def verified(proof: Proof, exported: Exported, folder: Path, model: Any = TREE, **forged: Any) -> Proof:
    """What verify says of the certificate, with these fields forged."""
    exported.save(folder / "export")
    return cw.verify({**proof.certificate.to_json(), **forged}, folder / "export", model)


@pytest.mark.parametrize("form", ["select", "expression"])
@pytest.mark.parametrize("dialect", [each for each in DIALECTS if each != "postgres"])
def test_a_query_is_verified_as_it_was_proven(dialect: str, form: str, tmp_path: Path) -> None:
    check_query(dialect, form, tmp_path)


@pytest.mark.prove
@pytest.mark.parametrize("form", ["select", "expression"])
@pytest.mark.parametrize("dialect", ["postgres", "mysql", "spark"])
def test_a_query_in_a_server_is_verified_as_it_was_proven(dialect: str, form: str, tmp_path: Path) -> None:
    check_query(dialect, form, tmp_path)


def check_query(dialect: str, form: str, folder: Path) -> None:
    pytest.importorskip("sqlglot")
    exported = cw.export(TREE, "sql", dialect=dialect, form=form)
    proof = cw.prove(exported, most=20)
    assert proof.status in ("passed", "not run"), proof.because
    again = verified(proof, exported, folder)
    assert (again.status, again.because) == (proof.status, proof.because)
    assert again.certificate == proof.certificate


def absent(name: str) -> Runner:
    return Runner(name, lambda tasks: [NotRun(f"{name} is not installed.")] * len(tasks))


def test_what_was_not_run_then_may_pass_now(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    exported = cw.export(TREE, "python")
    with monkeypatch.context() as elsewhere:
        elsewhere.setitem(RUNNERS, "python", absent("Python"))
        proof = cw.prove(exported, most=20)
    again = verified(proof, exported, tmp_path)
    assert (again.status, again.because) == ("passed", "It was not run then, and has passed now.")
    assert str(again).endswith("\nIt was not run then, and has passed now.")
    assert verified(again, exported, tmp_path).because == ""


def test_what_failed_then_and_cannot_be_run_here_is_not_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    exported = cw.export(TREE, "python")
    proof = cw.prove(exported, most=20)
    monkeypatch.setitem(RUNNERS, "python", absent("Python"))
    again = verified(proof, exported, tmp_path, status="failed", because="it rained.")
    assert (again.status, again.because) == (
        "not run",
        "it cannot be run here, and what was found then is not confirmed: Python is not installed.",
    )


def test_what_stood_in_for_a_target_may_be_another(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("sqlglot")

    def elsewhere(tasks: Any) -> list[Any]:
        ran: Any = [run_transpiled(each.exported, each.rows) for each in tasks]
        return [replace(each, instead="MariaDB, which is not MySQL", reasons=()) for each in ran]

    exported = cw.export(TREE, "sql", dialect="mysql")
    with monkeypatch.context() as there:
        there.setitem(RUNNERS, "mysql", Runner("mysql", elsewhere))
        proof = cw.prove(exported, most=20)
    again = verified(proof, exported, tmp_path)
    assert (again.status, again.because) == (
        "not run",
        "mysql itself was not run; alike in DuckDB, with the text rewritten by sqlglot.",
    )
    forged = verified(cw.prove(exported, most=20), exported, tmp_path, compared=999)
    assert (forged.status, "says of 'compared'" in forged.because) == ("failed", True)


def test_a_certificate_names_what_stood_in_and_what_was_compared() -> None:
    pytest.importorskip("sqlglot")
    text = str(cw.prove(cw.export(TREE, "sql", dialect="mssql"), most=20))
    assert ", in place of mssql\n" in text
    assert "\nrun by    sqlglot " in text
    assert "\ncompared  " in text
    assert "\nrun by    nothing\n" in str(cw.prove(cw.export(TREE, "mermaid"), most=20))


def test_a_field_that_no_certificate_has_is_refused(tmp_path: Path) -> None:
    exported = cw.export(TREE, "python")
    with pytest.raises(SettingError, match="writes no field 'approved_by'"):
        verified(cw.prove(exported, most=20), exported, tmp_path, approved_by="the board")


def test_a_file_that_the_exporter_did_not_write_is_not_run(tmp_path: Path) -> None:
    mark = tmp_path / "ran"
    good = cw.export(TREE, "python")
    exported = replace(good, content=f"{good.text}\nopen({str(mark)!r}, 'w').close()\n")
    proof = cw.prove(exported, most=20)
    assert proof.passed
    mark.unlink()
    again = verified(proof, exported, tmp_path)
    assert (again.status, mark.exists()) == ("failed", False)
    assert "was not run, because it is not what Clearwood writes of this model" in again.because
    older = verified(proof, exported, tmp_path, exporter="0.0.1")
    assert (older.status, mark.exists()) == ("not run", False)
    assert f"because Clearwood {cw.__version__} writes another of this model than" in older.because
    assert "Verify it with Clearwood 0.0.1" in older.because


def upgraded(monkeypatch: pytest.MonkeyPatch, version: str) -> None:
    for module in (writer_version, proving, verifying):
        monkeypatch.setattr(module, "__version__", version)


def test_a_file_of_an_earlier_version_is_verified_where_the_exporter_writes_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    exported = cw.export(TREE, "python")
    proof = cw.prove(exported, most=20)
    upgraded(monkeypatch, "0.9.9")
    assert cw.export(TREE, "python").data != exported.data
    again = verified(proof, exported, tmp_path)
    assert (again.status, again.because) == ("passed", "")
    assert (again.certificate.clearwood, again.certificate.exporter) == ("0.9.9", cw.__version__)
    assert f"\nmade by   Clearwood 0.9.9, the file by Clearwood {cw.__version__}" in str(again)
    assert verified(again, exported, tmp_path).passed  # and its own certificate, too


@pytest.mark.parametrize("format", list(FORMATS))
def test_every_format_writes_the_file_of_an_earlier_version_again(
    format: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    exported = cw.export(TREE, format)
    monkeypatch.setitem(RUNNERS, exported.target, absent(format))
    proof = cw.prove(exported, most=5)
    upgraded(monkeypatch, "0.9.9")
    again = verified(proof, exported, tmp_path)
    assert (again.status, again.because) == (proof.status, proof.because)


def test_a_version_in_a_certificate_cannot_be_code(tmp_path: Path) -> None:
    mark = tmp_path / "ran"
    good = cw.export(TREE, "python")
    version = f'0.0.9"" + open({str(mark)!r}, "w").close() + ""'
    text = good.text.replace(f"Clearwood {cw.__version__}", f"Clearwood {version}")
    forged = replace(good, content=text, exporter=version)
    proof = cw.prove(forged, most=20)
    mark.unlink(missing_ok=True)
    with pytest.raises(SettingError, match="is no version of Clearwood"):
        verified(proof, forged, tmp_path)
    assert not mark.exists()


@pytest.mark.parametrize("format", list(FORMATS))
def test_an_export_is_written_alike_again(format: str) -> None:
    assert cw.export(TREE, format).data == cw.export(TREE, format).data


def test_rows_that_an_expression_leaves_without_an_answer_are_counted(tmp_path: Path) -> None:
    pytest.importorskip("duckdb")
    tree = cw.C45().learn(TABLE)
    exported = cw.export(tree, "sql", form="expression", divided="null")
    assert any("gets NULL" in each for each in exported.notes)
    proof = cw.prove(exported, most=150)
    assert proof.passed, str(proof)
    certificate = proof.certificate
    assert certificate.options["divided"] == "null"
    assert list(certificate.not_compared) == [
        "divided among leaves, which get no prediction by divided='null'"
    ]
    assert certificate.compared + sum(certificate.not_compared.values()) == certificate.rows
    again = verified(proof, exported, tmp_path, tree)
    assert again.certificate == certificate
    wrong = exported.text.replace("NULL -- the row would be", "'yes' -- the row would be")
    failed = cw.prove(replace(exported, content=wrong), most=150)
    assert (failed.status, failed.different[0].expected) == ("failed", None)


def test_an_expression_that_divides_no_row_has_no_note_of_it() -> None:
    assert cw.export(TREE, "sql", form="expression", divided="null").notes == ()
    with pytest.raises(SettingError, match="No way with divided rows 'zero'"):
        cw.export(TREE, "sql", divided="zero")


def test_a_certificate_of_before_a_field_was_there_is_refused_with_the_way_out(tmp_path: Path) -> None:
    exported = cw.export(TREE, "python")
    exported.save(tmp_path / "export")
    old = cw.prove(exported, most=5).certificate.to_json()
    del old["exporter"]
    with pytest.raises(SettingError, match=r"no field 'exporter': .* earlier version .* prove it again"):
        cw.verify(old, tmp_path / "export", TREE)
