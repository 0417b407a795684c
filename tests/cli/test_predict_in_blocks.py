"""Predicting in blocks: the same lines as in one piece, cells as they were, errors told of together."""

from __future__ import annotations

import csv
import gzip
import re
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import clearwood as cw
from clearwood.cli.answering import LineForm, as_list, output_lines
from clearwood.table.raw import RawStrings
from clearwood.table.sources import arrow as arrow_blocks
from clearwood.table.sources import blocks as reading
from clearwood.table.sources.blocks import NotInBlocksError, blocks_of, csv_blocks
from tests.cli.conftest import Command

ROWS = [
    '1.50,red,"a, b",yes',
    "?,red,plain,no",
    ' 2 ,blue,"over\ntwo lines",yes',
    '3.0,green,"say ""so""",no',
    "",
    "4,blue,5 inch,yes",
] * 30


@pytest.fixture
def scored(clearwood: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A table, a model of it, and blocks so small that there are many."""
    path = tmp_path / "d.csv"
    path.write_text("\n".join(["size,colour,remark,good", *ROWS, ""]))
    text = ("fit", path, "-t", "good", "--kind", "size=numeric", "--ignore", "remark", "--save", "m.json")
    assert clearwood(*text).code == 0
    monkeypatch.setattr(reading, "blocks_of", partial(blocks_of, size=100, rows=7))
    return path


def test_the_lines_are_as_they_were_with_the_answer_at_their_end(clearwood: Command, scored: Path) -> None:
    assert clearwood("predict", "m.json", scored, "-o", "s.csv").code == 0
    rows = [row for row in ROWS if row]
    answers = cw.predict(cw.load("m.json"), scored).tolist()
    expected = [f"{row},{answer}" for row, answer in zip(rows, answers, strict=True)]
    assert Path("s.csv").read_text() == "\n".join(["size,colour,remark,good,prediction", *expected, ""])


def test_blocks_are_judged_as_one_table(clearwood: Command, scored: Path) -> None:
    data = clearwood("predict", "m.json", scored, "-o", "s.csv", "--json").json
    judged = cw.evaluate(cw.load("m.json"), scored)
    assert data["rows"] == 150
    assert data["scores"]["confusion"] == [list(row) for row in judged.confusion]  # type: ignore[union-attr]


def test_numbers_are_judged_about_the_mean_of_all_blocks(
    clearwood: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = [f"{i},{i % 7 + i / 10}" for i in range(200)]
    (tmp_path / "n.csv").write_text("\n".join(["x,y", *rows, ""]))
    assert clearwood("fit", "n.csv", "-t", "y", "--save", "n.json").code == 0
    whole = clearwood("predict", "n.json", "n.csv", "-o", "s.csv", "--json").json["scores"]
    monkeypatch.setattr(reading, "blocks_of", partial(blocks_of, size=100, rows=7))
    parts = clearwood("predict", "n.json", "n.csv", "-o", "s.csv", "--json").json["scores"]
    assert parts == pytest.approx(whole)


@pytest.mark.parametrize("name", ["s.tsv", "s.csv.gz"])
def test_other_forms_have_the_same_cells(clearwood: Command, scored: Path, name: str) -> None:
    assert clearwood("predict", "m.json", scored, "-o", "s.csv").code == 0
    assert clearwood("predict", "m.json", scored, "-o", name).code == 0
    with gzip.open(name, "rt", newline="") if name.endswith("gz") else Path(name).open(newline="") as file:
        actual = list(csv.reader(file, delimiter="\t" if "tsv" in name else ","))
    with Path("s.csv").open(newline="") as file:
        assert [[cell.strip() for cell in row] for row in actual] == [
            [cell.strip() for cell in row] for row in csv.reader(file)
        ]


@pytest.fixture
def broken(clearwood: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Numbers in two columns, three cells of which are none."""
    lines = [f"{i},{i * 3 % 10},{'ab'[i > 20]}" for i in range(40)]
    (tmp_path / "d.csv").write_text("\n".join(["x,z,y", *lines, ""]))
    assert (
        clearwood(
            "fit",
            "d.csv",
            "-t",
            "y",
            "-l",
            "logistic",
            "--set",
            "penalty=l2",
            "--kind",
            "x=numeric",
            "--save",
            "m.json",
        ).code
        == 0
    )
    lines[4], lines[30], lines[31] = "4,many,a", "abc,0,b", "inf,3,b"
    (tmp_path / "new.csv").write_text("\n".join(["x,z,y", *lines, ""]))
    monkeypatch.setattr(reading, "blocks_of", partial(blocks_of, size=200, rows=7))
    return tmp_path / "new.csv"


def test_a_cell_that_is_no_number_stops_and_leaves_no_file(clearwood: Command, broken: Path) -> None:
    done = clearwood("predict", "m.json", broken, "-o", "s.csv")
    assert done.code == 2
    assert "Column 'z', row 5: 'many' is not a number." in done.err
    assert "So are 2 more cells: 'x', row 31: 'abc'; 'x', row 32: 'inf'." in done.err
    assert "To go on all the same: --on-error skip or keep." in done.err
    assert not Path("s.csv").exists()


def test_an_error_after_rows_on_standard_output_says_how_many_there_are(
    clearwood: Command, broken: Path
) -> None:
    lines = broken.read_text().splitlines()
    lines[5] = "4,2,a"
    broken.write_text("\n".join([*lines, ""]))
    done = clearwood("predict", "m.json", broken)
    rows = len(done.out.splitlines()) - 1
    assert 0 < rows < 31
    assert "Column 'x', row 31: 'abc' is not a number." in done.err
    after = f"{rows} rows were written before it; with -o FILE nothing is written."
    assert after in done.err
    strict = clearwood("predict", "m.json", broken, "--strict", "--on-error", "keep")
    assert len(strict.out.splitlines()) - 1 == rows
    assert after in strict.err
    lines[31] = "1,2"
    broken.write_text("\n".join([*lines, ""]))
    assert after in clearwood("predict", "m.json", broken).err
    assert "written before" not in clearwood("predict", "m.json", broken, "-o", "s.csv").err
    assert "written before" not in clearwood("predict", "m.json", broken, "--json").out
    lines[1] = "zero,2,a"
    broken.write_text("\n".join([*lines, ""]))
    assert "written before" not in clearwood("predict", "m.json", broken).err


def test_rows_with_wrong_cells_are_skipped_if_asked_and_listed_beside(
    clearwood: Command, broken: Path
) -> None:
    done = clearwood("predict", "m.json", broken, "-o", "s.csv", "--on-error", "skip")
    assert done.code == 0
    assert "3 cells could not be used, so 3 rows are left out" in done.err
    kept = [line.split(",")[0] for line in Path("s.csv").read_text().splitlines()[1:]]
    assert kept == [str(i) for i in range(40) if i not in (4, 30, 31)]
    assert Path("s.csv.errors.csv").read_text().splitlines() == [
        "row,column,cell,wrong",
        "5,z,many,is not a number",
        "31,x,abc,is not a number",
        "32,x,inf,is infinite",
    ]


def test_rows_with_wrong_cells_are_kept_if_asked_as_if_the_cells_were_empty(
    clearwood: Command, broken: Path
) -> None:
    data = clearwood("predict", "m.json", broken, "-o", "s.csv", "--on-error", "keep", "--json").json
    assert [(each["row"], each["cell"]) for each in data["errors"]] == [(5, "many"), (31, "abc"), (32, "inf")]
    lines = Path("s.csv").read_text().splitlines()
    assert len(lines) == 41
    assert lines[31].startswith("abc,0,b,")
    wrong = clearwood("predict", "m.json", broken, "--on-error", "kep")
    assert "No way on after an error 'kep'. Did you mean 'keep'?" in wrong.err


@pytest.mark.slow
def test_a_ragged_row_is_named_by_its_line_in_the_file(clearwood: Command, scored: Path) -> None:
    with scored.open("a") as file:
        file.write("1,red\n")
    whole = clearwood("predict", "m.json", scored, "--json").json["error"]
    assert clearwood("predict", "m.json", scored, "-o", "s.csv", "--json").json["error"] == whole


def test_a_file_that_turns_out_not_to_be_utf8_is_read_whole(clearwood: Command, scored: Path) -> None:
    with scored.open("ab") as file:
        file.write("2,blue,Köln,yes\n".encode("cp1252"))
    done = clearwood("predict", "m.json", scored, "-o", "s.csv")
    assert "read as Windows-1252" in done.err
    assert Path("s.csv").read_text().splitlines()[-1].startswith("2,blue,Köln,yes,")


def test_a_block_grows_until_its_quotes_are_closed(tmp_path: Path) -> None:
    long = "x" * 500 + "\n" + "y" * 700
    (tmp_path / "q.csv").write_text(f'a,b\n1,"{long}"\n2,short\n')
    blocks = list(blocks_of(str(tmp_path / "q.csv"), {}, size=64))
    assert sum(len(each.raw) for each in blocks) == 2
    lines = b"".join(output_lines(each, {}, LineForm(",", escape=False), None) for each in blocks)
    assert lines.decode() == f'1,"{long}"\n2,short\n'
    with pytest.raises(NotInBlocksError):
        list(csv_blocks([b"a,b\n"], "e.csv"))


def test_parquet_is_written_as_numbers_are_written_elsewhere(clearwood: Command, tmp_path: Path) -> None:
    numbers = np.array([1.0, 2.5, np.nan, 1e20, -3.0, 1e-7] * 10)
    table: dict[str, Any] = {"x": numbers, "c": ["a", 'b "c", d', None] * 20, "y": ["u", "v"] * 30}
    pq.write_table(pa.table(table), tmp_path / "d.parquet")
    assert clearwood("fit", "d.parquet", "-t", "y", "--save", "m.json").code == 0
    assert clearwood("predict", "m.json", "d.parquet", "-o", "s.csv").code == 0
    lines = [line.rsplit(",", 1)[0] for line in Path("s.csv").read_text().splitlines()]
    assert lines[1:7] == ["1,a,u", '2.5,"b ""c"", d",v', ",,u", "1e+20,a,v", '-3,"b ""c"", d",u', "1e-07,,v"]


@pytest.fixture
def weighted(clearwood: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Rows with weights, a model of them, and blocks of a few rows."""
    lines = [f"{i},{'ab'[i > 20]},{i % 3 + 1}" for i in range(40)]
    (tmp_path / "d.csv").write_text("\n".join(["x,y,w", *lines, ""]))
    text = ("fit", "d.csv", "-t", "y", "--weight", "w", "--kind", "x=numeric", "--save", "m.json")
    assert clearwood(*text).code == 0
    monkeypatch.setattr(reading, "blocks_of", partial(blocks_of, size=60, rows=7))
    return lines


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("33,b,heavy", "Column 'w', row 34: 'heavy' is not a number, which a weight must be."),
        ("33,b,-1", "The weight column 'w' is negative (-1) in row 34."),
        ("33,b,", "The weight column 'w' is missing in row 34."),
    ],
)
def test_a_weight_in_a_later_block_is_refused_with_its_row_in_the_file(
    clearwood: Command, weighted: list[str], line: str, sentence: str
) -> None:
    weighted[33] = line
    Path("new.csv").write_text("\n".join(["x,y,w", *weighted, ""]))
    done = clearwood("predict", "m.json", "new.csv", "-o", "s.csv", "--json")
    assert done.code == 2
    assert sentence in done.err + done.out
    assert '"row": 34' in done.err + done.out


def test_a_block_whose_weights_are_all_zero_is_no_reason_to_stop(
    clearwood: Command, weighted: list[str]
) -> None:
    lines = [line[:-1] + "0" if 10 < i < 35 else line for i, line in enumerate(weighted)]
    Path("new.csv").write_text("\n".join(["x,y,w", *lines, ""]))
    done = clearwood("predict", "m.json", "new.csv", "-o", "s.csv")
    assert done.code == 0, done.err
    assert "40 rows written to s.csv." in done.err


def test_dates_that_begin_in_a_later_block_are_refused_with_their_row(
    clearwood: Command, weighted: list[str]
) -> None:
    lines = [f"2024-01-{i:02},b,1" if i > 10 else line for i, line in enumerate(weighted[:30])]
    Path("new.csv").write_text("\n".join(["x,y,w", *lines, ""]))
    done = clearwood("predict", "m.json", "new.csv", "-o", "s.csv", "--on-error", "keep")
    assert done.code == 2
    matched = re.search(
        r"Column 'x' holds dates such as '2024-01-(\d+)' in row (\d+), not numbers.", done.err
    )
    assert matched, done.err
    assert int(matched[1]) == int(matched[2]) - 1


def test_scores_on_the_training_rows_are_said_to_be_so_whatever_their_order(
    clearwood: Command, scored: Path
) -> None:
    head, *rows = ["size,colour,remark,good", *(row for row in ROWS if row)]
    sentence = "These are the rows that the model was learned from: scores on them are too good."
    Path("turned.csv").write_text("\n".join([head, *reversed(rows), ""]))
    for data in (scored, "turned.csv"):
        done = clearwood("predict", "m.json", data, "-o", "s.csv")
        assert sentence in done.err
        assert clearwood("predict", "m.json", data, "-o", "s.csv", "--json").json["training_rows"] is True
    Path("other.csv").write_text("\n".join([head, *rows[1:], rows[1], ""]))
    assert sentence not in clearwood("predict", "m.json", "other.csv", "-o", "s.csv").err
    Path("new.csv").write_text("\n".join(["size,colour", "1.5,red", ""]))
    assert sentence not in clearwood("predict", "m.json", "new.csv", "-o", "s.csv").err


def test_texts_that_parquet_holds_as_codes_come_in_blocks_as_they_are(tmp_path: Path) -> None:
    few = ["red", "blue", None, "", "red", " green "] * 50
    many = [f"remark {i} " + "x" * (i % 300) for i in range(300)]
    table = pa.table({"few": few, "many": many, "large": pa.array(few, pa.large_string()), "n": range(300)})
    pq.write_table(table, tmp_path / "d.parquet", row_group_size=120)
    assert arrow_blocks._of_few_values(tmp_path / "d.parquet") == ["few", "many", "large"]
    pq.write_table(table, tmp_path / "plain.parquet", row_group_size=120, use_dictionary=False)
    assert arrow_blocks._of_few_values(tmp_path / "plain.parquet") == []
    blocks = [list(blocks_of(str(tmp_path / name), {}, rows=70)) for name in ("d.parquet", "plain.parquet")]
    assert len(blocks[0]) > 3
    for column in range(4):
        coded, spelled = (
            [cell for each in file for cell in as_list(each.raw.columns[column])] for file in blocks
        )
        assert coded == spelled
    for block in blocks[0]:
        for strings in block.raw.columns[:3]:
            assert isinstance(strings, RawStrings)
            assert not strings.declared
            assert strings.values == tuple(
                dict.fromkeys(cell for cell in as_list(strings) if cell is not None)
            )
