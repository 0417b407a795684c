"""What weights mean at the command line: guessed aloud, said by an option, and kept by the model."""

from __future__ import annotations

import html
import json
from pathlib import Path

import numpy as np
import pytest

from tests.cli.conftest import Command


@pytest.fixture
def survey(tmp_path: Path) -> Path:
    """Three hundred rows drawn with weights in the thousands, among them equal ones."""
    dice = np.random.default_rng(2)
    lines = ["area,works,weight,vote"]
    for area, works in zip(
        dice.choice(["north", "south"], 300), dice.choice(["yes", "no"], 300), strict=True
    ):
        vote = "left" if dice.random() < (0.7 if area == "north" else 0.4) else "right"
        lines.append(f"{area},{works},{dice.integers(200, 9000)},{vote}")
    path = tmp_path / "survey.csv"
    path.write_text("\n".join(lines) + "\n")
    return path


def test_the_guess_is_said_with_the_option_that_undoes_it(clearwood: Command, survey: Path) -> None:
    done = clearwood("fit", survey, "-t", "vote", "--weight", "weight", "-l", "logistic", "--save", "m.json")
    assert done.code == 0
    assert "note: The weights 'weight' are taken as sampling weights: rows" in done.err
    assert "are equal apart from the weight. 300 rows count as 2" in done.err
    assert "If they are counts of equal rows: --weights-are counts." in done.err
    assert json.loads(Path("m.json").read_text())["origin"]["weights_are"] == "sampling"


def test_the_option_says_it_and_no_note_is_needed(clearwood: Command, survey: Path) -> None:
    actual = {}
    for meaning in ("counts", "sampling", "importance"):
        done = clearwood(
            "fit", survey, "-t", "vote", "--weight", "weight", "--weights-are", meaning, "-l", "id3", "--json"
        )
        assert not any("weights" in note for note in done.json["notes"])
        actual[meaning] = done.json["training"]["interval"]
    widths = {meaning: high - low for meaning, (low, high) in actual.items()}
    assert widths["counts"] < 0.005
    assert 0.09 < widths["sampling"] < 0.15
    assert widths["importance"] == pytest.approx(widths["sampling"])  # both by the effective rows


@pytest.mark.slow
def test_a_saved_model_knows_what_the_weights_of_its_rows_are(clearwood: Command, survey: Path) -> None:
    clearwood("fit", survey, "-t", "vote", "--weight", "weight", "-l", "id3", "--save", "m.json", "-q")
    assert "ID3 from 300 rows, with sampling weights" in clearwood("show", "m.json").out
    derived = clearwood("derive", survey, "--model", "m.json")
    assert derived.code == 0, derived.err
    assert "with sampling weights" in derived.out
    page = clearwood("report", survey, "--model", "m.json", "-o", "page.html")
    assert page.code == 0, page.err
    text = html.unescape(Path("page.html").read_text())
    assert "sampling weights: they add up to Kish's effective number of rows" in text


@pytest.mark.slow
def test_a_saved_schema_keeps_the_meaning_and_is_not_guessed_again(clearwood: Command, survey: Path) -> None:
    answers = ("--weight", "weight", "--weights-are", "importance", "--save", "s.json")
    assert clearwood("schema", survey, "-t", "vote", *answers).code == 0
    done = clearwood("fit", survey, "--schema", "s.json", "-l", "id3")
    assert "with importance weights" in done.out
    assert "weights" not in done.err


def test_counted_rows_are_taken_as_counts(clearwood: Command, tmp_path: Path) -> None:
    path = tmp_path / "counted.csv"
    path.write_text("sex,class,n,survived\nm,1,118,no\nm,1,62,yes\nf,1,4,no\nf,1,141,yes\n")
    done = clearwood("fit", path, "-t", "survived", "--weight", "n", "-l", "id3")
    assert (
        "taken as counts of equal rows: they are whole numbers, and no two rows are equal apart" in done.err
    )
    assert "4 rows count as 325. If they are sampling weights: --weights-are sampling." in done.err


def test_wrong_options_are_refused_with_the_way_out(clearwood: Command, survey: Path) -> None:
    refused = clearwood("fit", survey, "-t", "vote", "--weight", "weight", "--weights-are", "sample")
    assert refused.code == 2
    assert "--weights-are: No meaning of weights 'sample'." in refused.err
    refused = clearwood("fit", survey, "-t", "vote", "--weights-are", "sampling")
    assert refused.code == 2
    assert "name their column, --weight" in refused.err
    clearwood("fit", survey, "-t", "vote", "-l", "id3", "--weight", "weight", "--save", "m.json", "-q")
    refused = clearwood("derive", survey, "--model", "m.json", "--weights-are", "counts")
    assert refused.code == 2
    assert "already learned" in refused.err
