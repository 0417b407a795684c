"""What is wrong is said in one sentence that names the place and the way out."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from clearwood.cli import run
from tests.cli.conftest import Command

FIT = ("fit", "t.csv", "-t", "y")


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("made")
    (folder / "t.csv").write_text("x,y\n" + "a,no\nb,yes\n" * 4)
    (folder / "n.csv").write_text("x,y\n" + "".join(f"{'ab'[i % 2]},{i}.5\n" for i in range(50)))
    (folder / "empty.csv").write_text("")
    (folder / "header.csv").write_text("x,y\n")
    (folder / "ragged.csv").write_text("x,y\na,no\nb\n")
    (folder / "infinite.csv").write_text("x,y\n" + "1,no\n2,yes\n" * 4 + "inf,no\n")
    (folder / "cut.csv").write_text("x,y\n" + "".join(f"{i},{'no' if i < 9 else 'yes'}\n" for i in range(20)))
    (folder / "words.csv").write_text("x,y\nabc,no\n")
    (folder / "folder").mkdir()
    (folder / "not.json").write_text('{"format": "clearwood"')
    with pytest.MonkeyPatch.context() as patched:
        patched.chdir(folder)
        assert run([*FIT, "--save", "m.json"]) == 0
        numeric = ("fit", "cut.csv", "-t", "y", "--kind", "x=numeric", "--save", "number.json")
        assert run(numeric) == 0
    return folder


@pytest.fixture(autouse=True)
def _files(made: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shutil.copytree(made, tmp_path, dirs_exist_ok=True)
    capsys.readouterr()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("fit", "t.csv", "-t", "yy"), "No column 'yy'. Did you mean 'y'? Columns: x, y."),
        (("fit", "t.csv"), "Which column is to be predicted? Give it: --target COLUMN. Columns: x, y."),
        (("fit", "gone.csv", "-t", "y"), "gone.csv"),
        (("fit", "folder", "-t", "y"), "folder is a folder"),
        (("fit", "empty.csv", "-t", "y"), "empty.csv is empty"),
        (("fit", "header.csv", "-t", "y"), "--no-header"),
        (("fit", "ragged.csv", "-t", "y"), "line 3"),
        ((*FIT, "-l", "c5"), "No learner 'c5'. Did you mean 'c45'?"),
        (
            (*FIT, "--set", "confidance=0.1"),
            "No setting of c45 called 'confidance'. Did you mean 'confidence'?",
        ),
        ((*FIT, "--set", "confidence=high"), "confidence takes a number, not 'high'."),
        ((*FIT, "--set", "confidence=3"), "confidence must lie between 0 and 1"),
        ((*FIT, "--set", "confidence"), "--set takes NAME=VALUE, not 'confidence'."),
        ((*FIT, "--set", "prune=perhaps"), "prune takes yes or no, not 'perhaps'."),
        ((*FIT, "--prune", "mld"), "No pruner 'mld'. Did you mean 'mdl'?"),
        ((*FIT, "--prune", "cost-complexity"), "needs the price of a leaf"),
        ((*FIT, "--kind", "x"), "--kind takes COLUMN=KIND, not 'x'."),
        ((*FIT, "--kind", "z=numeric"), "No column 'z'."),
        ((*FIT, "--kind", "x=numerical"), "numeric"),
        ((*FIT, "--ignore", "z"), "No column 'z'."),
        ((*FIT, "--test-part", "0.3", "--cross-validate", "3"), "not both"),
        ((*FIT, "--test-part", "1.5"), "--test-part must leave rows on both sides: 1.5 of 8"),
        ((*FIT, "--cross-validate", "1"), "--cross-validate must be between 2 and the number of rows"),
        ((*FIT, "--save", "t.csv"), "This command reads t.csv"),
        ((*FIT, "--save", "gone/m.json"), "there is no directory gone"),
        ((*FIT, "--save", "folder"), "folder is a directory"),
        ((*FIT, "--delimiter", "abc"), "delimiter must be one plain character"),
        (("fit", "n.csv", "-t", "y", "-l", "id3"), "ID3 learns classes"),
        ((*FIT, "--kind", "x=ordinal"), "--order x=a,b."),
        (
            ("fit", "infinite.csv", "-t", "y"),
            "treat it as missing: --missing inf.",
        ),
        (("show", "mm.json"), "No file mm.json. Did you mean m.json?"),
        (("show", "folder"), "folder is a folder. Name a model file in it."),
        (("predict", "number.json", "words.csv"), "Correct the cell, or treat it as missing: --missing abc."),
        (("show", "not.json"), "not.json"),
        (("show", "t.csv"), "t.csv"),
        (("predict", "m.json", "gone.csv"), "gone.csv"),
        (("predict", "m.json", "t.csv", "--output", "t.csv"), "This command reads t.csv"),
        (("predict", "m.json", "t.csv", "--output", "m.json"), "This command reads m.json"),
        (("predict", "m.json", "t.csv", "--output", "s.parquet"), "Cannot write rows as .parquet."),
        (("prune", "m.json", "t.csv", "--method", "mdl", "--save", "m.json"), "This command reads m.json"),
        (("predict", "m.json", "t.csv", "--column", "x"), "has a column 'x' already"),
        (("predict", "m.json", "t.csv", "--column", "x"), "Give the prediction another name: --column NAME."),
        (("predict", "m.json", "t.csv", "--flag-cells", "x"), "column of flags another: --flag-cells NAME."),
        ((*FIT, "--weight", "x"), "Correct the cell, or leave --weight out."),
        (("prune", "m.json", "t.csv", "--method", "mdll"), "No pruner 'mdll'. Did you mean 'mdl'?"),
        (("learners", "carts"), "Did you mean 'cart'? Learners, pruners, selectors and balances: id3"),
    ],
)
def test_a_wrong_request_gets_its_sentence(
    clearwood: Command, arguments: tuple[str, ...], sentence: str
) -> None:
    done = clearwood(*arguments)
    assert done.code == 2
    assert done.out == ""
    assert done.err.startswith("error: ")
    assert len(done.err.splitlines()) == 1
    assert sentence in done.err


@pytest.mark.slow
@pytest.mark.parametrize(
    "arguments", [("fitt", "t.csv"), (*FIT, "--lerner", "c45"), ("fit",), (*FIT, "--cross-validate", "ten")]
)
def test_wrong_usage_is_exit_code_two(clearwood: Command, arguments: tuple[str, ...]) -> None:
    done = clearwood(*arguments)
    assert done.code == 2
    assert "Usage: clearwood" in done.err


def test_the_advice_and_the_place_are_data_in_json(clearwood: Command) -> None:
    wrong = clearwood("fit", "infinite.csv", "-t", "y", "--json").json
    assert wrong["advice"] == [{"option": "missing", "value": "inf", "typed": "--missing inf"}]
    assert wrong["place"] == {"source": "infinite.csv", "line": 10, "column": "x"}


def test_rows_for_a_model_get_no_advice_to_declare_its_columns_anew(clearwood: Command) -> None:
    wrong = clearwood("predict", "number.json", "words.csv", "--json").json
    assert [each["typed"] for each in wrong["advice"]] == ["--missing abc"]
    assert wrong["place"] == {"row": 1, "column": "x"}


def test_errors_are_json_too_when_asked(clearwood: Command) -> None:
    wrong = clearwood("fit", "t.csv", "-t", "yy", "--json")
    assert (wrong.code, list(wrong.json), wrong.err) == (2, ["error"], "")
    misused = clearwood("fit", "t.csv", "--nope", "--json")
    assert (misused.code, list(misused.json), misused.err) == (2, ["error"], "")


def test_what_cannot_be_written_leaves_the_input_as_it_was(clearwood: Command, tmp_path: Path) -> None:
    before = (tmp_path / "t.csv").read_bytes()
    clearwood("predict", "m.json", "t.csv", "--output", "./t.csv")
    assert (tmp_path / "t.csv").read_bytes() == before
    assert not list(tmp_path.glob("*.part")) + list(tmp_path.glob(".*.part"))
