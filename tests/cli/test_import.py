"""clearwood import: a model of another program is read, proven and saved, or refused in a sentence."""

from __future__ import annotations

import csv
import importlib.util
from pathlib import Path

import pytest

import clearwood as cw
from tests.cli.conftest import Command

STORED = Path(__file__).parents[1] / "importing" / "stored"


def test_a_model_is_read_shown_and_saved(clearwood: Command) -> None:
    done = clearwood("import", STORED / "lightgbm_binary.txt", "--classes", "no,yes", "-o", "model.json")
    assert done.code == 0, done.err
    assert "Imported from LightGBM binary." in done.out
    assert "Saved to model.json." in done.out
    assert cw.load("model.json").schema.classes == ("no", "yes")
    assert clearwood("show", "model.json").code == 0
    assert clearwood("explain", "model.json", "--row", "a=0.1,b=0.2,c=1,d=u").code == 0


def test_the_origins_own_answers_prove_it(clearwood: Command) -> None:
    rows = STORED / "lightgbm_binary_answers.csv"
    with rows.open(newline="") as file:
        table = list(csv.DictReader(file))
    named = [{"answer": "1" if float(each["share of 1"]) > 0.5 else "0", **each} for each in table]
    with Path("answers.csv").open("w", newline="") as file:
        writer = csv.DictWriter(file, ["answer", "share of 0", "share of 1"], extrasaction="ignore")
        writer.writeheader()
        writer.writerows(named)
    given = (rows, "--origin-answers", "answers.csv")
    done = clearwood("import", STORED / "lightgbm_binary.json", *given, "-q")
    assert done.code == 0, done.err
    assert "every prediction is the same" in done.out
    json = clearwood("import", STORED / "lightgbm_binary.json", *given, "--json").json
    assert json["proof"]["holds"] is True
    assert json["proof"]["rows"] == len(table)
    assert json["model"]["model"] == "ensemble"


def test_where_answers_differ_nothing_is_saved(clearwood: Command) -> None:
    rows = STORED / "lightgbm_binary_answers.csv"
    lines = rows.read_text().count("\n") - 1
    Path("answers.csv").write_text("answer\n" + "0\n" * lines)
    given = (rows, "--origin-answers", "answers.csv", "-o", "m.json")
    done = clearwood("import", STORED / "lightgbm_binary.txt", *given)
    assert done.code == 1
    assert "does not predict as its origin does" in done.err
    assert not Path("m.json").exists()


def test_a_proof_that_cannot_be_run_is_no_proof(clearwood: Command) -> None:
    rows = STORED / "lightgbm_binary_answers.csv"
    done = clearwood("import", STORED / "lightgbm_binary.json", rows, "--prove", "-o", "m.json")
    assert done.code == 3
    assert "The proof was not run: LightGBM " in done.err
    assert "Install it" not in done.err
    assert not Path("m.json").exists()


@pytest.mark.skipif(importlib.util.find_spec("lightgbm") is None, reason="LightGBM is run")
def test_lightgbm_is_run_on_the_rows_and_on_rows_that_hurt(clearwood: Command) -> None:
    rows = STORED / "lightgbm_binary_answers.csv"
    done = clearwood("import", STORED / "lightgbm_binary.txt", rows, "--prove", "-q")
    assert done.code == 0, done.err
    assert "Asked LightGBM " in done.out


@pytest.mark.parametrize(
    ("more", "sentence"),
    [
        (
            ("--origin-answers", "a.csv"),
            "--origin-answers are predictions for rows: name these after the model's file.",
        ),
        (("--delimiter", ";"), "--delimiter is for reading rows, and none are given"),
        (("--columns", "a,b"), "The model reads 4 columns, but 2 are named."),
        (("rows.csv",), "rows.csv is read only to prove the import on its rows. Give also --prove."),
        (("--prove", "--origin-answers", "a.csv"), "give one of them"),
        (("--values", "d"), "--values takes COLUMN=VALUE,…"),
    ],
)
def test_wrong_options_are_refused_in_a_sentence(
    more: tuple[str, ...], sentence: str, clearwood: Command
) -> None:
    done = clearwood("import", STORED / "lightgbm_binary.txt", *more)
    assert done.code == 2
    assert sentence in done.err


def test_a_pickle_is_never_read(clearwood: Command) -> None:
    Path("model.pkl").write_bytes(b"\x80\x04\x95\x05\x00\x00\x00")
    done = clearwood("import", "model.pkl")
    assert done.code == 2
    assert "To read a pickle is to run it" in done.err
    assert clearwood("import", "nowhere.pmml").code == 2
