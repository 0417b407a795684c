"""Arguments that fuzzing found to be answered wrongly, each with the sentence that it deserves."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from tests.cli.conftest import Command


@pytest.fixture(autouse=True)
def _files(model: Path, tmp_path: Path) -> None:
    (tmp_path / "d.csv").write_text("x,y\n" + "a,no\nb,yes\n" * 4)
    (tmp_path / "d.jsonl").write_text('{"x": "a", "y": "no"}\n{"x": "b", "y": "yes"}\n' * 4)
    (tmp_path / "cut.json.gz").write_bytes(gzip.compress(model.read_bytes())[:40])


FIT = ("fit", "d.csv", "-t", "y")


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("fit", "\ud800"), r"The argument '\ud800' is not UTF-8 text."),
        (("audit", "cut.json.gz"), "cut.json.gz: the compressed file is damaged or cut off."),
        (("edit", "gone.json", "-t", "y"), "No file gone.json."),
        (("scorecard", "\n"), r"No file \n."),
        (("fit", "d.csv", "-t", "a\nb\tc"), r"No column 'a\nb\tc'."),
        (
            ("audit", "m.json", "-t", "y"),
            "--target has no effect: m.json already has the kinds of its columns.",
        ),
        (("prune", "m.json", "d.csv", "--method", "mdl", "-s", "beam=3"), "mdl has no settings"),
        ((*FIT, "--weight", "x", "--weights-are", "z"), "Meanings: counts, sampling, importance."),
        (("fit", "d.jsonl", "-t", "y", "--delimiter", ","), "--delimiter is for delimited text; d.jsonl"),
        ((*FIT, "--decimal", ";"), "--decimal must be '.' or ',', not ';'."),
        ((*FIT, "--delimiter", "ab"), "--delimiter must be one plain character"),
        ((*FIT, "--delimiter", "a"), "--delimiter cannot be a letter or digit"),
        ((*FIT, "--decimal", ",", "--delimiter", ","), "--decimal and --delimiter are both ','."),
        ((*FIT, "--thousands", ";"), "--thousands must be"),
        ((*FIT, "--thousands", ",", "--decimal", ","), "--thousands and --decimal are both ','."),
        ((*FIT, "--dates", "years"), "--dates must be 'days'"),
        ((*FIT, "--delimiter", ";", "--no-header"), "No column 'y'. Columns: column_1."),
    ],
)
def test_what_is_wrong_is_one_sentence(clearwood: Command, arguments: tuple[str, ...], sentence: str) -> None:
    done = clearwood(*arguments)
    assert (done.code, done.out) == (2, "")
    assert sentence in done.err
    assert len(done.err.splitlines()) == 1


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (("--base", "nan"), "--base must be a number of points up to 1e+12, not nan."),
        (("--base", "inf"), "--base must be a number of points"),
        (("--points-per-doubling", "inf"), "--points-per-doubling must be above 0 and finite, not inf."),
        (("--points-per-doubling", "9223372036854775808"), "Give fewer --points-per-doubling"),
    ],
)
def test_points_that_no_card_can_hold_are_refused(
    clearwood: Command, options: tuple[str, ...], sentence: str
) -> None:
    assert clearwood(*FIT, "-l", "logistic", "-s", "penalty=l2", "-q", "--save", "l.json").code == 0
    done = clearwood("scorecard", "l.json", *options)
    assert (done.code, done.out) == (2, "")
    assert sentence in done.err
    assert clearwood("scorecard", "l.json", "--points-per-doubling", "1e9").code == 0


def test_a_limit_beyond_all_numbers_is_no_limit(clearwood: Command) -> None:
    assert clearwood(*FIT, "--max-bytes", "9" * 400).code == 0


def test_one_cell_is_expected_where_there_is_one_column(clearwood: Command, tmp_path: Path) -> None:
    (tmp_path / "ragged.csv").write_text("x\na\nb,c\n")
    assert (
        "line 3: 2 cells where 1 is expected"
        in clearwood("fit", "ragged.csv", "-t", "x", "--delimiter", ",").err
    )
