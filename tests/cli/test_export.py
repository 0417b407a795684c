"""clearwood export and verify: by the file's ending, proven, and checked again."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from clearwood.errors import SettingError
from clearwood.exporting import FORMATS
from clearwood.exporting.proof import proving
from tests.cli.conftest import Command


def test_the_ending_says_the_format(clearwood: Command, model: Path) -> None:
    done = clearwood("export", model, "-o", "score.py")
    assert done.code == 0
    assert Path("score.py").read_text("utf-8").startswith('"""Predict PlayTennis')
    assert clearwood("export", model, "-o", "tree.mmd").code == 0
    assert Path("tree.mmd").read_text("utf-8").startswith("flowchart TD")


def test_without_a_file_it_is_printed(clearwood: Command, model: Path) -> None:
    assert clearwood("export", model, "--format", "dot").out.startswith("digraph tree {")
    done = clearwood("export", model, "--format", "dot", "--json").json
    assert done["content"].startswith("digraph tree {")


def test_an_ending_that_no_format_has_is_refused_with_the_list(clearwood: Command, model: Path) -> None:
    done = clearwood("export", model, "-o", "out.json")
    assert done.code == 2
    assert "No format has files that end in '.json'" in done.err
    assert ".py" in done.err
    assert "In which format?" in clearwood("export", model).err


def test_the_help_lists_every_format(clearwood: Command) -> None:
    shown = " ".join(clearwood("export", "--help").out.replace("│", " ").split())
    assert all(name in shown for name in FORMATS)


def test_a_proof_is_printed_and_its_certificate_verified(
    clearwood: Command, model: Path, tennis: Path
) -> None:
    done = clearwood("export", model, "-o", "score.py", "--prove", tennis)
    assert (done.code, done.out.startswith("Passed: ")) == (0, True)
    again = ("verify", "score.py.certificate.json", "score.py", model)
    assert clearwood(*again, tennis).code == 0
    without = clearwood(*again)
    assert (without.code, "Give the same rows" in without.out) == (1, True)
    Path("score.py").write_text("def nothing(): pass\n")
    changed = clearwood(*again, tennis, "--json")
    assert (changed.code, changed.json["status"]) == (1, "failed")


def test_a_proof_without_rows_of_ones_own_and_with_a_place_for_the_certificate(
    clearwood: Command, model: Path
) -> None:
    assert clearwood("export", model, "-o", "score.py", "--prove", "--certificate", "proof.txt").code == 0
    assert Path("proof.txt").read_text("utf-8").startswith("Passed: ")
    done = clearwood("export", model, "-o", "score.py", "--prove", "--certificate", "proof.json", "--json")
    assert done.json["proof"] == json.loads(Path("proof.json").read_text("utf-8"))


def test_what_nothing_runs_is_said_to_be_not_run(clearwood: Command, model: Path) -> None:
    done = clearwood("export", model, "-o", "tree.dot", "--prove")
    # Neither passed nor failed: a pipeline that asks for a proof can tell.
    assert (done.code, done.out.startswith("Not run: ")) == (3, True)
    assert Path("tree.dot").exists()
    assert clearwood("export", model, "-o", "tree.dot").code == 0
    assert clearwood("verify", "tree.dot.certificate.json", "tree.dot", model).code == 3


def test_what_would_be_ignored_is_refused(clearwood: Command, model: Path, tennis: Path) -> None:
    given = ("export", model, "-o", "score.py")
    assert "Give also --prove" in clearwood(*given, tennis).err
    assert "Give also --prove" in clearwood(*given, "--certificate", "c.json").err
    assert "--missing is for reading rows" in clearwood(*given, "--missing", "x").err
    assert "--dialect is for SQL" in clearwood(*given, "--dialect", "duckdb").err
    assert "python has no options" in clearwood(*given, "--set", "a=b").err
    assert "No option of java called 'nam'" in clearwood(*given, "-f", "java", "--set", "nam=b").err
    assert not Path("score.py").exists()


def test_an_option_of_a_format_is_set(clearwood: Command, model: Path) -> None:
    assert clearwood("export", model, "-o", "Score.java", "--set", "name=Score").code == 0
    assert "class Score" in Path("Score.java").read_text("utf-8")


def test_a_name_without_an_ending_is_refused_with_the_way_out(clearwood: Command, model: Path) -> None:
    done = clearwood("export", model, "-o", "score")
    assert done.code == 2
    assert "The name score has no ending" in done.err
    assert "--format NAME" in done.err


def test_an_error_in_the_proof_does_not_lose_the_export(
    clearwood: Command, model: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def failing(*_: object) -> None:
        raise SettingError("The prover is broken.")

    monkeypatch.setattr(proving, "prove", failing)
    done = clearwood("export", model, "-o", "score.py", "--prove")
    assert (done.code, "The prover is broken." in done.err) == (2, True)
    assert "def predict(row)" in Path("score.py").read_text("utf-8")
    assert "def predict(row)" in clearwood("export", model, "-f", "python", "--prove").out


def test_the_verdict_is_printed_even_if_quiet(clearwood: Command, model: Path) -> None:
    done = clearwood("export", model, "--format", "mermaid", "--prove", "-q")
    assert done.out.startswith("flowchart TD")
    assert done.err.startswith("note: Not run: nothing here runs mermaid")
    assert len(done.err.splitlines()) == 1
    assert clearwood("export", model, "-o", "tree.mmd", "--prove", "-q").out.startswith("Not run: ")


def test_a_certificate_is_json_or_text(clearwood: Command, model: Path) -> None:
    done = clearwood("export", model, "-o", "score.py", "--prove", "--certificate", "proof.pdf")
    assert (done.code, "name a file that ends in .json or .txt" in done.err) == (2, True)
    assert not Path("score.py").exists()


def test_verify_needs_the_certificate_that_is_json(clearwood: Command, model: Path) -> None:
    assert clearwood("export", model, "-o", "score.py", "--prove", "--certificate", "proof.txt").code == 0
    done = clearwood("verify", "proof.txt", "score.py", model)
    assert (done.code, "verify needs the .json certificate" in done.err) == (2, True)


def test_an_edited_certificate_fails_with_its_field(clearwood: Command, model: Path) -> None:
    assert clearwood("export", model, "-o", "score.py", "--prove").code == 0
    place = Path("score.py.certificate.json")
    plain = json.loads(place.read_text("utf-8"))
    for field, value in (("target", "Mars"), ("compared", 999999), ("status", "failed")):
        place.write_text(json.dumps({**plain, field: value}), "utf-8")
        done = clearwood("verify", place, "score.py", model)
        assert (done.code, f"the certificate says of '{field}'" in done.out) == (1, True)
    place.write_text(json.dumps({**plain, "status": "zzz"}), "utf-8")
    assert "No status 'zzz'" in clearwood("verify", place, "score.py", model).err
